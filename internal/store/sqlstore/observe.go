package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

const winnerColumns = "o.kind, o.key, o.figure, o.revision, o.seq, o.value, o.source, o.as_of, o.upstream_id, o.checksum"

// winnersOfAll selects the winning observation of each figure at revision $1, in one pass.
const winnersOfAll = `SELECT ` + winnerColumns + ` FROM (
		SELECT w.*, row_number() OVER (
			PARTITION BY w.kind, w.key, w.figure ORDER BY w.as_of DESC, w.revision DESC, w.seq DESC) AS place
		FROM observation w WHERE w.revision <= $1) o
	WHERE o.place = 1`

// winnersOfChanged selects those of figures with observations after revision $2. Each costs two searches
// of the index, however long the history of the figure is. A condition on the joined observation would
// be evaluated by PostgreSQL for each observation of the figure.
const winnersOfChanged = `SELECT ` + winnerColumns + ` FROM (
		SELECT (SELECT w.revision ` + winnerOf + `) AS revision, (SELECT w.seq ` + winnerOf + `) AS seq FROM (
			SELECT DISTINCT kind, key, figure FROM observation WHERE revision > $2) c) n
	JOIN observation o ON o.revision = n.revision AND o.seq = n.seq`

// winnerOf selects the winning observation of figure c at revision $1.
const winnerOf = `FROM observation w
	WHERE w.kind = c.kind AND w.key = c.key AND w.figure = c.figure AND w.revision <= $1
	ORDER BY w.as_of DESC, w.revision DESC, w.seq DESC LIMIT 1`

type observationScan struct {
	o             store.Observation
	revision, seq int64
	sum           int64
}

func (s *observationScan) into() []any {
	o := &s.o
	return []any{&o.Kind, &o.Key, &o.Figure, &s.revision, &s.seq, &o.Value, &o.Source, &o.AsOf, &o.UpstreamID, &s.sum}
}

func (s *observationScan) value() (store.Observation, error) {
	if observationSum(s.o, s.revision, s.seq) != s.sum {
		return store.Observation{}, fmt.Errorf("%w: %s of %s %q, observed in revision %d, does not match its checksum",
			store.ErrCorrupt, s.o.Figure, s.o.Kind, s.o.Key, s.revision)
	}
	return s.o, nil
}

func observationSum(o store.Observation, revision, seq int64) int64 {
	return newChecksum().text(string(o.Kind)).text(o.Key).text(string(o.Figure)).number(revision).number(seq).
		float(o.Value).text(o.Source).text(string(o.AsOf)).text(o.UpstreamID).value()
}

// winnersAt returns the winning observations at a revision, in no particular order: of all figures
// or, unless after is 0, of those with observations after that revision.
func winnersAt(ctx context.Context, tx *Tx, number, after int64) ([]domain.Observation, error) {
	statement, args := winnersOfAll, []any{number}
	if after != 0 {
		statement, args = winnersOfChanged, append(args, after)
	}
	rows, err := tx.QueryContext(ctx, statement, args...)
	return collectWinners(rows, err)
}

func collectWinners(rows *sql.Rows, err error) ([]domain.Observation, error) {
	var scan observationScan
	return collect(rows, err, scan.into(), func() (domain.Observation, error) {
		o, err := scan.value()
		return o.Observation, err
	})
}

var observationColumns = []string{
	"kind", "key", "figure", "revision", "seq", "value", "source", "as_of", "upstream_id", "checksum",
}

// Observe implements [store.Store].
func (s *Store) Observe(
	ctx context.Context, base int64, observations []store.Observation, note store.Note,
) (store.Revision, error) {
	var rev store.Revision
	err := s.write(ctx, "observe", func(tx *Tx) error {
		head, err := headAt(ctx, tx, base)
		if err != nil {
			return err
		}
		if base == 0 {
			return store.ErrEmpty
		}
		note.Digest = head.Digest
		if rev, err = follow(ctx, tx, base, note); err != nil {
			return err
		}
		if err := copyContent(ctx, tx, base, rev.Number); err != nil {
			return err
		}
		return s.dialect.Append(ctx, tx, "observation", observationColumns, observationRows(observations, rev.Number))
	})
	if err != nil {
		return store.Revision{}, err
	}
	return rev, nil
}

