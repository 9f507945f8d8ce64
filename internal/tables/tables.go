// Package tables writes a catalogue as tables for analysts: a CSV file for each table, or one SQLite
// file with indexes and full-text search. docs/distribution.md#tables describes the tables.
//
// The package must not know stores, distributions or responses. It is the only one besides the
// engine of the store that uses SQLite.
package tables

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/picture"
)

// Source is what tables are made of.
type Source struct {
	Catalog *domain.Catalog
	// Hidden returns the reason why lists hide a record, "" for none.
	Hidden func(record any) string
	// About are the rows of the table about.
	About []Fact
}

// Fact is a property of the catalogue as a whole.
type Fact struct{ Name, Value string }

// table is a table with its rows. A row has a value for each column: nil, a string or a float64.
type table struct {
	name    string
	columns []column
	rows    func(yield func(row []any) error) error
}

// column is a column of a table.
type column struct {
	name     string
	number   bool
	key      bool   // part of the primary key
	indexed  bool   // has an index
	searched bool   // part of the full-text index
	refers   string // table whose keys the values are, "" for none
}

// Description names a table and its columns.
type Description struct {
	Name    string
	Columns []string
}

// Describe returns the tables of a catalogue with these locales, in the order of [CSV].
func Describe(locales []string) []Description {
	var all []Description
	for _, t := range tablesOf(&Source{Catalog: &domain.Catalog{Locales: locales}}) {
		all = append(all, Description{t.name, t.columnNames()})
	}
	return all
}

func (t table) columnNames() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return names
}

// keyColumn is the name of the column with the key of the record's line.
const keyColumn = "record_key"

// tablesOf returns all tables, in the order in which tables refer to each other.
func tablesOf(s *Source) []table {
	all := []table{aboutTable(s)}
	for _, d := range domain.Descriptions() {
		if d.Kind == domain.KindCatalog {
			continue
		}
		all = append(all, recordTable(s, d))
		for _, f := range d.Shape.Fields {
			if f.Type == domain.TypeLines && f.Refers != "" && domain.Describe(f.Refers) != nil {
				all = append(all, referenceTable(s, d, f))
			}
		}
	}
	return append(all, endpointTable(s), cardTable(s))
}

func aboutTable(s *Source) table {
	return table{"about", []column{{name: "name", key: true}, {name: "value"}}, func(yield func([]any) error) error {
		for _, f := range s.About {
			if err := yield([]any{f.Name, f.Value}); err != nil {
				return err
			}
		}
		return nil
	}}
}

