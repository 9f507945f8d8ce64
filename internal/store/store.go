// Package store holds what the engines of storing share: what a revision is,
// the rows that a catalogue becomes, the state that rows add up to, and the
// errors of publishing.
//
// A revision fixes two layers: the records that editors wrote and the figures
// that were observed (docs/figures.md#precedence). Publishing appends versions of
// the rows that differ and never overwrites one; a deletion is a tombstone. So
// the current state, the state of any revision, the difference of two, and a
// rollback are the same question to an engine.
//
// A row is neither a domain record nor a response: its body has a shape of its
// own (see [Rows]), so that a change of the API migrates no database and the
// other way round. The package must not know any engine, directory or
// response.
package store

import (
	"context"
	"errors"
	"time"

	"vitrine/internal/domain"
)

// Errors of a store, which engines wrap. Test for them with errors.Is.
var (
	// ErrEmpty: nothing has been published to the store yet.
	ErrEmpty = errors.New("the store is empty: nothing has been published yet")
	// ErrConflict: the head is not the revision that a publish was based on.
	ErrConflict = errors.New("another revision has been published meanwhile")
	// ErrNoRevision: the revision never was, or was pruned.
	ErrNoRevision = errors.New("there is no such revision (it may have been pruned)")
	// ErrCorrupt: the database answers, and what it holds is damaged.
	ErrCorrupt = errors.New("the database is damaged")
	// ErrReplaced means that the open handle belongs to a database that is no longer at its
	// path. Opening the store again reads the new one.
	ErrReplaced = errors.New("the open database was replaced")
	// ErrKeyExists: an API key with that name is valid.
	ErrKeyExists = errors.New("there is an API key with that name already")
	// ErrNoKey: no API key with that name is valid.
	ErrNoKey = errors.New("there is no API key with that name")
)

// Op says what made a revision.
type Op string

// The operations that make revisions.
const (
	OpImport   Op = "import"   // a directory replaced the editors' layer
	OpRollback Op = "rollback" // an old editors' layer was published again
	OpSync     Op = "sync"     // figures were observed
)

// Revision is one published state of both layers.
type Revision struct {
	Number      int64     // from 1, growing by one with every publish
	PublishedAt time.Time // in UTC, whole milliseconds
	Op          Op
	Actor       string // who published, "" when not known
	Message     string // what the publisher said about it

	// Commit is the one of git that the directory was at which this revision was
	// imported from, "" for none; Modified says that its files were not quite
	// those of the commit.
	Commit   string
	Modified bool

	// Publisher is how and from where a directory was imported, such as `serve
	// web1:/srv/catalogue`; "" where that is not known, and of other revisions.
	Publisher string

	// Digest is that of the catalogue directory that was imported last, by this
	// revision or by one before it (docs/publishing.md#import): rollbacks and syncs
	// carry it on. It is "" when no directory ever was.
	Digest string
}

// Note goes with a publish into the revision.
type Note struct {
	At      time.Time
	Op      Op
	Actor   string
	Message string
	Digest  string

	Commit   string // hexadecimal
	Modified bool   // false without a commit

	Publisher string
}

// Revision returns the revision that follows the one of number base, with the
// time as every engine keeps it.
func (n Note) Revision(base int64) Revision {
	return Revision{
		Number:      base + 1,
		PublishedAt: n.At.UTC().Truncate(time.Millisecond),
		Op:          n.Op,
		Actor:       n.Actor,
		Message:     n.Message,
		Digest:      n.Digest,
		Commit:      n.Commit,
		Modified:    n.Modified,
		Publisher:   n.Publisher,
	}
}

// Draft is an editors' layer that is to become the next revision. Catalog is
// only read. Origin, which may be nil, says where editors wrote a record, as
// `file:line`, "" when that is not known.
type Draft struct {
	Note
	Catalog *domain.Catalog
	Origin  func(kind domain.Kind, index int) string
	// Releases are kept with the revision; one that is kept already stays.
	Releases []Release
}

// Observation is a figure as it was observed upstream.
type Observation struct {
	domain.Observation
	UpstreamID string // the record's id at the source, "" when it has none
}

// Version is one version of a record of the editors' layer: since Revision it
// reads as Row says, until the next version. A nil Body is a tombstone.
type Version struct {
	Revision Revision
	Row      Row
}

// Retraction is a record that a rollback changed. Rows are of the same record; a nil
// Body says that the record was not there.
type Retraction struct {
	Rollback Revision
	Taken    Row // as it was before the rollback
	Restored Row // as the rollback published it
}

// Release says that a value which a rollback took away was accepted and published
// again, so that the rollback holds it no more. Value identifies it; engines treat
// it as opaque.
type Release struct {
	Rollback int64
	Value    [32]byte
}

// Observed is one observation and the revision that brought it.
type Observed struct {
	Revision    Revision
	Observation Observation
}

