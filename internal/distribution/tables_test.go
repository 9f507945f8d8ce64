package distribution_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/store"
)

// withTables makes the writer write tables at most once per interval; nil for none.
func (p *publisher) withTables(interval *time.Duration) {
	key, err := distribution.ReadSigningKey(filepath.Join(p.keys, "key"))
	must(p.t, err)
	p.writer.Close()
	p.writer = distribution.NewWriter(distribution.WriterConfig{
		Dir: p.dir, Key: key, Valid: 7 * 24 * time.Hour, Deltas: 4, Tables: interval, Now: func() time.Time { return p.now },
	})
}

// table returns the content of a table of an entry.
func (p *publisher) table(e *distribution.Entry, name, format string) []byte {
	p.t.Helper()
	for _, t := range e.Tables.Files {
		if t.Name != name || t.Format != format {
			continue
		}
		packed, err := os.ReadFile(filepath.Join(p.dir, t.File.Path))
		must(p.t, err)
		r, err := gzip.NewReader(bytes.NewReader(packed))
		must(p.t, err)
		content, err := io.ReadAll(r)
		must(p.t, err)
		if distribution.HexSum(packed) != t.File.SHA256 || distribution.HexSum(content) != t.File.ContentSHA256 ||
			int64(len(packed)) != t.File.Size || int64(len(content)) != t.File.ContentSize {
			p.t.Errorf("%s.%s differs from its description %+v", name, format, t.File)
		}
		return content
	}
	p.t.Fatalf("there is no table %s.%s in %+v", name, format, e.Tables)
	return nil
}

// TestTables follows tables over publishes: they are written at most once per interval, and then
// have the content of the newest revision.
func TestTables(t *testing.T) {
	p := newPublisher(t)
	hour := time.Hour
	p.withTables(&hour)
	first := p.publish(chains("a", "b")).Entry
	rows, err := csv.NewReader(bytes.NewReader(p.table(first, "chains", "csv"))).ReadAll()
	must(t, err)
	if len(rows) != 3 || rows[1][0] != "a" || rows[2][0] != "b" {
		t.Errorf("rows %q", rows)
	}
	if file := p.table(first, "catalogue", "sqlite"); !bytes.HasPrefix(file, []byte("SQLite format 3\x00")) {
		t.Errorf("the SQLite file begins with %q", file[:min(16, len(file))])
	}
	if first.Tables.Digest != first.Digest || first.Tables.Revision != first.Revision {
		t.Errorf("tables %+v of entry %+v", first.Tables, first)
	}

	second := p.publish(chains("a", "b", "c")).Entry
	if second.Tables.Digest != first.Digest || second.Tables.Revision != first.Revision {
		t.Errorf("a publish within the interval writes tables: %+v", second.Tables)
	}
	if at, want := p.writer.RenewAt(), first.IssuedAt.Add(hour); !at.Equal(want) {
		t.Errorf("the tables are due at %v, want %v", at, want)
	}
	p.reader().want(p)

	p.now = p.writer.RenewAt()
	third := p.write().Entry
	if third.Tables.Digest != third.Digest || !strings.Contains(string(p.table(third, "chains", "csv")), "\nc,") {
		t.Errorf("tables that are due: %+v", third.Tables)
	}
	if p.writer.RenewAt().Before(p.now.Add(24 * time.Hour)) {
		t.Errorf("complete tables are due at %v", p.writer.RenewAt())
	}

	p.now = p.now.Add(2 * hour)
	p.withTables(&hour) // a new process
	if again := p.write(); again.Files != 0 || again.Entry.Tables.WrittenAt != third.Tables.WrittenAt {
		t.Errorf("equal tables are written again: %+v", again)
	}
	must(t, os.Remove(filepath.Join(p.dir, third.Tables.Files[0].File.Path)))
	if p.writer.Intact(t.Context()) {
		t.Error("a distribution without a table is intact")
	}
	p.table(p.write().Entry, "catalogue", "sqlite")

	m, err := os.ReadDir(p.dir)
	must(t, err)
	for _, e := range m {
		if strings.Contains(e.Name(), "tables") {
			t.Errorf("%s stays", e.Name())
		}
	}
	p.withTables(nil)
	if e := p.write().Entry; e.Tables != nil {
		t.Errorf("tables that are not wanted: %+v", e.Tables)
	}
	p.reader().want(p)
}

