package distribution

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// ReaderConfig configures a [Reader]. Fields are required unless they say otherwise.
type ReaderConfig struct {
	From string // a folder, or an http(s) URL
	// Key verifies pointers; nil accepts unsigned ones.
	Key *PublicKey
	// Pin is the file with the last accepted pointer, so that a restarted reader does not accept an
	// older one; "" for none. It is created if missing.
	Pin       string
	UserAgent string
	Log       *slog.Logger
	Now       func() time.Time
}

// Reader reads the states of a distribution like a store. It accepts only pointers with a valid
// signature that are not older than an accepted one, and files with the declared sizes and hashes.
// Everything that it reads is bounded. It is safe for concurrent use.
type Reader struct {
	config ReaderConfig
	trust  trust

	mu     sync.Mutex
	place  place
	entry  *Entry // the newest accepted one, nil for none
	data   []byte // of entry; nil if it is that of the pin
	loaded *Entry // source of set, nil for none
	set    set
	blocks map[string][]changelog.Revision // of the last log of changes, by the hash of their content
	unread *Entry                          // whose log could not be read because the place failed; nil for none
	// offered is set if Head returned an expired revision and nothing was loaded since, so it is
	// served already.
	offered bool
}

// NewReader returns a reader that has read nothing yet.
func NewReader(config ReaderConfig) *Reader {
	return &Reader{config: config, trust: trust{given: config.Key}, place: newPlace(config.From, config.UserAgent, EntryFile)}
}

// Close closes idle connections. The reader stays usable and keeps what it knows.
func (r *Reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.place.close()
	return nil
}

// Head returns the newest revision. The error for a distribution without a pointer wraps
// [fs.ErrNotExist]. A pointer that has expired is an error after its revision was loaded, so that
// it can be served.
func (r *Reader) Head(ctx context.Context) (store.Revision, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.refresh(ctx); err != nil {
		return store.Revision{}, err
	}
	e := r.entry
	if !r.config.Now().After(e.ValidUntil) {
		return e.Revision.stored(), nil
	}
	if r.offered || r.loaded != nil && r.loaded.Revision.Number == e.Revision.Number && r.loaded.Digest == e.Digest {
		return store.Revision{}, e.expired()
	}
	r.offered = true
	return e.Revision.stored(), nil
}

// refresh reads the pointer and accepts it if it is newer.
func (r *Reader) refresh(ctx context.Context) error {
	if r.entry == nil {
		if err := r.readPin(ctx); err != nil {
			return err
		}
	}
	data, err := r.place.get(ctx, EntryFile, maxEntry)
	if err != nil {
		return err
	}
	if r.data != nil && bytes.Equal(data, r.data) {
		return nil
	}
	if _, err := readSignature(ctx, r.place, &r.trust, data); err != nil {
		return err
	}
	next, err := parseEntry(data)
	if err != nil {
		return err
	}
	if err := next.follows(r.entry, forgetPin(r.config.Pin)); err != nil {
		return err
	}
	r.trust.accept(data)
	if r.entry == nil || next.compare(r.entry) != 0 || len(next.Keys) != len(r.entry.Keys) {
		if err := pin(r.config.Pin).write(data); err != nil {
			r.config.Log.Warn("the accepted pointer cannot be kept; after a restart an older one would be accepted",
				"file", r.config.Pin, "error", err)
		}
	}
	r.entry, r.data = next, data
	return nil
}

// readPin reads the pointer that an earlier process accepted. It was verified then.
func (r *Reader) readPin(ctx context.Context) error {
	data, err := pin(r.config.Pin).read(ctx, maxEntry)
	if err != nil {
		return fmt.Errorf("read the last accepted pointer: %w", err)
	}
	if data == nil {
		return nil
	}
	entry, err := parseEntry(data)
	if err != nil {
		r.config.Log.Error("the last accepted pointer is damaged; it is not used", "file", r.config.Pin, "error", err)
		return nil
	}
	r.entry = entry
	r.trust.accept(data)
	return nil
}

// Key returns the public key that signs now, as far as the reader knows; nil if it has none.
func (r *Reader) Key() *PublicKey { return r.trust.current() }

// Load returns the state of the accepted pointer, from its full set. number must be 0.
func (r *Reader) Load(ctx context.Context, number int64) (*store.State, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.offered = false
	if number != 0 || r.entry == nil {
		return nil, store.ErrNoRevision
	}
	e := r.entry
	if err := r.prepareLog(ctx, e); err != nil {
		return nil, err
	}
	var b store.Builder
	loaded, err := readSet(ctx, r.place, e, func(lines []parsed) error { return build(&b, lines) })
	if err != nil {
		return nil, err
	}
	state, err := b.State(e.Revision.stored())
	if err != nil {
		return nil, err
	}
	r.loaded, r.set = e, loaded
	return state, nil
}

func build(b *store.Builder, lines []parsed) error {
	for i := range lines {
		if err := b.Add(lines[i].row()); err != nil {
			return err
		}
		for _, o := range lines[i].observations() {
			b.Observe(o)
		}
	}
	return nil
}

