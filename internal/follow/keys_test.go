package follow_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/admission"
	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/ratelimit"
	"vitrine/internal/response"
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

func (h *handle) KeysUsed(ctx context.Context, uses []store.KeyUse) error {
	end, err := h.begin(ctx, "used")
	defer end()
	if err != nil {
		return err
	}
	h.memory.mu.Lock()
	defer h.memory.mu.Unlock()
	h.memory.used = append(h.memory.used, uses...)
	return nil
}

func (m *memory) setKeys(keys ...store.APIKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keys = keys
}

// takeUsed returns the uses recorded since the last call.
func (m *memory) takeUsed() []store.KeyUse {
	m.mu.Lock()
	defer m.mu.Unlock()
	used := m.used
	m.used = nil
	return used
}

// policyOf returns the policy in the headers of a request with a key, or the error.
func policyOf(f *follow.KeyFollower, key string) string {
	gate := admission.New(ratelimit.NewMemory(), f.Keys, slog.New(slog.DiscardHandler), admission.Config{
		Anonymous: ratelimit.Policy{Quota: 60, Window: time.Minute}, Key: ratelimit.Policy{Quota: 300, Window: time.Minute},
	})
	r, header := httptest.NewRequest(http.MethodGet, "/", nil), http.Header{}
	r.Header.Set("X-API-Key", key)
	if _, err := gate.Admit(r, admission.API, header); err != nil {
		problem, _ := errors.AsType[*response.Problem](err)
		return string(problem.Code)
	}
	return header.Get("RateLimit-Policy")
}

func wantPolicy(t *testing.T, f *follow.KeyFollower, key, want string) {
	t.Helper()
	if got := policyOf(f, key); got != want {
		t.Errorf("the policy of %q is %s, want %s", key, got, want)
	}
}

const (
	unknownYet = "not_ready"
	refused    = "invalid_api_key"
	keyPolicy  = `"key";q=300;w=60`
)

func apiKey(name string) store.APIKey {
	return store.APIKey{Name: name, Hash: sha256.Sum256([]byte(name)), CreatedAt: time.UnixMilli(1)}
}

func newKeyFollower(s *memory, log *logtest.Lines, lastGood string) *follow.KeyFollower {
	return follow.NewKeyFollower(follow.KeyConfig{Open: s.open, Every: every, Log: log.Logger(), LastGood: lastGood})
}

func TestKeyFollower(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		f := newKeyFollower(s, log, "")
		release := s.hang("keys", true)
		stop := start(t, f.Run)
		wantPolicy(t, f, "a", unknownYet)

		time.Sleep(10 * time.Second)
		wantPolicy(t, f, "a", unknownYet)
		log.Want(t, `level=ERROR msg="the API keys cannot be read, and none are known" error="the store does not answer"`)
		if got := f.Age(); got != 10*time.Second {
			t.Errorf("the age before the first read is %v", got)
		}
		release()
		time.Sleep(10 * time.Second)
		log.Want(t, "can be read again")
		wantPolicy(t, f, "a", refused)

		s.setKeys(apiKey("a"))
		pass(1)
		wantPolicy(t, f, "a", keyPolicy)

		own, odd, revoked := apiKey("own"), apiKey("odd"), apiKey("a")
		own.Limit, odd.Limit, revoked.RevokedAt = "5/s", "very much", time.UnixMilli(2)
		s.setKeys(own, odd, revoked)
		pass(2)
		wantPolicy(t, f, "a", refused)
		wantPolicy(t, f, "own", `"key";q=5;w=1`)
		wantPolicy(t, f, "odd", keyPolicy)
		log.Want(t, "the limit of an API key cannot be read; the default quota applies")
		if got := f.Age(); got > every {
			t.Errorf("the age after a read is %v", got)
		}

		s.fail("keys", errors.New("no such table"))
		pass(20)
		wantPolicy(t, f, "own", `"key";q=5;w=1`)
		log.Want(t, `level=WARN msg="the API keys cannot be read" error="no such table" meanwhile="the last known keys stay valid"`)
		if got := f.Age(); got < 20*time.Second {
			t.Errorf("the age after failed reads is %v", got)
		}
		s.fail("keys", nil)
		time.Sleep(10 * time.Second)
		log.Want(t, "can be read again")

		stop()
		s.wantHandles(0)
	})
}

