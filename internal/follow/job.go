package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/store"
	"vitrine/internal/upstream"
)

// runLimit is the time limit of one run of a job: several requests with their attempts.
const runLimit = 15 * time.Minute

// MinInterval is the shortest interval of a job.
const MinInterval = time.Second

// JobConfig configures a [Job]. Fields are required unless they say otherwise.
type JobConfig struct {
	Source  string        // upstream, such as defillama; names the job in the store, metrics and the log
	Every   time.Duration // interval, at least [MinInterval]
	Holder  string        // identifies this process to operators
	Open    Opener        // opens the store without creating it
	Log     *slog.Logger
	Metrics *Metrics
	// Run asks the upstream and publishes what is new to s, in at most one revision. It must not
	// keep s.
	Run func(ctx context.Context, s store.Store) (Ran, error)

	Now    func() time.Time // nil for the real clock
	Jitter func() float64   // random numbers in [0, 1); nil for the real ones
}

// Ran is the result of a run that need not be repeated in the same interval.
type Ran struct {
	Revision int64 // the published one, 0 for none
	Changes  int   // changed records of that revision
	// Problem is the reason why the upstream's data was not published; "" for none.
	Problem string
}

// Job runs periodically in one of several processes with the same store. For each interval, one
// process takes it with a lease; if it is killed, hangs or loses its store, another takes over
// when the lease ends. A run that publishes ends its interval in the same transaction, so an
// interval has one revision at most. Run must be called once; other methods are safe for
// concurrent use.
type Job struct {
	config  JobConfig
	lease   time.Duration
	delay   time.Duration // after the start of an interval
	conn    connection[store.Store]
	backoff backoff
	failure failure
	seen    atomic.Pointer[jobState] // as last read; nil if never
	log     *slog.Logger
	served  func() *store.State // set by the follower of the same store; may be nil
}

// NewJob returns a job that has not run yet.
func NewJob(config JobConfig) *Job {
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Jitter == nil {
		config.Jitter = rand.Float64
	}
	j := &Job{
		config: config, conn: newConnection[store.Store](config.Open),
		lease:   min(max(config.Every/3, 400*time.Millisecond), 30*time.Second),
		delay:   time.Duration(config.Jitter() * float64(config.Every) / 10),
		backoff: backoff{usual: min(max(config.Every/16, 50*time.Millisecond), 5*time.Second)},
		log:     config.Log.With("source", config.Source),
	}
	config.Metrics.syncs.expect(config.Source)
	return j
}

// Run runs the job until ctx is done. Then it returns within seconds, even if calls hang.
func (j *Job) Run(ctx context.Context) {
	repeat(ctx, nil, j.look)
	j.conn.drop(ctx)
}

// look runs the job if it is due, and returns the pause before the next look.
func (j *Job) look(ctx context.Context) time.Duration {
	if j.served != nil && j.served() == nil {
		return j.backoff.well() // otherwise the run would load the whole store beside the follower
	}
	task, ok, err := j.read(ctx)
	if errors.Is(err, store.ErrSchema) {
		j.unable(ctx, err)
		return j.backoff.failed()
	}
	if err != nil {
		j.conn.drop(ctx) // the follower reports problems of the store
		return j.backoff.failed()
	}
	now := j.config.Now()
	state := readJobState(task.State)
	j.saw(state)
	if !ok || !state.due(now, j.config.Every, j.delay) {
		return j.backoff.well()
	}
	l := &lease{
		start: now.Truncate(j.config.Every), now: j.config.Now, writing: make(chan struct{}, 1),
		from: task.Token, task: store.Task{Name: task.Name, Token: task.Token + 1},
	}
	l.state.Store(&state)
	if err := j.write(ctx, l, func(t jobState) jobState { return t.taken(j.config.Holder, now.Add(j.lease)) }); err != nil {
		if !errors.Is(err, store.ErrTaken) { // otherwise another process was faster
			j.conn.drop(ctx)
			j.unable(ctx, err)
		}
		return j.backoff.failed()
	}
	l.from = l.task.Token
	j.run(ctx, l)
	return j.backoff.well()
}

