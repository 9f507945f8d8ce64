package query

import (
	"iter"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/spelling"
)

// usual maps parameters of other APIs to those with the same purpose here, "" for none.
var usual = map[string]string{
	"page": "offset", "per_page": "limit", "page_size": "limit", "size": "limit", "lang": "locale",
	"tags": "tag", "order": "sort", "sort_by": "sort", "fields": "",
}

// maxReviewed bounds the parameters that [Parameters.Review] looks at.
const maxReviewed = 200

// Reviewed is a part of a query that may need a notice.
type Reviewed struct {
	Parameter string
	Names     Kind   // of the records that Value names; "" for an ignored parameter
	Value     string // one name, as the client wrote it
	Ignored   bool   // the operation does not take the parameter
	Instead   string // for an ignored one: the parameter that was probably meant, "" for none
}

// Review yields the parts of a query that may need a notice, in the order of the query and
// each once: the names in values of parameters that name records, and ignored parameters
// that another operation takes, that are usual in other APIs, or that differ from one that the
// operation takes in case or by one edit. Empty values, and names that cannot be decoded, yield nothing.
// It reads at most maxReviewed parameters.
func (known Parameters) Review(raw string) iter.Seq[Reviewed] {
	return func(yield func(Reviewed) bool) {
		if raw == "" {
			return
		}
		var seen []Reviewed
		once := func(r Reviewed) bool {
			if slices.Contains(seen, r) {
				return true
			}
			seen = append(seen, r)
			return yield(r)
		}
		left := maxReviewed
		for pair := range strings.SplitSeq(raw, "&") {
			rawName, rawValue, _ := strings.Cut(pair, "=")
			if rawValue == "" {
				continue
			}
			if left--; left < 0 || !known.reviewPair(rawName, rawValue, &left, once) {
				return
			}
		}
	}
}

// reviewPair reviews one parameter, and each of its items. It reports whether to go on.
func (known Parameters) reviewPair(rawName, rawValue string, left *int, yield func(Reviewed) bool) bool {
	name, err := url.QueryUnescape(rawName)
	p := known.Find(name)
	switch {
	case err != nil:
		return true
	case p == nil:
		instead, ok := known.instead(name)
		return !ok || yield(Reviewed{Parameter: name, Ignored: true, Instead: instead})
	case p.Names == "":
		return true
	}
	value, err := url.QueryUnescape(rawValue)
	if err != nil {
		return true
	}
	values := []string{strings.TrimSpace(value)}
	if p.Type == Keys {
		values = items(value)
	}
	for _, value := range values {
		if *left--; *left < 0 {
			return false
		}
		if value != "" && !yield(Reviewed{Parameter: name, Names: p.Names, Value: value}) {
			return false
		}
	}
	return true
}

// instead returns the parameter that was probably meant by one that the operation does not
// take, "" for none. ok is false if the name needs no notice.
func (known Parameters) instead(name string) (instead string, ok bool) {
	const shortest, longest = 3, 20 // characters of names that may be misspellings
	if to, ok := usual[name]; ok {
		if known.Find(to) == nil {
			to = ""
		}
		return to, true
	}
	for _, p := range known.names() {
		if strings.EqualFold(p, name) {
			return p, true
		}
	}
	if n := utf8.RuneCountInString(name); n >= shortest && n <= longest && utf8.ValidString(name) {
		if near := spelling.Within(1, name, known.names(), func(s string) string { return s }); near != "" {
			return near, true
		}
	}
	return "", allParameters.Find(name) != nil
}

func (known Parameters) names() []string {
	names := make([]string, len(known))
	for i := range known {
		names[i] = known[i].Name
	}
	return names
}
