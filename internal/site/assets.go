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

const (
	assetsPath = "/assets/"   // the names of its files have a hash of their content, so browsers cache them forever
	themePath  = "/theme.css" // the reader's theme; see [themed]
)

// The caching of assets: forever, or after asking the server.
const (
	cacheForGood = "public, max-age=31536000, immutable"
	cacheAsked   = "private, no-cache"
)

// assets are the files of all pages.
type assets struct {
	files map[string]response.Document // by path
	names map[string]string            // path by the name without the hash
}

// newAssets reads the files of the program and those of a look.
func newAssets(look Look) (assets, error) {
	a := assets{files: map[string]response.Document{}, names: map[string]string{}}
	for _, name := range []string{"site.css", "site.js", "docs.js", "icon.svg", "preview.png"} {
		body, err := assetFiles.ReadFile("assets/" + name)
		if err == nil && name == "site.css" {
			body, err = stylesheet(look, body)
		}
		if err != nil {
			return assets{}, err
		}
		a.add(name, name, body)
	}
	if look.Logo != "" {
		body, err := os.ReadFile(look.Logo)
		if err != nil {
			return assets{}, err
		}
		a.add("logo", "logo"+strings.ToLower(path.Ext(look.Logo)), body)
	}
	for _, theme := range themes {
		scheme := map[string]string{"auto": "light dark", "light": "light", "dark": "dark"}[theme]
		a.files[themeFile(theme)] = document(".css", cacheAsked, []byte(":root{color-scheme:"+scheme+"}\n"))
	}
	return a, nil
}

// stylesheet returns the rules of the site with those of a look.
func stylesheet(look Look, rules []byte) ([]byte, error) {
	rules = append([]byte(":root{--brand:"+look.accent()+"}\n"), rules...)
	if look.CSS == "" {
		return rules, nil
	}
	own, err := os.ReadFile(look.CSS)
	return append(append(rules, '\n'), own...), err
}

// themeFile returns the canonical path of the stylesheet of a theme.
func themeFile(theme string) string { return assetsPath + "theme/" + theme + ".css" }

// add adds a file under a name that templates use.
func (a assets) add(name, file string, body []byte) {
	sum := sha256.Sum256(body)
	ext := path.Ext(file)
	at := assetsPath + strings.TrimSuffix(file, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	a.files[at], a.names[name] = document(ext, cacheForGood, body), at
}

const svgType = "image/svg+xml"

// picturePolicy is the policy of files: an SVG opened in the browser is a document, in which nothing may run.
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// document returns the document of a file with an extension.
func document(ext, cache string, body []byte) response.Document {
	types := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": svgType, ".png": "image/png"}
	return response.Document{Body: slices.Clip(body), Effort: response.Often, Fields: response.Fields{More: http.Header{
		"Content-Type": {types[ext]}, "Cache-Control": {cache},
		"Content-Security-Policy": {picturePolicy},
	}}}
}

// has reports whether a path is that of a file, or of the reader's theme.
func (a assets) has(path string) bool {
	_, ok := a.files[path]
	return ok || path == themePath
}
