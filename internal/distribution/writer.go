package distribution

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/store"
)

// WriterConfig configures a [Writer]. Fields are required unless they say otherwise.
type WriterConfig struct {
	Dir string // created if missing
	// Key signs pointers; nil leaves them unsigned.
	Key *SigningKey
	// Previous signed until now; nil if Key did. The next pointer gets its statement that Key
	// follows. All later pointers keep it, without Previous.
	Previous *SigningKey
	// Valid is the time for which readers accept a pointer in silence.
	Valid time.Duration
	// Deltas is the maximum number of earlier revisions with a delta.
	Deltas int
	// Fresh gives new files names that no file ever had, see [Bucket].
	Fresh bool
	// Tables is the minimum interval between writes of [Tables]; nil for no tables.
	Tables *time.Duration
	Now    func() time.Time
}

// Writer writes states into a folder, which readers may read at any time. It is for one goroutine.
// A folder has one writer at a time: the first write takes a lock, which the writer keeps until
// Close.
type Writer struct {
	config WriterConfig
	lock   *lock   // nil before the first write
	last   *Entry  // as last written or read, nil for none
	data   []byte  // of last; nil if the folder lost it
	set    set     // of last; nil if it could not be read
	index  *index  // of last, if this process wrote it; else nil
	bases  []base  // newest first; beside set
	blocks []block // of the last log, if this process wrote it

	tableLimit  int       // maximum size of a compressed table
	tablesFault error     // of the last write of the tables; nil if it succeeded or none was due
	tablesRetry time.Time // with tablesFault, when they are tried again
	sweeper
}

// base is an earlier revision with the records that changed since.
type base struct {
	revision Revision
	changed  map[id]bool
}

// NewWriter returns a writer, which reads nothing before its first write.
func NewWriter(config WriterConfig) *Writer {
	return &Writer{config: config, tableLimit: maxContent}
}

// Close releases the lock of the folder. The next write takes it again.
func (w *Writer) Close() {
	w.lock.release()
	w.lock = nil
}

// RenewAt returns the time at which the same revision must be written again: readers have half of
// the validity of the pointer to notice, and tables may be due. It is the zero time before the first
// write.
func (w *Writer) RenewAt() time.Time {
	if w.last == nil {
		return time.Time{}
	}
	at := w.last.IssuedAt.Add(w.last.ValidUntil.Sub(w.last.IssuedAt) / 2)
	if tables, ok := w.tablesDue(); ok && tables.Before(at) {
		return tables
	}
	return at
}

// Intact reports whether the folder has the last pointer, and files of the sizes that it names.
func (w *Writer) Intact(ctx context.Context) bool {
	data, err := folder(w.config.Dir).get(ctx, EntryFile, maxEntry)
	if err != nil || w.last == nil || !bytes.Equal(data, w.data) {
		return false
	}
	for _, f := range w.last.described() {
		if !folder(w.config.Dir).has(f) {
			return false
		}
	}
	return true
}

// Written describes a write.
type Written struct {
	Entry *Entry
	Files int   // new ones
	Bytes int64 // of them
	// Purged reports whether a revision since the last write purged a record: files that are not named
	// must go at once.
	Purged bool
	// TablesFault is why tables that are due could not be written, nil for none. The entry has the previous
	// ones or none.
	TablesFault error
	// Omitted are the files of tables that are too large to be offered, such as catalogue.sqlite, if this
	// write wrote tables.
	Omitted []string
}

// ErrNewer reports that the distribution has a newer revision of the same store.
var ErrNewer = errors.New("the distribution has a newer revision")

// ErrSigned reports that a writer without a key would remove the signature of a distribution.
var ErrSigned = errors.New("is a signed distribution")

// signedError returns the error for a place. signature is the file that makes it a signed one.
func signedError(place, signature string) error {
	return fmt.Errorf("%s %w, whose readers may reject an unsigned one; give its secret key file by --dist-key, or delete %s to publish it unsigned",
		place, ErrSigned, signature)
}

// droppedSignature returns the path of the signature, as readers find it, that a writer without a key would drop;
// "" for none.
func (w *Writer) droppedSignature(ctx context.Context) (string, error) {
	if w.config.Key != nil {
		return "", nil
	}
	from := folder(w.config.Dir)
	pointer, err := find(ctx, from, EntryFile, maxEntry)
	if pointer == nil {
		return "", err
	}
	path := signaturePath(pointer)
	signature, err := find(ctx, from, path, maxSignature)
	if signature == nil {
		path = ""
	}
	return path, err
}

