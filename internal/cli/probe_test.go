package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/sqlstore"
)

// probedShop is a store with a chain whose endpoints have all states, and its directory. Requests go
// to a proxy, because endpoints of a catalogue are public.
type probedShop struct {
	dir, dsn string
	store    store.Store
	up       atomic.Bool // whether the endpoint /back answers
}

func newProbedShop(t *testing.T) *probedShop {
	t.Helper()
	s := &probedShop{dir: t.TempDir()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		switch r.URL.Path {
		case "/limited":
			w.WriteHeader(429)
		case "/up":
			fmt.Fprint(w, `{"result":"0x1"}`)
		case "/other":
			fmt.Fprint(w, `{"result":"0x5"}`)
		case "/back":
			if s.up.Load() {
				fmt.Fprint(w, `{"result":"0x1"}`)
				return
			}
			w.WriteHeader(500)
		case "/socket":
			conn, err := websocket.Accept(w, r, nil)
			if err != nil {
				return
			}
			defer conn.CloseNow()
			if _, _, err := conn.Read(r.Context()); err == nil {
				conn.Write(r.Context(), websocket.MessageText, []byte(`{"result":"0x1"}`))
			}
		case "/site":
		default:
			w.WriteHeader(500)
		}
	}))
	t.Cleanup(server.Close)
	t.Setenv("HTTP_PROXY", server.URL)
	files := map[string]string{
		"catalog.yaml":    "{title: Shop, default_locale: en, locales: [en]}",
		"categories.yaml": "groups: [{key: layer, module: chain, name: Layer}]\ncategories: [{key: l1, name: L1, scopes: [chain], groups: {chain: [layer]}}]",
		"chains.yaml": strings.NewReplacer("URL", "http://nodes.dev", "LIMITED", "http://busy.nodes.dev").Replace(`- slug: one
  name: One
  chain_id: 1
  categories: [l1]
  website: URL/site
  rpc:
    - url: URL/up
    - url: URL/other
    - url: URL/back
    - url: LIMITED/limited
    - url: ws://nodes.dev/socket
- {slug: two, name: Two, chain_id: 2, categories: [l1], website: URL/gone}
`),
	}
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600))
	}
	path := filepath.Join(t.TempDir(), "store.db")
	s.dsn = "sqlite:" + path
	s.run(t, 0, "import", s.dir)
	var err error
	s.store, err = sqlite.OpenAs(t.Context(), path, sqlstore.Write)
	must(t, err)
	t.Cleanup(func() { s.store.Close() })
	return s
}

// run runs a command with the store, and returns its output.
func (s *probedShop) run(t *testing.T, status int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if got := run(t.Context(), append(args, "--store", s.dsn), streams{out: &out, err: &out}); got != status {
		t.Fatalf("%v: status %d: %s", args, got, out.String())
	}
	return out.String()
}

// states returns the states of the endpoints of the first chain.
func (s *probedShop) states(t *testing.T) string {
	t.Helper()
	head, err := s.store.Load(t.Context(), 0)
	must(t, err)
	var states []string
	for _, e := range head.Merged().Chains[0].RPC {
		states = append(states, strings.TrimSpace(fmt.Sprint(e.Reached.Reach, " ", e.Reached.Since)))
	}
	return strings.Join(states, ", ")
}

// TestProbeOverDays: states are observed beside the records, and a revision is published only when
// one changes.
func TestProbeOverDays(t *testing.T) {
	s := newProbedShop(t)
	exported := s.run(t, 0, "show", "chain", "one")
	p, closeClients, err := newProber("localhost:1", "", false)
	must(t, err)
	defer closeClients()
	p.Prober.Clients[1] = p.Prober.Clients[0] // the resolver of the system twice
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	p.Prober.Now, p.Prober.Pause, p.Prober.MinAge = func() time.Time { return now }, 0, time.Hour
	for i, step := range []struct {
		want     string
		revision int64
	}{
		{"up 2026-11-20, wrong-chain 2026-11-20, , , up 2026-11-20", 2},
		{"up 2026-11-20, wrong-chain 2026-11-20, , , up 2026-11-20", 2},
		{"up 2026-11-20, wrong-chain 2026-11-20, down 2026-11-20, , up 2026-11-20", 3},
		{"up 2026-11-20, wrong-chain 2026-11-20, up 2026-11-23, , up 2026-11-20", 4},
	} {
		s.up.Store(i == 3)
		if _, err := p.On(t.Context(), s.store, store.Note{Actor: "test"}); err != nil {
			t.Fatal(err)
		}
		head, err := s.store.Head(t.Context())
		must(t, err)
		if got := s.states(t); got != step.want || head.Number != step.revision {
			t.Errorf("day %d, revision %d: %s, want revision %d: %s", i, head.Number, got, step.revision, step.want)
		}
		now = now.AddDate(0, 0, 1)
	}
	if got := s.run(t, 0, "show", "chain", "one"); got != exported {
		t.Errorf("the record was changed: %s", got)
	}
	path := filepath.Join(s.dir, "chains.yaml")
	text, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, bytes.Replace(text, []byte("name: One"), []byte("name: Uno"), 1), 0o600))
	s.run(t, 0, "import", s.dir)
	if got := s.states(t); !strings.HasPrefix(got, "up 2026-11-20, wrong-chain") {
		t.Errorf("after an import: %s", got)
	}
	if got := s.run(t, 0, "diff", "1", "4"); strings.Contains(got, "rpc") {
		t.Errorf("a state is a difference: %s", got)
	}
	out := s.run(t, 0, "explain", "chain", "one")
	if want := "probed:\n  rpc:http://nodes.dev/back: up since 2026-11-23, observed in revision 4"; !strings.Contains(out, want) {
		t.Errorf("the explanation does not have %q: %s", want, out)
	}
	out = s.run(t, 0, "explain", "chain", "one", "--format", "json")
	if want := `{"name":"rpc:http://nodes.dev/other","state":"wrong-chain","stateSince":"2026-11-20"`; !strings.Contains(out, want) {
		t.Errorf("the explanation does not have %q: %s", want, out)
	}
	var report, diff bytes.Buffer
	propose := []string{"probe", "--report-only", "--propose", s.dir, "--resolver", "off", "--store", s.dsn}
	if status := run(t.Context(), propose, streams{out: &diff, err: &report}); status != 0 {
		t.Fatalf("status %d: %s", status, &report)
	}
	for _, want := range []string{
		"7 addresses: 4 up, 1 down, 1 answer for another chain, 1 not decided; 0 checked now", "wrong-chain: 1", "answers for the chain id 5",
		"limited busy.nodes.dev: 1", "endpoints to remove: 1\nchains.yaml: remove http://nodes.dev/other from the rpc of one: wrong-chain since 2026-11-20",
	} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("the report does not have %q: %s", want, &report)
		}
	}
	git := exec.CommandContext(t.Context(), "git", "apply", "-")
	git.Dir, git.Stdin = s.dir, bytes.NewReader(diff.Bytes())
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v: %s\n%s", err, out, &diff)
	}
	text, err = os.ReadFile(path)
	must(t, err)
	if want := "    - url: http://nodes.dev/up\n    - url: http://nodes.dev/back\n"; !strings.Contains(string(text), want) {
		t.Errorf("the patched file does not have %q: %s", want, text)
	}
	if out := s.run(t, 0, append(propose[:6], "--format", "json")...); !strings.Contains(out, `"remove":[]`) {
		t.Errorf("after the patch: %s", out)
	}
}

