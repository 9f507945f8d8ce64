package distribution

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/store"
)

// Errors of a bucket.
var (
	// ErrConflict reports that another writer replaced the pointer in the meantime.
	ErrConflict = errors.New("another writer replaced it in the meantime")
	// ErrUnconditional reports a service that ignores conditions, so that writers could overwrite
	// each other.
	ErrUnconditional = errors.New("the service ignores conditions of writes (If-Match, If-None-Match), so two writers could overwrite each other; use another service, or a directory")
)

// retiredFile is the object with the times since which files have no name. S3 cannot change the
// time of an object.
const retiredFile = "retired.json"

// maxRetired is the maximum size of [retiredFile].
const maxRetired = 32 << 20

// Bucket is a distribution in a bucket, which is written by way of the folder of a [Writer]. It is for
// one goroutine.
//
// Writers do not exclude each other: one that replaced the pointer may still remove files while the
// next one uploads. So files that the replaced pointer does not name get names that no file ever had
// ([WriterConfig].Fresh), and a writer removes only files that were there before it replaced the
// pointer, and that its own pointer does not name. Pointers after it name none of these.
type Bucket struct {
	bucket  *bucket
	now     func() time.Time
	checked bool   // whether conditions work
	etag    string // of the pointer at the last pull or push; "" for none
	pulled  bool   // etag is known
	purge   bool   // the next push must remove files at once
	lease   lease
}

// NewBucket returns the bucket with a name of the form s3://BUCKET/PREFIX; see [CheckBucket].
func NewBucket(name string, now func() time.Time) *Bucket {
	return &Bucket{bucket: &bucket{shown: name, conditional: EntryFile}, now: now, lease: lease{holder: rand.Text()}}
}

// Write makes the bucket describe a state, like [Writer.Write] by way of the folder of a writer with
// Fresh. First the folder gets what the bucket has, unless this process wrote it. The error for a
// pointer that another writer replaced in the meantime wraps [ErrConflict]; the bucket is unchanged
// and the next write continues from there. Without a key, the error for a signed distribution wraps [ErrSigned].
func (b *Bucket) Write(ctx context.Context, w *Writer, state *store.State, log *changelog.Log, has func(context.Context, Revision) (bool, error)) (Written, error) {
	if err := b.Check(ctx); err != nil {
		return Written{}, err
	}
	if err := w.hold(); err != nil {
		return Written{}, err
	}
	current, err := b.Current(ctx)
	if err == nil && !current {
		err = b.Pull(ctx, w.config.Dir)
	}
	if err != nil {
		return Written{}, err
	}
	signature, err := w.droppedSignature(ctx)
	if err != nil {
		return Written{}, err
	}
	if b.etag != "" && signature != "" {
		b.pulled = false // an operator may delete the signature
		return Written{}, signedError(b.Name(), signature)
	}
	written, err := w.Write(ctx, state, log, has)
	b.purge = b.purge || written.Purged // also if only the folder was not swept
	if err != nil {
		return Written{}, err
	}
	err = b.Push(ctx, w.config.Dir, b.purge)
	if errors.Is(err, ErrConflict) {
		b.pulled = false
	}
	if err == nil {
		b.purge = false
	}
	return written, err
}

