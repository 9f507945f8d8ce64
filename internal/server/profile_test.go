package server

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

func TestProfilesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		endless := shortly(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		endless(httptest.NewRecorder(), httptest.NewRequest("GET", "/debug/pprof/profile?seconds=1000000", nil))
		if took := time.Since(start); took != maxProfile {
			t.Errorf("a profile ran for %v, want %v", took, maxProfile)
		}
	})
}
