package distribution

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"vitrine/internal/atomicfile"
	"vitrine/internal/store"
	"vitrine/internal/upstream"
)

// MirrorConfig configures a [Mirror]. Fields are required unless they say otherwise.
type MirrorConfig struct {
	From string // a folder, or an http(s) URL
	Dir  string // created if missing
	// Key verifies pointers; nil accepts unsigned ones.
	Key       *PublicKey
	UserAgent string
	Now       func() time.Time
}

// Mirror copies a distribution into a folder, byte by byte: pointers, their signatures and all
// files that they name. The folder itself keeps what was accepted, so a later process does not
// accept an older pointer either. It is for one goroutine. A folder has one writer at a time: the
// first copy takes a lock, which the mirror keeps until Close.
type Mirror struct {
	config MirrorConfig
	trust  trust
	place  place
	lock   *lock  // nil before the first copy
	entry  *Entry // of the folder, nil for none
	data   []byte // of entry
	// pointed is set if this process wrote data and its signature.
	pointed bool
	intact  map[string]bool // files that were compared
	kept    []byte          // what keepValidators wrote last
	sweeper
}

// NewMirror returns a mirror, which reads nothing before its first copy.
func NewMirror(config MirrorConfig) *Mirror {
	return &Mirror{config: config, trust: trust{given: config.Key}, place: newPlace(config.From, config.UserAgent, EntryFile), intact: map[string]bool{}}
}

// Close closes idle connections and releases the lock of the folder. The next copy takes it again.
func (m *Mirror) Close() {
	m.place.close()
	m.lock.release()
	m.lock = nil
}

// Copied describes a copy.
type Copied struct {
	Entry    *Entry
	Replaced bool  // whether the folder got another pointer
	Files    int   // new ones, without signatures
	Bytes    int64 // of them
}

// maxMirror bounds the bytes of all files that a pointer names.
const maxMirror = 8 << 30

// ErrNoDistribution reports a place without a pointer.
var ErrNoDistribution = errors.New("there is no distribution")

// Copy makes the folder a copy of the distribution. It gets only files that the folder lacks, and
// replaces the pointer after all files that it names were compared with their sizes and hashes. The
// first copy of a process also compares, and repairs, files that are there. After an error the
// folder has the previous pointer with all its files. Errors wrap [ErrLocked], [ErrReplayed], [ErrUnsigned], and
// [ErrNoDistribution]. The error for a pointer that has expired wraps
// [ErrExpired]; the folder is a copy nevertheless.
func (m *Mirror) Copy(ctx context.Context) (Copied, error) {
	dir := folder(m.config.Dir)
	if err := os.MkdirAll(dir.name("files"), 0o755); err != nil {
		return Copied{}, err
	}
	var err error
	if m.lock, err = acquire(m.config.Dir, m.lock); err != nil {
		return Copied{}, err
	}
	if err := m.recall(ctx, dir); err != nil {
		return Copied{}, err
	}
	data, err := m.place.get(ctx, EntryFile, maxEntry)
	if errors.Is(err, fs.ErrNotExist) {
		return Copied{}, fmt.Errorf("%w: %w", ErrNoDistribution, err)
	}
	if err != nil {
		return Copied{}, err
	}
	next, err := parseEntry(data)
	if err != nil {
		return Copied{}, err
	}
	copied, err := m.copy(ctx, dir, next, data)
	if err != nil {
		return Copied{}, err
	}
	m.keepValidators(dir)
	if m.config.Now().After(next.ValidUntil) {
		return copied, next.expired()
	}
	return copied, nil
}

// copy copies what a pointer names, and then the pointer.
func (m *Mirror) copy(ctx context.Context, dir folder, next *Entry, data []byte) (Copied, error) {
	signature, err := m.signature(ctx, dir, data)
	if err != nil {
		return Copied{}, err
	}
	if err := next.follows(m.entry, "remove "+dir.name(EntryFile)); err != nil {
		return Copied{}, err
	}
	files, err := namedFiles(data)
	if err != nil {
		return Copied{}, err
	}
	copied := Copied{Entry: next, Replaced: !bytes.Equal(data, m.data)}
	for _, f := range files {
		added, err := m.file(ctx, dir, f)
		if err != nil {
			return Copied{}, err
		}
		if added {
			copied.Files++
			copied.Bytes += f.Size
		}
	}
	if err := m.point(dir, data, signature); err != nil {
		return Copied{}, err
	}
	before, purged := m.data, next.purgedSince(m.entry)
	m.entry, m.data, m.pointed = next, data, true
	m.trust.accept(data)
	m.intact = pathsOf(data, files)
	return copied, m.sweep(dir, data, before, m.config.Now(), purged)
}

// point writes signature and pointer, unless this process did or the folder had them.
func (m *Mirror) point(dir folder, data, signature []byte) error {
	if m.pointed && bytes.Equal(data, m.data) {
		return nil
	}
	if signature != nil {
		if err := dir.writeFile(signaturePath(data), signature); err != nil {
			return err
		}
	}
	return dir.replacePointer(data, signature)
}

// recall reads the pointer of the folder. It was verified when it was copied.
func (m *Mirror) recall(ctx context.Context, dir folder) error {
	data, err := find(ctx, dir, EntryFile, maxEntry)
	if data == nil && err == nil {
		m.entry, m.data, m.pointed = nil, nil, false
		return nil
	}
	if err != nil || m.data != nil && bytes.Equal(data, m.data) {
		return err
	}
	entry, err := parseEntry(data)
	if err != nil {
		return fmt.Errorf("read the folder of the mirror: %w; remove %s to begin again", err, dir.name(EntryFile))
	}
	m.entry, m.data, m.pointed = entry, data, false
	m.trust.accept(data)
	m.recallValidators(ctx, dir)
	return nil
}