// Write makes the folder describe a state. log is the log of the changes up to it, nil for none. has
// reports whether the store of the state still has a
// revision; if it lacks the distributed one, a new epoch begins. Writing the same revision again
// renews its validity. Files are written before the pointer that names them, so readers never see
// a part of a revision. If another process writes the folder, the error wraps [ErrLocked]. Without
// a key, the error for a signed distribution wraps [ErrSigned].
func (w *Writer) Write(ctx context.Context, state *store.State, log *changelog.Log, has func(context.Context, Revision) (bool, error)) (Written, error) {
	if err := w.hold(); err != nil {
		return Written{}, err
	}
	switch signature, err := w.droppedSignature(ctx); {
	case err != nil:
		return Written{}, fmt.Errorf("read the existing distribution: %w", err)
	case signature != "":
		return Written{}, signedError(w.config.Dir, filepath.Join(w.config.Dir, signature))
	}
	if err := w.recall(ctx); err != nil {
		return Written{}, fmt.Errorf("read the existing distribution: %w", err)
	}
	next, err := w.begin(ctx, publicRevision(state.Revision), has)
	if err != nil {
		return Written{}, err
	}
	written, err := w.write(ctx, next, state, log)
	if errors.Is(err, errStale) {
		w.index, next.Kinds, next.Licences, next.Sources = nil, nil, nil, nil
		written, err = w.write(ctx, next, state, log)
	}
	return written, err
}

// hold creates the folder and takes its lock. The error wraps [ErrLocked] if another process has it.
func (w *Writer) hold() error {
	if err := os.MkdirAll(filepath.Join(w.config.Dir, "files"), 0o755); err != nil {
		return err
	}
	held, err := acquire(w.config.Dir, w.lock)
	w.lock = held
	return err
}

// write writes the files of an entry and the entry. The error wraps errStale if the index of the last
// one cannot be used.
func (w *Writer) write(ctx context.Context, next *Entry, state *store.State, log *changelog.Log) (Written, error) {
	lines, err := newIndex(w.index, state.Merged())
	if err != nil {
		return Written{}, err
	}
	if next.Keys, err = w.config.statements(next.Catalogue, next.Keys); err != nil {
		return Written{}, err
	}
	public := &lines.encoder.public
	for _, l := range public.Licences {
		next.Licences = append(next.Licences, Licence{l.Name, l.URL, l.Scope.Resolve([]string{public.DefaultLocale})})
	}
	for _, s := range public.Sources {
		next.Sources = append(next.Sources, Source(s))
	}
	job := &writing{ctx: ctx, dir: w.config.Dir, entry: next, lines: lines, set: lines.set(), reuse: map[string]File{}}
	if w.config.Fresh {
		job.mark = strings.ToLower(rand.Text()[:12]) + "-"
	}
	var news []id // since the last entry
	if w.set != nil {
		job.reusable(w.last)
		news = changed(w.set, job.set)
	}
	if err := job.fullSet(w.index, news); err != nil {
		return Written{}, err
	}
	bases, err := job.deltas(w.nextBases(next, news))
	if err != nil {
		return Written{}, err
	}
	blocks, err := job.changes(log, w.blocks)
	if err != nil {
		return Written{}, err
	}
	purged := state.Revision.Op == store.OpPurge || w.last != nil && purgedSince(log, w.last.Revision.Number)
	if err := w.tables(job, purged); err != nil {
		return Written{}, err
	}
	data, err := w.point(next)
	if err != nil {
		return Written{}, err
	}
	before := w.data
	w.last, w.data, w.set, w.index, w.bases, w.blocks = next, data, job.set, lines, bases, blocks
	return Written{
		Entry: next, Files: job.written, Bytes: job.bytes, Purged: purged, TablesFault: w.tablesFault, Omitted: job.omitted,
	}, w.sweep(folder(w.config.Dir), data, before, w.config.Now(), purged)
}

// purgedSince reports whether a revision after one purged a record. log may be nil.
func purgedSince(log *changelog.Log, number int64) bool {
	if log == nil {
		return false
	}
	return slices.ContainsFunc(log.Revisions(), func(r changelog.Revision) bool {
		return r.Number > number && slices.ContainsFunc(r.Entries, func(e changelog.Entry) bool { return e.Purged })
	})
}

