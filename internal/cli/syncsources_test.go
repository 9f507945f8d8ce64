package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/sources"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/sqlstore"
)

const secretKey = "s3cr3t-k3y"

// registryOf returns a store with so many chains, accounts and channels, which have the ids 1, 2, ….
func registryOf(t *testing.T, chains, accounts, channels int) (dsn string) {
	t.Helper()
	dsn = "sqlite:" + filepath.Join(t.TempDir(), "store.db")
	importRegistry(t, dsn, chains, accounts, channels)
	return dsn
}

func importRegistry(t *testing.T, dsn string, chains, accounts, channels int) {
	t.Helper()
	dir := t.TempDir()
	list := func(n int, record string) []byte {
		var all bytes.Buffer
		for i := range n {
			fmt.Fprintf(&all, record+"\n", i+1)
		}
		return all.Bytes()
	}
	for name, data := range map[string][]byte{
		"catalog.yaml":    []byte("{title: Shop, default_locale: en, locales: [en]}"),
		"categories.yaml": []byte("groups: []\ncategories: []\n"),
		"chains.ndjson":   list(chains, `{"slug":"chain-%[1]d","name":"Chain %[1]d","chain_id":%[1]d}`),
		"twitter.ndjson":  list(accounts, `{"handle":"user%[1]d","name":"User %[1]d","categories":[]}`),
		"youtube.ndjson":  list(channels, `{"channel_id":"UC%[1]d","name":"Channel %[1]d","categories":[]}`),
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	var out bytes.Buffer
	if status := run(t.Context(), []string{"import", dir, "--store", dsn}, streams{out: &out, err: &out}); status != 0 {
		t.Fatalf("import: %d %s", status, out.String())
	}
}

func storeAt(t *testing.T, dsn string) store.Store {
	t.Helper()
	s, err := sqlite.OpenAs(t.Context(), strings.TrimPrefix(dsn, "sqlite:"), sqlstore.Write)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// observedIn returns the observed figures of a kind, as key=value@date.
func observedIn(t *testing.T, dsn string, kind domain.Kind) []string {
	t.Helper()
	head, err := storeAt(t, dsn).Load(t.Context(), 0)
	must(t, err)
	var all []string
	for _, o := range head.Observed() {
		if o.Kind == kind {
			all = append(all, fmt.Sprintf("%s=%v@%s", o.Key, o.Value, o.AsOf))
		}
	}
	slices.Sort(all)
	return all
}

// TestSyncXBatches checks that of 250 accounts, the answers of two batches count when the quota of the token
// ends, also partial ones, and that the next sync begins with the others.
func TestSyncXBatches(t *testing.T) {
	t.Setenv("VITRINE_X_TOKEN", secretToken)
	dsn := registryOf(t, 0, 250, 0)
	var asked [][]string
	exhausted := 2
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handles := strings.Split(r.URL.Query().Get("usernames"), ",")
		w.Header().Set("X-Rate-Limit-Reset", strconv.FormatInt(time.Now().Add(15*time.Minute).Unix(), 10))
		if len(asked) == exhausted { // 429 instead of the third batch
			w.Header().Set("X-Rate-Limit-Remaining", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		asked = append(asked, handles)
		type user map[string]any
		var answer struct {
			Data   []user `json:"data"`
			Errors []user `json:"errors"`
		}
		for i, handle := range handles {
			if i%10 == 0 {
				answer.Errors = append(answer.Errors, user{"value": handle, "detail": "User has been suspended", "type": "https://api.twitter.com/2/problems/resource-not-found"})
				continue
			}
			answer.Data = append(answer.Data, user{"id": strings.TrimPrefix(handle, "user"), "username": strings.ToUpper(handle), "public_metrics": user{"followers_count": 5}})
		}
		must(t, json.NewEncoder(w).Encode(answer))
	}))
	defer upstream.Close()
	status, out := synced(t, dsn, "x", "--from", upstream.URL)
	if status != 0 || !strings.Contains(out, "rows of 180 accounts, 20 rows without one") || len(asked) != 2 || len(asked[0]) != 100 || len(asked[1]) != 100 {
		t.Fatalf("%d %s after %d batches", status, out, len(asked))
	}
	first := slices.Concat(asked...)
	asked, exhausted = nil, 9
	if status, out = synced(t, dsn, "x", "--from", upstream.URL); status != 0 || len(asked) != 3 {
		t.Fatalf("%d %s after %d batches", status, out, len(asked))
	}
	left := 0 // of the former sync
	for _, handle := range asked[0] {
		if !slices.Contains(first, handle) {
			left++
		}
	}
	if left != 50 {
		t.Errorf("the next sync begins with %d of the 50 accounts that were left", left)
	}
}

// TestSyncXStopsAtTheQuota checks that no request follows the last one that the quota allows, unless
// the quota is renewed soon.
func TestSyncXStopsAtTheQuota(t *testing.T) {
	t.Setenv("VITRINE_X_TOKEN", secretToken)
	for _, tt := range []struct {
		reset   time.Duration
		batches int64
	}{{15 * time.Minute, 1}, {-time.Minute, 3}} {
		dsn := registryOf(t, 0, 250, 0)
		var calls atomic.Int64
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			calls.Add(1)
			w.Header().Set("X-Rate-Limit-Remaining", "0")
			w.Header().Set("X-Rate-Limit-Reset", strconv.FormatInt(time.Now().Add(tt.reset).Unix(), 10))
			handle, _, _ := strings.Cut(r.URL.Query().Get("usernames"), ",")
			fmt.Fprintf(w, `{"data":[{"id":%q,"username":%q,"public_metrics":{"followers_count":5}}]}`, strings.TrimPrefix(handle, "user"), handle)
		}))
		status, out := synced(t, dsn, "x", "--from", upstream.URL)
		upstream.Close()
		if status != 0 || !strings.Contains(out, fmt.Sprintf("rows of %d accounts", tt.batches)) || calls.Load() != tt.batches {
			t.Errorf("%d %s after %d calls", status, out, calls.Load())
		}
	}
}