// TestKeysEndInTime checks that a key expires to the millisecond, whatever state the store is in.
func TestKeysEndInTime(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		expires, replaced := apiKey("expires"), apiKey("replaced")
		end := time.Now().Add(time.Minute)
		expires.ExpiresAt, replaced.RevokedAt = end, end
		s.setKeys(expires, replaced)
		f := newKeyFollower(s, log, "")
		defer start(t, f.Run)()
		pass(1)
		s.fail("all", errors.New("connection refused"))
		time.Sleep(time.Until(end) - time.Millisecond)
		wantPolicy(t, f, "expires", keyPolicy)
		wantPolicy(t, f, "replaced", keyPolicy)
		time.Sleep(time.Millisecond)
		wantPolicy(t, f, "expires", refused)
		wantPolicy(t, f, "replaced", refused)
		if got := f.Keys().Valid(time.Now()); got != 0 {
			t.Errorf("%d keys are valid, want none", got)
		}
	})
}

// TestKeyFollowerWithoutAStore checks that only the other follower reports a missing store.
func TestKeyFollowerWithoutAStore(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.fail("open", missing{})
		f := newKeyFollower(s, log, "")
		defer start(t, f.Run)()
		pass(10)
		wantPolicy(t, f, "a", unknownYet)
		s.fail("open", nil)
		pass(2)
		wantPolicy(t, f, "a", refused)
		log.Want(t)
	})
}

// followers returns the two followers of a server, and a function that runs both.
func followers(s *memory, log *logtest.Lines, path string) (*follow.Follower, *follow.KeyFollower, func(context.Context)) {
	keys := newKeyFollower(s, log, path)
	f := newFollower(s, log, server.NewMetrics(), keepIn(path), func(c *follow.Config) { c.Keys = keys })
	return f, keys, func(ctx context.Context) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			keys.Run(ctx)
		}()
		f.Run(ctx)
		<-done
	}
}

// TestReadyWithKeys checks that a server becomes ready and answers requests only after the keys were
// read or failed to load.
func TestReadyWithKeys(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.put(1, titled("One"))
		s.setKeys(apiKey("a"))
		release := s.hang("keys", false)
		f, keys, run := followers(s, log, filepath.Join(t.TempDir(), "it.last-good"))
		defer start(t, run)()
		admin := server.NewAdmin(f, server.NewMetrics(), server.About{})
		begun := false
		go func() {
			f.Begin(t.Context())
			begun = true
		}()
		time.Sleep(time.Second)
		synctest.Wait()
		wantServed(t, f, 1)
		if begun {
			t.Error("Begin returned before the keys were known")
		}
		wantReadiness(t, admin, 503, `"ready":false,"revision":1`, `"apiKeysProblem":"they have not been read yet"`)
		release()
		time.Sleep(time.Second)
		synctest.Wait()
		if !begun {
			t.Error("Begin did not return with known keys")
		}
		if status, body := ask(admin, "GET", "/readyz"); status != 200 || contains(body, "apiKeys") {
			t.Errorf("readiness %d %s", status, body)
		}
		wantPolicy(t, keys, "a", keyPolicy)
	})
}

