package domain

import (
	"fmt"
	"strings"

	"vitrine/internal/fold"
	"vitrine/internal/spelling"
)

const (
	maxKey      = 100        // bytes
	maxCompared = 10_000_000 // bytes of keys that one index compares for its suggestions
)

// keyFault returns the fault of a non-empty key or slug, nil for none. Valid keys match
// `[a-z0-9][a-z0-9._-]{0,99}`.
func keyFault(what, key string) *fault {
	if validKey(key) {
		return nil
	}
	return &fault{RuleMalformedKey, fmt.Sprintf("%s %s is not well-formed", what, quote(key)), keyRemedy(key)}
}

// article returns a noun with its indefinite article.
func article(noun string) string {
	if strings.HasPrefix(noun, "a") || strings.HasPrefix(noun, "i") || strings.HasPrefix(noun, "o") || strings.HasPrefix(noun, "e") {
		return "an " + noun
	}
	return "a " + noun
}

// missingField reports a required field that a record lacks.
func (ck *checker) missingField(at Ref, f *Field) {
	if f.Type == TypeChainID {
		ck.report(at.in(f.Name), RuleMissingField, f.Name+" is missing or empty", "write the chain's EVM chain id, else its CAIP-2 id, such as aptos:1")
		return
	}
	if f.Type == TypeContent {
		ck.report(at.in(f.Name), RuleMissingField, "the file is empty", "save the picture again, or remove the file")
		return
	}
	ck.missing(at.in(f.Name), f.Name)
}

func (ck *checker) missing(at Ref, field string) {
	remedy := "write " + article(field)
	if strings.HasSuffix(field, "s") {
		remedy = "write at least one entry under " + field
	}
	ck.report(at, RuleMissingField, field+" is missing or empty", remedy)
}

func keyRemedy(key string) string {
	remedy := `use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`
	if s := slugify(key); s != "" && !isPlaceholder(key) {
		remedy = fmt.Sprintf("write %q, or %s", s, remedy)
	}
	return remedy
}

func validKey(s string) bool {
	if s == "" || len(s) > maxKey || strings.IndexByte("._-", s[0]) >= 0 {
		return false
	}
	return only(s, func(b byte) bool {
		return 'a' <= b && b <= 'z' || isDigit(b) || b == '.' || b == '_' || b == '-'
	})
}

// only reports whether every byte of s is allowed.
func only(s string, allowed func(byte) bool) bool {
	for i := range len(s) {
		if !allowed(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isWordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || isDigit(b) || b == '_'
}

// slugify returns the key that an editor most likely meant, "" if there is no guess.
func slugify(s string) string {
	var b strings.Builder
	for _, r := range fold.Text(prefix(s, 4*maxKey)) {
		switch {
		case r < 0x80 && validKey(string(r)), r == '.', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == maxKey {
			break
		}
	}
	s = strings.Trim(b.String(), "._-")
	if !validKey(s) {
		return ""
	}
	return s
}

// firsts has the first place of each key. Keys are compared folded (docs/identity.md#keys). An
// empty key is missing, not repeated.
type firsts map[string]int

func (f firsts) repeats(key string, i int) (first int, repeated bool) {
	return f.repeatsExactly(fold.Text(key), i)
}

func (f firsts) repeatsExactly(key string, i int) (first int, repeated bool) {
	if key == "" {
		return 0, false
	}
	if first, repeated = f[key]; !repeated {
		f[key] = i
	}
	return first, repeated
}

// index finds records by key, and suggests keys for unknown ones.
type index struct {
	records  map[string]int    // the first record of each key
	repaired map[string]int    // the same by the corrected form of a malformed key
	keys     []string          // well-formed keys, in the catalogue's order
	compared int               // see maxCompared
	known    map[string]string // cached suggestions
}

func newIndex() *index {
	return &index{records: make(map[string]int), repaired: make(map[string]int), known: make(map[string]string)}
}

func (x *index) add(key string, i int) {
	if _, ok := x.records[key]; ok || key == "" {
		return
	}
	x.records[key] = i
	if validKey(key) {
		x.keys = append(x.keys, key)
	} else if _, ok := x.repaired[slugify(key)]; !ok {
		x.repaired[slugify(key)] = i
	}
}

// lookup returns the record with a key. It finds a record with a malformed key by both that key
// and its correction, so that the fault is reported only at the record and not at each reference.
func (x *index) lookup(key string) (int, bool) {
	if i, ok := x.records[key]; ok {
		return i, true
	}
	i, ok := x.repaired[key]
	return i, ok && key != ""
}

// suggest returns the key nearest to an unknown one, "" if none is near. It stops at maxCompared,
// so that the cost of many unknown keys is bounded.
func (x *index) suggest(key string) string {
	if s, ok := x.known[key]; ok {
		return s
	}
	if x.compared >= maxCompared {
		return ""
	}
	x.compared += len(x.keys) * min(len(key), maxKey)
	s := nearest(key, x.keys)
	x.known[key] = s
	return s
}

// nearest returns the candidate that s, as a slug, most likely misspells: the first with the
// smallest edit distance, which is at most a third of the length and two; "" for none.
func nearest(s string, candidates []string) string {
	s = slugify(s)
	if s == "" {
		return ""
	}
	return spelling.Within(min(2, max(1, len(s)/3)), s, candidates, func(key string) string { return key })
}