// TestScheduledSyncTakesTurns checks that accounts that X does not return do not use up the quota of
// every run of a server.
func TestScheduledSyncTakesTurns(t *testing.T) {
	t.Setenv("VITRINE_X_TOKEN", secretToken)
	dsn := registryOf(t, 0, 250, 0)
	asked := map[string]bool{}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Rate-Limit-Remaining", "0")
		if r.URL.Path != "/2/users/by" {
			return
		}
		handles := strings.Split(r.URL.Query().Get("usernames"), ",")
		var gone []string
		for _, handle := range handles {
			asked[handle] = true
			if handle != handles[0] {
				gone = append(gone, fmt.Sprintf(`{"value":%q,"detail":"gone","type":"resource-not-found"}`, handle))
			}
		}
		fmt.Fprintf(w, `{"data":[{"id":"%d","username":%q,"public_metrics":{"followers_count":5}}],"errors":[%s]}`, len(asked), handles[0], strings.Join(gone, ","))
	}))
	defer upstream.Close()
	source, err := figureSource{name: "x"}.open(sources.Config{From: upstream.URL, Agent: userAgent(), AllowPrivate: true})
	must(t, err)
	defer source.Close()
	s := storeAt(t, dsn)
	for run := 1; run <= 3; run++ {
		ran, err := runSync("x", source, "server")(t.Context(), s)
		if err != nil || ran.Problem != "" || len(asked) != min(100*run, 250) {
			t.Fatalf("run %d: %+v, %v; %d accounts were asked for", run, ran, err, len(asked))
		}
	}
}

