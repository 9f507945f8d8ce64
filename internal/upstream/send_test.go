package upstream_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"vitrine/internal/upstream"
)

// TestSend checks method, body, retries, and that redirects are not followed.
func TestSend(t *testing.T) {
	s := newServer(t, upstream.Options{}, func(call int, w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.Method != "PURGE" || string(body) != "{}" || r.Header.Get("Fastly-Key") != "secret":
			w.WriteHeader(http.StatusBadRequest)
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
		case r.URL.Path == "/refused":
			w.WriteHeader(http.StatusForbidden)
		case call == 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	})
	request := upstream.Request{URL: s.URL + "/?key=secret", Method: "PURGE", Body: "{}", Header: http.Header{"Fastly-Key": {"secret"}}}
	if err := s.client.Send(t.Context(), request); err != nil || s.calls.Load() != 2 {
		t.Errorf("%v after %d calls, want success after 2", err, s.calls.Load())
	}
	for path, want := range map[string]string{"/moved?key=secret": "the redirect is refused", "/refused?key=secret": "403 Forbidden"} {
		request.URL = s.URL + path
		if err := s.client.Send(t.Context(), request); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
