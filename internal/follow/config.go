package follow

import (
	"context"
	"log/slog"
	"time"
)

// Config configures a [Follower]. Fields are required unless they say otherwise.
type Config struct {
	// Open opens the store without creating it. Its error for a missing store wraps
	// [fs.ErrNotExist].
	Open Opener
	// Source is followed instead of a store; nil for none. Open is then nil. It stays usable after
	// Close.
	Source Source
	Every  time.Duration // interval of queries for the head
	// HeadLimit is the time limit of such a query; 0 for that of a database.
	HeadLimit time.Duration
	// Spread lengthens each pause by up to a fifth, so that many servers do not ask together.
	Spread  bool
	Log     *slog.Logger
	Metrics *Metrics
	// Name is how the log calls what is followed; "" for the store.
	Name string
	// WhenEmpty is the remedy to log for a store without a revision.
	WhenEmpty string
	// Filling is set if this process is about to publish to the store, so that an empty store is
	// normal at the first start.
	Filling bool
	// Demonstration marks the catalogue as a demonstration in meta and /readyz.
	Demonstration bool

	// LastGood is the path of the last good file, for a start without the store; "" for none.
	LastGood string
	// Program is the version of this program, as last good files name it; "" if unknown.
	Program string
	// Keys are the API keys that readiness requires; nil for none. They are written to the last
	// good file. A KeyFollower has one Follower.
	Keys *KeyFollower
	// PutAside renames a damaged store and returns its new name, after it has checked that the
	// store is damaged and no longer being written. It is called only if the served state came
	// from that store, and while the follower has it closed. It is nil if the store must not be
	// moved.
	PutAside func() (string, error)
	// Scrub is the minimum interval between checks of the whole store, 0 for none.
	Scrub time.Duration
	// Watcher publishes to the store; nil for none. It gets the state of the store and wakes the
	// follower. A Watcher has one Follower.
	Watcher *Watcher
	// Jobs are the scheduled syncs, for Status.
	Jobs []*Job
	// Distribution is written after each new revision; nil for none.
	Distribution *Distribution
	// Purge tells the caches in front of the server to fetch again; nil for none. It is called after
	// another revision is served, and repeated after an error, which must not contain secrets.
	Purge func(context.Context) error
	// Bulk is the path of the distribution's pointer on this server, which meta and errors name; "" for
	// none.
	Bulk string
	// MakeRoom sets the garbage collector by the size of the served catalogue; false leaves it
	// unchanged. With Demonstration, [New] sets it for a small catalogue first.
	MakeRoom bool
}

// open returns the function that opens what is followed.
func (c Config) open() func(context.Context) (Source, error) {
	return func(ctx context.Context) (Source, error) {
		if c.Source != nil {
			return c.Source, nil
		}
		return c.Open(ctx)
	}
}

// role returns the role of a process with this configuration.
func (c Config) role() Role {
	switch {
	case c.Source != nil:
		return Reader
	case c.Distribution != nil:
		return Publisher
	}
	return Standalone
}
