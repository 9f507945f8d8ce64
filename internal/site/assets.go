package site

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"

	"vitrine/internal/response"
)

//go:embed assets
var assetFiles embed.FS

// Where the files of pages are. Their names have a hash of what they hold, so that a
// browser never asks for one again.
const (
	assetsPath = "/assets/"
	themePath  = "/theme.css" // the reader's theme; see [themed]
)

// The caching of what is not a page: for good, and only after the server was asked.
const (
	cacheForGood = "public, max-age=31536000, immutable"
	cacheAsked   = "private, no-cache"
)

// assets are the files of all pages, by path.
type assets struct {
	files map[string]asset
	names map[string]string // path by the name without the hash
}

type asset struct {
	body   []byte
	fields response.Fields
}

// newAssets reads the files that are part of the program, and those of a look.
func newAssets(look Look) (assets, error) {
	a := assets{files: map[string]asset{}, names: map[string]string{}}
	style, err := assetFiles.ReadFile("assets/site.css")
	if err != nil {
		return assets{}, err
	}
	style = append([]byte(":root{--brand:"+look.withDefaults().Accent+"}\n"), style...)
	if look.CSS != "" {
		own, err := os.ReadFile(look.CSS)
		if err != nil {
			return assets{}, err
		}
		style = append(append(style, '\n'), own...)
	}
	a.add("site.css", style)
	for _, name := range []string{"site.js", "docs.js", "icon.svg"} {
		body, err := assetFiles.ReadFile("assets/" + name)
		if err != nil {
			return assets{}, err
		}
		a.add(name, body)
	}
	if look.Logo != "" {
		body, err := os.ReadFile(look.Logo)
		if err != nil {
			return assets{}, err
		}
		a.add("logo"+strings.ToLower(path.Ext(look.Logo)), body)
		a.names["logo"] = a.names["logo"+strings.ToLower(path.Ext(look.Logo))]
	}
	for _, theme := range themes {
		scheme := map[string]string{"auto": "light dark", "light": "light", "dark": "dark"}[theme]
		a.files[themeFile(theme)] = asset{[]byte(":root{color-scheme:" + scheme + "}\n"), response.Fields{More: http.Header{
			"Content-Type": {"text/css; charset=utf-8"}, "Cache-Control": {cacheAsked},
		}}}
	}
	return a, nil
}

// themeFile is where the stylesheet of a theme is kept. Nobody asks for it by this name.
func themeFile(theme string) string { return assetsPath + "theme/" + theme + ".css" }

func (a assets) add(name string, body []byte) {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	at := assetsPath + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	a.files[at] = asset{body, response.Fields{More: http.Header{
		"Content-Type": {typeOf(ext)}, "Cache-Control": {cacheForGood},
		// An SVG is a document: opened by itself it must not run anything either.
		"Content-Security-Policy": {"default-src 'none'; style-src 'unsafe-inline'; sandbox"},
	}}}
	a.names[name] = at
}

func typeOf(ext string) string {
	return map[string]string{
		".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
	}[ext]
}

// has reports whether a path is that of a file. It may be the one of the reader's theme.
func (a assets) has(path string) bool {
	_, ok := a.files[path]
	return ok || path == themePath
}

// document returns the file at a path.
func (a assets) document(path string) (response.Document, bool) {
	found, ok := a.files[path]
	if !ok {
		return response.Document{}, false
	}
	return response.Document{Body: slices.Clip(found.body), Fields: found.fields, Effort: response.Often}, true
}
