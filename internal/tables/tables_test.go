package tables_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/picture"
	"vitrine/internal/tables"
)

type fataler interface {
	Helper()
	Fatal(...any)
}

func must(t fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func source(c *domain.Catalog) *tables.Source {
	return &tables.Source{Catalog: c, About: []tables.Fact{{Name: "revision", Value: "7"}}, Hidden: func(record any) string {
		if account, ok := record.(*domain.Account); ok && domain.HeldBack(account) {
			return "held-back"
		}
		return ""
	}}
}

// open writes a catalogue as a SQLite file and opens it.
func open(t fataler, dir string, c *domain.Catalog) *sql.DB {
	path := filepath.Join(dir, "tables ?#%.sqlite")
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	must(t, tables.WriteSQLite(context.Background(), path, source(c)))
	info, err := os.Stat(path)
	must(t, err)
	if info.Size() == 0 {
		t.Fatal("the file is empty")
	}
	db, err := sql.Open("sqlite", "file:"+strings.NewReplacer("?", "%3f", "#", "%23", "%", "%25").Replace(path))
	must(t, err)
	return db
}

// query returns the rows of a query as texts; "" stands for NULL.
func query(t fataler, db *sql.DB, query string, args ...any) [][]string {
	rows, err := db.Query(query, args...)
	must(t, err)
	defer rows.Close()
	names, err := rows.Columns()
	must(t, err)
	all := [][]string{names}
	for rows.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		must(t, rows.Scan(values...))
		row := make([]string, len(names))
		for i := range row {
			switch v := (*values[i].(*any)).(type) {
			case nil:
			case float64:
				row[i] = strconv.FormatFloat(v, 'f', -1, 64)
			default:
				row[i] = fmt.Sprint(v)
			}
		}
		all = append(all, row)
	}
	must(t, rows.Err())
	return all
}

// TestSameTables checks that both formats have the same rows, for any valid catalogue.
func TestSameTables(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		c := domaintest.Valid(3).Draw(rt, "catalogue")
		db := open(rt, dir, c)
		defer db.Close()
		records := 0
		for name, write := range tables.CSV(source(c)) {
			rows := readCSV(rt, write)
			if diff := cmp.Diff(rows, query(rt, db, `SELECT * FROM "`+name+`" ORDER BY rowid`)); diff != "" {
				rt.Fatalf("table %s (-CSV +SQLite):\n%.2000s", name, diff)
			}
			if d := domain.Describe(domain.Kind(name)); d != nil {
				records += len(rows) - 1
				for i, row := range rows[1:] {
					if want := d.Identity(d.Key(d.Record(c, i))); row[0] != want {
						rt.Fatalf("row %d of %s has the key %q, want %q", i, name, row[0], want)
					}
				}
			}
		}
		want := -1 // the catalogue's own fields
		for _, d := range domain.Descriptions() {
			want += d.Size(c)
		}
		if records != want {
			rt.Fatalf("the tables have %d records, want %d", records, want)
		}
	})
}

// readCSV returns the rows of a CSV file, without the apostrophes that guard formulas.
func readCSV(t fataler, write func(io.Writer) error) [][]string {
	var text bytes.Buffer
	must(t, write(&text))
	rows, err := csv.NewReader(&text).ReadAll()
	must(t, err)
	for _, row := range rows {
		for i, cell := range row {
			if rest := strings.TrimLeft(cell, "'"); rest != cell && rest != "" && strings.ContainsAny(rest[:1], "=+-@\t\r") {
				row[i] = cell[1:]
			}
		}
	}
	return rows
}

func small() *domain.Catalog {
	c := &domain.Catalog{Title: domain.Text{{Locale: "en", Value: "Small"}}, DefaultLocale: "en", Locales: []string{"en", "zh-Hans"}}
	c.Chains = []domain.Chain{
		{Slug: "a", Name: domain.Text{{Locale: "en", Value: "Álpha"}, {Locale: "zh-Hans", Value: "=1+1"}}, ChainID: "1", Categories: []string{"l1", "evm"},
			TVL: &domain.Figure{Value: 5, Source: "defillama", AsOf: "2026-01-01"}, RPC: []domain.Endpoint{{URL: "https://a.example", Reached: domain.Reached{Reach: "up", Since: "2026-01-02"}}}},
		{Slug: "b", Name: domain.Text{{Locale: "en", Value: "Beta"}}, ChainID: "2", Status: domain.StatusRetired},
	}
	c.Accounts = []*domain.Account{{Handle: "Ann", Name: "Ann"}}
	c.Apps = []domain.App{{Key: "app", Title: domain.Text{{Locale: "en", Value: "App"}}, Link: "https://app.example"}}
	c.Menus = []domain.Menu{{PathSlug: "menu", Title: domain.Text{{Locale: "en", Value: "Menu"}}, Groups: []domain.MenuGroup{{Slug: "group", Items: []domain.Item{
		{Slug: "item", Cards: []domain.Card{{App: "app"}}},
	}}}}}
	return c
}

