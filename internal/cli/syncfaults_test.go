package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/sqlstore"
)

// synced runs a sync against an upstream, and returns status and output.
func synced(t *testing.T, dsn string, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	status := run(t.Context(), append([]string{"sync"}, append(args, "--store", dsn, "--allow-private")...), streams{out: &out, err: &out})
	return status, out.String()
}

// storeOf returns a store with a catalogue of two chains, three accounts and a channel.
func storeOf(t *testing.T) (dsn string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"catalog.yaml": "{title: Shop, default_locale: en, locales: [en]}",
		"categories.yaml": "groups: [{key: layer, module: chain, name: Layer}, {key: who, module: twitter, name: Who}]\n" +
			"categories: [{key: l1, name: L1, scopes: [chain], groups: {chain: [layer]}}, {key: org, name: Org, scopes: [twitter], groups: {twitter: [who]}}]",
		"youtube.yaml": "- {channel_id: UCa, name: A, categories: []}",
		"chains.yaml":  "- {slug: one, name: One, chain_id: 1, categories: [l1]}\n- {slug: sol, name: Sol, chain_id: 'solana:abc', categories: [l1]}",
		"twitter.yaml": "- {handle: XDevelopers, name: X, categories: [org]}\n- {handle: oldname, name: O, categories: [org]}\n- {handle: banned, name: B, categories: [org]}",
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	dsn = "sqlite:" + filepath.Join(t.TempDir(), "store.db")
	var out bytes.Buffer
	if status := run(t.Context(), []string{"import", dir, "--store", dsn}, streams{out: &out, err: &out}); status != 0 {
		t.Fatalf("import: %d %s", status, out.String())
	}
	return dsn
}

// headOf returns the number of the newest revision.
func headOf(t *testing.T, dsn string) int64 {
	t.Helper()
	s, err := sqlite.OpenAs(t.Context(), strings.TrimPrefix(dsn, "sqlite:"), sqlstore.Read)
	must(t, err)
	defer s.Close()
	head, err := s.Head(t.Context())
	must(t, err)
	return head.Number
}

const secretToken = "s3cr3t-t0ken"

// TestSyncFaults checks that nothing is published for any fault of an upstream, and that no
// output contains the token.
func TestSyncFaults(t *testing.T) {
	t.Setenv("VITRINE_X_TOKEN", secretToken)
	t.Setenv("VITRINE_YOUTUBE_KEY", secretKey)
	answer := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
	}
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	_, err := z.Write(bytes.Repeat([]byte(" "), 1<<20))
	must(t, errors.Join(err, z.Close()))
	bomb := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		for range 70 {
			if _, err := w.Write(member.Bytes()); err != nil {
				return
			}
		}
	}
	faults := map[string]struct {
		handle http.HandlerFunc
		want   string
	}{
		"429 with a distant reset": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Rate-Limit-Remaining", "0")
			w.Header().Set("X-Rate-Limit-Reset", strconv.FormatInt(time.Now().Add(15*time.Minute).Unix(), 10))
			w.WriteHeader(429)
			fmt.Fprint(w, `{"errors":[{"code":88,"message":"Rate limit exceeded"}]}`)
		}, "answers 429"},
		"500 that asks for patience": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "900")
			w.WriteHeader(500)
		}, "answers 500"},
		"401":        {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, "answers 401"},
		"bomb":       {bomb, "too large"},
		"wrong type": {answer(`<html>hello</html>`), "invalid character"},
		"empty":      {answer(`[]`), ""},
		"an object":  {answer(`{"data": {"id": 1}}`), ""},
		"others":     {answer(`[{"name": "Other", "chainId": 77, "tvl": 1, "id": "1", "chains": ["Other"]}]`), ""},
		"redirect to another scheme": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "ftp://10.0.0.1/", http.StatusFound)
		}, "the redirect is refused: it leads to ftp"},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			if name == "bomb" && testing.Short() {
				t.Skip("70 MB of spaces, slow under the race detector")
			}
			t.Parallel()
			upstream := httptest.NewServer(fault.handle)
			defer upstream.Close()
			dsn := storeOf(t)
			for _, args := range [][]string{
				{"defillama", "--from", upstream.URL}, {"defillama-apps", "--from", upstream.URL, "--chains", upstream.URL}, {"x", "--from", upstream.URL},
				{"youtube", "--from", upstream.URL},
			} {
				status, out := synced(t, dsn, args...)
				if status == 0 || !strings.Contains(out, fault.want) || strings.Contains(out, secretToken) || strings.Contains(out, secretKey) {
					t.Errorf("%v: status %d, want %q: %s", args, status, fault.want, out)
				}
			}
			if head := headOf(t, dsn); head != 1 {
				t.Errorf("revision %d was published", head)
			}
		})
	}
}

