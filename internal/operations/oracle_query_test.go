package operations_test

// The oracle's rules of parameters (docs/api.md#the-operations).

import (
	"math/big"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/domain"
)

// oracleQuery has the values of the parameters of an operation. bad has the names of invalid
// ones.
type oracleQuery struct {
	values map[string][]string
	bad    *[]string
}

func parseQuery(raw string, known ...string) oracleQuery {
	q := oracleQuery{values: map[string][]string{}, bad: new([]string)}
	for pair := range strings.SplitSeq(raw, "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil || !slices.Contains(known, name) || rawValue == "" {
			continue
		}
		value, err := url.QueryUnescape(rawValue)
		if err != nil || !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl) {
			*q.bad = append(*q.bad, name)
			continue
		}
		q.values[name] = append(q.values[name], value)
	}
	for name, values := range q.values {
		if len(values) > 1 && name != "tag" && name != "id" {
			*q.bad = append(*q.bad, name)
		}
	}
	if utf8.RuneCountInString(q.value("q")) > 200 {
		*q.bad = append(*q.bad, "q")
	}
	return q
}

// parseList parses the parameters of all lists, and those in more.
func parseList(raw string, more ...string) oracleQuery {
	q := parseQuery(raw, append(more, "locale", "q", "tag", "match", "status", "facets", "sort", "limit", "offset", "id", "revision")...)
	q.whole("revision", 1, 999_999_999_999_999)
	q.oneOf("match", "any", "all", "groups")
	q.oneOf("status", "live", "upcoming", "retired", "all")
	q.oneOf("facets", "1", "true", "0", "false")
	q.oneOf("view", "full")
	q.oneOf("followers", "any")
	if len(q.ids()) > 100 {
		*q.bad = append(*q.bad, "id")
	}
	return q
}

// ids returns the distinct names of all `id` parameters. None means no filter.
func (q oracleQuery) ids() []string {
	var ids []string
	for _, value := range q.values["id"] {
		for _, item := range items(value) {
			if !slices.Contains(ids, item) {
				ids = append(ids, item)
			}
		}
	}
	return ids
}

// full reports whether rows have all details.
func (q oracleQuery) full() bool { return q.value("view") == "full" }

// on reports whether a boolean parameter is set.
func (q oracleQuery) on(name string) bool { return q.value(name) == "1" || q.value(name) == "true" }

// value returns the first value, "" for none.
func (q oracleQuery) value(name string) string {
	if values := q.values[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// oneOf records a value outside an enumeration.
func (q oracleQuery) oneOf(name string, allowed ...string) {
	if value := q.value(name); value != "" && !slices.Contains(allowed, value) {
		*q.bad = append(*q.bad, name)
	}
}

// items splits a comma-separated list.
func items(value string) []string {
	var all []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			all = append(all, item)
		}
	}
	return all
}

// whole parses an integer of at least least. Above most, an offset is clipped and a limit is
// invalid.
func (q oracleQuery) whole(name string, least, most int) (int, bool) {
	value := q.value(name)
	if value == "" {
		return 0, false
	}
	n, ok := decimal(value)
	if !ok || n.Cmp(big.NewInt(int64(least))) < 0 {
		*q.bad = append(*q.bad, name)
		return 0, true
	}
	if n.Cmp(big.NewInt(int64(most))) > 0 {
		if name != "offset" {
			*q.bad = append(*q.bad, name)
		}
		return most + 1, true
	}
	return int(n.Int64()), true
}

// tags returns the slugs of all `tag` parameters. None means no filter.
func (q oracleQuery) tags() []string {
	var tags []string
	for _, value := range q.values["tag"] {
		for _, item := range items(value) {
			tags = append(tags, strings.ToLower(item))
		}
	}
	return tags
}

func moduleNames() []string { return domain.Convert[string](domain.Modules()) }