// TestProbeCommand: a run stores what it found, a run soon after checks nothing, and a dry run
// stores nothing.
func TestProbeCommand(t *testing.T) {
	s := newProbedShop(t)
	args := []string{"probe", "--resolver", "off", "--time", "1m", "--contact", "ops@example.org", "--format", "json"}
	var report struct {
		Revision int64
		Checked  int
		States   map[string]int
		Groups   []struct {
			Cause     string
			Addresses []struct{ Key, Field, Outcome string }
		}
	}
	for i, want := range []struct {
		args     []string
		revision int64
		checked  int
	}{{[]string{"--dry-run"}, 0, 7}, {nil, 2, 7}, {nil, 0, 0}} {
		out := s.run(t, 0, append(args, want.args...)...)
		report.Revision = 0
		must(t, json.Unmarshal([]byte(out), &report))
		if report.Revision != want.revision || report.Checked != want.checked {
			t.Errorf("run %d: %s", i, out)
		}
	}
	if report.States["up"] != 3 || report.States["unknown"] != 4 || len(report.Groups) != 3 { // one resolver: nothing is down or wrong
		t.Errorf("%+v", report)
	}
	for _, wrong := range [][]string{{"--concurrency", "0"}, {"--time", "0s"}, {"--resolver", "nowhere"}, {"--contact", "ü"}} {
		s.run(t, statusUnable, append([]string{"probe"}, wrong...)...)
	}
}

// TestProbeIsExclusive: of two probes at the same time, one ends without an effect. An interrupted
// one keeps its results.
func TestProbeIsExclusive(t *testing.T) {
	s := newProbedShop(t)
	p, closeClients, err := newProber("off", "", false)
	must(t, err)
	defer closeClients()
	p.Prober.Pause = 0
	must(t, s.store.SetTask(t.Context(), 0, store.Task{Name: "probe", Token: 3, State: []byte("{}")}))
	stale := staleTask{s.store}
	if _, err := p.On(t.Context(), stale, store.Note{}); !errors.Is(err, store.ErrTaken) {
		t.Errorf("a second probe: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p.Prober.Now = func() time.Time { cancel(); return time.Now() } // while it runs
	if _, err := p.On(ctx, s.store, store.Note{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted probe: %v", err)
	}
	if got := s.states(t); strings.Contains(got, "up") {
		t.Errorf("states %s", got)
	}
}

// TestProbeIsScheduled: serve takes a probe as a job.
func TestProbeIsScheduled(t *testing.T) {
	s := newProbedShop(t)
	var job scheduled
	must(t, job.UnmarshalText([]byte("probe=6h")))
	flags := scheduleFlags{Sync: []scheduled{job}, ProbeResolver: "off"}
	run, err := flags.run(job, "test")
	must(t, err)
	for _, want := range []int64{2, 0} {
		if ran, err := run(t.Context(), s.store); err != nil || ran.Revision != want || ran.Problem != "" {
			t.Errorf("%+v, %v, want revision %d", ran, err, want)
		}
	}
	if err := new(syncOrigin).UnmarshalText([]byte("probe=https://a.example")); err == nil {
		t.Error("a probe has an address")
	}
	flags.ProbeResolver = "nowhere"
	if _, err := flags.run(job, "test"); err == nil {
		t.Error("the resolver was accepted")
	}
}

// staleTask is a store whose task is changed by another process after it was read.
type staleTask struct{ store.Store }

func (s staleTask) Task(ctx context.Context, name string) (store.Task, error) {
	task, err := s.Store.Task(ctx, name)
	task.Token--
	return task, err
}