// Changes returns the changes from the revision that was loaded last to the accepted pointer. The
// error for a revision without a usable delta wraps [store.ErrNoRevision]; the full set may be
// intact.
func (r *Reader) Changes(ctx context.Context, since int64) (*store.Changes, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.offered = false
	if r.entry == nil || r.loaded == nil || r.loaded.Epoch != r.entry.Epoch || r.loaded.Revision.Number != since {
		return nil, store.ErrNoRevision
	}
	e := r.entry
	d, ok := e.delta(since)
	if !ok {
		return nil, store.ErrNoRevision
	}
	if err := r.prepareLog(ctx, e); err != nil {
		return nil, err
	}
	changes, next, err := r.apply(ctx, e, d)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		r.config.Log.Warn("a delta of the distribution cannot be used; reading the full set", "from", since, "to", e.Revision.Number, "error", err)
		return nil, fmt.Errorf("%w: %w", store.ErrNoRevision, err)
	}
	r.loaded, r.set = e, next
	return changes, nil
}

// apply reads a delta and returns its changes and the set after them.
func (r *Reader) apply(ctx context.Context, e *Entry, d Delta) (*store.Changes, set, error) {
	lines, err := readDelta(ctx, r.place, d)
	if err != nil {
		return nil, nil, err
	}
	changes := &store.Changes{Since: d.From.Number, Revision: e.Revision.stored()}
	byKind := map[domain.Kind][]parsed{}
	for i := range lines {
		changes.Rows = append(changes.Rows, lines[i].row())
		forgotten, err := lines[i].forgotten()
		if err != nil {
			return nil, nil, err
		}
		changes.Observed = append(append(changes.Observed, lines[i].observations()...), forgotten...)
		byKind[lines[i].Kind] = append(byKind[lines[i].Kind], lines[i])
	}
	next := set{}
	for _, k := range e.Kinds {
		kind := domain.Kind(k.Kind)
		if next[kind], err = r.set[kind].with(byKind[kind]); err != nil {
			return nil, nil, err
		}
		if err := k.matches(next[kind]); err != nil {
			return nil, nil, err
		}
	}
	return changes, next, nil
}

// History returns the newest revisions that the accepted pointer names, newest first, at most
// limit, 0 for all.
func (r *Reader) History(_ context.Context, limit int) ([]store.Revision, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.entry == nil {
		return nil, store.ErrEmpty
	}
	revisions := []store.Revision{r.entry.Revision.stored()}
	for _, d := range r.entry.Deltas {
		revisions = append(revisions, d.From.stored())
	}
	slices.SortFunc(revisions, func(a, b store.Revision) int { return int(b.Number - a.Number) })
	if limit > 0 {
		revisions = revisions[:min(limit, len(revisions))]
	}
	return revisions, nil
}

// readSet reads the full set of an entry, verifies it and calls use for the lines of each file; use
// may be nil. What use did is valid only if the error is nil.
func readSet(ctx context.Context, from place, e *Entry, use func([]parsed) error) (set, error) {
	s := set{}
	for _, k := range e.Kinds {
		var all []parsed
		for _, f := range k.Files {
			lines, err := readLines(ctx, from, f, k.Records-len(all))
			if err != nil {
				return nil, err
			}
			for i := range lines {
				if string(lines[i].Kind) != k.Kind || lines[i].Removed {
					return nil, fmt.Errorf("%s has a line that is not one of %s", f.Path, k.Kind)
				}
			}
			if use != nil {
				if err := use(lines); err != nil {
					return nil, err
				}
			}
			for i := range lines {
				lines[i].Record, lines[i].Endpoints = nil, nil // the set needs keys and hashes only
			}
			all = append(all, lines...)
		}
		next, err := kindSet{}.with(all)
		if err != nil {
			return nil, err
		}
		if err := k.matches(next); err != nil {
			return nil, err
		}
		s[domain.Kind(k.Kind)] = next
	}
	return s, nil
}

// matches returns an error if a set is not that of the kind.
func (k Kind) matches(s kindSet) error {
	if len(s.keys) != k.Records || s.digest() != k.Digest {
		return fmt.Errorf("the %s have other lines than %s declares", k.Kind, EntryFile)
	}
	return nil
}

// readDelta returns the lines of a delta.
func readDelta(ctx context.Context, from place, d Delta) ([]parsed, error) {
	if d.File == nil {
		return nil, nil
	}
	lines, err := readLines(ctx, from, *d.File, d.Lines)
	if err == nil && len(lines) != d.Lines {
		err = fmt.Errorf("%s has %d lines, not %d", d.File.Path, len(lines), d.Lines)
	}
	return lines, err
}

// readLines returns the lines of a file, at most limit.
func readLines(ctx context.Context, from place, f File, limit int) ([]parsed, error) {
	content, err := f.content(ctx, from)
	if err != nil {
		return nil, err
	}
	lines, err := parseLines(content, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return lines, nil
}