// recall reads the pointer of the folder, and what it names unless the writer knows it.
func (w *Writer) recall(ctx context.Context) error {
	data, err := find(ctx, folder(w.config.Dir), EntryFile, maxEntry)
	if data == nil && err == nil {
		w.data, w.set, w.index, w.bases = nil, nil, nil, nil // readers continue with the same catalogue
		return nil
	}
	if err != nil || w.data != nil && bytes.Equal(data, w.data) {
		return err
	}
	entry, err := parseEntry(data)
	if err != nil {
		return fmt.Errorf("%w; remove %s to begin a new distribution", err, filepath.Join(w.config.Dir, EntryFile))
	}
	w.last, w.data, w.set, w.index, w.bases = entry, data, nil, nil, nil
	loaded, err := readSet(ctx, folder(w.config.Dir), entry, nil)
	if err != nil {
		return nil // a damaged full set is written again, without deltas
	}
	w.set = loaded
	for _, d := range entry.Deltas {
		lines, err := readDelta(ctx, folder(w.config.Dir), d)
		if err != nil {
			break // older revisions get the full set
		}
		b := base{d.From, map[id]bool{}}
		for _, l := range lines {
			b.changed[id{l.Kind, l.Key}] = true
		}
		w.bases = append(w.bases, b)
	}
	return nil
}

// begin returns the next entry without its files.
func (w *Writer) begin(ctx context.Context, revision Revision, has func(context.Context, Revision) (bool, error)) (*Entry, error) {
	now := w.config.Now().UTC().Truncate(time.Millisecond)
	next := &Entry{
		Format: Format, Epoch: now.UnixMilli(), Revision: revision, IssuedAt: now, ValidUntil: now.Add(w.config.Valid),
	}
	if w.last == nil {
		next.Catalogue = newID()
		return next, nil
	}
	next.Catalogue, next.Keys = w.last.Catalogue, w.last.Keys
	kept, err := has(ctx, w.last.Revision)
	if err != nil {
		return nil, err
	}
	if !kept {
		next.Epoch = max(next.Epoch, w.last.Epoch+1)
		w.bases, w.set, w.index = nil, nil, nil
		return next, nil
	}
	if w.last.Revision.Number > revision.Number {
		return nil, fmt.Errorf("%w (%d, not %d)", ErrNewer, w.last.Revision.Number, revision.Number)
	}
	next.Epoch = w.last.Epoch
	if w.last.Revision.Number == revision.Number && !now.After(w.last.IssuedAt) { // the clock was set back
		next.IssuedAt = w.last.IssuedAt.Add(time.Millisecond)
		next.ValidUntil = next.IssuedAt.Add(w.config.Valid)
	}
	return next, nil
}

// newID returns a random id.
func newID() string {
	var random [8]byte
	rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// nextBases returns the revisions that get a delta to the next entry, newest first. news are the
// records that differ from the last entry.
func (w *Writer) nextBases(next *Entry, news []id) []base {
	if w.set == nil {
		return nil
	}
	if w.last.Revision.Number == next.Revision.Number {
		if w.last.Digest != next.Digest {
			return nil // another version of the program writes other lines
		}
		return w.bases
	}
	bases := []base{{w.last.Revision, map[id]bool{}}}
	bases = append(bases, w.bases...)
	bases = bases[:min(len(bases), w.config.Deltas)]
	for i := range bases {
		all := make(map[id]bool, len(bases[i].changed)+len(news))
		for record := range bases[i].changed {
			all[record] = true
		}
		for _, record := range news {
			all[record] = true
		}
		bases[i].changed = all
	}
	return bases
}

// point writes signature and pointer, which makes the revision visible.
func (w *Writer) point(e *Entry) ([]byte, error) {
	data, err := json.MarshalIndent(e, "", " ")
	if err != nil {
		return nil, err
	}
	data = append(data, '\n')
	if len(data) > maxEntry {
		return nil, fmt.Errorf("%s has %d bytes, more than %d", EntryFile, len(data), maxEntry)
	}
	dir := folder(w.config.Dir)
	if w.config.Key == nil {
		return data, dir.replacePointer(data, nil)
	}
	signature := w.config.Key.sign(data, e)
	if err := dir.writeFile(signaturePath(data), signature); err != nil {
		return nil, err
	}
	return data, dir.replacePointer(data, signature)
}
