package distribution_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/distribution"
	"vitrine/internal/logtest"
	"vitrine/internal/store"
)

// keyPublisher writes lists of API keys.
type keyPublisher struct {
	*publisher
	path string
	list *distribution.KeyListWriter
}

func newKeyPublisher(t *testing.T) *keyPublisher {
	p := &keyPublisher{publisher: newPublisher(t), path: filepath.Join(t.TempDir(), "keys.json")}
	p.signWith("key")
	return p
}

func (p *keyPublisher) signWith(name string) {
	key, err := distribution.ReadSigningKey(filepath.Join(p.keys, name))
	must(p.t, err)
	p.list = &distribution.KeyListWriter{Path: p.path, Key: key, Valid: time.Hour, Now: func() time.Time { return p.now }}
}

// issue writes a list and returns the file.
func (p *keyPublisher) issue(keys ...store.APIKey) []byte {
	p.t.Helper()
	p.now = p.now.Add(time.Minute)
	_, err := p.list.Write(p.t.Context(), keys)
	must(p.t, err)
	data, err := os.ReadFile(p.path)
	must(p.t, err)
	return data
}

func (p *keyPublisher) keyReader(from, pin string) *distribution.KeyListReader {
	key, err := distribution.ParsePublicKey(filepath.Join(p.keys, "key.pub"))
	must(p.t, err)
	r := distribution.NewKeyListReader(distribution.KeyListReaderConfig{
		From: from, Key: func() *distribution.PublicKey { return key }, Pin: pin, Log: (&logtest.Lines{}).Logger(), Now: func() time.Time { return p.now },
	})
	p.t.(*testing.T).Cleanup(func() { r.Close() })
	return r
}

func apiKey(name string, change ...func(*store.APIKey)) store.APIKey {
	k := store.APIKey{Name: name, Hash: sha256.Sum256([]byte(name)), CreatedAt: time.UnixMilli(1).UTC(), CreatedBy: "someone@example.org"}
	for _, set := range change {
		set(&k)
	}
	return k
}

func TestAPIKeys(t *testing.T) {
	p := newKeyPublisher(t)
	end := p.now.Add(24 * time.Hour)
	expires := apiKey("expires", func(k *store.APIKey) { k.ExpiresAt, k.Limit = end, "1000/m" })
	replaced := apiKey("replaced", func(k *store.APIKey) { k.RevokedAt = end })
	revoked := apiKey("revoked", func(k *store.APIKey) { k.RevokedAt = p.now })
	data := p.issue(apiKey("a"), expires, replaced, revoked)
	if strings.Contains(string(data), "someone@example.org") || strings.Contains(string(data), "revoked") {
		t.Errorf("the list has more than what readers need: %s", data)
	}
	if info, err := os.Stat(p.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the list has mode %v, %v", info.Mode(), err)
	}
	pin := filepath.Join(t.TempDir(), "pin")
	r := p.keyReader(p.path, pin)
	got, err := r.Keys(t.Context())
	must(t, err)
	want := []store.APIKey{
		{Name: "a", Hash: sha256.Sum256([]byte("a"))},
		{Name: "expires", Hash: sha256.Sum256([]byte("expires")), Limit: "1000/m", ExpiresAt: end},
		{Name: "replaced", Hash: sha256.Sum256([]byte("replaced")), ExpiresAt: end},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(pin); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the kept list has mode %v, %v", info.Mode(), err)
	}

	p.issue() // all are revoked
	if got, err := r.Keys(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("after a revocation the keys are %v, %v", got, err)
	}
}

// TestAPIKeyFaults checks lists that a reader must reject, also after a restart, and that it
// accepts the next good one.
func TestAPIKeyFaults(t *testing.T) {
	p := newKeyPublisher(t)
	older := p.issue(apiKey("a"), apiKey("b"))
	newer := p.issue(apiKey("b"))
	newKey(t, p.keys, "other")
	p.signWith("other")
	foreign := p.issue(apiKey("a"))
	p.signWith("key")
	must(t, os.Remove(p.path))
	another := p.issue(apiKey("a")) // another list of the same key
	p.publish(chains("a"))
	pointer := p.files()
	signed, err := json.Marshal(map[string]string{
		"list": string(pointer["entry.json"]), "signature": string(pointer["entry.json.minisig"]),
	})
	must(t, err)
	for name, tt := range map[string]struct {
		data []byte
		want string
		is   error
	}{
		"an older list":              {older, "not newer", distribution.ErrReplayed},
		"another list":               {another, "another list", distribution.ErrReplayed},
		"another key":                {foreign, "signed by key", distribution.ErrUnsigned},
		"an altered list":            {[]byte(strings.Replace(string(newer), `"name\":\"b`, `"name\":\"c`, 1)), "does not match", distribution.ErrUnsigned},
		"no signature":               {[]byte(`{"list":` + strings.TrimPrefix(strings.Split(string(older), `,"signature"`)[0], `{"list":`) + `}`), "malformed", distribution.ErrUnsigned},
		"half a file":                {half(newer), "not a list of API keys", nil},
		"the pointer with signature": {signed, "not a list of API keys", nil},
		"an empty file":              {nil, "not a list of API keys", nil},
	} {
		t.Run(name, func(t *testing.T) {
			served := newer
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(served) }))
			defer s.Close()
			pin := filepath.Join(t.TempDir(), "pin")
			r := p.keyReader(s.URL+"/private/keys.json", pin)
			_, err := r.Keys(t.Context())
			must(t, err)
			served = tt.data
			for range 2 {
				if _, err := r.Keys(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
					t.Errorf("error %v, want %q", err, tt.want)
				}
				r.Close()
				r = p.keyReader(s.URL+"/private/keys.json", pin) // a restart
			}
			served = newer
			if got, err := r.Keys(t.Context()); err != nil || len(got) != 1 {
				t.Errorf("the good list gives %v, %v", got, err)
			}
			r.Close()
		})
	}
}

func TestAPIKeysExpire(t *testing.T) {
	p := newKeyPublisher(t)
	p.issue(apiKey("a"))
	r := p.keyReader(p.path, "")
	_, err := r.Keys(t.Context())
	must(t, err)
	p.now = p.now.Add(2 * time.Hour)
	if _, err := r.Keys(t.Context()); !errors.Is(err, distribution.ErrExpired) {
		t.Errorf("an expired list: %v", err)
	}
	p.issue(apiKey("a"))
	if _, err := r.Keys(t.Context()); err != nil {
		t.Error(err)
	}
	must(t, os.Remove(p.path))
	if _, err := r.Keys(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing list: %v", err)
	}
}

// TestAPIKeyListTime checks that lists of one moment have an order, and that a foreign file is not
// replaced.
func TestAPIKeyListTime(t *testing.T) {
	p := newKeyPublisher(t)
	p.issue(apiKey("a"))
	r := p.keyReader(p.path, "")
	_, err := r.Keys(t.Context())
	must(t, err)
	old, err := os.ReadFile(p.path)
	must(t, err)
	p.now = p.now.Add(-time.Minute)
	p.issue()
	got, err := r.Keys(t.Context())
	if err != nil || len(got) != 0 {
		t.Errorf("keys %v, %v", got, err)
	}
	must(t, os.WriteFile(p.path, old, 0o600))
	if _, err := r.Keys(t.Context()); !errors.Is(err, distribution.ErrReplayed) {
		t.Errorf("a replay of the same millisecond: %v", err)
	}
	must(t, os.WriteFile(p.path, []byte("something else"), 0o600))
	if _, err := p.list.Write(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a foreign file is replaced: %v", err)
	}
}
