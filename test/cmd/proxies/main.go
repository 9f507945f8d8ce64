// Proxies puts nginx and Varnish in front of a Vitrine, publishes revisions
// while clients ask through them in random order, and checks every answer
// against what Vitrine itself says at the revision that the answer names. It is
// run by test/proxies. Exit status: 0 all is well, 1 something is wrong, 2 it
// could not be tried.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

var errWrong = errors.New("something is wrong")

type options struct {
	vitrine, configs, catalog string
	lasts, every              time.Duration
	rate                      int
}

func main() {
	var o options
	flag.StringVar(&o.vitrine, "vitrine", "bin/vitrine", "the binary")
	flag.StringVar(&o.configs, "configs", "test/proxies.d", "directory of configurations")
	flag.StringVar(&o.catalog, "catalog", "catalog", "catalogue directory to begin with")
	flag.DurationVar(&o.lasts, "for", 2*time.Minute, "how long to ask")
	flag.DurationVar(&o.every, "every", 13*time.Second, "how often to publish")
	flag.IntVar(&o.rate, "rate", 150, "requests a second, about")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := run(ctx, o)
	switch {
	case err == nil:
		fmt.Println("verdict: all is well")
	case errors.Is(err, errWrong):
		fmt.Println("verdict: something is wrong")
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "proxies:", err)
		os.Exit(2)
	}
}

// trial is one run: what is in place, and what was seen.
type trial struct {
	options
	fleet   *fleet
	editor  *editor
	direct  string // address of Vitrine
	vitrine *exec.Cmd
	chains  []chain
	targets []string
	client  *http.Client
	truth   *truth

	lock      sync.Mutex
	exchanges []*exchange
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "vitrine-proxies-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o777); err != nil { // the proxies are nobody
		return err
	}
	t := &trial{options: o, fleet: &fleet{dir: dir}, client: newClient(), truth: newTruth()}
	defer t.fleet.end()
	for _, path := range []*string{&t.options.vitrine, &t.options.configs, &t.options.catalog} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if err := t.prepare(ctx); err != nil {
		return err
	}
	faults := t.beforeThereIsAnything()
	if err := t.publishWhileAsked(ctx); err != nil {
		return err
	}
	faults += t.report()
	faults += t.withoutVitrine(ctx)
	if faults > 0 {
		return errWrong
	}
	return ctx.Err()
}

// prepare starts Vitrine on an empty store, and the proxies.
func (t *trial) prepare(ctx context.Context) error {
	free, err := freeAddresses(1)
	if err != nil {
		return err
	}
	t.direct = free[0]
	t.editor, err = newEditor(t.options.vitrine, t.options.catalog, t.fleet.dir)
	if err != nil {
		return err
	}
	if t.vitrine, err = startVitrine(t.fleet, t.editor.vitrine, t.editor.store, t.direct); err != nil {
		return err
	}
	if t.chains, err = startProxies(t.fleet, t.configs, t.direct); err != nil {
		return err
	}
	for _, c := range append([]chain{{address: t.direct}}, t.chains...) {
		if err := await(ctx, c.address); err != nil {
			return fmt.Errorf("%w\n%s", err, t.fleet.said())
		}
	}
	t.targets = targets(int(t.lasts / t.every))
	return nil
}

// beforeThereIsAnything gives every cache the chance to keep a 503.
func (t *trial) beforeThereIsAnything() (faults int) {
	for i := range t.chains {
		for _, target := range []string{"/api/open/meta?locale=en", "/api/open/nav/groups?locale=zh"} {
			e := &exchange{chain: &t.chains[i], method: http.MethodGet, target: target, accept: acceptance{absent: true}}
			err := e.send(t.client)
			if err != nil || e.response.StatusCode != 503 || codeOf(e.body) != "not_ready" {
				faults++
				fmt.Printf("WRONG %s, %s before there is anything: %s, %v\n", e.chain.name, target, status(e), err)
			}
		}
	}
	return faults
}

// publishWhileAsked publishes revision after revision while clients ask.
func (t *trial) publishWhileAsked(ctx context.Context) error {
	if err := t.publish(ctx, 1); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, t.lasts)
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		failed <- t.publishNowAndThen(ctx)
		cancel()
	}()
	err := traffic(ctx, t.chains, t.truth, t.targets, t.rate, func(e *exchange) {
		t.lock.Lock()
		defer t.lock.Unlock()
		t.exchanges = append(t.exchanges, e)
	})
	cancel()
	return errors.Join(err, <-failed)
}

func (t *trial) publishNowAndThen(ctx context.Context) error {
	tick := time.NewTicker(t.every)
	defer tick.Stop()
	for revision := int64(2); ; revision++ {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := t.publish(context.WithoutCancel(ctx), revision); err != nil {
			return err
		}
	}
}

// publish publishes a revision, waits until it is served, and learns it.
func (t *trial) publish(ctx context.Context, revision int64) error {
	if err := t.editor.publish(revision); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		response, _, err := ask(t.client, "GET", t.direct, "/api/open/meta", http.Header{})
		if err == nil && revisionOf(response) == revision {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("revision %d is not served", revision)
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.truth.replace(revision-1, time.Now())
	return t.truth.learn(t.client, t.direct, revision, t.targets)
}
