//go:build unix

package follow_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/server"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
)

// BenchmarkDirectory changes one record of a directory with 200,000 accounts, and waits until it is
// served. cpu-s is the time of processors, including the garbage collector and work after serving. Run
// it with -benchtime 10x.
func BenchmarkDirectory(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "catalogue")
	mustBench(b, os.Mkdir(dir, 0o755))
	mustBench(b, os.WriteFile(filepath.Join(dir, "catalog.yaml"), []byte("{title: Accounts, default_locale: en, locales: [en]}\n"), 0o644))
	account := func(i int, name string) string {
		return fmt.Sprintf(`{"handle":"account_%06d","name":%q,"followers_count":%d,"description":%q}`+"\n", i, name, i,
			fmt.Sprintf("What account %d says about itself, in about as many words as most others.", i))
	}
	var file bytes.Buffer
	for i := range 200_000 {
		file.WriteString(account(i, fmt.Sprintf("Account %d", i)))
	}
	path := filepath.Join(dir, "twitter.ndjson")
	mustBench(b, os.WriteFile(path, file.Bytes(), 0o644))

	database, metrics, log := filepath.Join(b.TempDir(), "store.db"), server.NewMetrics().Follow, &logtest.Lines{}
	open := func(ctx context.Context) (store.Store, error) { return sqlite.Open(ctx, database) }
	w := follow.NewWatcher(follow.WatcherConfig{Dir: dir, Open: open, Every: 100 * time.Millisecond, Log: log.Logger(), Metrics: metrics})
	f := follow.New(follow.Config{Open: openExisting(database), Every: time.Hour, Log: log.Logger(), Metrics: metrics, Watcher: w, Filling: true})
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan struct{}, 2)
	go func() { f.Run(ctx); ended <- struct{}{} }()
	go func() { w.Run(ctx); ended <- struct{}{} }()
	defer func() { cancel(); <-ended; <-ended }()
	awaitServed(f, 1)

	text, number := file.String(), int64(1)
	change := func() {
		number++
		at := strings.Index(text, fmt.Sprintf(`{"handle":"account_%06d"`, 1000*number%200_000))
		end := at + strings.Index(text[at:], "\n") + 1
		next := text[:at] + account(int(1000*number%200_000), fmt.Sprintf("Changed %d", number)) + text[end:]
		mustBench(b, os.WriteFile(path, []byte(next), 0o644))
		text = next
		awaitServed(f, number)
	}
	change()
	runtime.GC()
	before, first := cpu(b), number
	b.ReportAllocs()
	for b.Loop() {
		change()
	}
	b.ReportMetric((cpu(b)-before).Seconds()/float64(number-first), "cpu-s/op")
}
