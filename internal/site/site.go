// Package site makes the pages for people, the files that they need, and what leads
// programs to the API: HTML made on the server from what the API answers, complete
// without JavaScript.
//
// A page is made of the bodies of the API (file api.go), so that both say the same. It
// depends on the snapshot and its canonical address alone (file address.go), so that it is kept,
// tagged and compressed like any other body. All pages stand in one table (file routes.go).
// The words of the interface are in files that translators extend (words/).
//
// The package must not know stores, limits or how answers are sent. A *Site is safe
// for concurrent use.
package site

import (
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"vitrine/internal/locale"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// Config says what a site looks like. The zero Config is a site as it comes.
type Config struct {
	// PublicURL is the address under which people reach the server, without a slash at
	// its end, for what must be absolute; "" makes everything relative.
	PublicURL string
	Look      Look
}

// Site makes pages. Make one with [New].
type Site struct {
	publicURL string
	look      Look
	templates map[string]*template.Template // by page
	words     *dictionaries
	assets    assets
	routes    []route
	docs      *documentation
	common    kept[*common]
	every     kept[everyCard]
	refusals  kept[map[response.Code]response.Document]
}

// New makes a site. It fails where a template or a stylesheet of the look is not to be
// read or does not parse.
func New(config Config) (*Site, error) {
	words, err := readDictionaries()
	if err != nil {
		return nil, fmt.Errorf("the words of the site: %w", err)
	}
	templates, err := parseTemplates(config.Look.Templates)
	if err != nil {
		return nil, fmt.Errorf("the templates of the site: %w", err)
	}
	assets, err := newAssets(config.Look)
	if err != nil {
		return nil, fmt.Errorf("the files of the site: %w", err)
	}
	docs, err := readDocumentation(config.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("the documentation of the site: %w", err)
	}
	return &Site{publicURL: config.PublicURL, look: config.Look.withDefaults(), templates: templates, words: words, assets: assets, routes: routes(), docs: docs}, nil
}

// Page returns what stands at a canonical address (see [Site.Canonical]).
func (s *Site) Page(of *snapshot.Snapshot, path, query string) (response.Document, error) {
	if found, ok := s.assets.document(path); ok {
		return found, nil
	}
	if of == nil {
		return response.Document{}, &response.Problem{Code: response.NotReady, Detail: "nothing is published here yet; try again in a moment"}
	}
	a, r, segment := s.find(of, path)
	if r == nil {
		return response.Document{}, errUnknown
	}
	v, err := s.newView(of, a, r, segment, query)
	if err != nil {
		return response.Document{}, err
	}
	return r.make(v)
}

// IsFeed reports whether a path is that of a sitemap or a feed, in any language.
func (s *Site) IsFeed(path string) bool {
	return strings.HasPrefix(path, "/sitemap") || strings.HasSuffix(path, feedPath)
}

// MayBePrepared reports whether [Site.Prepared] may have what a path leads to. It reads
// no catalogue.
func (s *Site) MayBePrepared(path string) bool {
	if s.assets.has(path) {
		return true
	}
	r := s.findRoute(path)
	return r != nil && r.ahead
}

// Prepared returns the canonical addresses of the documents that are made in advance, files
// first; with a nil snapshot only files.
func (s *Site) Prepared(of *snapshot.Snapshot) []string {
	if of == nil {
		return slices.Sorted(maps.Keys(s.assets.files))
	}
	var all []string
	for _, r := range s.routes {
		switch {
		case !r.ahead:
		case !r.localed:
			all = append(all, r.path)
		default:
			for _, name := range of.Locales().Names() {
				path := "/" + strings.ToLower(name) + r.path
				all = append(all, path)
				if other, ok := s.twinOf(of, path); ok {
					all = append(all, other)
				}
			}
		}
	}
	return all
}

// refused are the errors that cost a client nothing, which therefore have pages that are
// made ahead.
var refused = []response.Code{response.RateLimited, response.Overloaded}

// PrepareRefusals makes the pages that [Site.Refusal] returns for a snapshot.
func (s *Site) PrepareRefusals(of *snapshot.Snapshot) error {
	for i, name := range of.Locales().Names() {
		_, err := s.refusals.of(of, locale.ID(i), func() (map[response.Code]response.Document, error) {
			pages := map[response.Code]response.Document{}
			for _, code := range refused {
				page, err := s.failurePage(of, "/"+strings.ToLower(name)+"/", response.FailureOf(code))
				if err != nil {
					return nil, err
				}
				pages[code] = page
			}
			return pages, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Refusal returns the page that tells a person, in the language of the request, of an
// error that cost nothing. It makes none: ok is false for one that was not prepared.
func (s *Site) Refusal(of *snapshot.Snapshot, path string, header http.Header, code response.Code) (page response.Document, ok bool) {
	if of == nil {
		return response.Document{}, false
	}
	canonical, _, _ := s.Canonical(of, path, "", header)
	a, ok := s.split(of, canonical)
	if !ok {
		a.locale = preferred(of.Locales(), header["Accept-Language"])
	}
	page, ok = s.refusals.have(of, a.locale)[code]
	return page, ok
}

// errUnknown tells of a path that no page has.
var errUnknown = &response.Problem{Code: response.NotFound, Detail: "there is no page at this address"}

// Failure returns the page that tells a person of an error.
func (s *Site) Failure(of *snapshot.Snapshot, path string, header http.Header, failure response.Failure) response.Document {
	canonical, _, _ := s.Canonical(of, path, "", header)
	return s.failure(of, canonical, failure)
}