// signature returns the verified signature of a pointer: that of the folder if it has one.
func (m *Mirror) signature(ctx context.Context, dir folder, pointer []byte) ([]byte, error) {
	signature, err := readSignature(ctx, dir, &m.trust, pointer)
	if err == nil && signature != nil {
		return signature, nil
	}
	return readSignature(ctx, m.place, &m.trust, pointer) // also if that of the folder is damaged
}

// file copies a file unless the folder has it. It reports whether it did.
func (m *Mirror) file(ctx context.Context, dir folder, f File) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if m.intact[f.Path] && dir.has(f) {
		return false, nil
	}
	_, err := f.fetch(ctx, dir)
	added := err != nil
	if added {
		packed, err := f.fetch(ctx, m.place)
		if err == nil {
			err = dir.writeFile(f.Path, packed)
		}
		if err != nil {
			return false, err
		}
	}
	m.intact[f.Path] = true
	return added, nil
}

// purgedSince reports whether a record was purged between an earlier entry, nil for none, and this
// one. Then no file of before may stay.
func (e *Entry) purgedSince(earlier *Entry) bool {
	if earlier == nil || earlier.compare(e) == 0 {
		return false
	}
	if e.Revision.Op == store.OpPurge {
		return true
	}
	return slices.ContainsFunc(e.Deltas, func(d Delta) bool {
		return d.From.Op == store.OpPurge && (e.Epoch != earlier.Epoch || d.From.Number > earlier.Revision.Number)
	})
}

// namedFiles returns all files that a pointer names, by path: also those of members that this
// version does not know. It returns an error if they are malformed or exceed [maxMirror].
func namedFiles(pointer []byte) ([]File, error) {
	var value any
	if err := json.Unmarshal(pointer, &value); err != nil {
		return nil, err
	}
	byPath := map[string]File{}
	if err := collectFiles(value, byPath); err != nil {
		return nil, fmt.Errorf("%s: %w", EntryFile, err)
	}
	total := int64(0)
	files := make([]File, 0, len(byPath))
	for _, f := range byPath {
		files = append(files, f)
		total += f.Size
	}
	if total > maxMirror {
		return nil, fmt.Errorf("%s: its files have %d bytes, more than %d", EntryFile, total, int64(maxMirror))
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

// pathsOf returns the paths of the files that a pointer names, and of its signature.
func pathsOf(pointer []byte, files []File) map[string]bool {
	paths := map[string]bool{signaturePath(pointer): true}
	for _, f := range files {
		paths[f.Path] = true
	}
	return paths
}

// collectFiles adds the files in a JSON value: objects with a path, a size and a SHA-256.
func collectFiles(value any, to map[string]File) error {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if err := collectFiles(item, to); err != nil {
				return err
			}
		}
	case map[string]any:
		path, isPath := v["path"].(string)
		size, hasSize := v["size"].(float64)
		sum, hasSum := v["sha256"].(string)
		if isPath && hasSize && hasSum {
			return addFile(File{Path: path, Size: int64(size), SHA256: sum}, to)
		}
		for _, item := range v {
			if err := collectFiles(item, to); err != nil {
				return err
			}
		}
	}
	return nil
}

func addFile(f File, to map[string]File) error {
	switch known, ok := to[f.Path]; {
	case !filePath.MatchString(f.Path):
		return fmt.Errorf("%q is not the path of a file", f.Path)
	case f.Size < 0 || f.Size > maxContent || !isDigest(f.SHA256):
		return fmt.Errorf("%s has an impossible size or hash", f.Path)
	case ok && known != f:
		return fmt.Errorf("%s is described twice", f.Path)
	}
	to[f.Path] = f
	return nil
}

// validators let a later process ask for the pointer conditionally.
type validators struct {
	From    string `json:"from"`    // hash of the place, whose name may hold a password
	Pointer string `json:"pointer"` // its hash
	ETag    string `json:"etag"`
}

const validatorsFile = ".mirror.json"

// recallValidators makes the first request for the pointer conditional.
func (m *Mirror) recallValidators(ctx context.Context, dir folder) {
	from, ok := m.place.(*site)
	if !ok || from.pointer.Body != nil {
		return
	}
	text, err := dir.get(ctx, validatorsFile, maxSignature)
	if err != nil {
		return // without them the pointer is read once more
	}
	var v validators
	if json.Unmarshal(text, &v) != nil || v.From != hexSum([]byte(from.base)) || v.Pointer != hexSum(m.data) {
		return
	}
	from.pointer = upstream.Document{Body: m.data, ETag: v.ETag}
}

func (m *Mirror) keepValidators(dir folder) {
	from, ok := m.place.(*site)
	if !ok || from.pointer.ETag == "" { // times are too coarse across processes
		return
	}
	text, err := json.Marshal(validators{From: hexSum([]byte(from.base)), Pointer: hexSum(m.data), ETag: from.pointer.ETag})
	if err != nil || bytes.Equal(text, m.kept) {
		return
	}
	m.kept = text
	// An error only costs a request without a condition.
	_ = atomicfile.WriteBytes(dir.name(validatorsFile), "", 0o600, text)
}