// TestUnreadableKeys checks that a server answers requests without a key but is not ready if no keys
// can be read.
func TestUnreadableKeys(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.put(1, titled("One"))
		s.fail("keys", errors.New("permission denied for table api_key"))
		f, keys, run := followers(s, log, filepath.Join(t.TempDir(), "it.last-good"))
		defer start(t, run)()
		f.Begin(t.Context())
		admin := server.NewAdmin(f, server.NewMetrics(), server.About{})
		wantReadiness(t, admin, 503, `"ready":false,"revision":1`, `"apiKeysProblem":"permission denied for table api_key"`)
		if f.Ready() || !contains(f.Problem(), "permission denied") {
			t.Errorf("ready %v, problem %q", f.Ready(), f.Problem())
		}
		wantPolicy(t, keys, "a", unknownYet)
		s.fail("keys", nil)
		s.setKeys(apiKey("a"))
		pass(10)
		wantPolicy(t, keys, "a", keyPolicy)
		if status, _ := ask(admin, "GET", "/readyz"); status != 200 {
			t.Errorf("readiness %d after the keys were read", status)
		}
		pass(5)
		s.fail("keys", errors.New("permission denied for table api_key"))
		pass(10)
		wantReadiness(t, admin, 200, `"ready":true`, `"apiKeysProblem":"permission denied for table api_key","apiKeysStaleSince":"`)
	})
}

// TestStartWithoutTheStoreKnowsKeys checks that a start without the store uses the keys of the last
// good file, also those created after its revision. They still expire.
func TestStartWithoutTheStoreKnowsKeys(t *testing.T) {
	for name, fault := range map[string]func(*memory){
		"refused":            func(s *memory) { s.fail("open", errors.New("connection refused")) },
		"hanging":            func(s *memory) { s.hang("open", false) },
		"missing":            func(s *memory) { s.fail("open", missing{}) },
		"only the keys fail": func(s *memory) { s.fail("keys", errors.New("permission denied")) },
		"only the keys hang": func(s *memory) { s.hang("keys", false) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "it.last-good")
			bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
				s.put(1, titled("One"))
				s.setKeys(apiKey("early"))
				_, _, run := followers(s, log, path)
				stop := start(t, run)
				pass(5)
				late, revoked := apiKey("late"), apiKey("revoked")
				late.ExpiresAt, revoked.RevokedAt = time.Now().Add(time.Hour), time.Now()
				s.setKeys(apiKey("early"), late, revoked)
				pass(5)
				stop()

				fault(s)
				f, keys, run := followers(s, log, path)
				stop = start(t, run)
				f.Begin(t.Context())
				if !f.Ready() {
					t.Error("not ready, with the keys of the last good state")
				}
				wantPolicy(t, keys, "early", keyPolicy)
				wantPolicy(t, keys, "late", keyPolicy)
				wantPolicy(t, keys, "revoked", refused)
				wantPolicy(t, keys, "stranger", refused)
				pass(10)
				if name == "only the keys fail" {
					s.put(2, titled("Two")) // the rewritten file still has the keys
					pass(10)
					wantKept(t, path, 2)
				}
				time.Sleep(time.Hour)
				wantPolicy(t, keys, "late", refused)
				stop()
				kept, err := store.ReadLastGoodKeys(path)
				if err != nil || len(kept.Keys) != 3 {
					t.Errorf("the file has the keys %v, %v", kept.Keys, err)
				}
			})
		})
	}
}

// TestLastGoodKeepsKeysWhileUnknown checks that unknown keys do not replace those of the file.
func TestLastGoodKeepsKeysWhileUnknown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "it.last-good")
	want := []store.APIKey{{Name: "a", Hash: sha256.Sum256([]byte("a"))}}
	must(t, store.WriteLastGood(path, store.LastGood{State: stateOf(store.Revision{Number: 1}, titled("One")), Keys: want}))
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.put(7, titled("Seven"))
		release := s.hang("keys", true)
		_, _, run := followers(s, log, path)
		stop := start(t, run)
		pass(1)
		wantKept(t, path, 7)
		kept, err := store.ReadLastGoodKeys(path)
		if diff := cmp.Diff(want, kept.Keys); diff != "" || err != nil {
			t.Errorf("keys of the file, %v (-want +got):\n%s", err, diff)
		}
		release()
		pass(10)
		stop()
		kept, err = store.ReadLastGoodKeys(path)
		if err != nil || kept.Keys == nil || len(kept.Keys) != 0 {
			t.Errorf("the file has the keys %v, %v; want an empty list", kept.Keys, err)
		}
	})
}

