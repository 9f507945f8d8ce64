package reference

import (
	"fmt"
	"strings"

	"vitrine/internal/catalog"
)

// Table returns the fields of a shape as a table of Markdown.
func Table(s *catalog.Shape) string {
	var b strings.Builder
	b.WriteString("| Field | Required | Meaning | Example |\n|---|---|---|---|\n")
	for _, f := range s.Fields {
		if f.InFileName() {
			continue
		}
		required, example := "no", ""
		if f.Required {
			required = "yes"
		}
		if len(f.Examples) > 0 {
			example = " `" + f.Examples[0] + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s%s |%s |\n", f.Name, required, typeName(f), f.About, example)
	}
	return b.String()
}

// typeName says of a field what its value is, where it is no plain string.
func typeName(f *catalog.Field) string {
	switch f.Type {
	case catalog.TypeText:
		return "Text. "
	case catalog.TypeLink:
		return "Link. "
	case catalog.TypeLines:
		return "List. "
	case catalog.TypeNumber:
		return "Number. "
	case catalog.TypeFigure:
		if f.Count {
			return "Figure, a whole number. "
		}
		return "Figure. "
	case catalog.TypeParts:
		return "List. "
	case catalog.TypeTable:
		return "Map. "
	}
	return ""
}
