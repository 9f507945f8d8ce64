package follow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/store"
)

// shared is the part of a store that jobs use, for several processes.
type shared struct {
	mu        sync.Mutex
	task      store.Task
	revisions []published
}

// published is a revision of a job: the interval that it ended, and by which process.
type published struct {
	interval time.Time
	by       string
}

// process is one of several with the same store. It can be stopped, killed, or lose the store.
type process struct {
	name   string
	shared *shared
	config follow.JobConfig
	job    *follow.Job
	end    context.CancelFunc
	ended  sync.WaitGroup

	mu   sync.Mutex
	lost error
	wait chan struct{} // while it is stopped
}

// step waits while the process is stopped, and fails while it has no store.
func (p *process) step() error {
	p.mu.Lock()
	wait := p.wait
	p.mu.Unlock()
	if wait != nil {
		<-wait
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost
}

func (p *process) lose(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = err
}

// suspend stops the process until resume is called.
func (p *process) suspend() (resume func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := make(chan struct{})
	p.wait = wait
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.wait = nil
		close(wait)
	}
}

// kill ends the process, which writes nothing any more.
func (p *process) kill() {
	p.lose(errors.New("killed"))
	p.end()
}

// seen is the store as a process sees it.
type seen struct {
	store.Store
	p *process
}

func (s seen) Close() error { return nil }

func (s seen) Head(context.Context) (store.Revision, error) {
	if err := s.p.step(); err != nil {
		return store.Revision{}, err
	}
	s.p.shared.mu.Lock()
	defer s.p.shared.mu.Unlock()
	return store.Revision{Number: int64(len(s.p.shared.revisions)) + 1}, nil
}

func (s seen) Task(_ context.Context, name string) (store.Task, error) {
	if err := s.p.step(); err != nil {
		return store.Task{}, err
	}
	s.p.shared.mu.Lock()
	defer s.p.shared.mu.Unlock()
	if s.p.shared.task.Token == 0 {
		return store.Task{Name: name}, nil
	}
	return s.p.shared.task, nil
}

func (s seen) SetTask(_ context.Context, from int64, task store.Task) error {
	if err := s.p.step(); err != nil {
		return err
	}
	s.p.shared.mu.Lock()
	defer s.p.shared.mu.Unlock()
	if s.p.shared.task.Token != from {
		return store.ErrTaken
	}
	s.p.shared.task = task
	return nil
}

func (s seen) Observe(_ context.Context, base int64, _ []store.Observation, note store.Note) (store.Revision, error) {
	if err := s.p.step(); err != nil {
		return store.Revision{}, err
	}
	s.p.shared.mu.Lock()
	defer s.p.shared.mu.Unlock()
	if note.Task.Token != s.p.shared.task.Token {
		return store.Revision{}, store.ErrTaken
	}
	s.p.shared.task = *note.Task
	var state struct{ Done time.Time }
	if err := json.Unmarshal(note.Task.State, &state); err != nil {
		return store.Revision{}, err
	}
	s.p.shared.revisions = append(s.p.shared.revisions, published{state.Done, s.p.name})
	return store.Revision{Number: base + 1}, nil
}

const interval = 2 * time.Second

// launchJob starts a process.
func launchJob(t *testing.T, sh *shared, name string, log *logtest.Lines, run func(context.Context, store.Store) (follow.Ran, error)) *process {
	p := newProcess(sh, name, log, run)
	p.launch(t)
	return p
}

// newProcess returns a process that launch starts. Without run, its upstream takes up to 300 ms.
func newProcess(sh *shared, name string, log *logtest.Lines, run func(context.Context, store.Store) (follow.Ran, error)) *process {
	p := &process{name: name, shared: sh}
	jitter := rand.New(rand.NewPCG(3, uint64(len(name))))
	if run == nil {
		run = func(ctx context.Context, s store.Store) (follow.Ran, error) {
			time.Sleep(time.Duration(jitter.Float64() * float64(300*time.Millisecond)))
			rev, err := s.Observe(ctx, 1, nil, store.Note{})
			return follow.Ran{Revision: rev.Number}, err
		}
	}
	p.config = follow.JobConfig{
		Source: "it", Every: interval, Holder: name, Log: log.Logger(), Metrics: follow.NewMetrics(prometheus.NewRegistry()),
		Open: func(context.Context) (store.Store, error) {
			if err := p.step(); err != nil {
				return nil, err
			}
			return seen{p: p}, nil
		},
		Run: run, Jitter: func() float64 { return 0.5 },
	}
	p.job = follow.NewJob(p.config)
	return p
}

