package server

import (
	"net/http"

	"vitrine/internal/admission"
)

// withoutPages rejects requests from web pages, because a browser on the operator's machine can
// reach the admin listener. It rejects cross-site requests by Fetch Metadata. On a loopback
// address it also rejects host names, since a page can resolve its own name to 127.0.0.1 (DNS
// rebinding). On other addresses host names are allowed, since scrapers use them.
func withoutPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch site := r.Header.Get("Sec-Fetch-Site"); {
		case site != "" && site != "none" && site != "same-origin":
			http.Error(w, "this is a request of a page of another site; enter the address manually", http.StatusForbidden)
		case admission.PageMayPose(r):
			http.Error(w, "use an IP address or localhost; other names are rejected because of DNS rebinding", http.StatusMisdirectedRequest)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
