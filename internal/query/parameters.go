package query

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"vitrine/internal/domain"
)

// Type is the type of the values of a parameter.
type Type string

// The types. Values of Enums and Keys are lists separated by commas.
const (
	Text    Type = "text"
	Enum    Type = "enum"    // one of Allowed
	Enums   Type = "enums"   // some of Allowed
	Integer Type = "integer" // decimal digits
	Keys    Type = "keys"    // slugs or keys of records
	Moment  Type = "moment"  // a revision, an RFC 3339 time or a date
)

// Parameter describes a parameter of a query string. Parsing, notices and the
// comparison with the OpenAPI document follow the description.
type Parameter struct {
	Name       string
	Type       Type
	Allowed    []string // of Enum and Enums
	Default    string   // value if absent; "" if absence means no restriction
	Min, Max   int      // the value of an Integer, the characters of a Text, the distinct items of Keys; a Max of 0 is no bound
	Repeatable bool
	Required   string // what to send, for the error if the parameter is absent; "" for an optional one
	Names      Kind   // of the records that values name; "" for none
	Filter     bool   // restricts a list to records that have the value
}

// Parameters are the parameters of an operation, in the order in which they are checked.
type Parameters []Parameter

// Find returns the parameter with a name, nil for none.
func (known Parameters) Find(name string) *Parameter {
	for i := range known {
		if known[i].Name == name {
			return &known[i]
		}
	}
	return nil
}

// Parameters that several operations take.
var (
	localeParameter   = Parameter{Name: "locale", Type: Text}
	searchParameter   = Parameter{Name: "q", Type: Text, Max: MaxSearch}
	limitParameter    = Parameter{Name: "limit", Type: Integer, Min: 1, Max: MaxLimit}
	offsetParameter   = Parameter{Name: "offset", Type: Integer, Default: "0"}
	revisionParameter = Parameter{Name: "revision", Type: Integer, Min: 1, Max: maxRevision}
	tagParameter      = Parameter{Name: "tag", Type: Keys, Repeatable: true, Names: KindCategory}
	matchParameter    = Parameter{Name: "match", Type: Enum, Allowed: []string{string(matchAny), string(MatchGroups), string(MatchAll)}, Default: string(matchAny)}
	statusParameter   = Parameter{Name: "status", Type: Enum, Allowed: domain.Convert[string](Statuses())}
	facetsParameter   = switchParameter("facets")
	sortDirParameter  = Parameter{Name: "sortDir", Type: Enum, Allowed: []string{"asc", "desc"}, Default: "desc"}
	menuParameter     = Parameter{Name: "menu", Type: Text, Names: KindMenu, Filter: true}
	chainParameter    = Parameter{Name: "chain", Type: Text, Names: KindChain, Filter: true}
	platformParameter = Parameter{Name: "platform", Type: Enum, Allowed: domain.Convert[string](domain.Platforms()), Filter: true}
	viewParameter     = Parameter{Name: "view", Type: Enum, Allowed: []string{"full"}}

	followersParameter = Parameter{Name: "followers", Type: Enum, Allowed: []string{"any"}}
)

// The parameters of the operations. They are shared and read only.
var (
	LocalizedParameters      = Parameters{localeParameter}
	CategoriesParameters     = Parameters{localeParameter, {Name: "scope", Type: Enum, Allowed: domain.Convert[string](domain.Modules())}, switchParameter("includeI18n")}
	CategoryGroupsParameters = Parameters{localeParameter, {
		Name: "module", Type: Enum, Allowed: domain.Convert[string](domain.Modules()), Required: "one of " + strings.Join(domain.Convert[string](domain.Modules()), ", "),
	}}
	SearchParameters = Parameters{
		{Name: "q", Type: Text, Min: 1, Max: MaxSearch, Required: "the words to search for"},
		{Name: "kind", Type: Enums, Allowed: domain.Convert[string](Kinds())},
		localeParameter,
		{Name: "limit", Type: Integer, Min: 1, Max: MaxResults, Default: strconv.Itoa(Results)},
		offsetParameter, revisionParameter,
	}
	ChangesParameters = Parameters{
		{Name: "since", Type: Moment, Required: "the number of a revision, an RFC 3339 time or a date"},
		{Name: "kind", Type: Enums, Allowed: domain.Convert[string](ChangeKinds())},
		localeParameter,
		{Name: "limit", Type: Integer, Min: 1, Max: MaxChanges, Default: strconv.Itoa(usualChanges)},
		offsetParameter, revisionParameter,
	}

	allParameters = func() Parameters {
		all := slices.Concat(CategoriesParameters, CategoryGroupsParameters, SearchParameters, ChangesParameters)
		for _, ofList := range listParameters {
			all = append(all, ofList...)
		}
		return all
	}()
)

func switchParameter(name string) Parameter {
	return Parameter{Name: name, Type: Enum, Allowed: []string{"1", "true", "0", "false"}, Default: "0"}
}

// check returns a value as the parser keeps it: an enumerated one is the string of
// Allowed, since the request's string may be part of a long query.
func (p *Parameter) check(value string) (string, error) {
	switch p.Type {
	case Enum:
		if i := slices.Index(p.Allowed, value); i >= 0 {
			return p.Allowed[i], nil
		}
		return "", p.wrong("must be one of %s", strings.Join(p.Allowed, ", "))
	case Enums:
		for _, item := range items(value) {
			if !slices.Contains(p.Allowed, item) {
				return "", p.wrong("must be some of %s, with commas", strings.Join(p.Allowed, ", "))
			}
		}
	case Integer:
		n, ok := natural(value)
		switch {
		case ok && n >= p.Min && (p.Max == 0 || n <= p.Max):
		case p.Max == 0:
			return "", p.wrong("must be a whole number, %d or more", p.Min)
		default:
			return "", p.wrong("must be a whole number from %d to %d", p.Min, p.Max)
		}
	case Moment:
		if _, _, ok := moment(value); !ok {
			return "", p.wrong("must be the number of a revision, an RFC 3339 time such as 2026-11-01T00:00:00Z, or a date such as 2026-11-01")
		}
	case Text:
		if p.Max > 0 && utf8.RuneCountInString(value) > p.Max {
			return "", p.wrong("is too long: at most %d characters", p.Max)
		}
	}
	return value, nil
}

// wrong returns the error of a value of the parameter.
func (p *Parameter) wrong(format string, args ...any) *Error {
	return &Error{Parameter: p.Name, Detail: p.Name + " " + fmt.Sprintf(format, args...), Allowed: p.Allowed}
}

// moment reads the number of a revision, which is 1 or more, or a time. A date is its first moment
// in UTC.
func moment(value string) (revision int64, at time.Time, ok bool) {
	if n, isNumber := natural(value); isNumber {
		return int64(n), time.Time{}, n > 0 && n < math.MaxInt
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, value); err == nil {
			return 0, at.UTC(), true
		}
	}
	return 0, time.Time{}, false
}

// natural reads a decimal number of digits only. A number too large for an int
// is the largest int.
func natural(s string) (int, bool) {
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		if n > (math.MaxInt-9)/10 {
			n = math.MaxInt
			continue
		}
		n = n*10 + int(c-'0')
	}
	return n, s != ""
}
