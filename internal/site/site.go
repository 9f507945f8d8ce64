// Package site renders the pages for people, their files, and the discovery files for
// programs. Pages are complete without JavaScript.
//
// A page is made from the views of the snapshot (package snapshot), so that it agrees with
// the API. It depends only on the snapshot and its canonical address (address.go), and is
// cached, tagged and compressed like any other body. One table has all pages (routes.go).
// Templates (templates/) render the HTML and Markdown versions of a page from the same data.
// Translators extend the words of the interface (words/).
//
// The package must not know stores, quotas or how responses are sent. A *Site is safe for
// concurrent use.
package site

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/locale"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// Config configures a site. The zero Config is the default site.
type Config struct {
	// PublicURL is the public address of the server without a trailing slash, for absolute
	// addresses; with "" all addresses are relative. A proxy removes its path from requests.
	PublicURL string
	NoMCP     bool // the server has no MCP endpoint, so pages do not mention one
	Look      Look
	// EmptySearch is called with the text of a search over everything that found nothing, when its page is
	// rendered; it may be nil. It must be quick and safe for concurrent use.
	EmptySearch func(text string)
}

// Site renders pages. [New] creates one.
type Site struct {
	publicURL   string
	base        string // path of publicURL, which begins all paths in pages; "" for none
	noMCP       bool
	look        Look
	emptySearch func(text string)
	templates   *templates
	words       *dictionaries
	assets      assets
	routes      []route
	docs        func() documentation // made at its first use
	common      perSnapshot[*common]
	cards       perSnapshot[*cardIndex]
	apps        perSnapshot[*appIndex]
	edits       perSnapshot[*edits]
	refusals    perSnapshot[map[response.Code]response.Document]
}

// New creates a site. It reads and checks the words, the templates and the files of the
// look; an error names the file.
func New(config Config) (*Site, error) {
	dictionaries, err := readDictionaries()
	if err != nil {
		return nil, fmt.Errorf("words of the site: %w", err)
	}
	templates, err := parseTemplates(config.Look.Templates, dictionaries.byName[fallbackWords])
	if err != nil {
		return nil, fmt.Errorf("templates of the site: %w", err)
	}
	assets, err := newAssets(config.Look)
	if err != nil {
		return nil, fmt.Errorf("files of the site: %w", err)
	}
	public, err := url.Parse(config.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("public address of the site: %w", err)
	}
	docs := sync.OnceValue(func() documentation { return readDocumentation(config.PublicURL) })
	return &Site{publicURL: config.PublicURL, base: public.EscapedPath(), noMCP: config.NoMCP, emptySearch: config.EmptySearch, look: config.Look, templates: templates, words: dictionaries, assets: assets, routes: routes(), docs: docs}, nil
}

// errUnknown is the error for a path without a page.
var errUnknown = &response.Problem{Code: response.NotFound, Detail: "there is no page at this address"}

// Page returns the document at a canonical address (see [Site.Canonical]).
func (s *Site) Page(of *snapshot.Snapshot, path, query string) (response.Document, error) {
	if found, ok := s.assets.files[path]; ok {
		return found, nil
	}
	if of == nil {
		return response.Document{}, &response.Problem{Code: response.NotReady, Detail: "nothing is published here yet; try again in a moment"}
	}
	a, r, segment := s.find(of, path)
	if r == nil {
		return response.Document{}, errUnknown
	}
	if err := checkEscapes(query); err != nil {
		return response.Document{}, err
	}
	v := s.newView(of, a, r, segment, query)
	if err := r.load(v); err != nil {
		return response.Document{}, err
	}
	return v.render()
}

// IsFeed reports whether a path is that of a sitemap or feed, in any language.
func (s *Site) IsFeed(path string) bool {
	return strings.HasPrefix(path, "/sitemap") || strings.HasSuffix(path, feedPath) || strings.HasSuffix(path, jsonFeedPath) || strings.HasSuffix(path, changesFeedPath)
}

// MayBePrepared reports whether [Site.Prepared] may include the document of a path. It does
// not read the catalogue.
func (s *Site) MayBePrepared(path string) bool {
	if s.assets.has(path) {
		return true
	}
	r := s.findRoute(path)
	return r != nil && r.prepared
}

// Prepared returns the canonical addresses of the documents to render in advance; for a nil
// snapshot only files.
func (s *Site) Prepared(of *snapshot.Snapshot) []string {
	if of == nil {
		return slices.Sorted(maps.Keys(s.assets.files))
	}
	var all []string
	for _, r := range s.routes {
		if r.prepared && !r.localed {
			all = append(all, r.path)
		}
		if !r.prepared || !r.localed {
			continue
		}
		for id := range of.Locales().Names() {
			path := inLocale(of.Locales(), locale.ID(id), r.path)
			all = append(all, path)
			if other, ok := s.markdownOf(of, path); ok {
				all = append(all, other)
			}
		}
	}
	return all
}

// refused are the errors of requests without cost, whose pages are prepared.
var refused = []response.Code{response.RateLimited, response.Overloaded}

// PrepareRefusals renders the pages that [Site.Refusal] returns for a snapshot.
func (s *Site) PrepareRefusals(of *snapshot.Snapshot) (err error) {
	for id := range of.Locales().Names() {
		s.refusals.of(of, locale.ID(id), func() map[response.Code]response.Document {
			pages := map[response.Code]response.Document{}
			for _, code := range refused {
				page, failed := s.failurePage(of, inLocale(of.Locales(), locale.ID(id), "/"), response.FailureOf(code))
				if pages[code] = page; failed != nil {
					err = failed
				}
			}
			return pages
		})
	}
	return err
}

// Refusal returns the prepared page of an error for a request without cost, in the language
// of the request; ok is false if it is not prepared.
func (s *Site) Refusal(of *snapshot.Snapshot, path string, header http.Header, code response.Code) (page response.Document, ok bool) {
	if of == nil {
		return response.Document{}, false
	}
	canonical, _, _ := s.Canonical(of, path, "", header)
	a, ok := s.split(of, canonical)
	if !ok {
		a.locale = preferred(of.Locales(), header["Accept-Language"])
	}
	page, ok = s.refusals.cached(of, a.locale)[code]
	return page, ok
}

// Failure returns the error page for a person.
func (s *Site) Failure(of *snapshot.Snapshot, path string, header http.Header, failure response.Failure) response.Document {
	canonical, _, _ := s.Canonical(of, path, "", header)
	return s.failure(of, canonical, failure)
}
