package distribution

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"vitrine/internal/changelog"
	"vitrine/internal/store"
)

// The log of changes has one line per revision, oldest first. Values of fields are hashes, so that
// changes that were undone can be omitted. It is divided into blocks, so that a publish writes, and a
// reader gets, a small part of it.

// blockEntries is the approximate number of entries of a block, and blockRevisions that of its
// revisions if they have few entries.
const (
	blockBits      = 11
	blockEntries   = 1 << blockBits
	blockRevisions = 64
)

// divide returns the revisions of a log by block. Whether a block ends with a revision depends on that
// revision only, so blocks stay when the log grows at its end and loses its beginning.
func divide(revisions []changelog.Revision) [][]changelog.Revision {
	var blocks [][]changelog.Revision
	start := 0
	for i, r := range revisions {
		if i == len(revisions)-1 || endsBlock(r) {
			blocks = append(blocks, revisions[start:i+1])
			start = i + 1
		}
	}
	return blocks
}

// endsBlock reports whether a block ends with a revision. Multiplying numbers by the golden ratio spreads
// consecutive ones evenly (Fibonacci hashing), so blocks of equally large revisions have about the same
// number of them.
func endsBlock(r changelog.Revision) bool {
	const goldenRatio = 0x9e3779b97f4a7c15 // times 2^64
	return uint64(r.Number)*goldenRatio>>(64-blockBits) < max(blockEntries/blockRevisions, uint64(len(r.Entries)))
}

// block is a written block of a log.
type block struct {
	revisions []changelog.Revision
	file      File
}

// has reports whether a block was written from these revisions.
func (b block) has(revisions []changelog.Revision) bool {
	return slices.EqualFunc(b.revisions, revisions, func(x, y changelog.Revision) bool {
		return x.Number == y.Number && x.PublishedAt.Equal(y.PublishedAt) && len(x.Entries) == len(y.Entries) &&
			(len(x.Entries) == 0 || &x.Entries[0] == &y.Entries[0]) // entries are immutable
	})
}

// checkLog returns an error for malformed or repeated blocks.
func checkLog(blocks []File) error {
	total, files := int64(0), distinct{}
	for _, f := range blocks {
		if err := files.add(f); err != nil {
			return err
		}
		total += f.ContentSize
	}
	if total > maxContent {
		return fmt.Errorf("the log of changes has %d bytes, more than %d", total, int64(maxContent))
	}
	return nil
}

// encodeBlock returns the content of the file of a block.
func encodeBlock(revisions []changelog.Revision) ([]byte, error) {
	var content []byte
	for _, r := range revisions {
		r.PublishedAt = r.PublishedAt.UTC()
		text, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		content = append(append(content, text...), '\n')
	}
	return content, nil
}

// decodeBlock returns the revisions of the content of a file.
func decodeBlock(content []byte) ([]changelog.Revision, error) {
	var revisions []changelog.Revision
	err := eachLine(content, func(text []byte) error {
		var r changelog.Revision
		if err := json.Unmarshal(text, &r); err != nil {
			return err
		}
		for i := range r.Entries {
			r.Entries[i].Revision = r.Number
		}
		revisions = append(revisions, r)
		return nil
	})
	return revisions, err
}

// joinLog returns the log of the revisions of all blocks. The error says what is wrong with them.
func joinLog(revisions []changelog.Revision) (*changelog.Log, error) {
	if len(revisions) == 0 {
		return nil, errors.New("it has no revision")
	}
	for i, r := range revisions[1:] {
		if before := revisions[i].Number; before >= r.Number {
			return nil, fmt.Errorf("revision %d follows revision %d", r.Number, before)
		}
	}
	return changelog.New(revisions[0]).Append(revisions[1:]...), nil
}

// ErrLog reports that the log of changes cannot be read: a file has other content than it should, is missing,
// or failed repeatedly. The revision itself may be intact.
var ErrLog = errors.New("the log of changes cannot be read")

func noLog(why error) error { return fmt.Errorf("%w: %w", ErrLog, why) }

// ChangeLog returns the log of the changes up to a revision, that of the state that was read last;
// nil if the distribution has none. It gets only blocks that the log before did not have. The error for
// another revision wraps [store.ErrNoRevision], that for a log that cannot be read [ErrLog].
func (r *Reader) ChangeLog(ctx context.Context, revision int64) (*changelog.Log, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.loaded
	if e == nil || e.Revision.Number != revision || r.entry.compare(e) == 0 && r.entry.Digest == e.Digest {
		e = r.entry // which may be a renewed one, with a repaired log
	}
	if e == nil || e.Revision.Number != revision {
		return nil, store.ErrNoRevision
	}
	if len(e.Changes) == 0 {
		return nil, nil
	}
	all, err := r.readLog(ctx, e)
	if err != nil {
		return nil, err
	}
	log, err := joinLog(all)
	if err == nil && log.Newest().Number != revision {
		err = fmt.Errorf("it ends at revision %d, not %d", log.Newest().Number, revision)
	}
	if err != nil {
		return nil, noLog(err)
	}
	return log, nil
}

// readLog returns the revisions of the log of an entry, and keeps its blocks. The error wraps [ErrLog] if
// the log is damaged, or if the place has failed for it before.
func (r *Reader) readLog(ctx context.Context, e *Entry) ([]changelog.Revision, error) {
	blocks := map[string][]changelog.Revision{}
	var all []changelog.Revision
	var fault error
	for _, f := range e.Changes {
		revisions, err := r.block(ctx, f)
		switch {
		case err == nil:
			blocks[f.ContentSHA256] = revisions
			all = append(all, revisions...)
		case errors.Is(err, ErrLog): // read the others, so that the next attempt gets the damaged ones only
			fault = errors.Join(fault, err)
		case ctx.Err() == nil && r.unread == e:
			fault = errors.Join(fault, noLog(err))
		default:
			r.unread = e
			return nil, err
		}
	}
	r.blocks = blocks
	return all, fault
}

// prepareLog reads the log of an entry before its records are accepted. So after a failure of the place,
// the next attempt gets the delta again instead of the full set.
func (r *Reader) prepareLog(ctx context.Context, e *Entry) error {
	_, err := r.readLog(ctx, e)
	if errors.Is(err, ErrLog) {
		return nil // ChangeLog reports it
	}
	return err
}

// block returns the revisions of a block, those of the last log if it had the block.
func (r *Reader) block(ctx context.Context, f File) ([]changelog.Revision, error) {
	if known, ok := r.blocks[f.ContentSHA256]; ok {
		return known, nil
	}
	content, err := f.content(ctx, r.place)
	if _, broken := errors.AsType[brokenFile](err); broken {
		return nil, noLog(err)
	}
	if err != nil {
		return nil, err
	}
	revisions, err := decodeBlock(content)
	if err != nil {
		return nil, noLog(fmt.Errorf("%s: %w", f.Path, err))
	}
	return revisions, nil
}