// Current reports whether the bucket has the pointer of the last [Bucket.Pull] or Push.
func (b *Bucket) Current(ctx context.Context) (bool, error) {
	if !b.pulled {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	_, err := b.bucket.get(ctx, EntryFile, maxEntry)
	if errors.Is(err, fs.ErrNotExist) {
		return b.etag == "", nil
	}
	return b.bucket.etag == b.etag, err
}

// Name returns the name of the bucket.
func (b *Bucket) Name() string { return b.bucket.shown }

// Close closes idle connections.
func (b *Bucket) Close() { b.bucket.close() }

// Check returns an error that wraps [ErrUnconditional] if the service ignores conditions of
// writes. It writes and removes one small object.
func (b *Bucket) Check(ctx context.Context) error {
	if b.checked {
		return nil
	}
	path := "check-" + rand.Text()
	etag, err := b.bucket.put(ctx, path, []byte("{}"), "*")
	if err != nil {
		return err
	}
	defer b.bucket.remove(context.WithoutCancel(ctx), path) // an object that stays harms nothing
	for _, match := range []string{"*", "00000000000000000000000000000000"} {
		_, err := b.bucket.put(ctx, path, []byte("{ }"), match)
		if err == nil {
			return fmt.Errorf("%s: %w", b.bucket.shown, ErrUnconditional)
		}
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
	if _, err := b.bucket.put(ctx, path, []byte("{  }"), etag); err != nil {
		return fmt.Errorf("check conditions of writes: %w", err)
	}
	b.checked = true
	return nil
}

// Pull writes the distribution into a folder, for a [Writer]. Objects that are missing or damaged
// are left out: the writer writes them again.
func (b *Bucket) Pull(ctx context.Context, dir string) error {
	to := folder(dir)
	if err := os.MkdirAll(to.name("files"), 0o755); err != nil {
		return err
	}
	data, err := find(ctx, b.bucket, EntryFile, maxEntry)
	if data == nil && err == nil {
		b.etag, b.pulled = "", true
		return nil
	}
	if err == nil && b.bucket.etag == "" {
		err = fmt.Errorf("%s: %s has no entity tag", b.bucket.shown, EntryFile)
	}
	if err != nil {
		return err
	}
	files, err := namedFiles(data)
	if err == nil {
		_, err = parseEntry(data)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; remove %s to begin a new distribution", b.bucket.shown, err, EntryFile)
	}
	for _, f := range files {
		if _, err := f.fetch(ctx, to); err == nil {
			continue
		}
		packed, err := f.fetch(ctx, b.bucket)
		if _, broken := errors.AsType[brokenFile](err); broken {
			continue
		}
		if err == nil {
			err = to.writeFile(f.Path, packed)
		}
		if err != nil {
			return err
		}
	}
	signature, err := find(ctx, b.bucket, signaturePath(data), maxSignature)
	switch {
	case err != nil:
	case signature != nil:
		err = to.writeFile(signaturePath(data), signature)
	default: // an operator deleted it
		err = os.RemoveAll(to.name(signaturePath(data)))
	}
	if err != nil {
		return err
	}
	if err := to.replacePointer(data, signature); err != nil {
		return err
	}
	b.etag, b.pulled = b.bucket.etag, true
	return nil
}

// Push uploads the distribution of a folder: first the files that the bucket lacks, then the
// pointer, on the condition that it is still the one of the last [Bucket.Pull] or Push. Then it removes files
// that no pointer has named for a while. now removes them at once: a purged record must not stay.
func (b *Bucket) Push(ctx context.Context, dir string, now bool) error {
	if err := b.Check(ctx); err != nil {
		return err
	}
	from := folder(dir)
	data, err := from.get(ctx, EntryFile, maxEntry)
	if err != nil {
		return err
	}
	files, err := namedFiles(data)
	if err != nil {
		return err
	}
	there, err := b.bucket.list(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		if size, ok := there[f.Path]; ok && size == f.Size {
			continue
		}
		packed, err := f.fetch(ctx, from)
		if err == nil {
			_, err = b.bucket.put(ctx, f.Path, packed, "")
		}
		if err != nil {
			return err
		}
	}
	if err := b.point(ctx, from, data); err != nil {
		return err
	}
	return b.sweep(ctx, pathsOf(data, files), there, now)
}

// point uploads the signature and then the pointer.
func (b *Bucket) point(ctx context.Context, from folder, data []byte) error {
	signature, err := find(ctx, from, signaturePath(data), maxSignature)
	if err == nil && signature != nil {
		_, err = b.bucket.put(ctx, signaturePath(data), signature, "")
	}
	if err != nil {
		return err
	}
	etag, err := b.bucket.put(ctx, EntryFile, data, cmp.Or(b.etag, "*"))
	if err != nil {
		return err
	}
	b.etag = etag
	if signature == nil {
		return b.bucket.remove(ctx, EntryFile+signatureSuffix)
	}
	_, err = b.bucket.put(ctx, EntryFile+signatureSuffix, signature, "") // for minisign -V
	return err
}

// sweep removes files that have had no name for [keepFiles]. there are the objects before the push.
func (b *Bucket) sweep(ctx context.Context, named map[string]bool, there map[string]int64, now bool) error {
	before, err := b.retired(ctx)
	if err != nil {
		return err
	}
	at := b.now().UTC().Truncate(time.Second)
	after := map[string]time.Time{}
	for path := range there {
		if named[path] || !filePath.MatchString(path) {
			continue // also a foreign object
		}
		since, ok := before[path]
		if !ok {
			since = at
		}
		if !now && at.Sub(since) <= keepFiles {
			after[path] = since
			continue
		}
		if err := b.bucket.remove(ctx, path); err != nil {
			return err
		}
	}
	text, err := json.Marshal(after)
	if err != nil {
		return err
	}
	_, err = b.bucket.put(ctx, retiredFile, text, "")
	return err
}

// retired returns the times since which files have no name. A damaged list is begun again.
func (b *Bucket) retired(ctx context.Context) (map[string]time.Time, error) {
	text, err := find(ctx, b.bucket, retiredFile, maxRetired)
	if err != nil {
		return nil, err
	}
	since := map[string]time.Time{}
	if json.Unmarshal(text, &since) != nil {
		return map[string]time.Time{}, nil // also for no list
	}
	return since, nil
}
