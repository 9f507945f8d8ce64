package site

import (
	"cmp"
	"embed"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/query"
	"vitrine/internal/snapshot"
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

// Short returns the path of an operation in the side, which is narrow: without the part that most have.
func (docsMain) Short(path string) string { return strings.TrimPrefix(path, "/api/open") }

// readDocumentation renders the OpenAPI document and the guides, in the order of the names of
// their files. It panics if the embedded files are invalid, which the tests exclude.
func readDocumentation(publicURL string) documentation {
	files, err := guideFiles.ReadDir("guides")
	if err != nil {
		panic("site: list the guides: " + err.Error())
	}
	d, text := documentation{Reference: readReference()}, newProse()
	for _, file := range files {
		raw, err := guideFiles.ReadFile("guides/" + file.Name())
		if err != nil {
			panic("site: read a guide: " + err.Error())
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
	return d
}

// Server returns the address of the server in examples.
func (v *view) Server() string { return cmp.Or(v.site.publicURL, madeFor) }

// documentation returns what applies to the catalogue: no operations of records that it lacks, and without
// chains no guides and parameters about them.
func (v *view) documentation() documentation {
	d := v.site.docs()
	if v.plain {
		d.Reference.Title, d.Reference.Summary = "API", "A read-only, multilingual JSON API of this catalogue."
		d.Reference.Introduction = withoutChains(d.Reference.Introduction)
		d.Guides = slices.DeleteFunc(slices.Clone(d.Guides), func(g guide) bool { return strings.Contains(g.markdown, "chain") })
	}
	lacks := v.lacks()
	lacks["bulk"] = v.Meta.Bulk == nil
	d.Reference.Sections = nil
	own := v.examples()
	for _, section := range v.site.docs().Reference.Sections {
		section.Operations = slices.Clone(section.Operations)
		section.Operations = slices.DeleteFunc(section.Operations, func(o operationDoc) bool {
			return lacks[firstOf(o.Path)]
		})
		for i := range section.Operations {
			if v.plain {
				section.Operations[i] = section.Operations[i].withoutChains(own)
			}
		}
		if v.plain {
			section.Description = withoutChains(section.Description)
		}
		for i := range section.Operations {
			section.Operations[i] = section.Operations[i].without(lacks)
		}
		if len(section.Operations) > 0 {
			d.Reference.Sections = append(d.Reference.Sections, section)
		}
	}
	return d
}

// lacks returns whether the catalogue has no records of a kind, by the first segment of its operations.
func (v *view) lacks() map[string]bool {
	lacks := map[string]bool{}
	for _, of := range sections() {
		lacks[firstOf(of.api)] = !v.Has(of.name)
	}
	lacks[firstOf(cards.api)] = !v.Has(menus.name)
	return lacks
}

// firstOf returns the first segment of the path of an operation, below that of the API.
func firstOf(path string) string {
	segment, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, "/api/open"), "/"), "/")
	return segment
}

// chainWords match texts that only a catalogue with chains needs.
var chainWords = regexp.MustCompile(`(?i)chain|wallet|web3|eip155|\brpc\b|tvl`)

// chainValue matches such a value, unless it is the last one, in the type of a field.
var chainValue = regexp.MustCompile(`\w*(?:chain|tvl)\w* \| `)

// block matches a paragraph, an item or a row of prose.
var block = regexp.MustCompile(`(?s)<(?:p|li|tr|pre)>.*?</(?:p|li|tr|pre)>`)

// withoutChains returns prose without the paragraphs, items and rows about chains.
func withoutChains(prose template.HTML) template.HTML {
	return template.HTML(block.ReplaceAllStringFunc(string(prose), func(part string) string {
		if chainWords.MatchString(part) {
			return ""
		}
		return part
	}))
}

