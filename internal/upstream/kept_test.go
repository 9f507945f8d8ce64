package upstream_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vitrine/internal/upstream"
)

func TestKept(t *testing.T) {
	body, tag, conditional := "one", `"1"`, 0
	s := newServer(t, upstream.Options{}, func(_ int, w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/plain") {
			fmt.Fprint(w, "plain")
			return
		}
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") != "" {
			conditional++
		}
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, body)
	})
	var kept upstream.Kept
	get := func(path, want string, unchanged bool) {
		t.Helper()
		document, err := kept.Get(t.Context(), s.client, upstream.Request{URL: s.URL + path})
		if err != nil || string(document.Body) != want || document.NotModified != unchanged || document.Date.IsZero() {
			t.Fatalf("%+v, %v; want %s, unchanged %t", document, err, want, unchanged)
		}
	}
	get("/", "one", false)
	get("/", "one", true)
	get("/", "one", true)
	body, tag = "two", `"2"`
	get("/", "two", false)
	get("/", "two", true)
	kept.Forget()
	get("/", "two", false)
	if conditional != 4 {
		t.Errorf("%d conditional requests, want 4", conditional)
	}
	get("/plain", "plain", false) // without validators nothing is kept
	get("/plain", "plain", false)
	conditional = 0
	for range 2 {
		for i := range 12 { // more than are kept
			kept.Get(t.Context(), s.client, upstream.Request{URL: fmt.Sprintf("%s/%d", s.URL, i)})
		}
	}
	if conditional == 0 || conditional > 11 {
		t.Errorf("%d documents are kept", conditional)
	}
}
