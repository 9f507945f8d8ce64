package reference

import (
	"fmt"
	"strings"

	"vitrine/internal/domain"
)

// Kinds returns the names of all kinds in Markdown, separated by commas.
func Kinds() string {
	var names []string
	for _, k := range domain.Kinds() {
		names = append(names, "`"+string(k)+"`")
	}
	return strings.Join(names, ", ")
}

// Table returns the fields of a shape as a table of Markdown.
func Table(s *domain.Shape) string {
	var b strings.Builder
	b.WriteString("| Field | Required | Meaning | Example |\n|---|---|---|---|\n")
	for _, f := range s.Fields {
		if f.InFileName {
			continue
		}
		required, example := "no", ""
		switch {
		case f.Required:
			required = "yes"
		case f.RequiredUnless != "":
			required = "without `" + f.RequiredUnless + "`"
		}
		if len(f.Examples) > 0 {
			example = " `" + f.Examples[0] + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s%s |%s |\n", f.Name, required, f.FormName(), f.About, example)
	}
	return b.String()
}
