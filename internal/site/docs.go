package site

import (
	"embed"
	"html/template"
	"strings"

	"vitrine/internal/response"
)

//go:embed guides
var guideFiles embed.FS

// madeFor is the address in the examples of guides, in the place of which the site's own
// stands where it is known.
const madeFor = "http://127.0.0.1:8080"

// guide is a page that explains how to call the API, with examples that a test runs.
type guide struct {
	Slug, Title string
	HTML        template.HTML
	markdown    string
}

// documentation is what the pages below /docs show. It is in English, and the same
// whatever the catalogue.
type documentation struct {
	Reference *reference
	Guides    []guide
}

// readDocumentation reads the guides, in the order of their files' names, and the
// OpenAPI document.
func readDocumentation(publicURL string) (*documentation, error) {
	reference, err := readReference()
	if err != nil {
		return nil, err
	}
	d := &documentation{Reference: reference}
	files, err := guideFiles.ReadDir("guides")
	if err != nil {
		return nil, err
	}
	text := newProse()
	for _, file := range files {
		raw, err := guideFiles.ReadFile("guides/" + file.Name())
		if err != nil {
			return nil, err
		}
		source := string(raw)
		if publicURL != "" {
			source = strings.ReplaceAll(source, madeFor, publicURL)
		}
		_, slug, _ := strings.Cut(strings.TrimSuffix(file.Name(), markdown), "-")
		g := guide{Slug: slug, markdown: source}
		var body string
		g.Title, body = title(source)
		if g.HTML, err = text.html(body, 1); err != nil {
			return nil, err
		}
		d.Guides = append(d.Guides, g)
	}
	return d, nil
}

// docsMain is what the pages of the documentation show.
type docsMain struct {
	*documentation
	Guide *guide // nil for the reference
}

// docsPage is the reference of the API.
func docsPage(v *view) (response.Document, error) {
	v.Title, v.Description = v.site.docs.Reference.Title, v.site.docs.Reference.Summary
	v.JSON = "/openapi.json"
	v.Script = "docs.js"
	return v.render("docs", docsMain{v.site.docs, nil})
}

// guidePage is one guide.
func guidePage(v *view) (response.Document, error) {
	for i := range v.site.docs.Guides {
		g := &v.site.docs.Guides[i]
		if g.Slug != v.segment {
			continue
		}
		if v.address.markdown {
			return response.Document{Body: []byte(g.markdown), Fields: v.fields("text/markdown; charset=utf-8"), Effort: response.Often}, nil
		}
		v.Title, v.Description = g.Title, g.Title+": "+v.site.docs.Reference.Summary
		return v.render("docs", docsMain{v.site.docs, g})
	}
	return response.Document{}, errUnknown
}
