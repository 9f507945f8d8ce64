// Command syncs publishes thousands of small revisions to a store with many accounts, by scheduled
// syncs of a server whose upstream changes at every request. Size of the store, time from upstream to
// reader and time to start must not grow with the number of revisions under retention.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"vitrine/test/internal/trial"
)

type options struct {
	binary, store             string
	accounts, revisions, step int
	keep                      int
	longest                   time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.binary, "vitrine", "", "the binary, an absolute path")
	flag.StringVar(&o.store, "store", "", "an empty store (default: SQLite in a temporary directory)")
	flag.IntVar(&o.accounts, "accounts", 200_000, "accounts of the catalogue")
	flag.IntVar(&o.revisions, "revisions", 10_000, "revisions to publish")
	flag.IntVar(&o.step, "every", 500, "revisions between two measurements")
	flag.IntVar(&o.keep, "keep", 100, "revisions that retention keeps at each measurement")
	flag.DurationVar(&o.longest, "for", 3*time.Hour, "time limit of the syncs")
	flag.Parse()
	trial.Main("syncs", func(dir string) bool { return run(context.Background(), o, dir) })
}

// trialOf is a running trial.
type trialOf struct {
	options
	dir      string
	upstream *upstream
	addr     string
	flags    []string
	server   *trial.Process
	took     []time.Duration // from the upstream's response to the API's, since the last measurement
	value    int             // of the first chain, as last served
	failed   int             // requests of the reader, since the last measurement
	worked   time.Duration   // time of processors of the server at the last measurement
	reached  int             // revision at the last measurement
}

func run(ctx context.Context, o options, dir string) bool {
	t := &trialOf{options: o, dir: dir, upstream: &upstream{chains: 500, channels: 50, at: map[int]time.Time{}}}
	if t.store == "" {
		t.store = "sqlite:" + filepath.Join(dir, "store.db")
	}
	catalogue := filepath.Join(dir, "catalogue")
	write(catalogue, o.accounts, t.upstream.chains, t.upstream.channels)
	trial.Must(trial.Command(o.binary, "import", catalogue, "--store", t.store))

	listener := trial.Must(net.Listen("tcp", "127.0.0.1:0"))
	go func() { _ = http.Serve(listener, t.upstream) }() // ends with the process
	from := "http://" + listener.Addr().String()
	t.addr = trial.FreeAddr()
	trial.Check(os.Setenv("VITRINE_YOUTUBE_KEY", "a-key-of-the-trial"))
	t.flags = []string{"--store", t.store, "--last-good", "off", "--drain", "0s", "--admin-listen", "off", "--dist", "off"}
	t.server = trial.Start(ctx, o.binary, dir, nil, append(t.flags, "--listen", t.addr, "--sync-allow-private",
		"--sync", "defillama=1s,youtube=1s", "--sync-from", "defillama="+from+"/v2/chains", "--sync-from", "youtube="+from)...)
	defer func() { _, _ = t.server.Terminate() }()
	t.worked, t.reached = t.server.CPU(), 1
	return t.measureAll(ctx)
}

// measureAll measures after each step, and compares the last measurement with the first.
func (t *trialOf) measureAll(ctx context.Context) bool {
	fmt.Println("revisions  store, pruned  prune   upstream to reader: p50, p99, slowest  CPU of a revision  start   RSS  failed requests")
	end := time.Now().Add(t.longest)
	var all []figures
	for next := t.step; next <= t.revisions && t.until(next, end); next += t.step {
		f := t.measure(ctx)
		fmt.Println(f)
		all = append(all, f)
	}
	if len(all) < 2 {
		fmt.Println("FAIL syncs: fewer than two measurements")
		return false
	}
	began, ended := all[0], all[len(all)-1]
	// Constants allow for the revisions since the prune, and for other load of the machine.
	well := ended.pruned <= began.pruned*11/10+1_000_000 && ended.p50 <= 2*began.p50+100*time.Millisecond && ended.start <= 2*began.start+3*time.Second &&
		ended.cpu <= 2*began.cpu+10*time.Millisecond
	fmt.Printf("%s syncs: %d accounts, %d revisions in %d measurements; from the first to the last, the pruned store went from %.1f to %.1f MB, the median from %v to %v, the processor time of a revision from %v to %v, the start from %v to %v\n",
		trial.Verdict(well), t.accounts, ended.revision, len(all), mb(began.pruned), mb(ended.pruned), began.p50, ended.p50, began.cpu, ended.cpu, began.start, ended.start)
	return well
}

// until follows the served values until a revision, and reports whether it came in time.
func (t *trialOf) until(revision int, end time.Time) bool {
	for time.Now().Before(end) {
		served, value := t.served()
		if value != t.value && value != 0 {
			if sent := t.upstream.sent(value); t.value != 0 && !sent.IsZero() {
				t.took = append(t.took, time.Since(sent))
			}
			t.value = value
		}
		if served >= revision {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// served returns the served revision and the figure of the first chain, 0 before its first sync. Both
// are 0 for a failed request, which is counted.
func (t *trialOf) served() (revision, value int) {
	response, err := http.Get("http://" + t.addr + "/api/open/chains/chain-0")
	if err != nil {
		t.failed++
		return 0, 0
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.failed++
		return 0, 0
	}
	var body struct {
		TVL float64 `json:"llama_tvl"`
	}
	trial.Check(json.NewDecoder(response.Body).Decode(&body), response.Status)
	revision, err = strconv.Atoi(response.Header.Get("Catalog-Revision"))
	trial.Check(err, "Catalog-Revision")
	return revision, int(body.TVL)
}

// figures are one measurement.
type figures struct {
	revision       int
	size, pruned   int64
	prune          time.Duration
	p50, p99, most time.Duration
	cpu            time.Duration // of the server for a revision
	start          time.Duration
	resident       int
	failed         int
}

func (f figures) String() string {
	return fmt.Sprintf("%9d  %6.1f, %6.1f MB  %4.1f s  %22v, %v, %v  %17v  %.1f s  %d MiB  %d", f.revision, mb(f.size), mb(f.pruned), f.prune.Seconds(),
		f.p50, f.p99, f.most, f.cpu, f.start.Seconds(), f.resident>>20, f.failed)
}

func mb(n int64) float64 { return float64(n) / 1e6 }

// measure prunes the store and starts a second server on it.
func (t *trialOf) measure(ctx context.Context) figures {
	f := figures{size: t.size(), resident: t.server.Resident()}
	for f.revision == 0 {
		f.revision, _ = t.served()
	}
	if len(t.took) > 0 {
		f.p50, f.p99, f.most = percentile(t.took, 50), percentile(t.took, 99), percentile(t.took, 100)
	}
	f.failed = t.failed
	worked := t.server.CPU()
	f.cpu = ((worked - t.worked) / time.Duration(max(1, f.revision-t.reached))).Round(100 * time.Microsecond)
	begin := time.Now()
	trial.Must(trial.Command(t.binary, "prune", "--keep", strconv.Itoa(t.keep), "--store", t.store))
	f.prune = time.Since(begin)
	begin = time.Now()
	other := trial.Start(ctx, t.binary, t.dir, nil, append(t.flags, "--listen", trial.FreeAddr())...)
	f.start = time.Since(begin).Round(10 * time.Millisecond)
	_ = trial.Must(other.Terminate())
	f.pruned = t.size()
	t.took, t.failed, t.worked, t.reached = nil, 0, worked, f.revision
	_, t.value = t.served() // a change during the measurement was seen late
	return f
}

func percentile(took []time.Duration, p float64) time.Duration {
	return trial.Percentile(took, p).Round(time.Millisecond)
}
