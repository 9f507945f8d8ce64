package tables

import (
	"encoding/csv"
	"io"
	"iter"
	"strconv"

	"vitrine/internal/bundle"
)

// CSV returns the tables as CSV, by name. Each function writes one. The first row has the names of
// the columns. Cells that spreadsheets take for formulas are guarded as in [bundle.WriteCSV]; an
// empty cell is an unknown value.
func CSV(s *Source) iter.Seq2[string, func(io.Writer) error] {
	return func(yield func(string, func(io.Writer) error) bool) {
		for _, t := range tablesOf(s) {
			if !yield(t.name, t.writeCSV) {
				return
			}
		}
	}
}

func (t table) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	cells := t.columnNames()
	if err := out.Write(cells); err != nil {
		return err
	}
	err := t.rows(func(row []any) error {
		for i, value := range row {
			cells[i] = csvCell(value)
		}
		return out.Write(cells)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

func csvCell(value any) string {
	switch v := value.(type) {
	case string:
		return bundle.Guarded(v)
	case float64:
		if v == 0 {
			v = 0 // not -0, which SQLite does not store
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
