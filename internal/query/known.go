package query

import (
	"net/url"
	"slices"
	"strings"
)

// parameters are all that any operation knows.
var parameters = slices.Concat(ChainsParameters, CardsParameters, AppsParameters, CategoriesParameters, CategoryGroupsParameters, SearchParameters)

// Known returns what of a raw query any operation knows the parameter of, as it was
// written. What else clients send is not looked at, and may be secret.
func Known(raw string) string {
	var known []string
	for pair := range strings.SplitSeq(raw, "&") {
		rawName, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(rawName); err == nil && value != "" && slices.Contains(parameters, name) {
			known = append(known, pair)
		}
	}
	return strings.Join(known, "&")
}
