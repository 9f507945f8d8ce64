package query

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// values are the decoded, checked and non-empty values of the parameters that an
// operation takes, in the order of the query string.
type values struct {
	known Parameters
	given []given
}

type given struct{ name, value string }

// parse splits a raw query at `&` and checks the values of the known parameters.
// (The parser of the standard library rejects a raw `;`, which is part of a value here.)
// Other parameters are ignored, whatever their values are, also if their names cannot be
// decoded. Empty values count as absent before repeats are counted
// (docs/api.md#the-operations).
func (known Parameters) parse(raw string) (values, error) {
	v := values{known: known}
	for pair := range strings.SplitSeq(raw, "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		p := known.Find(name)
		if err != nil || rawValue == "" || p == nil {
			continue
		}
		value, err := p.decode(rawValue)
		if err != nil {
			return values{}, err
		}
		if !p.Repeatable && v.first(name) != nil {
			return values{}, &Error{Parameter: name, Detail: name + " is given more than once"}
		}
		v.given = append(v.given, given{p.Name, value})
	}
	for i := range known {
		if err := v.check(&known[i]); err != nil {
			return values{}, err
		}
	}
	return v, nil
}

// check checks the first value of a parameter.
func (v values) check(p *Parameter) error {
	first := v.first(p.Name)
	if first == nil {
		if p.Required != "" {
			return p.wrong("is required: %s", p.Required)
		}
		return nil
	}
	if p.Type == Keys && p.Max > 0 && len(v.items(p.Name)) > p.Max {
		return p.wrong("has too many values: at most %d", p.Max)
	}
	var err error
	first.value, err = p.check(first.value)
	return err
}

func (v values) first(name string) *given {
	for i := range v.given {
		if v.given[i].name == name {
			return &v.given[i]
		}
	}
	return nil
}

// get returns the value of a parameter: its default if it is absent, "" if it is unknown.
func (v values) get(name string) string {
	if first := v.first(name); first != nil {
		return first.value
	}
	if p := v.known.Find(name); p != nil {
		return p.Default
	}
	return ""
}

func (v values) all(name string) []string {
	var all []string
	for _, g := range v.given {
		if g.name == name {
			all = append(all, g.value)
		}
	}
	return all
}

// on returns the value of a switch.
func (v values) on(name string) bool {
	value := v.get(name)
	return value == "1" || value == "true"
}

// page returns `limit` and `offset`.
func (v values) page() Page {
	page := Page{On: v.first("limit") != nil || v.first("offset") != nil}
	page.Limit, _ = natural(v.get("limit"))
	page.Offset, _ = natural(v.get("offset"))
	return page
}

// Has reports whether a raw query has a parameter with a value.
func Has(raw, parameter string) bool {
	for pair := range strings.SplitSeq(raw, "&") {
		rawName, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(rawName); err == nil && name == parameter && value != "" {
			return true
		}
	}
	return false
}

// Known returns the parts of a raw query whose parameter some operation knows, as they
// were written. Other parts may be secret.
func Known(raw string) string {
	var known []string
	for pair := range strings.SplitSeq(raw, "&") {
		rawName, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(rawName); err == nil && value != "" && allParameters.Find(name) != nil {
			known = append(known, pair)
		}
	}
	return strings.Join(known, "&")
}

func (p *Parameter) decode(raw string) (string, error) {
	value, err := url.QueryUnescape(raw)
	if err != nil {
		return "", &Error{Parameter: p.Name, Detail: p.Name + " has an invalid percent-encoding; write % itself as %25"}
	}
	if !utf8.ValidString(value) {
		return "", &Error{Parameter: p.Name, Detail: p.Name + " is not valid UTF-8; encode it as UTF-8"}
	}
	if strings.ContainsFunc(value, unicode.IsControl) {
		return "", &Error{Parameter: p.Name, Detail: p.Name + " has a control character; leave it out"}
	}
	return value, nil
}

// keys returns the slugs or keys of all values of a parameter, sorted and distinct
// (docs/api.md#tags).
func (v values) keys(name string) []string {
	keys := v.items(name)
	for i, key := range keys {
		keys[i] = Slug(key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// items returns the items of all values of a parameter, sorted and distinct.
func (v values) items(name string) []string {
	var all []string
	for _, value := range v.all(name) {
		all = append(all, items(value)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// items returns the items of a list with commas, trimmed, without empty ones.
func items(value string) []string {
	var items []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// Slug returns a slug or key in the form in which filters, paths and tools look it up: in
// lower case and without surrounding spaces.
func Slug(value string) string { return strings.ToLower(strings.TrimSpace(value)) }
