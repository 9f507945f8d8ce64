// Fleet runs a publisher with PostgreSQL, a distribution in a directory or a bucket, six readers of it and nginx in front of them. It
// publishes every few seconds under a steady load, while readers are killed, the place of the
// distribution stops, is slow, cuts files or replays an old pointer, PostgreSQL cannot be reached, and
// Redis is killed. test/fleet runs it. Exit status: 0 for success, 1 for a fault, 2 if the trial could
// not run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"vitrine/test/internal/trial"
)

type options struct {
	vitrine, catalog, postgres string
	gateway                    string // versitygw, "" for a directory
	lasts, every, faultsEvery  time.Duration
	rate, readers              int
}

func main() {
	var o options
	flag.StringVar(&o.vitrine, "vitrine", "bin/vitrine", "the binary")
	flag.StringVar(&o.catalog, "catalog", "catalog", "catalogue directory to begin with")
	flag.StringVar(&o.postgres, "postgres", os.Getenv("VITRINE_TEST_POSTGRES"), "URL of a database, in which the trial has its own schema")
	flag.StringVar(&o.gateway, "gateway", "", "the S3 server versitygw, for a distribution in a bucket; a directory on a web server if empty")
	flag.DurationVar(&o.lasts, "for", 30*time.Minute, "how long to ask")
	flag.DurationVar(&o.every, "every", 10*time.Second, "how often to publish")
	flag.DurationVar(&o.faultsEvery, "faults-every", 20*time.Second, "how often something is broken, for half of that time")
	flag.IntVar(&o.rate, "rate", 100, "requests a second, about")
	flag.IntVar(&o.readers, "readers", 6, "number of readers")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	trial.Main("fleet", func(dir string) bool {
		well := run(ctx, o, dir)
		fmt.Println(trial.Verdict(well), "verdict")
		return well
	})
}

func run(ctx context.Context, o options, dir string) (well bool) {
	s := newSetting(o, dir)
	defer s.end()
	s.start(ctx)
	ctx, cancel := context.WithTimeout(ctx, o.lasts)
	defer cancel()
	var running sync.WaitGroup
	running.Go(func() { s.publishNowAndThen(ctx) })
	running.Go(func() { s.ask(ctx) })
	running.Go(func() { s.watchReaders(ctx) })
	s.breakThings(ctx)
	running.Wait()
	s.settle()
	return s.report()
}
