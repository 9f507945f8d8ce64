// Package store holds what the engines of storing share: revisions, the errors
// of publishing, and the rows that a catalogue becomes.
//
// A row is neither a domain record nor a response: its body has a shape of its
// own (see [Rows]), so that a change of the API migrates no database and the
// other way round. The package must not know any engine, directory or
// response; it does no I/O. Values are plain and safe to share once made.
package store

import (
	"errors"
	"time"

	"vitrine/internal/catalog"
)

// ErrEmpty says that nothing has been published to a store yet.
var ErrEmpty = errors.New("the store is empty: nothing has been published yet")

// ErrConflict says that the head of a store is not the revision on which a
// publish was based: somebody else published meanwhile.
var ErrConflict = errors.New("another revision has been published meanwhile")

// Revision is one published state of a catalogue.
type Revision struct {
	Number      int64     // from 1, growing by one with every publish
	PublishedAt time.Time // in UTC, whole milliseconds

	// Digest is that of the catalogue directory that was imported last, by this
	// revision or by one before it (contract, section 5). It is "" when no
	// directory ever was.
	Digest  string
	Message string // what the publisher said about it
}

// Draft is what becomes the next revision. Catalog is only read.
type Draft struct {
	Catalog     *catalog.Catalog
	PublishedAt time.Time
	Digest      string
	Message     string
}

// Revision returns the revision that the draft becomes when it follows the
// revision of number base, with the time as every engine keeps it.
func (d Draft) Revision(base int64) Revision {
	return Revision{
		Number:      base + 1,
		PublishedAt: d.PublishedAt.UTC().Truncate(time.Millisecond),
		Digest:      d.Digest,
		Message:     d.Message,
	}
}
