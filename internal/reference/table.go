package reference

import (
	"fmt"
	"strings"

	"vitrine/internal/domain"
)

// Table returns the fields of a shape as a table of Markdown.
func Table(s *domain.Shape) string {
	var b strings.Builder
	b.WriteString("| Field | Required | Meaning | Example |\n|---|---|---|---|\n")
	for _, f := range s.Fields {
		if f.InFileName() {
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
		fmt.Fprintf(&b, "| `%s` | %s | %s%s |%s |\n", f.Name, required, typeName(f), f.About, example)
	}
	return b.String()
}

// typeName says of a field what its value is, where it is no plain string.
func typeName(f *domain.Field) string {
	switch f.Type {
	case domain.TypeText:
		return "Text. "
	case domain.TypeLink:
		return "Link. "
	case domain.TypeLines:
		return "List. "
	case domain.TypeNumber:
		return "Number. "
	case domain.TypeFigure:
		if f.Count {
			return "Figure, a whole number. "
		}
		return "Figure. "
	case domain.TypeParts:
		return "List. "
	case domain.TypeDate:
		return "Day. "
	case domain.TypeTable, domain.TypePart, domain.TypeJSON:
		return "Map. "
	}
	return ""
}
