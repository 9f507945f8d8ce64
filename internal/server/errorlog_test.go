package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestErrorsOfTheHTTPServerAreLines checks that each report of net/http is one escaped log line.
func TestErrorsOfTheHTTPServerAreLines(t *testing.T) {
	r := runServer(t, time.Second, func(http.ResponseWriter, *http.Request) { panic("a\r\nlevel=ERROR msg=forged \x1b[31m \xff") })
	if _, _, err := get(r.public); err == nil {
		t.Error("a panicking handler got a response")
	}
	got := r.log.Take()
	r.stop()
	<-r.done
	if len(got) != 1 || !contains(got[0], `level=WARN msg="the HTTP server reports a fault" report="http: panic serving `, `a\r\nlevel=ERROR`, `\x1b[31m \xff`) {
		t.Errorf("want one escaped line, got %d:\n%s", len(got), strings.Join(got, "\n"))
	}
}