// TestTablesAfterPurge checks that no table with a purged record stays.
func TestTablesAfterPurge(t *testing.T) {
	p := newPublisher(t)
	day := 24 * time.Hour
	p.withTables(&day)
	old := p.publish(chains("a", "gone")).Entry
	must(t, os.WriteFile(filepath.Join(p.dir, ".tables.sqlite"), []byte("left behind by a killed process"), 0o600))
	p.now = p.now.Add(time.Minute)
	p.publish(chains("a"))
	p.head.Revision.Op = store.OpPurge
	p.head.Revision.Number++
	p.past = append(p.past, p.head.Revision)
	e := p.write().Entry
	if strings.Contains(string(p.table(e, "chains", "csv")), "gone") || bytes.Contains(p.table(e, "catalogue", "sqlite"), []byte("gone.example")) {
		t.Error("a purged record stays in the tables")
	}
	for _, table := range old.Tables.Files {
		_, err := os.Stat(filepath.Join(p.dir, table.File.Path))
		if kept := slices.Contains(e.Tables.Files, table); (err == nil) != kept {
			t.Errorf("after a purge %s: %v, named %v", table.File.Path, err, kept)
		}
	}
}

// TestMirrorOfTables checks that a mirror has the tables, too.
func TestMirrorOfTables(t *testing.T) {
	p := newPublisher(t)
	hour := time.Hour
	p.withTables(&hour)
	e := p.publish(chains("a")).Entry
	to := t.TempDir()
	m := p.mirror(p.dir, to)
	_, err := m.Copy(t.Context())
	must(t, err)
	for _, table := range e.Tables.Files {
		_, err := os.Stat(filepath.Join(to, table.File.Path))
		must(t, err)
	}
}

// TestTablesThatFail checks that a failing write of tables does not stop a publish: the distribution has
// the previous tables or none, and the tables are tried again after a minute.
func TestTablesThatFail(t *testing.T) {
	p := newPublisher(t)
	always := time.Duration(0)
	p.withTables(&always)
	first := p.publish(chains("a")).Entry
	obstacle := filepath.Join(p.dir, ".tables.sqlite")
	must(t, os.MkdirAll(filepath.Join(obstacle, "inside"), 0o755))

	p.now = p.now.Add(time.Second)
	failed := p.publish(chains("a", "b"))
	if failed.TablesFault == nil || !reflect.DeepEqual(failed.Entry.Tables, first.Tables) {
		t.Errorf("fault %v, tables %+v; want the previous ones", failed.TablesFault, failed.Entry.Tables)
	}
	p.reader().want(p)
	if at, want := p.writer.RenewAt(), p.now.Add(time.Minute); !at.Equal(want) {
		t.Errorf("the tables are tried again at %v, want %v", at, want)
	}

	must(t, os.RemoveAll(obstacle))
	p.now = p.now.Add(time.Second)
	if early := p.write(); early.TablesFault == nil {
		t.Error("the tables are tried again before the pause")
	}
	p.now = p.writer.RenewAt()
	if late := p.write(); late.TablesFault != nil || late.Entry.Tables.Digest != late.Entry.Digest {
		t.Errorf("after the pause fault %v, tables %+v", late.TablesFault, late.Entry.Tables)
	}

	must(t, os.MkdirAll(filepath.Join(obstacle, "inside"), 0o755))
	p.now = p.now.Add(time.Second)
	p.publish(chains("a", "b"))
	p.head.Revision.Op = store.OpPurge
	p.head.Revision.Number++
	p.past = append(p.past, p.head.Revision)
	if purged := p.write(); purged.TablesFault == nil || purged.Entry.Tables != nil {
		t.Errorf("after a purge fault %v, tables %+v; want none", purged.TablesFault, purged.Entry.Tables)
	}
	p.reader().want(p)
}

// TestLargeTables checks that tables beyond the limit are omitted and named.
func TestLargeTables(t *testing.T) {
	p := newPublisher(t)
	always := time.Duration(0)
	p.withTables(&always)
	distribution.LimitTables(p.writer, 1000)
	written := p.publish(chains("a"))
	if want := []string{"catalogue.sqlite"}; !slices.Equal(written.Omitted, want) || written.TablesFault != nil {
		t.Errorf("omitted %q, fault %v; want %q", written.Omitted, written.TablesFault, want)
	}
	for _, table := range written.Entry.Tables.Files {
		if table.Format == "sqlite" {
			t.Errorf("%+v is offered", table)
		}
	}
}
