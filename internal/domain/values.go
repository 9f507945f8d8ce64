package domain

import (
	"fmt"
	"net"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Values has all values of a record by path. Paths are those of [FieldChange]: `name.en`,
// `rpc[https://example.org/]`, `extra.slip44`; the path "" is the record itself. Elements of
// lists have their own paths, because a list may lose or regain one of them.
type Values struct {
	byPath map[string]Value
	lists  [][]string     // paths of the elements of each list, in their order
	place  map[string]int // index of an element in its list
	index  *valueIndex    // nil until needed
	inner  int            // number of elements around the values that are being added
}

// Value is the value of a record at a path. Text is "" for an element of a list, a part and the
// record itself, which only exist.
type Value struct {
	Path, Text string
	// Name is Path without the elements that contain the value.
	Name string
	// Free is true for values that editors choose freely, so that other records are unlikely to
	// have them: a link or a name, but not a number, a date or a key. Values within an element of
	// a list are not free, except its name.
	Free bool
	// Link is the canonical form of the value's URL (see [plainLink]), "" for other values.
	Link string
	// List is the path of the list of an element, "" for other values.
	List string
	// Number is true for the number of a figure, without its date.
	Number bool
}

// Reversal is a value that a change removed from a record, or one that it restored where none
// was.
type Reversal struct {
	Value
	Missing bool   // the change restored a value at Path, where none was
	Outer   string // for missing values, the path of the containing element or part, "" for the record
	Before  string // the change moved the element at Path behind this one, which it was before
}

// NewValues returns the values of some fields of a record of the kind d; nil means all fields. A
// nil record has none.
func (d *Description) NewValues(record any, fields []*Field) *Values {
	v := &Values{byPath: map[string]Value{}, place: map[string]int{}}
	if record == nil {
		return v
	}
	v.add(Value{})
	if fields == nil {
		fields = d.Shape.Fields
	}
	v.fields("", "", fields, d.withDerived(record))
	return v
}

// Agree reports whether the last of some records and the last of others have the same value at a
// path, or both none.
func Agree(path string, some, others []*Values) bool {
	at := func(records []*Values) (Value, bool) {
		if len(records) == 0 {
			return Value{}, false
		}
		value, ok := records[len(records)-1].byPath[path]
		return value, ok
	}
	a, hasA := at(some)
	b, hasB := at(others)
	return hasA == hasB && a.Text == b.Text
}

// Has reports whether the path of a value exists, with the same text if it has one.
func (v *Values) Has(value Value) bool {
	own, ok := v.byPath[value.Path]
	return ok && own.Text == value.Text
}

// HasLink returns the first path with a URL in any spelling; "" for none. See [Value].
func (v *Values) HasLink(link string) string { return v.indexed().links[link] }

// Element returns the first path at which the record has a list element, at another index or in
// another spelling of a URL; "" for none.
func (v *Values) Element(element Value) string {
	if v.Has(element) {
		return element.Path
	}
	if path := v.indexed().elements[element.Name]; path != "" || element.Link == "" {
		return path
	}
	return v.indexed().elements[element.linkName()]
}

// Elements returns the elements of the list at a path, in any order.
func (v *Values) Elements(list string) []Value { return v.indexed().lists[list] }

// linkName returns the name of an element that is a URL in any spelling.
func (v Value) linkName() string {
	list, _, _ := strings.Cut(v.Name, "[")
	return list + " " + v.Link
}

// valueIndex finds values of a record by other criteria than the path.
type valueIndex struct {
	links    map[string]string  // first path by URL
	elements map[string]string  // first path by name, and by linkName
	lists    map[string][]Value // by path of the list
}

func (v *Values) indexed() *valueIndex {
	if v.index != nil {
		return v.index
	}
	v.index = &valueIndex{map[string]string{}, map[string]string{}, map[string][]Value{}}
	first := func(paths map[string]string, key, path string) {
		if was, ok := paths[key]; !ok || path < was {
			paths[key] = path
		}
	}
	for path, value := range v.byPath {
		if value.Link != "" {
			first(v.index.links, value.Link, path)
		}
		if value.List == "" {
			continue
		}
		first(v.index.elements, value.Name, path)
		if value.Link != "" {
			first(v.index.elements, value.linkName(), path)
		}
		v.index.lists[value.List] = append(v.index.lists[value.List], value)
	}
	return v.index
}

// All returns the values by path.
func (v *Values) All() map[string]Value { return v.byPath }

// Reversals returns what a change from old to new reverses, ordered by path:
//
//   - values that only old has;
//   - values that only new has where old has none, except those within another such value, and
//     elements that old has in another spelling or place;
//   - pairs of elements of a list in both that changed their relative order.
func Reversals(old, new *Values) []Reversal {
	var all []Reversal
	for _, v := range old.byPath {
		if !new.Has(v) {
			all = append(all, Reversal{Value: v})
		}
	}
	for path, v := range new.byPath {
		if _, ok := old.byPath[path]; ok || v.List != "" && old.Element(v) != "" {
			continue
		}
		r := Reversal{Value: v, Missing: true}
		within(path, func(outer string) bool {
			r.Outer = outer
			_, inNew := new.byPath[outer]
			return inNew
		})
		if _, inOld := old.byPath[r.Outer]; inOld || path == "" {
			all = append(all, r)
		}
	}
	for _, list := range old.lists {
		both := slices.DeleteFunc(slices.Clone(list), func(path string) bool { _, ok := new.place[path]; return !ok })
		for i := 1; i < len(both); i++ {
			if new.place[both[i-1]] > new.place[both[i]] {
				all = append(all, Reversal{Value: old.byPath[both[i-1]], Before: both[i]})
			}
		}
	}
	slices.SortFunc(all, Reversal.compare)
	return all
}

// In reports whether a record repeats a reversed value. If an element or part is missing, only
// the element itself counts as missing.
func (r Reversal) In(v *Values) bool {
	switch {
	case r.Before != "":
		a, okA := v.place[r.Path]
		b, okB := v.place[r.Before]
		return okA && okB && a < b
	case r.Missing:
		_, ok := v.byPath[r.Path]
		_, outer := v.byPath[r.Outer]
		return !ok && (outer || r.Path == "")
	}
	return v.Has(r.Value)
}

// Within reports whether r is redundant because it lies within another reversal of the record: an
// element of a list, a part or a record that exists again. others has the paths of reversals for
// which [Reversal.Holds] is true.
func (r Reversal) Within(others map[string]bool) bool {
	return !r.Missing && within(r.Path, func(outer string) bool { return others[outer] })
}

// Holds reports whether other reversals may lie within r.
func (r Reversal) Holds() bool { return !r.Missing && r.Before == "" }

// ID returns the same text for reversals of a record with the same value.
func (r Reversal) ID() string {
	return fmt.Sprintf("%q %q %t %q", r.Path, r.Text, r.Missing, r.Before)
}

func (r Reversal) compare(other Reversal) int {
	return strings.Compare(r.Path+"\x00"+r.ID(), other.Path+"\x00"+other.ID())
}

// within reports whether is accepts one of the prefixes of a path, including "".
func within(path string, is func(string) bool) bool {
	if path == "" {
		return false
	}
	depth := 0
	for i := len(path) - 1; i > 0; i-- { // brackets of elements are balanced, see elementName
		switch c := path[i]; {
		case c == ']':
			depth++
		case c == '[':
			if depth--; depth == 0 && is(path[:i]) {
				return true
			}
		case c == '.' && depth == 0 && is(path[:i]):
			return true
		}
	}
	return is("")
}

// elementName returns the name of an element in a path, quoted if it is ambiguous.
func elementName(s string) string {
	if strings.ContainsAny(s, `[]"`) {
		s = strings.NewReplacer("[", `\x5b`, "]", `\x5d`).Replace(strconv.Quote(s))
	}
	return s
}

func (v *Values) add(value Value) {
	value.Free = value.Free && (v.inner == 0 || value.Text == "")
	v.byPath[value.Path] = value
}

func (v *Values) fields(path, short string, fields []*Field, record any) {
	for _, f := range fields {
		name := f.Name
		if short != "" {
			name = short + "." + f.Name
		}
		f.Type.addValues(v, join(path, f.Name), name, f, record)
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// scalar adds a value that is one text, unless it is "".
func (v *Values) scalar(path, name string, f *Field, text string) {
	if text != "" {
		v.add(Value{Path: path, Text: text, Name: name, Free: f.Type.isFree(f), Link: f.link(text)})
	}
}

// link returns the canonical URL of a value of the field, "" for other fields.
func (f *Field) link(text string) string {
	if f.Type != TypeLink {
		return ""
	}
	return plainLink(text)
}

// HasLinks reports whether the field, or a part in it, may have a URL that
// [Description.NewValues] recognises.
func (f *Field) HasLinks() bool {
	return f.Type == TypeLink || f.Type == TypeJSON || f.Parts != nil && slices.ContainsFunc(f.Parts.Fields, (*Field).HasLinks)
}

// plainLink returns a canonical form of a URL: the host in lower case without the final dot,
// without default port, trailing slash of the path, unnecessary percent-escapes and credentials;
// https and wss become http and ws. It returns "" for texts that are not a URL with a host.
// ws. It is "" for what is no URL with a host.
func plainLink(text string) string {
	if !strings.Contains(text, "://") {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	host, port := plainHost(u.Hostname()), u.Port()
	if host == "" {
		return ""
	}
	if addr, _, ok := hostAddress(host); ok {
		host = addr.String()
	}
	scheme := u.Scheme
	switch scheme {
	case "http", "ws":
		scheme += "s"
		if port == "80" {
			port = ""
		}
	case "https", "wss":
		if port == "443" {
			port = ""
		}
	}
	plain := url.URL{Scheme: scheme, Host: host, RawQuery: u.RawQuery, Fragment: u.Fragment}
	if port != "" {
		plain.Host = net.JoinHostPort(host, port)
	}
	if u.Path != "" {
		plain.Path = strings.TrimSuffix(path.Clean("/"+u.Path), "/")
	}
	return plain.String()
}

func (v *Values) lines(path, name string, free bool, lines []string, link func(string) string) {
	paths := make([]string, len(lines))
	for i, n := range names(lines, func(s string) string { return s }) {
		paths[i] = v.element(path, name, n, free, link)
	}
	v.list(paths)
}

// element adds an element of a list and returns its path.
func (v *Values) element(list, name string, n name, free bool, link func(string) string) string {
	path := list + "[" + elementName(n.String()) + "]"
	v.add(Value{Path: path, Name: name + "[" + n.text + "]", Free: free, Link: link(n.text), List: list})
	return path
}

func (v *Values) list(paths []string) {
	if len(paths) < 2 {
		return
	}
	v.lists = append(v.lists, paths)
	for i, path := range paths {
		v.place[path] = i
	}
}
