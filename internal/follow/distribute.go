package follow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/distribution"
	"vitrine/internal/store"
)

const (
	distributeEvery = 5 * time.Second  // interval of looks at the directory
	distributeLimit = 30 * time.Minute // of one write, also to a slow disk
	distributeGrace = 5 * time.Second  // of a write at shutdown
	leaseLimit      = 15 * time.Second // of a look at the directory or the bucket
	// behind is how long the distribution may lack the served revision while another process writes
	// it, or has a newer one.
	behind = time.Minute
)

// Distribution is where a [Follower] writes what it serves: a Writer that of a store, a Mirror a copy
// of the distribution that is followed. With a Bucket, which has both, the Writer writes while this
// process has the lease of the bucket, and the Mirror copies the bucket otherwise. Nothing else uses
// them, and Run closes them.
type Distribution struct {
	Writer *distribution.Writer // nil without a store
	Mirror *distribution.Mirror // nil for a store without a bucket
	Bucket *distribution.Bucket // nil for none
	Dir    string               // of Writer and Mirror
}

// errElsewhere is why a process does not write a bucket.
var errElsewhere = errors.New("another process writes the bucket")

// distributor writes the served state as a distribution, always the newest one, and renews its
// pointer. It writes in the background. After an error the last complete distribution stays, and
// the write is repeated. Of several processes with one directory, one writes, and another takes over
// when that one ends.
type distributor struct {
	f       *Follower // which serves the state
	config  Distribution
	conn    connection[Source] // for questions about the history
	log     *slog.Logger
	failure failure
	guard   guard // of writes
	backoff backoff
	done    *store.State // the state of the last write, nil for none
	other   bool         // another process writes
	tables  error        // see [distribution.Written.TablesFault]
	waiting time.Time    // since when the distribution lacks the served revision; zero if it has it
}

func newDistributor(f *Follower) *distributor {
	d := &distributor{
		f: f, config: *f.config.Distribution, conn: newConnection(f.config.open()),
		log:   f.config.Log.With("dir", f.config.Distribution.Dir),
		guard: guard{grace: distributeGrace}, backoff: backoff{usual: distributeEvery},
	}
	if d.config.Bucket != nil {
		d.log = d.log.With("bucket", d.config.Bucket.Name())
	}
	return d
}

// run writes after each change until ctx is done.
func (d *distributor) run(ctx context.Context) {
	for ctx.Err() == nil {
		changed := d.f.changes.wait()
		pause := time.After(d.look(ctx))
		select {
		case <-ctx.Done():
		case <-changed:
		case <-pause:
		}
	}
	d.conn.drop(ctx)
	if d.guard.hangs() {
		return
	}
	d.close(ctx)
}

// close lets other processes write.
func (d *distributor) close(ctx context.Context) {
	if d.config.Bucket != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), distributeGrace)
		defer cancel()
		if err := d.config.Bucket.Release(ctx); err != nil {
			d.log.Info("the lease of the bucket was not released; another process waits until it ends", "error", withoutName(err))
		}
		d.config.Bucket.Close()
	}
	if d.config.Mirror != nil {
		d.config.Mirror.Close()
	}
	if d.config.Writer != nil {
		d.config.Writer.Close()
	}
}

// lead reports whether this process writes the bucket.
func (d *distributor) lead(ctx context.Context) (bool, error) {
	led, err := run(ctx, &d.guard, call[bool]{limit: leaseLimit, do: d.config.Bucket.Lead})
	switch {
	case err != nil:
		return false, fmt.Errorf("the bucket: %w", err)
	case led:
		d.config.Mirror.Close() // which may have the lock of the directory
	default:
		d.config.Writer.Close()
	}
	return led, nil
}