// read returns the task. ok is false if the store has no revision yet.
func (j *Job) read(ctx context.Context) (task store.Task, ok bool, err error) {
	name := "sync:" + j.config.Source
	found, err := do(ctx, &j.conn, headLimit, func(ctx context.Context, s store.Store) (*store.Task, error) {
		if _, err := s.Head(ctx); errors.Is(err, store.ErrEmpty) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		task, err := s.Task(ctx, name)
		return &task, err
	})
	if err != nil || found == nil {
		return store.Task{Name: name}, false, err
	}
	return *found, true, nil
}

// errLost reports that the lease of a run could not be renewed.
var errLost = errors.New("the lease of the sync was lost")

// run runs the job under a lease, and records the result.
func (j *Job) run(ctx context.Context, l *lease) {
	working, end := context.WithCancelCause(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { j.renew(working, l, end) })
	ran, err := do(working, &j.conn, runLimit, func(ctx context.Context, s store.Store) (Ran, error) {
		return j.config.Run(ctx, leased{remembered{s, j.served}, l})
	})
	cause := context.Cause(working)
	lost := errors.Is(cause, errLost) || errors.Is(err, store.ErrTaken)
	end(nil)
	beside.Wait()
	switch {
	case l.ended.Load():
		j.succeeded(l, ran)
	case lost:
		why := "it could not be renewed in time, and this or another process tries again"
		if errors.Is(cause, store.ErrTaken) || errors.Is(err, store.ErrTaken) {
			why = "another process has taken over"
		}
		j.log.Warn("the sync ended without a result: its lease was lost", "because", why, "lease", j.lease)
		j.config.Metrics.syncs.count(j.config.Source, "lost")
		j.conn.drop(ctx)
	case ctx.Err() != nil:
		_ = j.write(context.WithoutCancel(ctx), l, jobState.released) // otherwise the others wait for the end of the lease
	case err != nil:
		j.failed(ctx, l, err)
	default:
		err := j.write(ctx, l, func(t jobState) jobState { return t.done(l.start, j.config.Now(), ran.Problem) })
		if err != nil {
			j.conn.drop(ctx)
			return
		}
		j.succeeded(l, ran)
	}
}

// write writes the state of a lease.
func (j *Job) write(ctx context.Context, l *lease, change func(jobState) jobState) error {
	_, err := do(ctx, &j.conn, headLimit, func(ctx context.Context, s store.Store) (struct{}, error) {
		return struct{}{}, l.write(ctx, change, func(task store.Task) error { return s.SetTask(ctx, l.from, task) })
	})
	return err
}

// unable reports that no lease can be written, as to a read-only store.
func (j *Job) unable(ctx context.Context, err error) {
	if ctx.Err() == nil && j.failure.set(describe(err)) {
		j.log.Warn("a sync cannot begin", "error", describe(err))
	}
}

// failed records a run that must be repeated.
func (j *Job) failed(ctx context.Context, l *lease, err error) {
	j.conn.drop(ctx) // it may be the reason
	var asked time.Duration
	if status, ok := errors.AsType[*upstream.StatusError](err); ok {
		asked = status.After
	}
	problem := describe(err)
	if task, _, unread := j.read(ctx); unread == nil && task.Token == l.task.Token && readJobState(task.State).Done.Equal(l.start) {
		j.succeeded(l, Ran{}) // the connection ended after the store had accepted the publish
		return
	}
	j.config.Metrics.syncs.count(j.config.Source, "failed")
	if j.failure.set(problem) {
		j.log.Warn("a sync failed and changed nothing", append([]any{"error", problem}, stackOf(err)...)...)
	}
	now, jitter := j.config.Now(), j.config.Jitter()
	err = j.write(ctx, l, func(t jobState) jobState { return t.failed(now, problem, j.config.Every, asked, jitter) })
	if err != nil { // then the lease ends
		j.conn.drop(ctx)
		return
	}
	j.saw(*l.state.Load())
}

