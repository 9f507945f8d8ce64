package follow

import (
	"encoding/json"
	"time"
)

// jobState is the state of a job that all processes share. The store has it as JSON.
//
// Time is divided into intervals of the job's length, the same for all processes. A process takes
// an interval with a lease, which it renews while it works. Clocks decide only who may
// try: a process that has lost its lease cannot write any more (see [store.Task]).
type jobState struct {
	Done      time.Time `json:"done,omitzero"`   // start of the last interval that needs no further run
	Holder    string    `json:"holder,omitzero"` // process that works; "" for none
	Until     time.Time `json:"until,omitzero"`  // end of its lease
	NotBefore time.Time `json:"notBefore,omitzero"`
	Failures  int       `json:"failures,omitzero"` // since the last success
	Succeeded time.Time `json:"succeeded,omitzero"`
	Problem   string    `json:"problem,omitzero"`
	Since     time.Time `json:"since,omitzero"` // of Problem
}

// maxBackoff is the maximum time between two attempts, unless the upstream asks for more.
const maxBackoff = time.Hour

// maxRetryAfter is the maximum time that an upstream may ask for.
const maxRetryAfter = 24 * time.Hour

// readJobState reads a state. Unreadable ones count as new.
func readJobState(state []byte) jobState {
	var t jobState
	if err := json.Unmarshal(state, &t); err != nil {
		return jobState{}
	}
	return t
}

func (t jobState) bytes() []byte {
	data, err := json.Marshal(t)
	if err != nil {
		return nil // cannot happen: all members are plain
	}
	return data
}

// due reports whether a process may run the job now. delay is the time after the start of an
// interval before which it does not.
func (t jobState) due(now time.Time, every, delay time.Duration) bool {
	start := now.Truncate(every)
	switch {
	case t.Holder != "" && now.Before(t.Until):
		return false
	case now.Before(start.Add(delay)):
		return false
	case now.Before(t.NotBefore) && t.NotBefore.Sub(now) <= max(every, maxRetryAfter):
		return false
	}
	// A much later interval was recorded with a wrong clock.
	return t.Done.Before(start) || t.Done.Sub(start) > 2*every
}

// taken returns the state with the lease of a process.
func (t jobState) taken(holder string, until time.Time) jobState {
	t.Holder, t.Until = holder, until
	return t
}

// released returns the state without a lease. Its interval is still to be done.
func (t jobState) released() jobState {
	t.Holder, t.Until = "", time.Time{}
	return t
}

// done returns the state after a run that ends an interval. A problem means that what the upstream
// has now cannot be used, so that the next interval has the next attempt.
func (t jobState) done(start, now time.Time, problem string) jobState {
	t = t.released()
	t.Done, t.NotBefore, t.Failures = start, time.Time{}, 0
	if problem != "" {
		return t.withProblem(problem, now)
	}
	t.Succeeded, t.Problem, t.Since = now, "", time.Time{}
	return t
}

// failed returns the state after a run that is repeated in the same interval, if its length allows:
// after the time that the upstream asked for, or with exponential backoff and jitter in [0, 1).
func (t jobState) failed(now time.Time, problem string, every, asked time.Duration, jitter float64) jobState {
	t = t.released()
	t.Failures++
	wait := min(15*time.Second<<min(t.Failures-1, 8), maxBackoff, every/2)
	wait = wait/2 + time.Duration(jitter*float64(wait)/2)
	t.NotBefore = now.Add(max(wait, min(asked, maxRetryAfter)))
	return t.withProblem(problem, now)
}

func (t jobState) withProblem(problem string, now time.Time) jobState {
	if t.Problem == "" {
		t.Since = now
	}
	t.Problem = problem
	return t
}
