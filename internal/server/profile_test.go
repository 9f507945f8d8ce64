package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestProfilesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		endless := observation("CPU profile", wholeSeconds, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		endless(httptest.NewRecorder(), httptest.NewRequest("GET", "/debug/pprof/profile?seconds=1000000", nil))
		if took := time.Since(start); took != maxProfile {
			t.Errorf("a profile ran for %v, want %v", took, maxProfile)
		}
	})
}

func TestASecondProfileIsRefused(t *testing.T) {
	started, end := make(chan struct{}), make(chan struct{})
	observe := observation("trace", someSeconds, func(http.ResponseWriter, *http.Request) {
		close(started)
		<-end
	})
	request := httptest.NewRequest("GET", "/debug/pprof/trace", nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		observe(httptest.NewRecorder(), request)
	}()
	<-started
	second := httptest.NewRecorder()
	observe(second, request)
	if body := second.Body.String(); second.Code != http.StatusConflict || body != "another trace is running; retry when it has ended\n" {
		t.Errorf("the second trace: %d %q", second.Code, body)
	}
	close(end)
	<-done
}

func TestInvalidSecondsAreRefused(t *testing.T) {
	for _, tt := range []struct {
		valid   func(string) bool
		seconds string
		want    int
	}{
		{wholeSeconds, "", 200}, {wholeSeconds, "5", 200}, {wholeSeconds, "abc", 400}, {wholeSeconds, "0.5", 400}, {wholeSeconds, "0", 400}, {wholeSeconds, "-1", 400},
		{someSeconds, "", 200}, {someSeconds, "5", 200}, {someSeconds, "0.5", 200}, {someSeconds, "abc", 400}, {someSeconds, "-1", 400}, {someSeconds, "NaN", 400}, {someSeconds, "Inf", 400},
	} {
		w := httptest.NewRecorder()
		observation("trace", tt.valid, func(http.ResponseWriter, *http.Request) {})(w, httptest.NewRequest("GET", "/debug/pprof/trace?seconds="+tt.seconds, nil))
		if w.Code != tt.want || w.Code == 400 && !strings.Contains(w.Body.String(), "seconds") {
			t.Errorf("seconds=%s: %d %s, want %d", tt.seconds, w.Code, w.Body, tt.want)
		}
	}
}
