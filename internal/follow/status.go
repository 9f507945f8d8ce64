package follow

import (
	"context"
	"time"
)

// Status is what an operator is told of what is followed, as JSON.
type Status struct {
	Ready    bool       `json:"ready"`
	Revision int64      `json:"revision,omitempty"` // that is served
	Since    *time.Time `json:"since,omitempty"`    // when this process began to serve it

	Demonstration bool `json:"demonstration,omitempty"` // what is served is the bundled catalogue

	// Stale: what is served may be older than what was published, because of
	// StoreProblem. (A store that can be followed, but in which damage was found,
	// is a problem without that.) StaleSince is when the store was well last or, if it was not
	// yet, when this process noticed.
	Stale      bool       `json:"stale,omitempty"`
	StaleSince *time.Time `json:"staleSince,omitempty"`

	// APIKeysProblem: what keeps the API keys from being read. Those count that
	// were read last, when APIKeysStaleSince says; without any the process is not
	// ready.
	APIKeysProblem    string     `json:"apiKeysProblem,omitempty"`
	APIKeysStaleSince *time.Time `json:"apiKeysStaleSince,omitempty"`

	// What an operator should see to; the service may be ready all the same.
	StoreProblem    string `json:"storeProblem,omitempty"`
	LastGoodProblem string `json:"lastGoodProblem,omitempty"` // a restart would not serve this revision without the store
	CatalogProblem  string `json:"catalogProblem,omitempty"`
	CatalogChanging string `json:"catalogChanging,omitempty"` // the directory changes faster than it can be published
	PublishHeld     *Held  `json:"publishHeld,omitempty"`     // the directory is valid, but its publish is held until an operator accepts it
	PublishRival    string `json:"publishRival,omitempty"`    // another directory is published to the same store
}

// Status returns what there is to say of the follower, its keys and its watcher.
func (f *Follower) Status() Status {
	state := Status{Demonstration: f.config.Demonstration}
	if s := f.serving.Load(); s != nil {
		state.Ready = f.Ready()
		state.Revision = s.snapshot.Revision().Number
		state.Since = &s.since
	}
	if fault := f.trouble.current.Load(); fault != nil {
		state.StoreProblem = fault.text
		if state.Revision != 0 {
			state.Stale, state.StaleSince = true, &fault.since
		}
	}
	if f.config.Keys != nil {
		state.keys(f.config.Keys)
	}
	if f.scrub != nil && state.StoreProblem == "" {
		state.StoreProblem = f.scrub.trouble.String()
	}
	if f.keeper != nil {
		state.LastGoodProblem = f.keeper.trouble.String()
	}
	if w := f.config.Watcher; w != nil {
		state.CatalogProblem = w.trouble.String()
		state.CatalogChanging = w.changing.String()
		state.PublishHeld = w.held.Load()
		state.PublishRival = w.rival.String()
	}
	return state
}

// keys says what is wrong with the API keys.
func (state *Status) keys(f *KeyFollower) {
	fault, known := f.trouble.current.Load(), f.Keys() != nil
	switch {
	case fault != nil && known:
		state.APIKeysProblem, state.APIKeysStaleSince = fault.text, &fault.since
	case fault != nil:
		state.APIKeysProblem = fault.text
	case !known:
		state.APIKeysProblem = "they have not been read yet"
	}
}

// Problem says what keeps the store's head from being served, or the API keys
// from being read; "" for nothing.
func (f *Follower) Problem() string {
	problem := f.trouble.String()
	if problem == "" && f.config.Keys != nil && f.config.Keys.trouble.String() != "" {
		return "the API keys cannot be read: " + f.config.Keys.trouble.String()
	}
	return problem
}

// Ready reports whether there is something to serve and the API keys are known.
func (f *Follower) Ready() bool {
	return f.Snapshot() != nil && (f.config.Keys == nil || f.config.Keys.Keys() != nil)
}

// Begin returns when there is something to serve or it is known why not, for the
// API keys alike, or ctx is done.
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
	served := f.Snapshot() != nil || f.trouble.String() != "" && !f.resuming.Load()
	return served && (f.config.Keys == nil || f.config.Keys.settled())
}
