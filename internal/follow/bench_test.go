//go:build unix

package follow_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/publish"
	"vitrine/internal/server"
	"vitrine/internal/store"
	"vitrine/internal/store/postgres"
	"vitrine/internal/store/sqlite"
)

// BenchmarkSync publishes three changed figures of a catalogue with 200,000 accounts, and waits until
// they are served. cpu-s is the time of processors, including the garbage collector. Run it with
// -benchtime 20x; benchPostgres selects PostgreSQL.
func BenchmarkSync(b *testing.B) {
	p := newSyncing(b)
	for name, once := range map[string]func(){"three chains": p.chains, "three accounts": p.accounts} {
		b.Run(name, func(b *testing.B) {
			once() // the first one makes what later ones reuse
			runtime.GC()
			before, first := cpu(b), p.n
			b.ReportAllocs()
			for b.Loop() {
				once()
			}
			b.ReportMetric((cpu(b)-before).Seconds()/float64(p.n-first), "cpu-s/op")
		})
	}
}

// BenchmarkSyncHistory publishes 10,000 such revisions under retention, and logs figures of each
// thousand. Run it with -benchtime 1x -timeout 1h; benchPostgres selects PostgreSQL.
func BenchmarkSyncHistory(b *testing.B) {
	p := newSyncing(b)
	for b.Loop() {
		for range 10 {
			p.thousand(b)
		}
	}
}

// thousand publishes a thousand revisions, prunes the store to a hundred and starts another follower.
func (p *syncing) thousand(b *testing.B) {
	var took []time.Duration
	before := cpu(b)
	for range 1000 {
		begin := time.Now()
		p.chains()
		took = append(took, time.Since(begin))
	}
	used := (cpu(b) - before) / 1000
	slices.Sort(took)
	size := p.size(b)
	head, err := p.store.Head(b.Context())
	mustBench(b, err)
	_, err = p.store.Prune(b.Context(), head.Number-100)
	mustBench(b, err)
	before, begin := cpu(b), time.Now()
	_, err = p.store.Load(b.Context(), 0)
	mustBench(b, err)
	b.Logf("revision %d: %v of a processor a revision, publish to served p50 %v, p99 %v; store %.1f MB, pruned %.1f MB; load %v, %v of a processor",
		head.Number, used, took[500], took[990], float64(size)/1e6, float64(p.size(b))/1e6, time.Since(begin).Round(time.Millisecond), cpu(b)-before)
}

// size returns the bytes of the store.
func (p *syncing) size(b *testing.B) int64 {
	var n int64
	if url := os.Getenv(benchPostgres); url != "" {
		out, err := exec.Command("psql", "-Atc", "select pg_database_size(current_database())", url).Output()
		mustBench(b, err)
		n, err = strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
		mustBench(b, err)
		return n
	}
	for _, suffix := range []string{"", "-wal"} {
		info, err := os.Stat(p.path + suffix)
		mustBench(b, err)
		n += info.Size()
	}
	return n
}

// benchPostgres is the variable with an empty database of PostgreSQL, instead of SQLite.
const benchPostgres = "VITRINE_BENCH_POSTGRES"

// syncing is a follower of a store with 200,000 accounts and 500 chains, beside which figures are
// published.
type syncing struct {
	b        *testing.B
	path     string
	store    store.Store
	own      store.Store // with which publishers plan
	follower *follow.Follower
	n        int64 // publishes so far
}

func newSyncing(b *testing.B) *syncing {
	text := func(value string) domain.Text { return domain.Text{{Locale: "en", Value: value}} }
	c := &domain.Catalog{Title: text("Large"), DefaultLocale: "en", Locales: []string{"en"}}
	for i := range 200_000 {
		c.Accounts = append(c.Accounts, &domain.Account{
			Handle: fmt.Sprintf("account_%06d", i), Name: fmt.Sprintf("Account number %d", i), Description: text(fmt.Sprintf("What account %d says about itself.", i)),
			Followers: &domain.Figure{Value: float64(i), Source: "editors", AsOf: "2020-01-01"},
		})
	}
	for i := range 500 {
		c.Chains = append(c.Chains, domain.Chain{
			Slug: fmt.Sprintf("chain-%03d", i), ChainID: fmt.Sprint(i + 1), Name: domain.Text{{Locale: "en", Value: fmt.Sprintf("Chain %d", i)}},
		})
	}
	path := filepath.Join(b.TempDir(), "store.db")
	open := func(ctx context.Context) (store.Store, error) {
		if url := os.Getenv(benchPostgres); url != "" {
			return postgres.Open(ctx, url)
		}
		return sqlite.Open(ctx, path)
	}
	s, err := open(b.Context())
	mustBench(b, err)
	_, err = s.Publish(b.Context(), 0, store.Draft{Note: store.Note{At: time.Now(), Op: store.OpImport}, Catalog: c})
	mustBench(b, err)
	c = nil

	log := &logtest.Lines{}
	f := follow.New(follow.Config{Open: open, Every: time.Hour, Log: log.Logger(), Metrics: server.NewMetrics().Follow})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); f.Run(ctx) }()
	b.Cleanup(func() {
		cancel()
		<-ended
		mustBench(b, s.Close())
	})
	awaitServed(f, 1)

	return &syncing{b, path, s, follow.Remembered(s, f), f, 0}
}

func (p *syncing) chains() {
	p.publish(domain.KindChain, domain.FigureTVL, "chain-000", "chain-001", "chain-002")
}

func (p *syncing) accounts() {
	p.publish(domain.KindAccount, domain.FigureFollowers, "account_000000", "account_100000", "account_199999")
}

// publish publishes another figure of some records, and waits until it is served.
func (p *syncing) publish(kind domain.Kind, figure domain.FigureName, keys ...string) {
	p.n++
	var observations []store.Observation
	for _, key := range keys {
		observations = append(observations, store.Observation{Observation: domain.Observation{
			Kind: kind, Key: key, Figure: figure, Value: float64(1_000_000 + p.n), Source: "upstream", AsOf: "2026-01-01",
		}})
	}
	plan, err := publish.Observed(context.Background(), p.own, observations)
	mustBench(p.b, err)
	outcome, err := plan.Publish(context.Background(), p.own, store.Note{At: time.Now()})
	mustBench(p.b, err)
	p.follower.Wake()
	awaitServed(p.follower, outcome.Revision.Number)
}

func awaitServed(f *follow.Follower, number int64) {
	for {
		changed := f.Changed()
		if s := f.Snapshot(); s != nil && s.Revision().Number >= number {
			return
		}
		<-changed
	}
}

// cpu returns the time of processors that the process used.
func cpu(b *testing.B) time.Duration {
	var used syscall.Rusage
	mustBench(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func mustBench(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
