package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// What the pages of single records have in common: facts by dimension, figures, links by
// type, and what is said where there is no such record.

// recordBody is what chains, accounts and channels have alike.
type recordBody struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Categories  []string          `json:"categorySlugs"`
	Website     string            `json:"website"`
	Links       []recordLink      `json:"links"`
	Figures     map[string]figure `json:"figures"`
	Extra       json.RawMessage   `json:"extra"`
}

type recordLink struct {
	Type string `json:"type"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

type figure struct {
	Value  float64 `json:"value"`
	Source string  `json:"source"`
	AsOf   string  `json:"asOf"`
}

// trim leaves out what is too much for one page, and returns how much that is.
func (r *recordBody) trim() int {
	var categories, links int
	r.Categories, categories = most(r.Categories, partsOfRecord)
	r.Links, links = most(r.Links, partsOfRecord)
	return categories + links
}

// finding looks for one record by what stands in a path.
type finding struct {
	kind query.Kind
	find func(*snapshot.Snapshot, string, query.Localized) ([]byte, bool)
	none string // said where there is none
}

// record returns the body of the record that the path of this page names.
func (v *view) record(f finding) ([]byte, error) {
	name, err := url.PathUnescape(v.segment)
	if err != nil {
		return nil, errUnknown
	}
	body, ok := f.find(v.snapshot, name, v.localized())
	if !ok {
		return nil, &response.Problem{
			Code: response.NotFound, Detail: f.none,
			Candidates: v.snapshot.Candidates(f.kind, query.ForName(name, v.locale)),
		}
	}
	return body, nil
}

// isAt makes a path the address of this page, whatever name it was found by.
func (v *view) isAt(path string) { v.address.path = path }

// dimension is one question that categories answer, and the answers of a record.
type dimension struct {
	Key, Name  string
	Categories []named
}

// named is something with a name that may have a page.
type named struct{ Name, Path string }

type dimensionsBody struct {
	Groups []dimensionName `json:"groups"`
}

type dimensionName struct {
	Key  string `json:"key"`
	Name string `json:"name"`
}

type categoriesOfBody struct {
	Categories []struct {
		Key   string `json:"key"`
		Group string `json:"groupKey"`
	} `json:"categories"`
}

// dimensions sorts the categories of a record by dimension; each leads to the list that
// it filters. Those without one come last.
func (v *view) dimensions(module domain.Module, list string, keys []string) []dimension {
	groups, labels, all := v.common.groups[module], v.common.labels, v.common.dimensions[module]
	dimensions := make([]dimension, 0, len(all)+1)
	for _, g := range all {
		dimensions = append(dimensions, dimension{Key: g.Key, Name: g.Name})
	}
	dimensions = append(dimensions, dimension{})
	for _, key := range keys {
		of := slices.IndexFunc(dimensions, func(d dimension) bool { return d.Key == groups[key] })
		if of < 0 {
			of = len(dimensions) - 1
		}
		category := named{labels[key], withQuery(v.At(list), url.Values{"tag": {key}}.Encode())}
		dimensions[of].Categories = append(dimensions[of].Categories, category)
	}
	return slices.DeleteFunc(dimensions, func(d dimension) bool { return len(d.Categories) == 0 })
}

// figureItem is a figure as a page shows it.
type figureItem struct {
	Key    string
	Value  string
	Share  float64 // of the largest that there is, in per cent
	HasBar bool
	Source string
	Date   string
}

// figures returns the figures of a record in the order of their keys, each with its share
// of the largest. Money are those that are in US dollars.
func (v *view) figures(all map[string]figure, order []string, largest map[string]float64) ([]figureItem, error) {
	var items []figureItem
	for _, key := range order {
		f, ok := all[key]
		if !ok {
			continue
		}
		source, err := v.Source(f.Source)
		if err != nil {
			return nil, err
		}
		item := figureItem{Key: key, Value: v.words.amount(f.Value), Source: source, Date: v.Date(f.AsOf)}
		switch {
		case key == "llama_tvl":
			if item.Value, err = v.Money(&f.Value); err != nil {
				return nil, err
			}
		case f.Value == float64(int(f.Value)):
			item.Value = v.Int(int(f.Value))
		}
		item.Share, item.HasBar = share(f.Value, largest[key])
		items = append(items, item)
	}
	return items, nil
}

// share returns what part of the largest a value is, in per cent.
func share(value, largest float64) (float64, bool) {
	if largest <= 0 || value < 0 {
		return 0, false
	}
	return min(100*value/largest, 100), true
}

// linkGroup is the links of one type.
type linkGroup struct {
	Type  string
	Links []recordLink
}

// linksByType gathers links by their type; the first of a type says where it stands.
func linksByType(links []recordLink) []linkGroup {
	var groups []linkGroup
	for _, link := range links {
		at := slices.IndexFunc(groups, func(g linkGroup) bool { return g.Type == link.Type })
		if at < 0 {
			at = len(groups)
			groups = append(groups, linkGroup{Type: link.Type})
		}
		groups[at].Links = append(groups[at].Links, link)
	}
	return groups
}

// Web reports whether an address may be a link: http and https alone.
func (v *view) Web(address string) bool { return isWeb(address) }

func isWeb(address string) bool { return strings.Contains(address, "://") && followable(address) }

// Host returns the host of an address as people say it; the address itself where it has
// none.
func (v *view) Host(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return address
	}
	return strings.TrimPrefix(parsed.Hostname(), "www.")
}

// indented returns JSON to be read by people, "" for none.
func indented(raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return "", nil
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return "", err
	}
	return out.String(), nil
}

// addresses returns those of links that lead out, for search engines.
func addresses(website string, links []recordLink) []string {
	var all []string
	for _, link := range append([]recordLink{{URL: website}}, links...) {
		if isWeb(link.URL) && !slices.Contains(all, link.URL) {
			all = append(all, link.URL)
		}
	}
	return all
}

// cutShort bounds a description for search engines.
func cutShort(text string) string {
	const most = 160
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	cut := string(letters[:most-1])
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)/2 && letters[most-1] != ' ' {
		cut = cut[:space] // a word stays whole, in scripts that have spaces
	}
	return strings.TrimSpace(cut) + "…"
}

// linked returns what search engines are told of a record (schema.org), with further
// members; those that are empty are left out.
func linked(kind string, of recordBody, page string, more map[string]any) map[string]any {
	told := map[string]any{"@type": kind, "name": of.Name, "url": page}
	more["description"], more["sameAs"] = of.Description, addresses(of.Website, of.Links)
	for key, value := range more {
		switch value := value.(type) {
		case string:
			if value != "" {
				told[key] = value
			}
		case []string:
			if len(value) > 0 {
				told[key] = value
			}
		default:
			told[key] = value
		}
	}
	return told
}

// out is a link that leads out, as the template "out" shows it: plain text where it is of
// another kind than http and https.
type out struct {
	Name, URL string
	Web       bool
}

// Out returns a link by its name; "" for its host.
func (v *view) Out(name, address string) out {
	if name == "" {
		name = v.Host(address)
	}
	return out{name, address, isWeb(address)}
}

// copied is a value that a button copies.
type copied struct{ Value, Word string }

// Copy returns the button that copies a value.
func (v *view) Copy(value string) (copied, error) {
	word, err := v.T("copy")
	return copied{value, word}, err
}

// sourceNames are how the sources that write themselves are called, by the key that
// figures name.
var sourceNames = map[string]string{"defillama": "DefiLlama"}

// Source returns how a page calls where a figure comes from: nobody ("") and "editor",
// as meta says it, are the editors.
func (v *view) Source(key string) (string, error) {
	if key == "" || key == "editor" {
		return v.T("source.editor")
	}
	return cmp.Or(sourceNames[key], key), nil
}
