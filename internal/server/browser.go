package server

import (
	"net/http"

	"vitrine/internal/admission"
)

// withoutPages keeps web pages away from the admin listener, which a browser on
// the operator's machine reaches where nobody else does. It refuses what a page
// of another site makes a browser ask for, by what browsers say of that (Fetch
// Metadata). On a loopback address it refuses any name in Host as well: a page
// can make its own name stand for 127.0.0.1 (DNS rebinding), and read what comes
// back. On other addresses names are taken, since scrapers use them.
func withoutPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch site := r.Header.Get("Sec-Fetch-Site"); {
		case site != "" && site != "none" && site != "same-origin":
			http.Error(w, "asked by a page of another site; enter the address by hand", http.StatusForbidden)
		case admission.PageMayPose(r):
			http.Error(w, "ask by an IP address or as localhost; any other name could be that of a page which means harm", http.StatusMisdirectedRequest)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
