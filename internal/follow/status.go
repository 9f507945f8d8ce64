package follow

import (
	"context"
	"time"
)

// Status is the state of following for operators, as JSON.
type Status struct {
	Ready    bool       `json:"ready"`
	Revision int64      `json:"revision,omitempty"` // the served one
	Since    *time.Time `json:"since,omitempty"`    // start of serving it in this process

	Demonstration bool `json:"demonstration,omitempty"` // the bundled catalogue is served

	// Stale means that the served revision may be outdated because of StoreProblem. Damage in a
	// store that still works is a problem without being stale. StaleSince is when the store last
	// worked or, if it never did, when this process noticed.
	Stale      bool       `json:"stale,omitempty"`
	StaleSince *time.Time `json:"staleSince,omitempty"`

	// APIKeysProblem is why the API keys cannot be read. The keys of APIKeysStaleSince are then
	// valid; without any, the process is not ready.
	APIKeysProblem    string     `json:"apiKeysProblem,omitempty"`
	APIKeysStaleSince *time.Time `json:"apiKeysStaleSince,omitempty"`

	// Problems that need an operator although the service may be ready.
	StoreProblem    string `json:"storeProblem,omitempty"`
	LastGoodProblem string `json:"lastGoodProblem,omitempty"` // a restart would not serve this revision without the store
	// ChangesProblem is why changes before the served revision are unknown, although the distribution has
	// their log.
	ChangesProblem string `json:"changesProblem,omitempty"`
	// DistributionProblem is why the distribution lacks the served revision or is not renewed.
	DistributionProblem string `json:"distributionProblem,omitempty"`
	PurgeProblem        string `json:"purgeProblem,omitempty"` // why caches could not be purged

	CatalogProblem  string `json:"catalogProblem,omitempty"`
	CatalogChanging string `json:"catalogChanging,omitempty"` // the directory changes faster than it can be published
	PublishHeld     *Held  `json:"publishHeld,omitempty"`     // the directory is valid, but its publish is held until an operator accepts it
	PublishRival    string `json:"publishRival,omitempty"`    // another directory is published to the same store

	Syncs []JobStatus `json:"syncs,omitempty"` // all scheduled ones, also without a problem
}

// Status returns the state of the follower, its keys and its watcher.
func (f *Follower) Status() Status {
	state := Status{Demonstration: f.config.Demonstration}
	if s := f.serving.Load(); s != nil {
		state.Ready = f.Ready()
		state.Revision = s.snapshot.Revision().Number
		state.Since = &s.since
	}
	if fault := f.failure.current.Load(); fault != nil {
		state.StoreProblem = fault.text
		if state.Revision != 0 {
			state.Stale, state.StaleSince = true, &fault.since
		}
	}
	if f.config.Keys != nil {
		state.keys(f.config.Keys)
	}
	if f.scrub != nil && state.StoreProblem == "" {
		state.StoreProblem = f.scrub.failure.String()
	}
	if f.lastGood != nil {
		state.LastGoodProblem = f.lastGood.failure.String()
	}
	state.ChangesProblem = f.logTrouble.String()
	if f.writer != nil {
		state.DistributionProblem = f.writer.failure.String()
	}
	if f.purger != nil {
		state.PurgeProblem = f.purger.failure.String()
	}
	if w := f.config.Watcher; w != nil {
		state.CatalogProblem = w.failure.String()
		state.CatalogChanging = w.changing.String()
		state.PublishHeld = w.held.Load()
		state.PublishRival = w.rival.String()
	}
	for _, j := range f.config.Jobs {
		state.Syncs = append(state.Syncs, j.Status())
	}
	return state
}

// keys sets the fields about API keys.
func (state *Status) keys(f *KeyFollower) {
	fault, known := f.failure.current.Load(), f.Keys() != nil
	switch {
	case fault != nil && known:
		state.APIKeysProblem, state.APIKeysStaleSince = fault.text, &fault.since
	case fault != nil:
		state.APIKeysProblem = fault.text
	case !known:
		state.APIKeysProblem = "they have not been read yet"
	}
}

// Problem returns why the store's head cannot be served or the API keys cannot be read; "" for no
// problem.
func (f *Follower) Problem() string {
	problem := f.failure.String()
	if problem == "" && f.config.Keys != nil && f.config.Keys.failure.String() != "" {
		return "the API keys cannot be read: " + f.config.Keys.failure.String()
	}
	return problem
}

// Ready reports whether a snapshot is served and the API keys are known.
func (f *Follower) Ready() bool {
	return f.Snapshot() != nil && (f.config.Keys == nil || f.config.Keys.Keys() != nil)
}

// Begin returns when the first load of snapshot and API keys succeeded or failed, or ctx is done.
func (f *Follower) Begin(ctx context.Context) {
	for {
		changed := f.Changed()
		if f.settled() {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

func (f *Follower) settled() bool {
	served := f.Snapshot() != nil || f.failure.String() != "" && !f.resuming.Load()
	return served && (f.config.Keys == nil || f.config.Keys.settled())
}