// recordTable has the records of a kind.
func recordTable(s *Source, d *domain.Description) table {
	cells := cellsOf(d.Shape, s.Catalog.Locales)
	columns := []column{{name: keyColumn, key: true}, {name: "hidden", indexed: true}}
	for _, c := range cells {
		columns = append(columns, c.column)
	}
	return table{string(d.Kind), columns, func(yield func([]any) error) error {
		for i := range d.Size(s.Catalog) {
			record := d.Record(s.Catalog, i)
			row := append(make([]any, 0, len(columns)), keyOf(d, record), orNull(s.Hidden(record)))
			row, err := appendCells(row, cells, record)
			if err != nil {
				return fmt.Errorf("%s %q: %w", d.Kind, keyOf(d, record), err)
			}
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	}}
}

// referenceTable has a row for each reference of a record in a list, such as its categories.
func referenceTable(s *Source, d *domain.Description, f *domain.Field) table {
	columns := []column{{name: keyColumn, key: true, refers: string(d.Kind)}, {name: "value", key: true, indexed: true, refers: string(f.Refers)}}
	return table{string(d.Kind) + "_" + f.Name, columns, func(yield func([]any) error) error {
		for i := range d.Size(s.Catalog) {
			record := d.Record(s.Catalog, i)
			seen := map[string]bool{}
			for _, value := range f.Lines(record) {
				if seen[value] {
					continue
				}
				seen[value] = true
				if err := yield([]any{keyOf(d, record), value}); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// endpointTable has the endpoints of chains with their observed states.
func endpointTable(s *Source) table {
	columns := []column{{name: "chain", key: true, refers: string(domain.KindChain)}, {name: "url", key: true}, {name: "note"}, {name: "state", indexed: true}, {name: "since"}}
	return table{"endpoints", columns, func(yield func([]any) error) error {
		for i := range s.Catalog.Chains {
			chain := &s.Catalog.Chains[i]
			seen := map[string]bool{}
			for _, e := range chain.RPC {
				if seen[e.URL] {
					continue
				}
				seen[e.URL] = true
				err := yield([]any{chain.Slug, e.URL, orNull(e.Note), orNull(string(e.Reached.Reach)), orNull(string(e.Reached.Since))})
				if err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// cardTable has the cards of menus, with the values that they take from their apps.
func cardTable(s *Source) table {
	cells := cellsOf(domain.CardShape(), s.Catalog.Locales)
	columns := []column{{name: keyColumn, indexed: true}, {name: "menu", indexed: true, refers: string(domain.KindMenu)}, {name: "menu_group"}, {name: "item"}}
	for _, c := range cells {
		if c.name == "app" {
			c.indexed = true
		}
		columns = append(columns, c.column)
	}
	return table{"cards", columns, func(yield func([]any) error) error {
		apps := map[string]*domain.App{}
		for i := range s.Catalog.Apps {
			apps[s.Catalog.Apps[i].Key] = &s.Catalog.Apps[i]
		}
		for i := range s.Catalog.Menus {
			menu := s.Catalog.Menus[i].Complete(apps).WithIDs()
			for place, c := range menu.Places() {
				row := append(make([]any, 0, len(columns)), menu.PathSlug+"/"+c.ID, menu.PathSlug, orNull(place.Group), place.Item)
				row, err := appendCells(row, cells, c)
				if err != nil {
					return fmt.Errorf("card %q of menu %q: %w", c.ID, menu.PathSlug, err)
				}
				if err := yield(row); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// keyOf returns the key of a record's line.
func keyOf(d *domain.Description, record any) string { return d.Identity(d.Key(record)) }

// cell is a column with the value of a record.
type cell struct {
	column
	value func(record any) (any, error)
}

func appendCells(row []any, cells []cell, record any) ([]any, error) {
	for _, c := range cells {
		value, err := c.value(record)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		row = append(row, value)
	}
	return row, nil
}

// cellsOf returns the columns of the fields of a shape: a text has one for each locale, a figure has
// its number, source and date, and lists and nested values are JSON.
func cellsOf(shape *domain.Shape, locales []string) []cell {
	var cells []cell
	for _, f := range shape.Fields {
		switch {
		case f.Type == domain.TypeText:
			for _, locale := range locales {
				cells = append(cells, cell{column{name: f.Name + "_" + plain(locale), searched: true}, func(r any) (any, error) {
					value, _ := f.Text(r).In(locale)
					return orNull(value), nil
				}})
			}
		case f.Type == domain.TypeFigure:
			cells = append(cells, figureCells(f)...)
		case f.Type == domain.TypeContent:
			cells = append(cells, pictureCells()...)
		case f.IsLine():
			indexed := f.Name == "status" || f.Refers != ""
			cells = append(cells, cell{column{name: f.Name, indexed: indexed, searched: f.Searched || f.Names}, func(r any) (any, error) {
				if value := *f.Line(r); value != "" {
					return value, nil
				}
				return orNull(f.Implied), nil
			}})
		case f.Type == domain.TypeNumber:
			cells = append(cells, cell{column{name: f.Name, number: true}, func(r any) (any, error) { return *f.Number(r), nil }})
		default:
			cells = append(cells, cell{column{name: f.Name, searched: f.Names}, func(r any) (any, error) {
				if f.IsEmpty(r) {
					return nil, nil
				}
				value, err := f.AppendJSON(nil, r, "")
				return string(value), err
			}})
		}
	}
	return cells
}

func figureCells(f *domain.Field) []cell {
	part := func(name string, c column, value func(*domain.Figure) any) cell {
		c.name = name
		return cell{c, func(r any) (any, error) {
			figure := *f.Figure(r)
			if figure == nil {
				return nil, nil
			}
			return value(figure), nil
		}}
	}
	return []cell{
		part(f.Name, column{number: true, indexed: true}, func(f *domain.Figure) any { return f.Value }),
		part(f.Name+"_source", column{}, func(f *domain.Figure) any { return orNull(f.Source) }),
		part(f.Name+"_as_of", column{}, func(f *domain.Figure) any { return orNull(string(f.AsOf)) }),
	}
}

// pictureCells describe the file of a picture: its format, size in bytes and hash.
func pictureCells() []cell {
	part := func(c column, value func(format picture.Format, file []byte) any) cell {
		return cell{c, func(r any) (any, error) {
			asset := r.(*domain.Asset)
			format := picture.FormatOf(asset.File)
			return value(format, picture.Decode(format, asset.Content)), nil
		}}
	}
	return []cell{
		part(column{name: "format", indexed: true}, func(format picture.Format, _ []byte) any { return string(format) }),
		part(column{name: "size", number: true}, func(_ picture.Format, file []byte) any { return float64(len(file)) }),
		part(column{name: "sha256"}, func(_ picture.Format, file []byte) any {
			sum := sha256.Sum256(file)
			return hex.EncodeToString(sum[:])
		}),
	}
}

// plain returns a locale as the end of a name.
func plain(locale string) string {
	return strings.ReplaceAll(strings.ToLower(locale), "-", "_")
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