// APIKey is what a store knows of an API key: never the key itself. Times are in
// UTC, whole milliseconds. Several keys may have one name; while more than one of
// them is valid, all but one were replaced (see [Store.ReplaceKey]).
type APIKey struct {
	Name      string
	Hash      [32]byte // SHA-256 of the key
	CreatedAt time.Time
	CreatedBy string    // "" when not known
	ExpiresAt time.Time // zero for never
	RevokedAt time.Time // zero while nobody revoked or replaced it; may lie ahead, before ExpiresAt
	RevokedBy string    // "" when not known
	UsedAt    time.Time // when it was used last, about a minute late; zero while that is not known
	Limit     string    // the name's own rate limit, such as 1000/m; "" for that of all keys
}

// EndsAt returns when the key ceases to be valid or did, zero for never.
func (k *APIKey) EndsAt() time.Time {
	if k.RevokedAt.IsZero() {
		return k.ExpiresAt
	}
	return k.RevokedAt
}

// ValidAt reports whether the key is valid at a time.
func (k *APIKey) ValidAt(at time.Time) bool {
	end := k.EndsAt()
	return end.IsZero() || at.Before(end)
}

// KeyUse is when a key was used last.
type KeyUse struct {
	Hash [32]byte
	At   time.Time
}

// Pruned says what a prune removed.
type Pruned struct {
	Revisions, Versions, Observations int64
	// Freed is how many bytes of disk were given back; 0 also for an engine that
	// keeps them for what it writes next.
	Freed int64
}

// Store is an engine. All methods are safe for concurrent use, also by several
// processes. Every read is of one moment; every write is one transaction, on
// the disk when the method returns without an error.
type Store interface {
	// Head returns the newest revision, [ErrEmpty] if there is none. It is
	// cheap enough to be polled.
	Head(ctx context.Context) (Revision, error)
	// Load returns both layers as of a revision, 0 for the head: [ErrEmpty] or
	// [ErrNoRevision] if there is none.
	Load(ctx context.Context, number int64) (*State, error)
	// Changes returns what changed in both layers between a revision and the
	// head: [ErrNoRevision] if since is not (or no longer) a revision.
	Changes(ctx context.Context, since int64) (*Changes, error)
	// Publish makes the draft the editors' layer of the revision that follows
	// base, 0 for an empty store; observations stay. [ErrConflict] if the head
	// is another revision, and nothing has changed then. It publishes also
	// where the draft changes nothing.
	Publish(ctx context.Context, base int64, draft Draft) (Revision, error)
	// Observe appends observations as the revision that follows base, which
	// must be one; editors' records stay. Note.Digest is ignored: the base's is
	// carried on. [ErrConflict] as for Publish.
	Observe(ctx context.Context, base int64, observations []Observation, note Note) (Revision, error)
	// History returns the newest revisions, newest first, at most limit (0 for
	// all that are kept).
	History(ctx context.Context, limit int) ([]Revision, error)
	// Versions returns all kept versions of a record, newest first, up to a
	// revision (0 for the head).
	Versions(ctx context.Context, kind domain.Kind, key string, until int64) ([]Version, error)
	// Observations returns all kept observations of a record, newest revision
	// first, up to a revision (0 for the head).
	Observations(ctx context.Context, kind domain.Kind, key string, until int64) ([]Observed, error)
	// Retracted calls yield for every record that a rollback changed, ordered by
	// rollback, kind and key, also for rollbacks that were pruned. It leaves out a
	// record that was published again just as it had been before the rollback. The
	// first error of yield ends it and is returned; yield must not use the store.
	Retracted(ctx context.Context, yield func(Retraction) error) error
	// Released returns the releases of all publishes, in any order.
	Released(ctx context.Context) ([]Release, error)
	// Prune removes the revisions before a number, and the versions and
	// observations that no kept revision needs. Versions that Retracted yields and
	// releases stay. The head always stays; every kept revision reads as before.
	Prune(ctx context.Context, before int64) (Pruned, error)

	// AddKey keeps a key: [ErrKeyExists] if one of its name is valid when it is made.
	AddKey(ctx context.Context, key APIKey) error
	// ReplaceKey keeps a key in the place of those of its name that are valid when
	// it is made, which are so until a time at most: [ErrNoKey].
	ReplaceKey(ctx context.Context, key APIKey, until time.Time) error
	// Keys returns all keys, also those that are valid no more, by name, then time.
	Keys(ctx context.Context) ([]APIKey, error)
	// RevokeKey ends all keys of a name that are valid at that time: [ErrNoKey].
	RevokeKey(ctx context.Context, name, by string, at time.Time) error
	// KeysUsed notes when keys were used last, unless a later use is noted. What
	// is no key is left out.
	KeysUsed(ctx context.Context, uses []KeyUse) error

	// Close releases the engine. No other method may run then or later.
	Close() error
}
