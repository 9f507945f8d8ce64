package overview

import "strings"

// table has row names in its first column.
type table struct {
	Caption string
	Head    []column
	Rows    [][]cell
	Empty   string // text of an empty table
}

type column struct {
	Name   string
	Number bool
}

type cell struct {
	Text, Note string
	Number     bool
	Bad        bool
	Code       bool
}

// Class returns the CSS classes of a cell. Long texts wrap.
func (c cell) Class() string {
	const short = 32 // bytes
	var classes []string
	if c.Number {
		classes = append(classes, "number")
	}
	if c.Bad {
		classes = append(classes, "bad")
	}
	if len(c.Text) > short || len(c.Note) > short {
		classes = append(classes, "long")
	}
	return strings.Join(classes, " ")
}

func words(text string) cell             { return cell{Text: text} }
func noted(text, note string) cell       { return cell{Text: text, Note: note} }
func number(text string) cell            { return cell{Text: text, Number: true} }
func numberNoted(text, note string) cell { return cell{Text: text, Note: note, Number: true} }
func bad(c cell, is bool) cell           { c.Bad = is; return c }
func columns(names ...string) []column   { return named(false, names) }
func numbers(names ...string) []column   { return named(true, names) }
func named(number bool, names []string) []column {
	all := make([]column, len(names))
	for i, name := range names {
		all[i] = column{name, number}
	}
	return all
}