// TestSyncYouTube checks that batches of 50 in any order count, that missing channels and those that hide
// their number are reported, and that no output has the key.
func TestSyncYouTube(t *testing.T) {
	t.Setenv("VITRINE_YOUTUBE_KEY", secretKey)
	dsn := registryOf(t, 0, 0, 120)
	var batches []int
	rejects := func(w http.ResponseWriter, reason string) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, `{"error":{"code":403,"message":"%s","errors":[{"reason":%q}]}}`, secretKey, reason)
	}
	fault := ""
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ids := strings.Split(r.URL.Query().Get("id"), ",")
		switch {
		case r.URL.Path != "/youtube/v3/channels" || r.URL.Query().Get("key") != secretKey:
			rejects(w, "keyInvalid")
			return
		case fault != "":
			rejects(w, fault)
			return
		case len(batches) == 2: // of three
			rejects(w, "quotaExceeded")
			return
		}
		batches = append(batches, len(ids))
		slices.Reverse(ids)
		var items []string
		for i, id := range ids {
			switch i {
			case 0: // it is gone
			case 1:
				items = append(items, fmt.Sprintf(`{"id":%q,"statistics":{"subscriberCount":"0","hiddenSubscriberCount":true}}`, id))
			default:
				items = append(items, fmt.Sprintf(`{"id":%q,"statistics":{"subscriberCount":"1230","hiddenSubscriberCount":false}}`, id))
			}
		}
		fmt.Fprintf(w, `{"items":[%s],"pageInfo":{}}`, strings.Join(items, ","))
	}))
	defer upstream.Close()
	status, out := synced(t, dsn, "youtube", "--from", upstream.URL, "--verbose")
	if status != 0 || !strings.Contains(out, "rows of 96 channels, 4 rows without one") || !slices.Equal(batches, []int{50, 50}) ||
		strings.Count(out, "hides its number of subscribers") != 2 || strings.Count(out, "was deleted or terminated") != 2 || strings.Contains(out, secretKey) {
		t.Fatalf("%d %s after batches of %v", status, out, batches)
	}
	if all := observedIn(t, dsn, domain.KindChannel); len(all) != 96 || !strings.Contains(all[0], "=1230@") {
		t.Errorf("%d observations: %v", len(all), all)
	}
	for reason, want := range map[string]string{
		"quotaExceeded": "quota of the key is used up", "rateLimitExceeded": "come too fast", "keyInvalid": "not valid",
		"forbidden": "may not request channels", "backendError": "answers 403",
	} {
		fault = reason
		if status, out := synced(t, dsn, "youtube", "--from", upstream.URL); status == 0 || !strings.Contains(out, want) || strings.Contains(out, secretKey) {
			t.Errorf("%s: %d %s", reason, status, out)
		}
	}
}

// TestSyncDirtyRows checks that figures are joined if ids are numbers or texts, repeated or missing, and a TVL
// is 0 or absent.
func TestSyncDirtyRows(t *testing.T) {
	dsn := registryOf(t, 4, 0, 0)
	recording := filepath.Join(t.TempDir(), "chains.json")
	must(t, os.WriteFile(recording, []byte(`[
		{"name": "One", "chainId": "1", "tvl": 7}, {"name": "One again", "chainId": 1, "tvl": 5},
		{"name": "Two", "chainId": 2, "tvl": 0}, {"name": "Three", "chainId": 3}, {"name": "Four", "chainId": null, "tvl": 4},
		{"name": "Zero", "chainId": 0, "tvl": 1}, {"name": "Odd", "chainId": {"id": 4}, "tvl": 1}, {"name": "Negative", "chainId": 4, "tvl": -1}
	]`), 0o600))
	status, out := synced(t, dsn, "defillama", "--from", recording, "--as-of", "2026-11-20", "--verbose")
	if status != 0 || !strings.Contains(out, "rows of 2 chains, 6 rows without one") {
		t.Fatalf("%d %s", status, out)
	}
	if all := observedIn(t, dsn, domain.KindChain); !slices.Equal(all, []string{"chain-1=7@2026-11-20", "chain-2=0@2026-11-20"}) {
		t.Errorf("observed %v", all)
	}
}

