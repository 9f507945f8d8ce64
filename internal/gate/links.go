package gate

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
)

// hostOf returns the host of a URL in lower case, without `www.`. A link without a host is
// returned unchanged.
func hostOf(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" {
		return link
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// endpointOf returns a URL without scheme, default port, user and trailing slash, so that two
// spellings of one endpoint are equal. ok is false for one without a host.
func endpointOf(link string) (endpoint string, ok bool) {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" {
		return "", false
	}
	endpoint = strings.ToLower(u.Hostname())
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		endpoint += ":" + port
	}
	endpoint += strings.TrimRight(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		endpoint += "?" + u.RawQuery
	}
	return endpoint, true
}

// linksIn returns the URLs of the parts of a field, nil if its parts have no links. A nil record has
// none.
func linksIn(f *domain.Field, record any) []string {
	i := slices.IndexFunc(f.Parts.Fields, func(part *domain.Field) bool { return part.Type == domain.TypeLink })
	if i < 0 || record == nil {
		return nil
	}
	link := f.Parts.Fields[i]
	var all []string
	for i := range f.Size(record) {
		if url := *link.Line(f.Part(record, i)); url != "" {
			all = append(all, url)
		}
	}
	return all
}

// hostsOf returns the hosts of the parts of a field, sorted and distinct.
func hostsOf(f *domain.Field, record any) []string {
	var hosts []string
	for _, link := range linksIn(f, record) {
		hosts = append(hosts, hostOf(link))
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
