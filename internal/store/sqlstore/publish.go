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
		head, err := headAt(ctx, tx, base)
		if err != nil {
			return err
		}
		if rev, err = follow(ctx, tx, base, draft.Note); err != nil {
			return err
		}
		if err := release(ctx, s, tx, draft.Releases); err != nil {
			return err
		}
		p, err := newPublication(ctx, tx, head, rev.Number, draft)
		if err != nil {
			return fmt.Errorf("read the current records: %w", err)
		}
		return s.publishRows(ctx, tx, p)
	})
	if err != nil {
		return store.Revision{}, err
	}
	return rev, nil
}

var recordColumns = []string{"kind", "key", "revision", "position", "body", "origin", "checksum"}

func (s *Store) publishRows(ctx context.Context, tx *Tx, p *publication) error {
	err := s.dialect.Append(ctx, tx, "record", recordColumns, func(yield func([]any, error) bool) {
		for row, err := range parallel.Ahead(p.versions()) {
			if !yield(recordValues(row, p.revision), err) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE revision SET content = $1 WHERE number = $2`, p.sum, p.revision)
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

// publication is what a publish writes: the rows that differ from the stored versions.
type publication struct {
	revision int64
	rows     iter.Seq2[store.Row, error] // of the draft
	stored   map[recordID]version        // those that rows replace; without a row, the record is removed
	sum      int64                       // checksums of the other records; of all after versions
}

type version struct {
	content content // zero for a damaged one, which the publish rewrites
	sum     int64
}

// few is the maximum number of changed records whose versions are read one by one.
const few = 1000

// newPublication compares a draft with the records of the head before it.
func newPublication(ctx context.Context, tx *Tx, head store.Revision, revision int64, draft store.Draft) (*publication, error) {
	p := &publication{revision: revision, stored: map[recordID]version{}}
	if draft.Delta != nil && draft.Base == head && draft.Delta.Size() <= few {
		p.rows = store.ChangedRows(draft.Delta, draft.Origin)
		return p, p.readChanged(ctx, tx, draft.Delta)
	}
	p.rows, p.sum = store.Rows(draft.Catalog, draft.Origin), emptyContent
	return p, eachRecord(ctx, tx, head.Number, p.add)
}

// add adds a stored version.
func (p *publication) add(row store.Row, sum int64, damage error) error {
	v := version{sum: sum}
	if damage == nil {
		v.content = contentOfRow(row)
	}
	p.stored[recordID{row.Kind, strings.Clone(row.Key)}] = v
	return nil
}

// readChanged reads the versions that a delta replaces. The checksums of all others are what remains
// of the sum of the head.
func (p *publication) readChanged(ctx context.Context, tx *Tx, delta *domain.Delta) error {
	head := p.revision - 1
	if err := tx.QueryRowContext(ctx, `SELECT content FROM revision WHERE number = $1`, head).Scan(&p.sum); err != nil {
		return err
	}
	var scan recordScan
	for _, d := range domain.Descriptions() {
		old, new := delta.Records(d)
		for _, record := range append(old, new...) {
			id := recordID{d.Kind, store.KeyOf(d, record)}
			if _, read := p.stored[id]; read {
				continue
			}
			rows, err := tx.QueryContext(ctx, currentRecord, string(id.kind), id.key, head)
			err = each(rows, err, scan.into(), func() error {
				p.sum -= scan.sum
				return p.add(scan.row, scan.sum, scan.damage())
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// versions yields the rows that differ, and tombstones of records that are removed. It adds their
// checksums and those of equal rows to the sum.
func (p *publication) versions() iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		seen := make(map[recordID]bool, len(p.stored))
		for row, err := range p.rows {
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
			if old, ok := p.stored[id]; ok && old.content == contentOfRow(row) {
				p.sum += old.sum
				continue
			}
			row.Origin = storableOrigin(row.Origin)
			p.sum += recordSum(row, p.revision)
			if !yield(row, nil) {
				return
			}
		}
		for id := range p.stored {
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