// recordings returns, by source, a recording with the figures of the records 1 to n.
func recordings(t *testing.T, n int) map[string]string {
	t.Helper()
	rows := map[string][]string{}
	for i := 1; i <= n; i++ {
		rows["defillama"] = append(rows["defillama"], fmt.Sprintf(`{"name":"C%[1]d","chainId":%[1]d,"tvl":%[1]d}`, i))
		rows["defillama-apps"] = append(rows["defillama-apps"], fmt.Sprintf(`{"id":"%[1]d","category":"Dexes","chains":["C%[1]d"]}`, i))
		rows["x"] = append(rows["x"], fmt.Sprintf(`{"id":"%[1]d","username":"user%[1]d","public_metrics":{"followers_count":%[1]d}}`, i))
		rows["youtube"] = append(rows["youtube"], fmt.Sprintf(`{"id":"UC%[1]d","statistics":{"subscriberCount":"%[1]d"}}`, i))
	}
	dir := t.TempDir()
	files := map[string]string{}
	for source, form := range map[string]string{"defillama": "[%s]", "defillama-apps": "[%s]", "x": `{"data":[%s]}`, "youtube": `{"items":[%s]}`} {
		files[source] = filepath.Join(dir, source+".json")
		must(t, os.WriteFile(files[source], fmt.Appendf(nil, form, strings.Join(rows[source], ",")), 0o600))
	}
	return files
}

// TestSyncKeepsFigures checks that an empty, shrunken, older or truncated answer of any source changes nothing.
func TestSyncKeepsFigures(t *testing.T) {
	whole, shrunken, empty := recordings(t, 8), recordings(t, 5), recordings(t, 0)
	for source, file := range whole {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			dsn := registryOf(t, 8, 8, 8)
			sync := func(from, asOf string) (int, string) {
				args := []string{source, "--from", from, "--as-of", asOf}
				if source == "defillama-apps" {
					args = append(args, "--chains", whole["defillama"])
				}
				return synced(t, dsn, args...)
			}
			if status, out := sync(file, "2026-11-20"); status != 0 {
				t.Fatalf("%d %s", status, out)
			}
			data, err := os.ReadFile(file)
			must(t, err)
			cut := filepath.Join(t.TempDir(), "cut.json")
			must(t, os.WriteFile(cut, data[:len(data)-3], 0o600))
			for name, answer := range map[string]struct{ from, asOf, want string }{
				"shrunken": {shrunken[source], "2026-11-21", "probably incomplete"}, "empty": {empty[source], "2026-11-21", ""},
				"older": {file, "2026-11-19", "older than the observations of 2026-11-20"}, "truncated": {cut, "2026-11-21", "unexpected EOF"},
			} {
				if status, out := sync(answer.from, answer.asOf); status == 0 || !strings.Contains(out, answer.want) {
					t.Errorf("%s: %d %s", name, status, out)
				}
			}
			if head := headOf(t, dsn); head != 2 {
				t.Errorf("revision %d was published", head)
			}
		})
	}
}

// TestScheduledSyncIsConditional checks that an unchanged document is not sent again between runs of a
// server, and changes nothing, not even a date. A new record gets its figure.
func TestScheduledSyncIsConditional(t *testing.T) {
	dsn := registryOf(t, 2, 0, 0)
	day, tag := "Fri, 20 Nov 2026 10:00:00 GMT", `"a"`
	files := recordings(t, 3)
	answered := map[int]int{}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", day)
		w.Header().Set("ETag", tag)
		status := http.StatusOK
		if r.Header.Get("If-None-Match") == tag {
			status = http.StatusNotModified
		}
		answered[status]++
		w.WriteHeader(status)
		if status == http.StatusOK {
			data, err := os.ReadFile(files[strings.TrimPrefix(r.URL.Path, "/")])
			must(t, err)
			w.Write(data)
		}
	}))
	defer upstream.Close()
	s := storeAt(t, dsn)
	for _, source := range []string{"defillama", "defillama-apps"} {
		config := sources.Config{From: upstream.URL + "/" + source, AllowPrivate: true}
		figures, err := sources.DefiLlama(config, nil)
		if source == "defillama-apps" {
			figures, err = sources.DefiLlamaApps(config, upstream.URL+"/defillama", nil)
		}
		must(t, err)
		defer figures.Close()
		sync := runSync(source, figures, "server")
		step := func(revision bool, statuses map[int]int) {
			t.Helper()
			clear(answered)
			ran, err := sync(t.Context(), s)
			if err != nil || ran.Problem != "" || (ran.Revision != 0) != revision || !maps.Equal(answered, statuses) {
				t.Fatalf("%s: %+v, %v, statuses %v", source, ran, err, answered)
			}
		}
		n := 1 // requests of a run
		if source == "defillama-apps" {
			n = 2
		}
		step(true, map[int]int{200: n})
		day = "Sat, 21 Nov 2026 10:00:00 GMT"
		step(false, map[int]int{304: n})
		tag = `"` + source + `"` // another answer with the same figures is of its own date
		step(true, map[int]int{200: n})
		step(false, map[int]int{304: n})
		if source == "defillama" {
			importRegistry(t, dsn, 3, 0, 0)
			step(true, map[int]int{304: n})
		}
		day = "Fri, 20 Nov 2026 10:00:00 GMT"
	}
}