// follow copies the bucket that another process writes, and returns the pause before the next look.
func (d *distributor) follow(ctx context.Context, state *store.State) time.Duration {
	_, err := run(ctx, &d.guard, call[distribution.Copied]{limit: distributeLimit, do: d.config.Mirror.Copy})
	if errors.Is(err, distribution.ErrReplayed) { // the directory has what this process could not upload
		_, err = run(ctx, &d.guard, call[struct{}]{limit: distributeLimit, do: func(ctx context.Context) (struct{}, error) {
			return struct{}{}, d.config.Bucket.Pull(ctx, d.config.Dir)
		}})
	}
	switch {
	case ctx.Err() != nil:
		return distributeEvery
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, distribution.ErrExpired): // the writer is late
		return d.wait(ctx, state, errElsewhere)
	case errors.Is(err, distribution.ErrLocked):
		return d.wait(ctx, state, err)
	}
	d.failed(err)
	return d.backoff.failed()
}

// copy copies the distribution that is followed, and returns the pause before the next look.
func (d *distributor) copy(ctx context.Context, state *store.State) time.Duration {
	copied, err := run(ctx, &d.guard, call[distribution.Copied]{limit: distributeLimit, do: d.config.Mirror.Copy})
	if ctx.Err() != nil {
		return distributeEvery
	}
	if errors.Is(err, distribution.ErrLocked) {
		return d.wait(ctx, state, err)
	}
	if err != nil && !errors.Is(err, distribution.ErrExpired) { // the source reports that
		d.failed(err)
		return d.backoff.failed()
	}
	if revision := copied.Entry.Revision.Number; copied.Replaced || copied.Files > 0 {
		d.log.Info("copied the distribution", "revision", revision, "files", copied.Files, "bytes", copied.Bytes)
	}
	d.other, d.waiting = false, time.Time{}
	d.isWell(copied.Entry.Revision.Number)
	return d.backoff.well()
}

// look writes the served state if the directory lacks it, and returns the pause before the next
// look.
func (d *distributor) look(ctx context.Context) time.Duration {
	s := d.f.serving.Load()
	if s != nil && d.config.Writer == nil {
		return d.copy(ctx, s.state)
	}
	if s == nil || s.log == nil { // the last good state may be older than the distribution
		return distributeEvery
	}
	if d.config.Bucket != nil {
		led, err := d.lead(ctx)
		switch {
		case ctx.Err() != nil:
			return distributeEvery
		case err != nil:
			d.failed(err)
			return d.backoff.failed()
		case !led:
			return d.follow(ctx, s.state)
		}
	}
	due, err := d.due(ctx, s.state)
	if err == nil && !due {
		d.well(s.state)
		return d.backoff.well()
	}
	start := time.Now()
	var written distribution.Written
	if err == nil {
		written, err = d.write(ctx, s.state, s.log)
	}
	if ctx.Err() != nil {
		return distributeEvery
	}
	switch {
	case errors.Is(err, distribution.ErrLocked), errors.Is(err, distribution.ErrNewer):
		return d.wait(ctx, s.state, err)
	case err != nil:
		d.conn.drop(ctx) // it may be the reason
		d.failed(err)
		return d.backoff.failed()
	}
	releaseMemory(time.Since(start))
	d.done, d.tables = s.state, written.TablesFault
	for _, name := range written.Omitted {
		d.log.Warn("the table is too large and not offered", "table", name, "remedy", "use the other tables or the full set")
	}
	d.log.Info("wrote the distribution", "revision", s.state.Revision.Number, "files", written.Files, "bytes", written.Bytes,
		"took", time.Since(start).Round(time.Millisecond).String())
	d.well(s.state)
	return d.backoff.well()
}

// due reports whether the directory must be written.
func (d *distributor) due(ctx context.Context, state *store.State) (bool, error) {
	if d.done != state || !time.Now().Before(d.config.Writer.RenewAt()) {
		return true, nil
	}
	intact, err := run(ctx, &d.guard, call[bool]{
		limit: leaseLimit,
		do: func(ctx context.Context) (bool, error) {
			if intact := d.config.Writer.Intact(ctx); !intact || d.config.Bucket == nil {
				return intact, nil
			}
			return d.config.Bucket.Current(ctx)
		},
	})
	return !intact, err
}