// TestSyncRefusesPrivateAddresses checks that private addresses need --allow-private, and that
// tokens and keys need TLS.
func TestSyncRefusesPrivateAddresses(t *testing.T) {
	t.Setenv("VITRINE_X_TOKEN", secretToken)
	t.Setenv("VITRINE_YOUTUBE_KEY", secretKey)
	upstream := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it is asked") }))
	defer upstream.Close()
	dsn := storeOf(t)
	for _, args := range [][]string{
		{"defillama", "--from", upstream.URL}, {"defillama-apps", "--from", upstream.URL, "--chains", upstream.URL},
		{"x", "--from", upstream.URL}, {"x", "--from", strings.Replace(upstream.URL, "http:", "https:", 1)},
		{"youtube", "--from", upstream.URL}, {"youtube", "--from", strings.Replace(upstream.URL, "http:", "https:", 1)},
	} {
		var out bytes.Buffer
		status := run(t.Context(), append([]string{"sync"}, append(args, "--store", dsn)...), streams{out: &out, err: &out})
		if status == 0 || !strings.Contains(out.String(), "not public") && !strings.Contains(out.String(), "https addresses only") {
			t.Errorf("%v: %d %s", args, status, out.String())
		}
	}
}

// TestSyncX checks that partial answers are published, and that missing accounts have a reason: a
// renamed account is found by its observed id and reported with its new handle. An account that
// took over a handle is not observed.
func TestSyncX(t *testing.T) {
	t.Setenv("VITRINE_X_TOKEN", secretToken)
	dsn := storeOf(t)
	later := false
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+secretToken {
			w.WriteHeader(401)
			return
		}
		const old = `{"id":"5","username":"oldname","public_metrics":{"followers_count":70}}`
		const x = `{"id":"2244994945","username":"xdevelopers","public_metrics":{"followers_count":583423}}`
		const banned = `{"value":"banned","detail":"User has been suspended: [banned].","type":"https://api.twitter.com/2/problems/resource-not-found"}`
		switch {
		case r.URL.Path == "/2/users":
			fmt.Fprint(w, `{"data":[{"id":"5","username":"newname"}]}`)
		case later:
			fmt.Fprintf(w, `{"data":[%s],"errors":[%s,{"value":"oldname","detail":"Could not find user","type":"https://api.twitter.com/2/problems/resource-not-found"}]}`,
				strings.Replace(x, "583423", "583424", 1), banned)
		default:
			fmt.Fprintf(w, `{"data":[%s,%s],"errors":[%s]}`, old, x, banned)
		}
	}))
	defer upstream.Close()
	status, out := synced(t, dsn, "x", "--from", upstream.URL, "--verbose")
	if status != 0 || !strings.Contains(out, "rows of 2 accounts, 1 rows without one") || !strings.Contains(out, "X has suspended the account") {
		t.Fatalf("%d %s", status, out)
	}
	s, err := sqlite.OpenAs(t.Context(), strings.TrimPrefix(dsn, "sqlite:"), sqlstore.Read)
	must(t, err)
	defer s.Close()
	observed, err := s.Observations(t.Context(), domain.KindAccount, "XDevelopers", 0)
	must(t, err)
	if len(observed) != 1 || observed[0].Observation.Value != 583423 || observed[0].Observation.UpstreamID != "2244994945" || observed[0].Observation.Source != "x" {
		t.Errorf("observed %+v", observed)
	}
	later = true
	if status, out = synced(t, dsn, "x", "--from", upstream.URL, "--verbose"); !strings.Contains(out, "renamed to newname; write handle: newname and former: [oldname]") {
		t.Errorf("%d %s", status, out)
	}
}

// TestSyncApps joins counts through the ids of /v2/chains and reviewed names, never by name.
func TestSyncApps(t *testing.T) {
	dsn := storeOf(t)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v2/chains" {
			fmt.Fprint(w, `[{"name": "Ethereum", "chainId": 1, "tvl": 5}, {"name": "Solana", "chainId": null, "tvl": 4}]`)
			return
		}
		fmt.Fprint(w, `[{"id": "1", "category": "Dexes", "chains": ["Ethereum", "Solana", "Sol"]}, {"id": 2, "category": "Lending", "chains": ["Ethereum"]}]`)
	}))
	defer upstream.Close()
	names := filepath.Join(t.TempDir(), "names.json")
	must(t, os.WriteFile(names, []byte(`[{"name": "Solana", "decision": "joined", "chain_id": "solana:abc", "why": "its name and coin"}]`), 0o600))
	status, out := synced(t, dsn, "defillama-apps", "--from", upstream.URL+"/protocols", "--chains", upstream.URL+"/v2/chains", "--names", names, "--verbose")
	if status != 0 || !strings.Contains(out, `"Sol": no chain id, and the name is not reviewed`) || !strings.Contains(out, "rows of 2 chains, 1 rows without one") {
		t.Fatalf("%d %s", status, out)
	}
	s, err := sqlite.OpenAs(t.Context(), strings.TrimPrefix(dsn, "sqlite:"), sqlstore.Read)
	must(t, err)
	defer s.Close()
	for slug, want := range map[string]float64{"one": 2, "sol": 1} {
		observed, err := s.Observations(t.Context(), domain.KindChain, slug, 0)
		must(t, err)
		if len(observed) != 1 || observed[0].Observation.Value != want || observed[0].Observation.Figure != domain.FigurePlatforms {
			t.Errorf("%s: %+v", slug, observed)
		}
	}
}