func (p *process) launch(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	p.end = end
	p.ended.Go(func() { p.job.Run(ctx) })
}

// TestJobRunsOncePerInterval kills, stops and cuts off one of three processes at random moments of
// hundreds of intervals. Each interval has exactly one revision.
func TestJobRunsOncePerInterval(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { playJobs(t, rand.New(rand.NewPCG(seed, 1))) })
		})
	}
}

func playJobs(t *testing.T, random *rand.Rand) {
	const intervals = 300
	sh, log := &shared{}, &logtest.Lines{}
	var all []*process
	launch := func() *process {
		p := launchJob(t, sh, fmt.Sprintf("p%d", len(all)), log, nil)
		all = append(all, p)
		return p
	}
	running := []*process{launch(), launch(), launch()}
	begin := time.Now()
	faults := 0
	for time.Since(begin) < intervals*interval {
		time.Sleep(time.Duration(random.IntN(int(2 * interval))))
		victim := random.IntN(len(running))
		for i, p := range running { // mostly the active one
			if status := running[0].job.Status(); status.Runs == p.name && random.IntN(4) > 0 {
				victim = i
			}
		}
		p, away := running[victim], 2*interval+time.Duration(random.IntN(int(2*interval)))
		faults++
		switch random.IntN(4) {
		case 0:
			p.kill()
			time.Sleep(away)
			running[victim] = launch()
		case 1:
			resume := p.suspend()
			time.Sleep(away)
			resume()
		case 2:
			p.lose(errors.New("connection refused"))
			time.Sleep(away)
			p.lose(nil)
		case 3:
			p.end() // a shutdown
			time.Sleep(away)
			running[victim] = launch()
		}
		time.Sleep(5 * time.Second) // until it looks again
	}
	for _, p := range all {
		p.end()
	}
	for _, p := range all {
		p.ended.Wait()
	}
	sh.mu.Lock() // an abandoned call may still end
	defer sh.mu.Unlock()
	times := map[time.Time]int{}
	by := map[string]int{}
	for _, r := range sh.revisions {
		times[r.interval]++
		by[r.by]++
	}
	first, last := sh.revisions[0].interval, sh.revisions[len(sh.revisions)-1].interval
	for at := first; !at.After(last); at = at.Add(interval) {
		if times[at] != 1 {
			t.Errorf("the interval at %s has %d revisions", at.Sub(first), times[at])
		}
	}
	if len(times) < intervals-2 || len(by) < 3 || faults < 30 {
		t.Errorf("%d intervals of %d, by %v, %d faults", len(times), intervals, by, faults)
	}
}

// A process that was stopped while it asked the upstream publishes nothing afterwards.
func TestJobIsFenced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh, log := &shared{}, &logtest.Lines{}
		var stopped *process
		var late error
		arrived := make(chan struct{})
		stopped = launchJob(t, sh, "a", log, func(ctx context.Context, s store.Store) (follow.Ran, error) {
			close(arrived)
			time.Sleep(time.Second)
			_, late = s.Observe(ctx, 1, nil, store.Note{})
			return follow.Ran{}, late
		})
		<-arrived
		resume := stopped.suspend()
		other := launchJob(t, sh, "bb", log, nil)
		time.Sleep(interval)
		sh.mu.Lock()
		before := len(sh.revisions)
		if before == 0 || sh.revisions[0].by != "bb" {
			t.Fatalf("no process took over: %v", sh.revisions)
		}
		sh.mu.Unlock()
		resume()
		stopped.end()
		other.end()
		stopped.ended.Wait()
		other.ended.Wait()
		if !errors.Is(late, store.ErrTaken) || len(sh.revisions) != before {
			t.Errorf("the stopped process published: %v, %v", late, sh.revisions)
		}
	})
}

