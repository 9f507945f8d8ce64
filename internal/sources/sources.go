// Package sources asks upstreams for the figures of a catalogue.
//
// It joins what connectors read, in requests and batches that the upstream allows, with the records of a
// catalogue. It publishes nothing, and must not know flags, schedules or the display of results.
package sources

import (
	"context"
	"errors"

	"vitrine/internal/observe"
	"vitrine/internal/store"
)

// Source asks one upstream for figures. It is safe for concurrent use.
type Source interface {
	// Observe returns the observations of the records of head. Its error is a
	// [*observe.RejectedError] if the upstream's response is suspicious; then Observed has the rows
	// without a record. Other errors are those of requests, files and the store.
	Observe(ctx context.Context, s store.Store, head *store.State) (Observed, error)
	// Close closes idle connections.
	Close()
}

// Observed is what an upstream has of a catalogue.
type Observed struct {
	observe.Result
	From string // address or file, without secrets
	Kind string // of the records, such as chains
}

// Config says what a source requests.
type Config struct {
	From         string // address or file with a recorded response; "" for the address of the upstream
	AsOf         string // date of the figures; "" for the date of the response. A file needs it
	Secret       string // token or key of the upstream; "" if it needs none, and for a file
	Agent        string // user agent
	AllowPrivate bool   // connects to private addresses
}

// errNoDate reports a file without the date of its figures.
var errNoDate = errors.New("a file does not say the date of its figures; pass --as-of DATE")

// check returns an error if a file has no date.
func (c Config) check() error {
	if c.AsOf == "" && c.From != "" && !IsAddress(c.From) {
		return errNoDate
	}
	return nil
}
