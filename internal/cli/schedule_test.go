package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/sqlstore"
)

// replicas are servers with one store and one schedule, and their upstream.
type replicas struct {
	t        *testing.T
	dir      string
	store    store.Store
	upstream *httptest.Server
	asked    atomic.Int64
	gate     sync.RWMutex // held while the upstream hangs
}

func newReplicas(t *testing.T) *replicas {
	t.Helper()
	r := &replicas{t: t, dir: t.TempDir()}
	r.upstream = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := r.asked.Add(1)
		r.gate.RLock()
		defer r.gate.RUnlock()
		fmt.Fprintf(w, `[{"name": "One", "chainId": 1, "tvl": %d}]`, 1_000_000+n)
	}))
	t.Cleanup(r.upstream.Close)
	for name, text := range map[string]string{
		"catalog.yaml":    "{title: Shop, default_locale: en, locales: [en]}",
		"categories.yaml": "groups: [{key: layer, module: chain, name: Layer}]\ncategories: [{key: l1, name: L1, scopes: [chain], groups: {chain: [layer]}}]",
		"chains.yaml":     "- {slug: one, name: One, chain_id: 1, categories: [l1]}",
	} {
		must(t, os.MkdirAll(filepath.Join(r.dir, "shop"), 0o700))
		must(t, os.WriteFile(filepath.Join(r.dir, "shop", name), []byte(text), 0o600))
	}
	out, err := r.command("import", "shop", "--store", "sqlite:store.db").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r.store, err = sqlite.OpenAs(t.Context(), filepath.Join(r.dir, "store.db"), sqlstore.Write)
	must(t, err)
	t.Cleanup(func() { r.store.Close() })
	return r
}

func (r *replicas) command(args ...string) *exec.Cmd {
	command := exec.Command("vitrine", args...)
	command.Dir = r.dir
	return command
}

// start starts a server.
func (r *replicas) start() *exec.Cmd {
	r.t.Helper()
	command := r.command("serve", "--store", "sqlite:store.db", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--last-good", "off", "--drain", "1s",
		"--sync", "defillama=1s", "--sync-from", "defillama="+r.upstream.URL, "--sync-allow-private")
	var log strings.Builder
	command.Stderr = &log
	must(r.t, command.Start())
	r.t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
		if r.t.Failed() {
			r.t.Log(log.String())
		}
	})
	return command
}

// syncs returns the number of revisions of syncs.
func (r *replicas) syncs() int {
	r.t.Helper()
	history, err := r.store.History(context.Background(), 0)
	must(r.t, err)
	n := 0
	for _, rev := range history {
		if rev.Op == store.OpSync {
			n++
		}
	}
	return n
}

// progress waits for further syncs, and reports whether they happened in time.
func (r *replicas) progress(more int, within time.Duration) bool {
	r.t.Helper()
	want := r.syncs() + more
	for deadline := time.Now().Add(within); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if r.syncs() >= want {
			return true
		}
	}
	return false
}

// active waits until one of the processes has a pending request to the upstream, whose gate is
// closed, and returns it.
func (r *replicas) active(of ...*exec.Cmd) *exec.Cmd {
	r.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		task, err := r.store.Task(context.Background(), "sync:defillama")
		must(r.t, err)
		var state struct{ Holder string }
		must(r.t, json.Unmarshal(task.State, &state))
		for _, command := range of {
			if strings.HasSuffix(state.Holder, ":"+strconv.Itoa(command.Process.Pid)) {
				return command
			}
		}
	}
	r.t.Fatal("no process syncs")
	return nil
}

// TestScheduleOfReplicas checks that one of several servers with one store syncs, also if the
// active one is killed or stopped, with at most one revision per interval.
func TestScheduleOfReplicas(t *testing.T) {
	r := newReplicas(t)
	began := time.Now()
	a, b := r.start(), r.start()
	if !r.progress(3, time.Minute) {
		t.Fatal("no syncs")
	}

	r.gate.Lock()
	killed := r.active(a, b)
	must(t, killed.Process.Kill())
	r.gate.Unlock()
	if !r.progress(3, time.Minute) {
		t.Fatal("no syncs after the active process was killed")
	}

	left := a
	if killed == a {
		left = b
	}
	c := r.start()
	for try := 1; ; try++ { // it may be stopped while it writes, which stops all writers of a SQLite file
		asked := r.asked.Load()
		r.gate.Lock()
		stopped := r.active(left, c)
		for deadline := time.Now().Add(5 * time.Second); r.asked.Load() == asked && time.Now().Before(deadline); {
			time.Sleep(5 * time.Millisecond) // it hardly writes while it waits for the upstream
		}
		must(t, stopped.Process.Signal(syscall.SIGSTOP))
		r.gate.Unlock()
		passed := r.progress(3, 15*time.Second)
		must(t, stopped.Process.Signal(syscall.SIGCONT))
		if passed {
			break
		}
		if try == 4 || !r.progress(1, time.Minute) { // else it would be stopped at the same place
			t.Fatal("no syncs while the active process is stopped")
		}
	}
	if !r.progress(2, time.Minute) {
		t.Fatal("no syncs after the stopped process continued")
	}
	syncs, intervals := r.syncs(), int(time.Now().Unix()-began.Unix())+1
	if syncs > intervals {
		t.Errorf("%d syncs in %d intervals", syncs, intervals)
	}
	t.Logf("%d syncs in %d intervals, %d requests", syncs, intervals, r.asked.Load())
}