// TestUsesAreReported checks that uses are reported every minute and at shutdown.
func TestUsesAreReported(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.setKeys(apiKey("a"), apiKey("b"))
		f := newKeyFollower(s, log, "")
		stop := start(t, f.Run)
		pass(1)
		want := func(what string, names ...string) {
			t.Helper()
			var got []string
			for _, use := range s.takeUsed() {
				i := slices.IndexFunc([]string{"a", "b"}, func(name string) bool { return use.Hash == apiKey(name).Hash })
				got = append(got, []string{"unknown", "a", "b"}[i+1])
				if age := time.Since(use.At); age < 0 || age > 181*time.Second {
					t.Errorf("%s: used %v ago", what, age)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, names) {
				t.Errorf("%s: uses of %q are recorded, want %q", what, got, names)
			}
		}
		time.Sleep(2 * time.Minute)
		want("no use")
		if n := s.called("used"); n != 0 {
			t.Errorf("%d reports without a use", n)
		}
		for range 100 {
			wantPolicy(t, f, "a", keyPolicy)
		}
		time.Sleep(3 * time.Minute)
		want("one use", "a")
		wantPolicy(t, f, "a", keyPolicy)
		wantPolicy(t, f, "b", keyPolicy)
		wantPolicy(t, f, "stranger", refused)
		time.Sleep(time.Minute)
		want("both used", "a", "b")

		s.fail("used", errors.New("it may not be written to"))
		wantPolicy(t, f, "b", keyPolicy)
		time.Sleep(5 * time.Minute)
		log.Want(t, `level=WARN msg="the last uses of API keys cannot be stored`)
		wantPolicy(t, f, "b", keyPolicy)
		s.fail("used", nil)
		time.Sleep(time.Minute)
		want("the store works again", "b")

		wantPolicy(t, f, "a", keyPolicy)
		stop()
		want("at shutdown", "a")
		s.wantHandles(0)
	})
}

// TestHangingReportsDelayNothing checks that a hanging report delays neither the keys nor the shutdown.
func TestHangingReportsDelayNothing(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.setKeys(apiKey("a"))
		f := newKeyFollower(s, log, "")
		stop := start(t, f.Run)
		pass(1)
		release := s.hang("used", true)
		defer release()
		wantPolicy(t, f, "a", keyPolicy)
		time.Sleep(2 * time.Minute)
		s.setKeys(apiKey("b"))
		pass(2)
		wantPolicy(t, f, "b", keyPolicy)
		began := time.Now()
		stop()
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("the shutdown took %v", took)
		}
	})
}

// TestUsesAreCounted checks that the counters of a name survive a change of its keys.
func TestUsesAreCounted(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.setKeys(apiKey("a"), apiKey("b"))
		f := newKeyFollower(s, log, "")
		defer start(t, f.Run)()
		pass(1)
		wantPolicy(t, f, "a", keyPolicy)
		wantPolicy(t, f, "a", keyPolicy)
		next := store.APIKey{Name: "a", Hash: sha256.Sum256([]byte("next"))}
		s.setKeys(apiKey("a"), next)
		pass(2)
		wantPolicy(t, f, "next", keyPolicy)
		var got []string
		for _, use := range f.Keys().Uses(time.Now()) {
			got = append(got, fmt.Sprint(use.Name, use.Admitted, use.Refused))
		}
		if text := strings.Join(got, " "); text != "a3 0" {
			t.Errorf("counted %q, want three requests of a alone", text)
		}
	})
}
