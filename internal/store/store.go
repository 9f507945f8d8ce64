// Package store has the common parts of all engines: revisions, the rows of a catalogue, the state
// of rows, and the errors of publishing.
//
// A revision has two layers: the records of editors and the observed figures
// (docs/figures.md#precedence). Publishing appends versions of the rows that differ and never
// overwrites one; a deletion is a tombstone. So the state of any revision, the difference of two
// and a rollback need the same queries.
//
// A row is neither a domain record nor a response: its body has its own form (see [Rows]), so that
// changes of the API need no migration and vice versa. The package must not know any engine,
// directory or response.
package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"vitrine/internal/domain"
)

// Errors of a store, which engines wrap. Test for them with errors.Is.
var (
	// ErrEmpty reports that the store has no revision yet.
	ErrEmpty = errors.New("the store is empty: nothing has been published yet")
	// ErrConflict reports that the head is not the base revision of a publish.
	ErrConflict = errors.New("another revision has been published meanwhile")
	// ErrNoRevision reports that a revision does not exist or was pruned.
	ErrNoRevision = errors.New("there is no such revision (it may have been pruned)")
	// ErrCorrupt reports damaged data in a database that works.
	ErrCorrupt = errors.New("the database is damaged")
	// ErrReplaced reports that the open database is no longer the one at its path. Opening the
	// store again opens the new one.
	ErrReplaced = errors.New("the open database was replaced")
	// ErrKeyExists reports that a valid API key has the name.
	ErrKeyExists = errors.New("there is an API key with that name already")
	// ErrNoRecord reports that no revision has the record.
	ErrNoRecord = errors.New("no kept revision has the record")
	// ErrSchema reports that an operation needs a newer schema of the store.
	ErrSchema = errors.New("run vitrine migrate with the same --store, once all servers have this version")
	// ErrNoKey reports that no valid API key has the name.
	ErrNoKey = errors.New("there is no API key with that name")
)

// Op is the operation of a revision.
type Op string

// The operations.
const (
	OpImport   Op = "import"   // a directory replaced the editors' layer
	OpRollback Op = "rollback" // an old editors' layer was published again
	OpSync     Op = "sync"     // figures were observed
	OpPurge    Op = "purge"    // a record was removed from all revisions
)

// Revision is a published state of both layers.
type Revision struct {
	Number      int64     `json:"revision"`             // from 1, consecutive
	PublishedAt time.Time `json:"publishedAt,omitzero"` // in UTC, whole milliseconds
	Op          Op        `json:"op,omitempty"`
	Actor       string    `json:"actor,omitempty"`   // "" if unknown
	Message     string    `json:"message,omitempty"` // "" for none

	// Digest is the digest of the directory that was imported last, by this or an earlier revision
	// (docs/publishing.md#import). Rollbacks and syncs keep it. It is "" before any import.
	Digest string `json:"digest,omitempty"`

	// Commit is the git commit of the imported directory, "" for none. Modified means that its
	// files differed from the commit.
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"`

	// Publisher is the process that imported a directory, such as `serve web1:/srv/catalogue`; ""
	// if unknown, and for other operations.
	Publisher string `json:"publisher,omitempty"`

	// Accepted has the accepted holds of the gate, as [EncodeAcceptances] returns
	// it; "" for nothing. [Revision.Acceptances] decodes it.
	Accepted string `json:"-"`
}

// MarshalJSON returns the revision for programs, with the accepted holds as a list.
func (r Revision) MarshalJSON() ([]byte, error) {
	type members Revision // without this method
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(struct {
		members
		Accepted []Acceptance `json:"accepted,omitempty"`
	}{members(r), r.Acceptances()})
	return out.Bytes(), err
}

// Note is the part of a revision that the publisher sets.
type Note struct {
	At      time.Time
	Op      Op
	Actor   string
	Message string
	Digest  string

	Commit   string // hexadecimal
	Modified bool   // false without a commit

	Publisher string
	Accepted  string // see [EncodeAcceptances]

	// Task is stored with the revision, if it is still stored with the same token; else nothing is
	// published ([ErrTaken]). It is nil for none.
	Task *Task
}

// Revision returns the revision after number base. Its time has the precision of all engines.
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
		Accepted:    n.Accepted,
	}
}

// Acceptance is an objection of the gate that was accepted with a revision.
type Acceptance struct {
	Rule   string `json:"rule"`
	Key    string `json:"key,omitempty"`    // of the record that it is about; "" for all that the rule found
	Found  string `json:"found,omitempty"`  // the objection
	Reason string `json:"reason,omitempty"` // why it was accepted
	By     string `json:"by,omitempty"`     // who accepted it
}