// TestScheduledBatchesAreConditional checks that batches that have not changed are not sent again between
// runs of a server, and change nothing, not even a date. The others do.
func TestScheduledBatchesAreConditional(t *testing.T) {
	t.Setenv("VITRINE_X_TOKEN", secretToken)
	t.Setenv("VITRINE_YOUTUBE_KEY", secretKey)
	for source, of := range map[string]struct {
		first, parameter, list, item string
		kind                         domain.Kind
		size, left                   int // of a batch, and of the others
	}{
		"x":       {"user1", "usernames", "data", `{"id":"%[1]s","username":%[1]q,"public_metrics":{"followers_count":%[2]d}}`, domain.KindAccount, 100, 150},
		"youtube": {"UC1", "id", "items", `{"id":%q,"statistics":{"subscriberCount":"%d"}}`, domain.KindChannel, 50, 80},
	} {
		t.Run(source, func(t *testing.T) {
			dsn := registryOf(t, 0, 250, 130)
			day, figure := "Fri, 20 Nov 2026 10:00:00 GMT", 5
			changing := "" // the batch with this record changes
			answered := map[int]int{}
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				keys := strings.Split(r.URL.Query().Get(of.parameter), ",")
				n := 5
				if slices.Contains(keys, changing) {
					n = figure
				}
				tag := fmt.Sprintf(`"%d"`, n)
				w.Header().Set("Date", day)
				w.Header().Set("ETag", tag)
				if r.Header.Get("If-None-Match") == tag {
					answered[http.StatusNotModified]++
					w.WriteHeader(http.StatusNotModified)
					return
				}
				answered[http.StatusOK]++
				var items []string
				for _, key := range keys {
					items = append(items, fmt.Sprintf(of.item, key, n))
				}
				fmt.Fprintf(w, `{%q:[%s]}`, of.list, strings.Join(items, ","))
			}))
			defer upstream.Close()
			figures, err := figureSource{name: source}.open(sources.Config{From: upstream.URL, Agent: userAgent(), AllowPrivate: true})
			must(t, err)
			defer figures.Close()
			s := storeAt(t, dsn)
			step := func(revision bool, statuses map[int]int) {
				t.Helper()
				clear(answered)
				ran, err := runSync(source, figures, "server")(t.Context(), s)
				if err != nil || ran.Problem != "" || (ran.Revision != 0) != revision || !maps.Equal(answered, statuses) {
					t.Fatalf("%+v, %v, statuses %v", ran, err, answered)
				}
			}
			step(true, map[int]int{200: 3})
			day = "Sat, 21 Nov 2026 10:00:00 GMT"
			step(false, map[int]int{304: 3})
			changing, figure = of.first, 7
			step(true, map[int]int{200: 1, 304: 2})
			days := map[string]int{}
			for _, o := range observedIn(t, dsn, of.kind) {
				days[o[strings.Index(o, "=")+1:]]++
			}
			if want := map[string]int{"5@2026-11-20": of.left, "7@2026-11-21": of.size}; !maps.Equal(days, want) {
				t.Errorf("figures %v, want %v", days, want)
			}
		})
	}
}