func observationRows(observations []store.Observation, revision int64) func(yield func([]any, error) bool) {
	return func(yield func([]any, error) bool) {
		for i, o := range observations {
			if err := observable(o); err != nil {
				yield(nil, fmt.Errorf("observation %d, %s of %s %q: %w", i, o.Figure, o.Kind, o.Key, err))
				return
			}
			o.Key = store.FigureKey(o.Key)
			o.Value += 0 // -0 becomes 0, since engines differ
			seq := int64(i)
			values := []any{
				string(o.Kind), o.Key, string(o.Figure), revision, seq, o.Value, o.Source, string(o.AsOf), o.UpstreamID,
				observationSum(o, revision, seq),
			}
			if !yield(values, nil) {
				return
			}
		}
	}
}

// observable checks an observation by the rules of [domain.Observation].
func observable(o store.Observation) error {
	switch {
	case o.Key == "":
		return errors.New("it has no key")
	case !domain.IsObservable(o.Kind, o.Figure):
		return errors.New("no record has that figure")
	case math.IsNaN(o.Value) || math.IsInf(o.Value, 0) || o.Value < 0:
		return fmt.Errorf("its value is %v", o.Value)
	case o.Source == "":
		return errors.New("it has no source")
	case o.AsOf == "":
		return errors.New("it has no date")
	}
	for _, text := range []string{o.Key, o.Source, string(o.AsOf), o.UpstreamID} {
		if err := storable(text); err != nil {
			return fmt.Errorf("%q %w", text, err)
		}
	}
	return nil
}

// Observations implements [store.Store].
func (s *Store) Observations(ctx context.Context, kind domain.Kind, key string, until int64) ([]store.Observed, error) {
	return read(ctx, s, "read observations", func(tx *Tx) ([]store.Observed, error) {
		rows, err := tx.QueryContext(ctx, `SELECT `+winnerColumns+`, `+revisionColumns+`
			FROM observation o JOIN revision v ON v.number = o.revision
			WHERE o.kind = $1 AND o.key = $2 AND (o.revision <= $3 OR $3 = 0) ORDER BY o.revision DESC, o.seq DESC`,
			string(kind), store.FigureKey(key), until)
		return collectObserved(rows, err)
	})
}

// collectObserved scans rows with winnerColumns and revisionColumns.
func collectObserved(rows *sql.Rows, err error) ([]store.Observed, error) {
	var scan observationScan
	var rev revisionScan
	return collect(rows, err, slices.Concat(scan.into(), rev.into()), func() (store.Observed, error) {
		o, err := scan.value()
		if err != nil {
			return store.Observed{}, err
		}
		revision, err := rev.value()
		return store.Observed{Revision: revision, Observation: o}, err
	})
}

// UpstreamIDs implements [store.Store].
func (s *Store) UpstreamIDs(ctx context.Context, kind domain.Kind, source string) (map[string]string, error) {
	return read(ctx, s, "read upstream ids", func(tx *Tx) (map[string]string, error) {
		var scan observationScan
		rows, err := tx.QueryContext(ctx, `SELECT `+winnerColumns+` FROM (
				SELECT w.*, row_number() OVER (PARTITION BY w.key ORDER BY w.revision DESC, w.seq DESC) AS place
				FROM observation w WHERE w.kind = $1 AND w.source = $2 AND w.upstream_id <> '') o
			WHERE o.place = 1`, string(kind), source)
		observed, err := collect(rows, err, scan.into(), scan.value)
		ids := make(map[string]string, len(observed))
		for _, o := range observed {
			ids[o.Key] = o.UpstreamID
		}
		return ids, err
	})
}
