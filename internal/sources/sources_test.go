package sources

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// TestConfig checks which origins the sources take.
func TestConfig(t *testing.T) {
	chains := func(c Config) (Source, error) { return DefiLlama(c, nil) }
	apps := func(c Config) (Source, error) { return DefiLlamaApps(c, "", nil) }
	appsOfFile := func(c Config) (Source, error) { return DefiLlamaApps(c, "chains.json", nil) }
	for name, test := range map[string]struct {
		source func(Config) (Source, error)
		config Config
		want   string // part of the error, "" for none
	}{
		"default addresses":      {chains, Config{}, ""},
		"a file with a date":     {apps, Config{From: "apps.json", AsOf: "2026-01-02"}, ""},
		"a file without a date":  {chains, Config{From: "chains.json"}, "--as-of"},
		"chains without a date":  {appsOfFile, Config{}, "--as-of"},
		"responses of X":         {X, Config{From: "x.json"}, "--as-of"},
		"a token over http":      {X, Config{From: "http://api.example", Secret: "s"}, "the token of X is sent to https addresses only"},
		"a key over http":        {YouTube, Config{From: "http://api.example", Secret: "s"}, "the key of YouTube is sent to https addresses only"},
		"a token to this server": {X, Config{From: "http://127.0.0.1:1", Secret: "s", AllowPrivate: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			source, err := test.source(test.config)
			if test.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				source.Close()
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// TestObserve checks that figures have the date of the response or the configured one, that they are
// joined by chain id, and that Observed names the origin without its secrets.
func TestObserve(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", "Fri, 20 Nov 2026 10:00:00 GMT")
		w.Write([]byte(`[{"name":"One","chainId":1,"tvl":5},{"name":"Two","chainId":2,"tvl":7}]`))
	}))
	defer upstream.Close()
	var rows []store.Row
	for row, err := range store.Rows(&domain.Catalog{Chains: []domain.Chain{{Slug: "one", ChainID: "1"}}}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	head, err := store.NewState(store.Revision{Number: 1}, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	for asOf, want := range map[string]domain.Date{"": "2026-11-20", "2026-11-19": "2026-11-19"} {
		source, err := DefiLlama(Config{From: strings.Replace(upstream.URL, "//", "//user:password@", 1) + "/?key=secret", AsOf: asOf, AllowPrivate: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := source.Observe(t.Context(), nil, head)
		source.Close()
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Observations) != 1 || got.Observations[0].Key != "one" || got.Observations[0].AsOf != want || got.Joined != 1 || len(got.Lost) != 1 {
			t.Errorf("as of %q: %+v", asOf, got)
		}
		if strings.Contains(got.From, "password") || strings.Contains(got.From, "secret") || got.Kind != "chains" {
			t.Errorf("from %q, kind %q", got.From, got.Kind)
		}
	}
}

// TestReadIsBounded checks that a recording over the limit is refused.
func TestReadIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.json")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Truncate(connector.MaxBytes+1), file.Close()); err != nil {
		t.Fatal(err)
	}
	f := NewFetcher("test", false)
	defer f.Close()
	if _, err := f.Read(t.Context(), path); !errors.Is(err, connector.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}
