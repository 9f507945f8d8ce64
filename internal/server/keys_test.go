package server_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/ratelimit"
	"vitrine/internal/server"
	"vitrine/internal/store"
)

func (h *handle) Keys(ctx context.Context) ([]store.APIKey, error) {
	end, err := h.begin(ctx, "keys")
	defer end()
	if err != nil {
		return nil, err
	}
	h.memory.mu.Lock()
	defer h.memory.mu.Unlock()
	return h.memory.keys, nil
}

func (m *memory) setKeys(keys ...store.APIKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keys = keys
}

// policyOf returns what a request with a key is told of its quota, or the error.
func policyOf(f *server.KeyFollower, key string) string {
	gate := admission.New(ratelimit.NewMemory(), f.Keys, slog.New(slog.DiscardHandler), admission.Config{
		Anonymous: ratelimit.Policy{Quota: 60, Window: time.Minute}, Key: ratelimit.Policy{Quota: 300, Window: time.Minute},
	})
	r, header := httptest.NewRequest(http.MethodGet, "/", nil), http.Header{}
	r.Header.Set("X-API-Key", key)
	if _, err := gate.Admit(r, header); err != nil {
		return "refused"
	}
	return header.Get("RateLimit-Policy")
}

func wantPolicy(t *testing.T, f *server.KeyFollower, key, want string) {
	t.Helper()
	if got := policyOf(f, key); got != want {
		t.Errorf("the policy of %q is %s, want %s", key, got, want)
	}
}

const (
	anonymousPolicy = `"anonymous";q=60;w=60`
	keyPolicy       = `"key";q=300;w=60`
)

func apiKey(name string) store.APIKey {
	return store.APIKey{Name: name, Hash: sha256.Sum256([]byte(name)), CreatedAt: time.UnixMilli(1)}
}

func TestKeyFollower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, log := newMemory(t), &lines{}
		f := server.NewKeyFollower(s.open, every, log.logger())
		release := s.hang("keys", true)
		stop := start(t, f.Run)
		wantPolicy(t, f, "a", anonymousPolicy) // not known yet

		time.Sleep(10 * time.Second)
		wantPolicy(t, f, "a", anonymousPolicy)
		wantLines(t, log, `the API keys cannot be read" error="the store does not answer" meanwhile="callers with a key have the anonymous quota"`)
		release()
		time.Sleep(10 * time.Second)
		wantLines(t, log, "can be read again")
		wantPolicy(t, f, "a", "refused")

		s.setKeys(apiKey("a"))
		pass(1)
		wantPolicy(t, f, "a", keyPolicy)

		own, odd, revoked := apiKey("own"), apiKey("odd"), apiKey("a")
		own.Limit, odd.Limit, revoked.RevokedAt = "5/s", "very much", time.UnixMilli(2)
		s.setKeys(own, odd, revoked)
		pass(2)
		wantPolicy(t, f, "a", "refused")
		wantPolicy(t, f, "own", `"key";q=5;w=1`)
		wantPolicy(t, f, "odd", keyPolicy)
		wantLines(t, log, "the limit of an API key cannot be read; that of all keys holds for it")

		s.fail("keys", errors.New("no such table"))
		pass(20)
		wantPolicy(t, f, "own", `"key";q=5;w=1`)
		wantLines(t, log, `cannot be read" error="no such table" meanwhile="those that were read last stay valid"`)
		s.fail("keys", nil)
		s.fail("open", nil)
		time.Sleep(10 * time.Second)
		wantLines(t, log, "can be read again")

		stop()
		if n := s.handles(); n != 0 {
			t.Errorf("%d handles are open at the end", n)
		}
	})
}

// A store that is not there is the other follower's to tell of.
func TestKeyFollowerWithoutAStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, log := newMemory(t), &lines{}
		s.fail("open", missing{})
		f := server.NewKeyFollower(s.open, every, log.logger())
		defer start(t, f.Run)()
		pass(10)
		wantPolicy(t, f, "a", anonymousPolicy)
		wantLines(t, log)
	})
}