// TestQueries asks what analysts ask.
func TestQueries(t *testing.T) {
	db := open(t, t.TempDir(), small())
	defer db.Close()
	for _, tt := range []struct{ query, want string }{
		{"SELECT value FROM about WHERE name = 'revision'", "7"},
		{"SELECT name_en, name_zh_hans, llama_tvl, llama_tvl_source, llama_tvl_as_of, categories FROM chains WHERE status = 'live'", `Álpha|=1+1|5|defillama|2026-01-01|["l1","evm"]`},
		{"SELECT c.record_key FROM chains_fts f JOIN chains c ON c.rowid = f.rowid WHERE chains_fts MATCH 'alpha'", "a"},
		{"SELECT record_key FROM chains_categories WHERE value = 'evm'", "a"},
		{"SELECT url, state, since FROM endpoints WHERE chain = 'a'", "https://a.example|up|2026-01-02"},
		{"SELECT record_key, handle, hidden FROM twitter", "ann|Ann|held-back"},
		{"SELECT menu, menu_group, item, title_en, link FROM cards", "menu|group|item|App|https://app.example"},
		{"SELECT typeof(llama_tvl) FROM chains WHERE record_key = 'b'", "null"},
		{"PRAGMA integrity_check", "ok"},
	} {
		rows := query(t, db, tt.query)
		if len(rows) != 2 || strings.Join(rows[1], "|") != tt.want {
			t.Errorf("%s: %q, want %q", tt.query, rows[1:], tt.want)
		}
	}
	plan := query(t, db, "EXPLAIN QUERY PLAN SELECT * FROM chains_categories WHERE value = 'evm'")
	if text := fmt.Sprint(plan); !strings.Contains(text, "chains_categories_by_value") {
		t.Errorf("a query by category uses no index: %s", text)
	}
}

// TestDeterministic checks that equal catalogues have equal files.
func TestDeterministic(t *testing.T) {
	var files [2][]byte
	for i := range files {
		path := filepath.Join(t.TempDir(), "file")
		must(t, tables.WriteSQLite(context.Background(), path, source(small())))
		var err error
		files[i], err = os.ReadFile(path)
		must(t, err)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("equal catalogues have different files")
	}
}

// TestPictures checks that pictures are described by their files.
func TestPictures(t *testing.T) {
	dot, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
	must(t, err)
	files := map[string][]byte{"a.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "b.png": dot}
	c := &domain.Catalog{Locales: []string{"en"}, DefaultLocale: "en"}
	want := [][]string{{"record_key", "hidden", "file", "format", "size", "sha256"}}
	for _, name := range []string{"a.svg", "b.png"} {
		format := picture.FormatOf(name)
		content := picture.Encode(format, files[name])
		c.Assets = append(c.Assets, domain.Asset{File: name, Content: content})
		file := picture.Decode(format, content)
		want = append(want, []string{name, "", name, string(format), strconv.Itoa(len(file)), fmt.Sprintf("%x", sha256.Sum256(file))})
	}
	db := open(t, t.TempDir(), c)
	defer db.Close()
	if diff := cmp.Diff(want, query(t, db, "SELECT * FROM assets ORDER BY record_key")); diff != "" {
		t.Errorf("pictures (-want +got):\n%s", diff)
	}
	for name, write := range tables.CSV(source(c)) {
		if name != "assets" {
			continue
		}
		var out bytes.Buffer
		must(t, write(&out))
		rows, err := csv.NewReader(&out).ReadAll()
		must(t, err)
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("pictures as CSV (-want +got):\n%s", diff)
		}
	}
}

// TestDescribe checks that tables are described as they are written.
func TestDescribe(t *testing.T) {
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en", "zh-hans"}}
	var want []tables.Description
	for name, write := range tables.CSV(source(c)) {
		var file bytes.Buffer
		must(t, write(&file))
		header, err := csv.NewReader(&file).Read()
		must(t, err)
		want = append(want, tables.Description{Name: name, Columns: header})
	}
	if diff := cmp.Diff(want, tables.Describe(c.Locales)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