// write writes a state and the log of the changes up to it.
func (d *distributor) write(ctx context.Context, state *store.State, log *changelog.Log) (distribution.Written, error) {
	known, err := d.history(ctx, state.Revision.Number)
	if err != nil {
		return distribution.Written{}, err
	}
	return run(ctx, &d.guard, call[distribution.Written]{
		limit: distributeLimit,
		do: func(ctx context.Context) (distribution.Written, error) {
			has := func(_ context.Context, r distribution.Revision) (bool, error) {
				return slices.ContainsFunc(known, r.Is), nil
			}
			if d.config.Bucket != nil {
				return d.config.Bucket.Write(ctx, d.config.Writer, state, log, has)
			}
			return d.config.Writer.Write(ctx, state, log, has)
		},
	})
}

// history returns the revisions of the store, as far back as the last write or, before the first
// one, all.
func (d *distributor) history(ctx context.Context, number int64) ([]store.Revision, error) {
	limit := 0
	if d.done != nil && number >= d.done.Revision.Number {
		const margin = 16 // for revisions published in between
		limit = int(number-d.done.Revision.Number) + 1 + margin
	}
	known, err := do(ctx, &d.conn, loadLimit, func(ctx context.Context, s Source) ([]store.Revision, error) {
		return s.History(ctx, limit)
	})
	if err != nil {
		return nil, fmt.Errorf("read the history of the store: %w", err)
	}
	return known, nil
}

// wait waits for another process that writes the directory, or for the revision that the directory
// has already. It is a problem only if that takes long.
func (d *distributor) wait(ctx context.Context, state *store.State, why error) time.Duration {
	d.done, d.tables = nil, nil
	if (errors.Is(why, distribution.ErrLocked) || errors.Is(why, errElsewhere)) && !d.other {
		d.other = true
		d.log.Info("the distribution is not written by this process; it takes over when the other ends", "because", why)
	}
	head, err := run(ctx, &d.guard, call[distribution.Revision]{
		limit: fileLimit,
		do: func(ctx context.Context) (distribution.Revision, error) {
			return distribution.Head(ctx, d.config.Dir)
		},
	})
	switch {
	case ctx.Err() != nil:
	case err == nil && head.Is(state.Revision):
		d.well(state)
	case d.waiting.IsZero():
		d.waiting = time.Now()
	case time.Since(d.waiting) > behind:
		d.failed(fmt.Errorf("%w, which has not had the revision that this process serves for %s", why, behind))
	}
	return distributeEvery
}

// failed records an error of the distribution.
func (d *distributor) failed(err error) {
	d.report("the distribution cannot be written; the last complete one, if any, stays and the write is repeated", withoutName(err), err)
}

// report records the text of an error, and logs it with what it means when it changes.
func (d *distributor) report(meaning, text string, err error) {
	d.f.config.Metrics.distributionFailing.set(true)
	if d.failure.set(describe(errors.New(text))) {
		d.log.Error(meaning, append([]any{"error", text}, stackOf(err)...)...)
	}
}

// well records that the directory has a state.
func (d *distributor) well(state *store.State) {
	d.waiting = time.Time{}
	if d.done == state {
		d.other = false
	}
	d.isWell(state.Revision.Number)
}

// isWell records that the directory has a revision, perhaps without its tables.
func (d *distributor) isWell(revision int64) {
	d.f.config.Metrics.distributed.Set(float64(revision))
	if d.tables != nil {
		d.report("the tables of the distribution cannot be written; it has the previous ones or none", "the tables: "+withoutName(d.tables), d.tables)
		return
	}
	d.f.config.Metrics.distributionFailing.set(false)
	if d.failure.clear() {
		d.log.Info("the distribution is up to date again", "revision", revision)
	}
}