// EncodeAcceptances returns the stored form of acceptances, "" for none. A text keeps revisions
// comparable.
func EncodeAcceptances(list []Acceptance) string {
	if len(list) == 0 {
		return ""
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings only
	}
	return string(text)
}

// Acceptances returns the accepted holds, nil for none.
func (r Revision) Acceptances() []Acceptance {
	var list []Acceptance
	if json.Unmarshal([]byte(r.Accepted), &list) != nil { // "", or a later form
		return nil
	}
	return list
}

// Draft is the editors' layer of the next revision. Catalog is only read. Origin returns the
// position of a record as `file:line`, "" if unknown; it may be nil.
type Draft struct {
	Note
	Catalog *domain.Catalog
	Origin  func(kind domain.Kind, index int) string
	// Releases are added to those of the store; duplicates are ignored.
	Releases []Release
	// Delta is from the editors' layer of the revision Base to Catalog, so that Publish writes what
	// differs without reading the rest. If it is nil, or the revision before the new one is not Base,
	// Publish compares all stored records, and rewrites damaged ones.
	Delta *domain.Delta
	Base  Revision
}

// Observation is an observed figure of an upstream.
type Observation struct {
	domain.Observation
	UpstreamID string // id of the record at the source, "" for none
}

// Version is a version of an editors' record, from Revision until the next version. A nil Body is
// a tombstone.
type Version struct {
	Revision Revision
	Row      Row
}

// Retraction is a record that a rollback changed. Both rows are of the same record; a nil Body
// means that it did not exist.
type Retraction struct {
	Rollback Revision
	Taken    Row // before the rollback
	Restored Row // after the rollback
}

// Release records that a value removed by a rollback was accepted, so that the rollback no longer
// holds it. Value is opaque to engines.
type Release struct {
	Rollback int64
	Value    [32]byte
}

// Observed is an observation and its revision.
type Observed struct {
	Revision    Revision
	Observation Observation
}

// Touched is what revisions wrote, with what it replaced.
type Touched struct {
	// Revisions are the base, whose content is not part of it, and the later ones, oldest first.
	Revisions []Revision
	// Versions are those written after the base and, of each of their records, the newest one up to
	// the base. They are ordered by kind, key and revision.
	Versions []Version
	// Observed are the observations after the base, ordered by kind, key, revision and their order
	// within it.
	Observed []Observed
	// Before are the winning observations at the base of the figures of Observed, in any order.
	Before []domain.Observation
}

// APIKey is the record of an API key, without the key itself. Times are in UTC, whole
// milliseconds. Several keys may share a name; all but one of its valid keys were replaced (see
// [Store.ReplaceKey]).
type APIKey struct {
	Name      string
	Hash      [32]byte // SHA-256 of the key
	CreatedAt time.Time
	CreatedBy string    // "" when not known
	ExpiresAt time.Time // zero for never
	RevokedAt time.Time // zero if neither revoked nor replaced; may be in the future, before ExpiresAt
	RevokedBy string    // "" when not known
	UsedAt    time.Time // last use, about a minute late; zero if unknown
	Limit     string    // quota of the name, such as 1000/m; "" for the default
}

// EndsAt returns the end of the key's validity, zero for none.
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

// KeyUse is the last use of a key.
type KeyUse struct {
	Hash [32]byte
	At   time.Time
}

// Pruned is the result of a prune.
type Pruned struct {
	Revisions, Versions, Observations int64
	// Freed is the number of bytes returned to the disk; 0 for engines that reuse them.
	Freed int64
}

// Purged is the result of a purge.
type Purged struct {
	Revision               Revision // has the tombstone
	Versions, Observations int64
}

// VersionRows is the weight of a version in the bound of [Store.Touched]. Versions have a body.
const VersionRows = 5

// Schema is the schema of a store.
type Schema struct {
	Version int // of the store, at least Newest-1
	Newest  int // that this program knows; less than Version if a newer program migrated the store
}