// A failure is repeated with backoff, a rejected answer in the next interval. All processes see the
// problem and the last success.
func TestJobReportsProblems(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh, log := &shared{}, &logtest.Lines{}
		results := []struct {
			ran follow.Ran
			err error
		}{{}, {err: errors.New("answers 503")}, {err: errors.New("answers 503")}, {ran: follow.Ran{Problem: "held: jump"}}, {}}
		var mu sync.Mutex
		var at []time.Time
		runs := func() []time.Time {
			mu.Lock()
			defer mu.Unlock()
			return at
		}
		active := launchJob(t, sh, "a", log, func(context.Context, store.Store) (follow.Ran, error) {
			mu.Lock()
			defer mu.Unlock()
			r := results[min(len(at), len(results)-1)]
			at = append(at, time.Now())
			return r.ran, r.err
		})
		var problems []string
		for len(runs()) < 5 {
			time.Sleep(10 * time.Millisecond)
			if s := active.job.Status(); len(problems) == 0 || problems[len(problems)-1] != s.Problem {
				problems = append(problems, s.Problem)
				if s.Problem != "" && (s.Since == nil || s.LastSuccess == nil) {
					t.Errorf("status %+v", s)
				}
			}
		}
		time.Sleep(interval / 2)
		if s := active.job.Status(); s.Problem != "" || s.LastSuccess.Before(runs()[4]) {
			t.Errorf("in the end: %+v", s)
		}
		active.end()
		active.ended.Wait()
		if got := fmt.Sprint(problems[:3]); got != "[ answers 503 held: jump]" {
			t.Errorf("problems %q", got)
		}
		if wait := at[2].Sub(at[1]); wait < interval/4 || wait > interval {
			t.Errorf("the failed run was repeated after %s", wait)
		}
		if !at[4].Truncate(interval).After(at[3].Truncate(interval)) {
			t.Errorf("the rejected run was repeated in its interval")
		}
		if text := strings.Join(log.Take(), "\n"); !contains(text, "a sync failed and changed nothing", "a sync changed nothing", "held: jump", "the sync works again") {
			t.Errorf("log:\n%s", text)
		}
	})
}

// TestJobWaitsForItsSchema checks that a job reports a store of the previous schema once, and begins
// after the migration.
func TestJobWaitsForItsSchema(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sh, log := &shared{}, &logtest.Lines{}
		p := newProcess(sh, "a", log, nil)
		p.lose(fmt.Errorf("schema 1: %w", store.ErrSchema))
		p.launch(t)
		time.Sleep(10 * interval)
		log.Want(t, `level=WARN msg="a sync cannot begin" source=it error="open the store: schema 1: run vitrine migrate`)
		p.lose(nil)
		time.Sleep(10 * interval)
		p.end()
		p.ended.Wait()
		if !log.Has(`msg="the sync works again"`) {
			t.Errorf("logged %q", log.Take())
		}
		if len(sh.revisions) == 0 {
			t.Error("the job never ran")
		}
	})
}

// TestJobWaitsForItsFollower checks that a job runs only once the follower of its process serves a
// revision. A run before would load the whole store beside the follower.
func TestJobWaitsForItsFollower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &logtest.Lines{}
		p := &process{name: "a", shared: &shared{}}
		state, err := store.NewState(store.Revision{Number: 1}, []store.Row{{Kind: domain.KindCatalog, Key: string(domain.KindCatalog), Body: []byte("{}")}}, nil)
		must(t, err)
		var served atomic.Pointer[store.State]
		var runs atomic.Int64
		job := follow.NewJob(follow.JobConfig{
			Source: "it", Every: interval, Holder: "a", Log: log.Logger(), Metrics: follow.NewMetrics(prometheus.NewRegistry()),
			Open: func(context.Context) (store.Store, error) { return seen{p: p}, nil },
			Run:  func(context.Context, store.Store) (follow.Ran, error) { runs.Add(1); return follow.Ran{}, nil },
		})
		job.Beside(served.Load)
		ctx, end := context.WithCancel(t.Context())
		var ended sync.WaitGroup
		ended.Go(func() { job.Run(ctx) })
		time.Sleep(10 * interval)
		if n := runs.Load(); n > 0 {
			t.Errorf("the job ran %d times while nothing was served", n)
		}
		served.Store(state)
		time.Sleep(10 * interval)
		end()
		ended.Wait()
		if n := runs.Load(); n < 9 {
			t.Errorf("the job ran %d times in ten intervals", n)
		}
	})
}
