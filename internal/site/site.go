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
	"net/http"

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

// Free reports whether a path costs no quota: the first page, and files that are small
// and always the same.
func (s *Site) Free(path string) bool {
	if path == "/" || s.assets.has(path) {
		return true
	}
	r := s.findRoute(path)
	return r != nil && r.free
}

// errUnknown tells of a path that no page has.
var errUnknown = &response.Problem{Code: response.NotFound, Detail: "there is no page at this address"}

// Failure returns the page that tells a person of an error.
func (s *Site) Failure(of *snapshot.Snapshot, path string, header http.Header, failure response.Failure) response.Document {
	canonical, _, _ := s.Canonical(of, path, "", header)
	return s.failure(of, canonical, failure)
}
