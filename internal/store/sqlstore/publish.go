package sqlstore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/parallel"
	"vitrine/internal/store"
)

// Publish implements [store.Store].
func (s *Store) Publish(ctx context.Context, base int64, draft store.Draft) (store.Revision, error) {
	if draft.Catalog == nil {
		return store.Revision{}, errors.New("publish: there is no catalogue")
	}
	var rev store.Revision
	err := s.write(ctx, "publish", func(tx *Tx) error {
		if _, err := headAt(ctx, tx, base); err != nil {
			return err
		}
		var err error
		if rev, err = follow(ctx, tx, base, draft.Note); err != nil {
			return err
		}
		if err := release(ctx, s, tx, draft.Releases); err != nil {
			return err
		}
		return s.publishRows(ctx, tx, rev.Number, draft)
	})
	if err != nil {
		return store.Revision{}, err
	}
	return rev, nil
}

var recordColumns = []string{"kind", "key", "revision", "position", "body", "origin", "checksum"}

func (s *Store) publishRows(ctx context.Context, tx *Tx, revision int64, draft store.Draft) error {
	current, err := contentOf(ctx, tx, revision)
	if err != nil {
		return fmt.Errorf("read the current records: %w", err)
	}
	sum := emptyContent
	err = s.dialect.Append(ctx, tx, "record", recordColumns, func(yield func([]any, error) bool) {
		for row, err := range parallel.Ahead(current.versions(draft, revision, &sum)) {
			if !yield(recordValues(row, revision), err) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE revision SET content = $1 WHERE number = $2`, sum, revision)
	return err
}

// emptyContent is the content sum of a revision without records. The sum detects missing rows,
// which a damaged index can hide.
const emptyContent int64 = 1

func recordValues(row store.Row, revision int64) []any {
	var body any // NULL for a tombstone
	if row.Body != nil {
		body = string(row.Body)
	}
	return []any{
		string(row.Kind), row.Key, revision, int64(row.Position), body, row.Origin, recordSum(row, revision),
	}
}

func recordSum(row store.Row, revision int64) int64 {
	return newChecksum().text(string(row.Kind)).text(row.Key).number(revision).
		number(int64(row.Position)).bytes(row.Body).text(row.Origin).value()
}

type recordID struct {
	kind domain.Kind
	key  string
}

// content identifies a version of a record in little memory.
type content [sha256.Size]byte

func contentOfRow(row store.Row) content {
	h := sha256.New()
	fmt.Fprintf(h, "%d ", row.Position)
	h.Write(row.Body)
	return content(h.Sum(nil))
}

// published are the contents and checksums of a revision's records.
type published map[recordID]version

type version struct {
	content content
	sum     int64
}

// contentOf returns the contents of the records before a revision. Damaged ones are omitted, so
// that the next publish rewrites them.
func contentOf(ctx context.Context, tx *Tx, revision int64) (published, error) {
	current := published{}
	err := eachRecord(ctx, tx, revision-1, func(row store.Row, sum int64, damage error) error {
		id := recordID{row.Kind, strings.Clone(row.Key)}
		if damage != nil {
			current[id] = version{}
			return nil
		}
		current[id] = version{contentOfRow(row), sum}
		return nil
	})
	return current, err
}

// versions yields the rows of the draft that differ, and tombstones of records that it lacks. It
// adds the checksums of all records of the new revision to sum.
func (p published) versions(draft store.Draft, revision int64, sum *int64) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		seen := make(map[recordID]bool, len(p))
		for row, err := range store.Rows(draft.Catalog, draft.Origin) {
			id := recordID{row.Kind, row.Key}
			switch {
			case err != nil:
			case seen[id]:
				err = fmt.Errorf("%s %q occurs twice", row.Kind, row.Key)
			default:
				err = storableKey(row)
			}
			if err != nil {
				yield(store.Row{}, err)
				return
			}
			seen[id] = true
			if old, ok := p[id]; ok && old.content == contentOfRow(row) {
				*sum += old.sum
				continue
			}
			row.Origin = storableOrigin(row.Origin)
			*sum += recordSum(row, revision)
			if !yield(row, nil) {
				return
			}
		}
		for id := range p {
			if !seen[id] && !yield(store.Row{Kind: id.kind, Key: id.key}, nil) {
				return
			}
		}
	}
}

func storableKey(row store.Row) error {
	if err := storable(row.Key); err != nil {
		return fmt.Errorf("the key of %s %q %w", row.Kind, row.Key, err)
	}
	return nil
}

// storableOrigin replaces characters of a file name that engines cannot store. The origin is
// informative only.
func storableOrigin(origin string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(origin, "\uFFFD"), "\x00", "\uFFFD")
}