// Store is an engine. All methods are safe for concurrent use, also by several processes. Each
// read sees one moment. Each write is a transaction that is durable when the method returns nil.
type Store interface {
	// Head returns the newest revision, or [ErrEmpty]. It is cheap enough for polling.
	Head(ctx context.Context) (Revision, error)
	// Load returns both layers at a revision, 0 for the head. Errors: [ErrEmpty], [ErrNoRevision].
	Load(ctx context.Context, number int64) (*State, error)
	// Changes returns the differences of both layers between a revision and the head. Error:
	// [ErrNoRevision] if since is not a kept revision.
	Changes(ctx context.Context, since int64) (*Changes, error)
	// Publish makes the draft the editors' layer of the revision after base, 0 for an empty store,
	// even if it changes nothing. Observations stay. If base is not the head, it returns
	// [ErrConflict] and changes nothing.
	Publish(ctx context.Context, base int64, draft Draft) (Revision, error)
	// Observe appends observations as the revision after base, which must exist. Editors' records
	// and the digest stay; Note.Digest is ignored. [ErrConflict] as for Publish.
	Observe(ctx context.Context, base int64, observations []Observation, note Note) (Revision, error)
	// History returns the newest kept revisions, newest first, at most limit, 0 for all.
	History(ctx context.Context, limit int) ([]Revision, error)
	// Versions returns the kept versions of a record up to a revision (0 for the head), newest
	// first.
	Versions(ctx context.Context, kind domain.Kind, key string, until int64) ([]Version, error)
	// Observations returns the kept observations of a record up to a revision (0 for the head),
	// newest first.
	Observations(ctx context.Context, kind domain.Kind, key string, until int64) ([]Observed, error)
	// UpstreamIDs returns the newest kept id under which a source observed each record of a kind, by
	// [FigureKey].
	UpstreamIDs(ctx context.Context, kind domain.Kind, source string) (map[string]string, error)
	// Touched returns what the revisions after since wrote, up to a kept revision. The base is since
	// or, if that is not kept, the oldest kept revision; it is later if more than most rows would be
	// returned. A version counts as [VersionRows] rows, an observation as one. Errors: [ErrEmpty],
	// [ErrNoRevision] for until.
	Touched(ctx context.Context, since, until int64, most int) (*Touched, error)
	// Retracted calls yield for each record that a rollback changed, ordered by rollback, kind and
	// key, including pruned rollbacks. It omits records that were published again as before the
	// rollback. An error of yield ends it and is returned. yield must not use the store.
	Retracted(ctx context.Context, yield func(Retraction) error) error
	// Released returns the releases of all publishes, in any order.
	Released(ctx context.Context) ([]Release, error)
	// Prune removes the revisions before a number, and the versions and observations that no kept
	// revision needs. Releases, Tombstones and the versions that Retracted yields stay. The head always stays,
	// and kept revisions do not change.
	Prune(ctx context.Context, before int64) (Pruned, error)

	// Purge deletes all versions and observations of a record, in all revisions, and publishes the
	// revision after base, which has a tombstone for each key of the record. Other records stay, also
	// those that refer to it. Note.Op and Note.Digest are ignored. Errors: [ErrNoRecord],
	// [ErrEmpty], [ErrConflict] as for Publish.
	Purge(ctx context.Context, base int64, kind domain.Kind, keys []string, note Note) (Purged, error)
	// Tombstones returns the tombstones of purges, with their revisions, ordered by those, kind and key. It
	// omits records that were published again. Prune keeps tombstones of purges.
	Tombstones(ctx context.Context) ([]Version, error)

	// AddKey adds a key. Error: [ErrKeyExists] if its name has a key that is valid at its
	// creation.
	AddKey(ctx context.Context, key APIKey) error
	// ReplaceKey adds a key and limits the validity of the keys of its name to a time. Error:
	// [ErrNoKey] if none was valid at its creation.
	ReplaceKey(ctx context.Context, key APIKey, until time.Time) error
	// Keys returns all keys, including invalid ones, ordered by name and time.
	Keys(ctx context.Context) ([]APIKey, error)
	// RevokeKey revokes the keys of a name that are valid at a time. Error: [ErrNoKey].
	RevokeKey(ctx context.Context, name, by string, at time.Time) error
	// Task returns a task, with token 0 and without a state if it was never stored.
	Task(ctx context.Context, name string) (Task, error)
	// SetTask stores a task if the stored one has the token from, 0 for none. Otherwise it changes
	// nothing and returns [ErrTaken]. The token must not decrease.
	SetTask(ctx context.Context, from int64, task Task) error

	// KeysUsed records the last uses of keys, unless a later one is recorded. Unknown keys are
	// ignored.
	KeysUsed(ctx context.Context, uses []KeyUse) error

	// Schema returns the schema of the store.
	Schema(ctx context.Context) (Schema, error)

	// Close closes the engine. No other method may run during or after it.
	Close() error
}
