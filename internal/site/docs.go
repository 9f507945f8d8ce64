package site

import (
	"embed"
	"html/template"
	"strings"
)

//go:embed guides
var guideFiles embed.FS

// madeFor is the address in the examples of guides, which the public address replaces.
const madeFor = "http://127.0.0.1:8080"

// guide is a page about the use of the API. A test runs its examples.
type guide struct {
	Slug, Title string
	HTML        template.HTML
	markdown    string
}

// documentation is the content of the pages below /docs, in English.
type documentation struct {
	Reference reference
	Guides    []guide
}

// docsMain is the data of a page of the documentation.
type docsMain struct {
	documentation
	Guide *guide // nil for the reference
}

// readDocumentation reads the OpenAPI document and the guides, in the order of the names of
// their files.
func readDocumentation(publicURL string) (documentation, error) {
	reference, err := readReference()
	if err != nil {
		return documentation{}, err
	}
	files, err := guideFiles.ReadDir("guides")
	if err != nil {
		return documentation{}, err
	}
	d, text := documentation{Reference: reference}, newProse()
	for _, file := range files {
		raw, err := guideFiles.ReadFile("guides/" + file.Name())
		if err != nil {
			return documentation{}, err
		}
		g := guide{markdown: string(raw)}
		if publicURL != "" {
			g.markdown = strings.ReplaceAll(g.markdown, madeFor, publicURL)
		}
		_, g.Slug, _ = strings.Cut(strings.TrimSuffix(file.Name(), markdownSuffix), "-")
		title, body, _ := strings.Cut(g.markdown, "\n")
		g.Title, g.HTML = strings.TrimPrefix(title, "# "), text.html(body, 1)
		d.Guides = append(d.Guides, g)
	}
	return d, nil
}

func referencePage(v *view) error {
	v.Title, v.Description = v.site.docs.Reference.Title, v.site.docs.Reference.Summary
	v.JSON, v.Script, v.Main = "/openapi.json", "docs.js", docsMain{v.site.docs, nil}
	return nil
}

func guidePage(v *view) error {
	for i, g := range v.site.docs.Guides {
		if g.Slug != v.segment {
			continue
		}
		if v.address.markdown {
			v.raw = []byte(g.markdown)
		}
		v.Title, v.Description = g.Title, g.Title+": "+v.site.docs.Reference.Summary
		v.Main = docsMain{v.site.docs, &v.site.docs.Guides[i]}
		return nil
	}
	return errUnknown
}
