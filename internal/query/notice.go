package query

import (
	"iter"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/spelling"
)

// Parameters are the names of the parameters that an operation knows.
type Parameters []string

// The parameters of the operations. They are shared and read only.
var (
	LocalizedParameters      = Parameters{"locale"}
	CategoriesParameters     = Parameters{"locale", "scope", "includeI18n"}
	CategoryGroupsParameters = Parameters{"locale", "module"}
	ListParameters           = Parameters{"locale", "q", "tag", "match", "status", "facets", "sort", "limit", "offset"}
	ChainsParameters         = append(slices.Clip(ListParameters), "sortDir")
	CardsParameters          = append(slices.Clip(ListParameters), "menu", "chain")
	AppsParameters           = append(slices.Clip(ListParameters), "chain", "platform")
	SearchParameters         = Parameters{"q", "kind", "locale", "limit", "offset"}
)

// filters are the parameters whose values name records or categories.
var filters = []string{"tag", "menu", "chain"}

// usual says what clients of other APIs send, and the parameter that has the same purpose
// here, "" for none.
var usual = map[string]string{
	"page": "offset", "per_page": "limit", "page_size": "limit", "size": "limit", "lang": "locale",
	"tags": "tag", "order": "sort", "sort_by": "sort", "fields": "",
}

// maxReviewed bounds the parameters that [Parameters.Review] looks at.
const maxReviewed = 200

// Reviewed is a part of a query that an answer may have to give notice of.
type Reviewed struct {
	Parameter string
	Value     string // of a parameter that names something: one item of it, as it was written
	Ignored   bool   // the operation does not know the parameter
	Instead   string // of an ignored one: the parameter that was probably meant, "" for none
}

// Review yields what an answer may have to give notice of, in the order of the query and
// each once: what `tag`, `menu` and `chain` name where the operation knows them, and
// ignored parameters that another operation knows, that are usual in other APIs, or that are
// one edit from one that the operation knows. Empty values, and names that cannot be decoded,
// yield nothing. It looks at the first parameters only if there are hundreds.
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
	switch {
	case err != nil:
		return true
	case !slices.Contains(known, name):
		instead, ok := known.instead(name)
		return !ok || yield(Reviewed{Parameter: name, Ignored: true, Instead: instead})
	case !slices.Contains(filters, name):
		return true
	}
	value, err := url.QueryUnescape(rawValue)
	if err != nil {
		return true
	}
	values := []string{strings.TrimSpace(value)}
	if name == "tag" {
		values = items(value)
	}
	for _, value := range values {
		if *left--; *left < 0 {
			return false
		}
		if value != "" && !yield(Reviewed{Parameter: name, Value: value}) {
			return false
		}
	}
	return true
}

// instead returns the parameter of the operation that was probably meant by one that it does
// not know, "" for none. ok is false for one that deserves no notice.
func (known Parameters) instead(name string) (instead string, ok bool) {
	const shortest, longest = 3, 20 // characters of a name that may be misspelt
	if to, ok := usual[name]; ok {
		if slices.Contains(known, to) {
			return to, true
		}
		return "", true
	}
	if n := utf8.RuneCountInString(name); n >= shortest && n <= longest && utf8.ValidString(name) {
		if near := spelling.Within(1, name, slices.Values(known), func(s string) string { return s }); near != "" {
			return near, true
		}
	}
	return "", slices.Contains(parameters, name)
}
