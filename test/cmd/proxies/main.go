// Proxies puts nginx and Varnish in front of Vitrine, and publishes revisions while clients send
// requests through them in random order. It compares every response with Vitrine's own response
// at the revision that it names. test/proxies runs it. Exit status: 0 for success, 1 for a wrong
// response, 2 if the trial could not run.
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

	"vitrine/test/internal/trial"
)

type options struct {
	vitrine, configs, catalog string
	lasts, every              time.Duration
	rate                      int
}

func main() {
	var o options
	flag.StringVar(&o.vitrine, "vitrine", "bin/vitrine", "the binary")
	flag.StringVar(&o.configs, "configs", "bin/proxies.d", "directory of the configurations that test/proxies writes")
	flag.StringVar(&o.catalog, "catalog", "catalog", "catalogue directory to begin with")
	flag.DurationVar(&o.lasts, "for", 2*time.Minute, "how long to ask")
	flag.DurationVar(&o.every, "every", 13*time.Second, "how often to publish")
	flag.IntVar(&o.rate, "rate", 150, "requests a second, about")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	trial.Main("proxies", func(dir string) bool {
		if !run(ctx, o, dir) {
			fmt.Println("verdict: something is wrong")
			return false
		}
		fmt.Println("verdict: all is well")
		return true
	})
}

// setting has the environment and the observations of one run.
type setting struct {
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

func run(ctx context.Context, o options, dir string) (well bool) {
	trial.Check(os.Chmod(dir, 0o777)) // the proxies run as nobody
	s := &setting{options: o, fleet: &fleet{dir: dir}, client: newClient(), truth: newTruth()}
	defer s.fleet.end()
	for _, path := range []*string{&s.options.vitrine, &s.options.configs, &s.options.catalog} {
		*path = trial.Must(filepath.Abs(*path))
	}
	s.prepare()
	faults := s.beforeThereIsAnything()
	trial.Check(s.publish(1))
	faults += s.pages()
	trial.Check(s.publishWhileAsked(ctx))
	faults += s.report()
	faults += s.withoutVitrine(ctx)
	if faults == 0 {
		trial.Check(ctx.Err())
	}
	return faults == 0
}

// prepare starts Vitrine with an empty store, and the proxies.
func (s *setting) prepare() {
	s.direct = trial.FreeAddr()
	s.editor = newEditor(s.options.vitrine, s.options.catalog, s.fleet.dir)
	s.vitrine = startVitrine(s.fleet, s.editor.vitrine, s.editor.store, s.direct)
	s.chains = startProxies(s.fleet, s.configs, s.direct)
	for _, c := range append([]chain{{address: s.direct}}, s.chains...) {
		if _, err := trial.Until(20*time.Second, func() bool { return listens(c.address) }); err != nil {
			trial.Failf("nothing listens on %s: %w\n%s", c.address, err, s.fleet.said())
		}
	}
	s.targets = targets(int(s.lasts / s.every))
}

// beforeThereIsAnything lets every cache store a 503.
func (s *setting) beforeThereIsAnything() (faults int) {
	for i := range s.chains {
		for _, target := range []string{"/api/open/meta?locale=en", "/api/open/nav/groups?locale=zh"} {
			e := &exchange{chain: &s.chains[i], method: http.MethodGet, target: target, accept: acceptance{absent: true}}
			err := e.send(s.client)
			if err != nil || e.response.StatusCode != 503 || codeOf(e.body) != "not_ready" {
				faults++
				fmt.Printf("WRONG %s, %s before there is anything: %s, %v\n", e.chain.name, target, status(e), err)
			}
		}
	}
	return faults
}

// publishWhileAsked publishes revisions while clients send requests.
func (s *setting) publishWhileAsked(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.lasts)
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		failed <- s.publishNowAndThen(ctx)
		cancel()
	}()
	err := traffic(ctx, s.chains, s.truth, s.targets, s.rate, func(e *exchange) {
		s.lock.Lock()
		defer s.lock.Unlock()
		s.exchanges = append(s.exchanges, e)
	})
	cancel()
	return errors.Join(err, <-failed)
}

func (s *setting) publishNowAndThen(ctx context.Context) error {
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	for revision := int64(2); ; revision++ {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := s.publish(revision); err != nil {
			return err
		}
	}
}

// publish publishes a revision, waits until it is served, and records its responses.
func (s *setting) publish(revision int64) error {
	if err := s.editor.publish(revision); err != nil {
		return err
	}
	_, err := trial.Until(30*time.Second, func() bool {
		response, _, err := ask(s.client, "GET", s.direct, "/api/open/meta", http.Header{})
		return err == nil && revisionOf(response) == revision
	})
	if err != nil {
		return fmt.Errorf("revision %d is not served: %w", revision, err)
	}
	s.truth.replace(revision-1, time.Now())
	return s.truth.learn(s.client, s.direct, revision, s.targets)
}
