package admission

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// PageMayPose reports whether a request may be that of a web page under a name that
// the page has made stand for this machine (DNS rebinding), so that its browser lets
// it read the answer: the request came to a loopback address, and Host is neither an
// IP address nor localhost, which no page can have for its own. A request without a
// Host is none of a browser.
func PageMayPose(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ok && local.IP.IsLoopback() && !isLocalName(r.Host)
}

// isLocalName reports whether Host is an IP address, localhost or missing.
func isLocalName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host == "" || strings.EqualFold(host, "localhost")
}
