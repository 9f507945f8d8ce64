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
}

// TestKeptIsBounded checks that new documents replace others when the memory is used up, and that the
// bounds hold.
func TestKeptIsBounded(t *testing.T) {
	conditional := 0
	s := newServer(t, upstream.Options{MaxBytes: 100 << 20}, func(_ int, w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") != "" {
			conditional++
		}
		w.Header().Set("ETag", `"1"`)
		size := 10 << 20
		if r.URL.Path == "/large" {
			size = 65 << 20
		}
		w.Write(make([]byte, size))
	})
	var kept upstream.Kept
	get := func(path string) {
		t.Helper()
		if _, err := kept.Get(t.Context(), s.client, upstream.Request{URL: s.URL + path}); err != nil {
			t.Fatal(err)
		}
	}
	get("/large")
	get("/large")
	if conditional != 0 {
		t.Error("a document over the limit was kept")
	}
	for i := range 12 {
		get(fmt.Sprintf("/%d", i))
	}
	get("/11")
	if conditional != 1 {
		t.Error("the last document is not kept")
	}
	for i := range 11 {
		get(fmt.Sprintf("/%d", i))
	}
	if conditional > 11 {
		t.Error("all documents are kept")
	}
}
