// Soak keeps a server under mixed load for a long time: a publish per second, twice as many
// connections as allowed, bad requests among good ones, and changing settings. It fails if a
// response is wrong or if memory, goroutines or files grow. test/soak runs it. Exit status: 0 for
// success, 1 for a fault, 2 if the trial could not run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"vitrine/test/internal/trial"
)

var errWrong = errors.New("something is wrong")

type options struct {
	vitrine string
	lasts   time.Duration
	rate    int
	most    int
	turns   time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.vitrine, "vitrine", "bin/vitrine", "the binary")
	flag.DurationVar(&o.lasts, "for", 10*time.Minute, "how long the load lasts, a minute at least")
	flag.IntVar(&o.rate, "rate", 40, "requests a second, about; one in eight is bad")
	flag.IntVar(&o.most, "max-connections", 200, "of the server; twice as many are kept open")
	flag.DurationVar(&o.turns, "limit-every", 20*time.Second, "how often the rate limit is changed: two times out of three it is off")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	trial.Main("soak", func(dir string) bool {
		err := run(ctx, o, dir)
		if !errors.Is(err, errWrong) {
			trial.Check(err)
			fmt.Println("verdict: all is well")
			return true
		}
		fmt.Println("verdict:", err)
		return false
	})
}

// soak has the environment and the observations of one run.
type soak struct {
	options
	dir, addr, key string
	server         *trial.Process
	editor         *editor
	sampler        *sampler
	tally          *tally
	began, ended   sample // before the load, and after all clients disconnected
	lasted         time.Duration
	changes        int
	over           bool
	status         error // of the server, at its end
}

func run(ctx context.Context, o options, dir string) error {
	if o.lasts < time.Minute || o.rate < 8 || o.most < 20 {
		return errors.New("too little: --for 1m, --rate 8 and --max-connections 20 are the least")
	}
	s := &soak{options: o, dir: dir, tally: newTally()}
	defer s.end()
	s.prepare(ctx)
	if err := s.load(ctx); err != nil {
		return err
	}
	s.end()
	if !s.report(os.Stdout) {
		return errWrong
	}
	return nil
}

// end stops the server, once.
func (s *soak) end() {
	if s.server != nil && !s.over {
		_, s.status = s.server.Terminate()
		s.over = true
	}
}

// prepare publishes a catalogue and starts the server, which watches it.
func (s *soak) prepare(ctx context.Context) {
	binary := trial.Must(filepath.Abs(s.vitrine))
	s.editor, s.key = newEditor(binary, s.dir)
	addrs := trial.FreeAddrs(2)
	s.addr, s.sampler = addrs[0], &sampler{admin: addrs[1]}
	trial.Check(s.limit(unlimited))
	s.server = trial.Start(ctx, binary, s.dir, nil, "--config", s.config(), "--listen", s.addr, "--admin-listen", s.sampler.admin,
		"--catalog", s.editor.dir, "--store", s.editor.store, "--max-connections", strconv.Itoa(s.most),
		"--cache-bytes", "8MiB", "--trusted-proxy", "127.0.0.0/8")
	fmt.Printf("%v of load on http://%s, with metrics and profiles on http://%s\n", s.lasts, s.addr, s.sampler.admin)
	s.began = trial.Must(s.sampler.now())
}

func (s *soak) config() string { return filepath.Join(s.dir, "vitrine.yaml") }

// Quotas that are never reached: clients have many addresses, and one key. The debt of an address
// lasts some seconds.
const (
	unlimited = "rate-limit: \"off\"\nrate-limit-key: \"off\"\n"
	limited   = "rate-limit: 1000/h\nrate-limit-key: 1000000/m\n"
)

// limit writes the config file.
func (s *soak) limit(rates string) error {
	return os.WriteFile(s.config(), []byte(rates), 0o644)
}

// load applies the load for its duration, and waits until all clients disconnected.
func (s *soak) load(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.lasts)
	defer cancel()
	start := time.Now()
	var running sync.WaitGroup
	failures := make(chan error, 3)
	must := func(what func(context.Context) error) {
		running.Go(func() {
			if err := what(ctx); err != nil {
				failures <- err
				cancel()
			}
		})
	}
	must(s.sampler.every)
	must(s.changeLimits)
	must(func(ctx context.Context) (err error) {
		s.changes, err = s.editor.edit(ctx)
		return err
	})
	s.ask(ctx, &running)
	running.Wait()
	s.lasted = time.Since(start)
	select {
	case err := <-failures:
		return fmt.Errorf("%w: %w\n%s", errWrong, err, s.lastWords())
	default:
	}
	if s.lasted < s.lasts {
		return errors.New("interrupted")
	}
	return s.settle()
}

// lastWords returns the end of the server's log.
func (s *soak) lastWords() []byte {
	text, err := os.ReadFile(s.server.Log)
	if err != nil {
		return []byte(err.Error())
	}
	return text[max(0, len(text)-4000):]
}

// ask starts all clients.
func (s *soak) ask(ctx context.Context, running *sync.WaitGroup) {
	const callers = 7
	each, seen := float64(s.rate)/(callers+1), &bodies{sums: map[string][32]byte{}}
	for range callers {
		running.Go(func() { newCaller(s.addr, s.key, s.tally, seen).call(ctx, each) })
	}
	running.Go(func() { misbehave(ctx, s.addr, s.tally, each) })
	running.Go(func() { hold(ctx, s.addr, s.tally, 2*s.most) })
}

// changeLimits switches quotas on and off.
func (s *soak) changeLimits(ctx context.Context) error {
	tick := time.NewTicker(s.turns)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		rates := unlimited
		if i%3 == 0 {
			rates = limited
		}
		if err := errors.Join(s.limit(rates), s.server.Reload()); err != nil {
			return err
		}
	}
}

// settle waits up to half a minute until no client is connected.
func (s *soak) settle() (err error) {
	for range 30 {
		time.Sleep(time.Second)
		if s.ended, err = s.sampler.now(); err != nil {
			return fmt.Errorf("%w: %w", errWrong, err)
		}
		if s.ended[connections] == 0 && s.ended[goroutines] <= s.began[goroutines] {
			return nil
		}
	}
	return nil
}
