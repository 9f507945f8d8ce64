package admission

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// PageMayPose reports whether a request may come from a web page whose host name resolves to
// this machine (DNS rebinding), so the browser would let the page read the response. The
// request came to a loopback address, and Host is neither an IP address nor localhost, which
// no page can own. Browsers always send a Host.
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