// succeeded reports a run that ended its interval.
func (j *Job) succeeded(l *lease, ran Ran) {
	j.saw(*l.state.Load())
	switch {
	case ran.Problem != "":
		j.config.Metrics.syncs.count(j.config.Source, "held")
		if j.failure.set(ran.Problem) {
			j.log.Warn("a sync changed nothing", "problem", ran.Problem)
		}
		return
	case ran.Revision != 0:
		j.log.Info("published figures", "revision", ran.Revision, "changed", ran.Changes)
	default:
		j.log.Debug("figures are up to date")
	}
	j.config.Metrics.syncs.count(j.config.Source, "ok")
	if j.failure.clear() {
		j.log.Info("the sync works again")
	}
}

// saw records the shared state for operators.
func (j *Job) saw(t jobState) {
	j.seen.Store(&t)
	j.config.Metrics.syncs.state(j.config.Source, t)
}

// renew renews a lease until ctx is done. If it cannot, it ends the run before another process
// takes over.
func (j *Job) renew(ctx context.Context, l *lease, end context.CancelCauseFunc) {
	own := newConnection[store.Store](j.config.Open)
	defer own.drop(ctx)
	good := time.Now()
	repeatUntil(ctx, j.lease/4, func() bool {
		_, err := do(ctx, &own, j.lease/2, func(ctx context.Context, s store.Store) (struct{}, error) {
			return struct{}{}, l.write(ctx, func(t jobState) jobState { return t.taken(t.Holder, j.config.Now().Add(j.lease)) },
				func(task store.Task) error { return s.SetTask(ctx, l.from, task) })
		})
		switch {
		case err == nil:
			good = time.Now()
		case ctx.Err() != nil:
			return false
		case errors.Is(err, store.ErrTaken) || time.Since(good) >= j.lease:
			end(fmt.Errorf("%w: %w", errLost, err))
			return false
		default:
			own.drop(ctx)
		}
		return true
	})
}

// repeatUntil calls f after each pause until it returns false or ctx is done.
func repeatUntil(ctx context.Context, pause time.Duration, f func() bool) {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if !f() {
				return
			}
		}
	}
}

// lease is the right of this process to run a job in an interval.
type lease struct {
	start time.Time // of the interval
	now   func() time.Time
	ended atomic.Bool // the run published, which ended the interval

	writing chan struct{}            // has an element during a write, which may hang
	from    int64                    // token in the store
	task    store.Task               // without its state
	state   atomic.Pointer[jobState] // as last written
}

// write writes the state that change returns, with do.
func (l *lease) write(ctx context.Context, change func(jobState) jobState, do func(store.Task) error) error {
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil || l.ended.Load() {
		return err
	}
	task, state := l.task, change(*l.state.Load())
	task.State = state.bytes()
	err := do(task)
	if err == nil {
		l.state.Store(&state)
	}
	return err
}

// leased is the store of a run. What it publishes ends the interval, and fails with
// [store.ErrTaken] if another process has taken over.
type leased struct {
	store.Store
	*lease
}

func (l leased) Observe(ctx context.Context, base int64, observations []store.Observation, note store.Note) (rev store.Revision, err error) {
	err = l.write(ctx, func(t jobState) jobState { return t.done(l.start, l.now(), "") }, func(task store.Task) error {
		note.Task = &task
		rev, err = l.Store.Observe(ctx, base, observations, note)
		if err == nil {
			defer l.ended.Store(true)
		}
		return err
	})
	return rev, err
}

// JobStatus is the state of a job for operators, as JSON. All processes of a store have the same.
type JobStatus struct {
	Source      string     `json:"source"`
	LastSuccess *time.Time `json:"lastSuccess,omitempty"`
	Problem     string     `json:"problem,omitempty"` // of the last run
	Since       *time.Time `json:"since,omitempty"`   // of Problem
	Runs        string     `json:"runs,omitempty"`    // process that runs it now
}

// Status returns the state of the job.
func (j *Job) Status() JobStatus {
	s := JobStatus{Source: j.config.Source}
	t := j.seen.Load()
	if t == nil {
		return s
	}
	s.Problem = t.Problem
	if !t.Succeeded.IsZero() {
		s.LastSuccess = &t.Succeeded
	}
	if t.Problem != "" {
		s.Since = &t.Since
	}
	if t.Holder != "" && j.config.Now().Before(t.Until) {
		s.Runs = cmp.Or(t.Holder, "unknown")
	}
	return s
}