// examples returns values of parameters for a catalogue without chains, by name.
func (v *view) examples() map[string]string {
	own := map[string]string{"app": "", "id": "", "q": "", "tag": "", "menu": "", "pathSlug": "", "slug": ""}
	for _, app := range snapshot.Rows[snapshot.AppRow](v.snapshot, v.one(query.KindApp, query.StatusAll)).Rows {
		own["app"], own["q"] = app.Key, app.Title
	}
	for _, category := range v.common.categories[:min(1, len(v.common.categories))] {
		own["tag"] = category.Key
	}
	for _, group := range v.Nav {
		if own["slug"] = group.Slug; len(group.Navs) > 0 {
			own["menu"], own["pathSlug"] = slugOf(group.Navs[0]), slugOf(group.Navs[0])
			break
		}
	}
	return own
}

// withoutChains returns an operation without what is about chains: parameters, fields, paragraphs and the
// example. Its examples are own, by the name of the parameter.
func (o operationDoc) withoutChains(own map[string]string) operationDoc {
	o.Description = withoutChains(o.Description)
	o.Parameters = slices.DeleteFunc(slices.Clone(o.Parameters), func(p parameterDoc) bool { return chainWords.MatchString(p.Name) })
	for i := range o.Parameters {
		p := &o.Parameters[i]
		p.Description = withoutChains(p.Description)
		p.Options = slices.DeleteFunc(slices.Clone(p.Options), chainWords.MatchString)
		if example, ok := own[p.Name]; ok {
			if p.Example = example; p.Value != "" {
				p.Value = example
			}
		}
		for _, example := range []*string{&p.Example, &p.Value} {
			if chainWords.MatchString(*example) {
				*example = ""
			}
		}
	}
	o.Fields = withoutChainFields(o.Fields)
	for i := range o.Fields {
		f := &o.Fields[i]
		f.Type = chainValue.ReplaceAllString(f.Type, "")
		if chainWords.MatchString(string(f.Description)) {
			f.Description = ""
		}
	}
	if chainWords.MatchString(o.Example) {
		o.Example = ""
	}
	o.address()
	return o
}

// without returns an operation without the values that name kinds which the catalogue lacks.
func (o operationDoc) without(lacks map[string]bool) operationDoc {
	isLacking := func(value string) bool { return lacks[value] }
	o.Parameters = slices.Clone(o.Parameters)
	for i := range o.Parameters {
		p := &o.Parameters[i]
		p.Options = slices.DeleteFunc(slices.Clone(p.Options), isLacking)
	}
	o.Fields = slices.Clone(o.Fields)
	for i := range o.Fields {
		f := &o.Fields[i]
		prefix, values := "", f.Type
		if rest, ok := strings.CutPrefix(f.Type, "array of "); ok {
			prefix, values = "array of ", rest
		}
		f.Type = prefix + strings.Join(slices.DeleteFunc(strings.Split(values, " | "), isLacking), " | ")
	}
	return o
}

// withoutChainFields returns the fields that are not about chains, nor below one that is.
func withoutChainFields(all []fieldDoc) []fieldDoc {
	var some []fieldDoc
	for i := 0; i < len(all); i++ {
		above := all[i]
		if !chainWords.MatchString(above.Name) {
			some = append(some, above)
			continue
		}
		for i+1 < len(all) && all[i+1].Depth > above.Depth {
			i++
		}
	}
	return some
}

func referencePage(v *view) error {
	docs := v.documentation()
	v.Title, v.Description = docs.Reference.Title, docs.Reference.Summary
	v.JSON, v.Script, v.Main = "/openapi.json", "docs.js", docsMain{docs, nil}
	return nil
}

func guidePage(v *view) error {
	docs := v.documentation()
	for i, g := range docs.Guides {
		if g.Slug != v.segment {
			continue
		}
		if v.address.markdown {
			v.raw = []byte(g.markdown)
		}
		v.Title, v.Description = g.Title, g.Title+": "+docs.Reference.Summary
		v.Main = docsMain{docs, &docs.Guides[i]}
		return nil
	}
	return errUnknown
}
