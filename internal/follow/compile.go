package follow

import (
	"fmt"
	"time"

	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/parallel"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
)

// compiled is a state and its snapshot, and how long compiling took. It is zero for none.
type compiled struct {
	state    *store.State
	snapshot *snapshot.Snapshot
	took     time.Duration
}

// compile checks and compiles a state in parallel. The store is not trusted: a catalogue may have been
// changed since it was published, or newer rules may apply. The check only covers differences to the
// served catalogue. A panic of the compiler on an invalid catalogue becomes an error.
func (f *Follower) compile(state *store.State) (_ compiled, err error) {
	defer contain.Panic(&err, panicked)
	start := time.Now()
	var before *domain.Catalog // the served catalogue, which has no errors
	if f.state != nil {
		before = f.state.Merged()
	}
	c, rev := state.Merged(), state.Revision
	var s *snapshot.Snapshot
	var invalid, failed error
	parallel.Do(2, func(task int) {
		if task == 0 {
			if s, failed = compile(f.Snapshot(), c, f.revision(rev)); failed == nil {
				failed = finish(s)
			}
			return
		}
		invalid = domain.Invalid(before, c)
	})
	if invalid != nil {
		return compiled{}, fmt.Errorf("revision %d is not valid: %w", rev.Number, invalid)
	}
	if failed != nil {
		return compiled{}, fmt.Errorf("compile revision %d: %w", rev.Number, failed)
	}
	return compiled{state, s, time.Since(start)}, nil
}

func (f *Follower) revision(rev store.Revision) snapshot.Revision {
	return snapshot.Revision{Number: rev.Number, PublishedAt: rev.PublishedAt, Demonstration: f.config.Demonstration, Bulk: f.config.Bulk}
}

// compile is [snapshot.Compile] with panics as errors, for catalogues that may be invalid.
func compile(previous *snapshot.Snapshot, c *domain.Catalog, rev snapshot.Revision) (_ *snapshot.Snapshot, err error) {
	defer contain.Panic(&err, panicked)
	return snapshot.Compile(previous, c, rev)
}

// finish is [snapshot.Snapshot.Finish] with panics as errors.
func finish(s *snapshot.Snapshot) (err error) {
	defer contain.Panic(&err, panicked)
	s.Finish()
	return nil
}
