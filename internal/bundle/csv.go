package bundle

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"vitrine/internal/domain"
)

// WriteCSV writes the records of a kind as CSV: a row for each, a column for each field, and for
// each locale of a text. [ReadCSV] reads it again without loss. A cell that a spreadsheet would take
// for a formula begins with an apostrophe.
func WriteCSV(w io.Writer, d *domain.Description, c *domain.Catalog) error {
	columns := columnsOf(d, c.Locales)
	row := make([]string, len(columns))
	for i, column := range columns {
		row[i] = column.name()
	}
	out := csv.NewWriter(w)
	if err := out.Write(row); err != nil {
		return err
	}
	for i := range d.Size(c) {
		for j, column := range columns {
			cell, err := column.cell(d.Record(c, i))
			if err != nil {
				return fmt.Errorf("write %s of %s: %w", column.name(), d.Key(d.Record(c, i)), err)
			}
			row[j] = Guarded(cell)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteRecords writes the records of a kind as NDJSON, in the order of their fields. Texts are maps
// from locale, so the lines do not depend on the default locale.
func WriteRecords(w io.Writer, d *domain.Description, c *domain.Catalog) error {
	return writeLines(w, d, c, "")
}

// formula matches cells that spreadsheets take for formulas, and cells that look guarded.
var formula = regexp.MustCompile("^'*[=+@\t\r-]")

// Guarded puts an apostrophe before a cell that spreadsheets take for a formula; reading takes it
// away.
func Guarded(cell string) string {
	if formula.MatchString(cell) {
		return "'" + cell
	}
	return cell
}

func plain(cell string) string {
	if strings.HasPrefix(cell, "'") && formula.MatchString(cell) {
		return cell[1:]
	}
	return cell
}

// ReadCSV reads records of a kind from CSV, as [WriteCSV] writes it; columns may be missing and in
// any order. File is the name in problems, of which the first [domain.MaxKept] of each rule are
// returned. Only the form of values is checked. An error is one of reading.
func ReadCSV(r io.Reader, file string, d *domain.Description) (*domain.Catalog, []Problem, error) {
	t := table{file: file, kind: d, catalog: &domain.Catalog{}, found: domain.Count{}}
	t.decoder.report = func(at *node, rule domain.Rule, message, remedy string) {
		t.report(problemAt(file, at.line, at.column, rule, message, remedy))
	}
	bound := &bounded{from: r}
	err := t.read(csv.NewReader(bound), bound)
	var broken *fault
	var malformed *csv.ParseError
	switch {
	case errors.As(err, &broken):
		t.report(problemAt(file, broken.line, broken.column, broken.rule, broken.message, broken.remedy))
	case errors.As(err, &malformed):
		t.report(problemAt(file, malformed.Line, malformed.Column, domain.RuleSyntax, malformed.Err.Error(), "correct the CSV here"))
	case err != nil:
		return nil, nil, err
	}
	return t.catalog, t.problems, nil
}

// table is a run of ReadCSV.
type table struct {
	file     string
	kind     *domain.Description
	decoder  decoder
	catalog  *domain.Catalog
	problems []Problem
	found    domain.Count
}

func (t *table) report(p Problem) {
	if t.found.Keep(p.Rule) {
		t.problems = append(t.problems, p)
	}
}

func (t *table) read(r *csv.Reader, bound *bounded) error {
	head, err := r.Read()
	if err == io.EOF {
		return syntaxFault(1, 1, "the file is empty", "begin it with the names of the columns")
	}
	if err != nil {
		return err
	}
	columns, ok := t.columns(head, r.FieldPos)
	if !ok {
		return nil // without columns, cells mean nothing
	}
	for {
		bound.passed = 0
		cells, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := t.row(columns, cells, r.FieldPos); err != nil {
			return err
		}
	}
}

// columns returns the columns of the first row. ok is false if one is unknown.
func (t *table) columns(names []string, at func(int) (int, int)) (columns []column, ok bool) {
	ok = true
	seen := map[string]bool{}
	for i, name := range names {
		name = strings.TrimSpace(name)
		c, remedy := columnNamed(t.kind, name)
		rule, message := domain.RuleUnknownField, "there is no column "+quote(name)
		switch {
		case remedy != "" && len(names) == 1 && strings.ContainsAny(name, ";\t"):
			remedy = "separate columns by commas"
		case remedy != "":
		case seen[name]:
			rule, message, remedy = domain.RuleDuplicateField, "the column "+quote(name)+" is written twice", "keep one of them"
		case c.field.Type == domain.TypeText && c.locale == "":
			message, remedy = "the column "+quote(name)+" has no locale", "write it as "+quote(name+".LOCALE")
		}
		if seen[name] = true; remedy != "" {
			line, col := at(i)
			t.report(problemAt(t.file, line, col, rule, message, remedy))
			ok = false
		}
		columns = append(columns, c)
	}
	return columns, ok
}

func (t *table) row(columns []column, cells []string, at func(int) (int, int)) error {
	for i := range cells {
		if !utf8.ValidString(cells[i]) {
			line, col := at(i)
			return &fault{line: line, column: col, rule: domain.RuleInvalidUTF8, message: "this is not UTF-8", remedy: "save the file as UTF-8"}
		}
		cells[i] = plain(cells[i])
	}
	n, err := recordOf(columns, cells, at)
	if err != nil {
		return err
	}
	t.decoder.record(n, t.kind.Shape, t.kind.Grow(t.catalog))
	return nil
}

// bounded bounds what is read between two records.
type bounded struct {
	from   io.Reader
	passed int
}

var errLongRow = errors.New("a row is over the limit of 1 MiB; close the quotes of its cells")

// Read implements [io.Reader].
func (b *bounded) Read(p []byte) (int, error) {
	if b.passed > maxRecord {
		return 0, errLongRow
	}
	n, err := b.from.Read(p)
	b.passed += n
	return n, err
}
