package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// column is what changed of one fact in all records of a kind.
type column struct {
	path  string
	field *domain.Field
	cells []cell
}

// cell is a fact of one record that changed.
type cell struct {
	pair          pair
	before, after string // "" for none
}

// columnsOf compares the facts of all changed records.
func (k *kindPairs) columnsOf() []*column {
	byPath := map[string]*column{}
	for _, p := range k.changed {
		before, after := k.factsOf(p.before), k.factsOf(p.after)
		values := make(map[string]string, len(after))
		for _, f := range after {
			values[f.path] = f.value
		}
		for _, f := range before {
			if values[f.path] != f.value {
				add(byPath, f, cell{p, f.value, values[f.path]})
			}
			delete(values, f.path)
		}
		for _, f := range after {
			if _, gained := values[f.path]; gained {
				add(byPath, f, cell{p, "", f.value})
			}
		}
	}
	columns := make([]*column, 0, len(byPath))
	for _, c := range byPath {
		columns = append(columns, c)
	}
	slices.SortFunc(columns, func(a, b *column) int { return strings.Compare(a.path, b.path) })
	return columns
}

func add(columns map[string]*column, f fact, c cell) {
	if columns[f.path] == nil {
		columns[f.path] = &column{path: f.path, field: f.field}
	}
	columns[f.path].cells = append(columns[f.path].cells, c)
}

// having returns how many served records have a value at a path, and how many have each value of
// an enumeration there; nil for other fields.
func (k *kindPairs) having(col *column) (n int, byValue map[string]int) {
	if col.field.Implied != "" {
		byValue = map[string]int{}
	}
	for i := range k.Size(k.served) {
		for _, f := range k.factsOf(k.Record(k.served, i)) {
			if f.path == col.path {
				n++
				if byValue != nil {
					byValue[f.value]++
				}
				break
			}
		}
	}
	return n, byValue
}

// columnsChanged finds fields that many records lose, change or now share.
func (c *comparison) columnsChanged() []Finding {
	var all []Finding
	for _, k := range c.kinds {
		if k.Kind == domain.KindCatalog {
			continue
		}
		for _, col := range k.columns {
			if !c.values.isLarge(len(col.cells), 0) {
				continue
			}
			having, byValue := k.having(col)
			if f, ok := k.emptied(col, having); ok {
				all = append(all, f)
			}
			if f, ok := k.identical(col, having); ok {
				all = append(all, f)
				continue
			}
			if f, ok := k.bulk(col, having, byValue); ok {
				all = append(all, f)
			}
		}
	}
	return c.withoutDropped(all)
}

// emptied objects if many records that readers still see lose a value.
func (k *kindPairs) emptied(col *column, having int) (Finding, bool) {
	var records []Record
	for _, cell := range col.cells {
		if cell.before != "" && cell.after == "" && hiddenBy(cell.pair.after) == "" {
			records = append(records, k.record(col, cell))
		}
	}
	if !k.values.isLarge(len(records), having) {
		return Finding{}, false
	}
	return largeFinding(ruleOf(domain.GateEmptied, k.Kind, col.path),
		fmt.Sprintf("%s lose their %s", k.values.text(len(records), having, k.Plural), col.path),
		"readers and programs that rely on the value find nothing", records, k.values, having), true
}

// identical holds if many records get one value instead of distinct ones.
func (k *kindPairs) identical(col *column, having int) (Finding, bool) {
	byValue := map[string][]cell{}
	for _, cell := range col.cells {
		if cell.before != "" && cell.after != "" {
			byValue[cell.after] = append(byValue[cell.after], cell)
		}
	}
	var most []cell
	for _, cells := range byValue {
		if len(cells) > len(most) || len(cells) == len(most) && len(most) > 0 && cells[0].after < most[0].after {
			most = cells
		}
	}
	distinct := map[string]bool{}
	for _, cell := range most {
		distinct[cell.before] = true
	}
	if !k.values.isLarge(len(most), having) || 2*len(distinct) < len(most) {
		return Finding{}, false
	}
	var records []Record
	for _, cell := range most {
		records = append(records, k.record(col, cell))
	}
	return largeFinding(ruleOf(domain.GateIdentical, k.Kind, col.path),
		fmt.Sprintf("%s get the same %s, %q", k.values.text(len(most), having, k.Plural), col.path, most[0].after),
		"the value told the records apart", records, k.values, having), true
}

// bulk objects if a value that is stable over time changes in many records; of an enumeration, if
// many of those with one value lose it.
func (k *kindPairs) bulk(col *column, having int, byValue map[string]int) (Finding, bool) {
	if !isStable(col.field) || col.field.Type == domain.TypeText && col.path != col.field.Name+"."+k.served.DefaultLocale {
		return Finding{}, false
	}
	var records []Record
	left := map[string]int{}
	for _, cell := range col.cells {
		if cell.before != "" && cell.after != "" && !(isList(col.field) && overlaps(cell)) {
			records = append(records, k.record(col, cell))
			left[cell.before]++
		}
	}
	of, what := having, k.Plural
	for _, value := range slices.Sorted(maps.Keys(byValue)) {
		if n := left[value]; k.values.isLarge(n, byValue[value]) {
			of, what = byValue[value], k.Plural+" with "+value
			records = slices.DeleteFunc(records, func(r Record) bool { return r.Before != value })
			break
		}
	}
	if !k.values.isLarge(len(records), of) {
		return Finding{}, false
	}
	return largeFinding(ruleOf(domain.GateBulk, k.Kind, col.path),
		fmt.Sprintf("%s change their %s", k.values.text(len(records), of, what), col.path),
		"the value is stable; so many changes at once are usually a shifted column or a wrong source", records, k.values, of), true
}

// isStable reports whether the value of a field rarely changes. Descriptions, notes, translations,
// figures, pictures and priorities are edited freely.
func isStable(f *domain.Field) bool {
	switch f.Type {
	case domain.TypeFigure:
		return false
	case domain.TypeText:
		return f.Names
	case domain.TypeLines:
		return f.Name == "chains"
	case domain.TypeParts:
		return f.Parts.Field("url") != nil
	}
	return f.Name != "image" && f.Name != "logo" && f.Name != "og_image" && f.Name != "priority"
}

func isList(f *domain.Field) bool { return f.Type == domain.TypeLines || f.Type == domain.TypeParts }

// overlaps reports whether lists have an element in common.
func overlaps(c cell) bool {
	before := strings.Fields(c.before)
	return slices.ContainsFunc(strings.Fields(c.after), func(host string) bool { return slices.Contains(before, host) })
}

func (k *kindPairs) record(col *column, c cell) Record {
	return Record{Kind: k.Kind, Key: c.pair.key, Field: col.path, Before: c.before, After: c.after}
}

// withoutDropped joins the findings of emptied values for each locale that the candidate no longer
// declares into one, `emptied:locale.LOCALE`.
func (c *comparison) withoutDropped(all []Finding) []Finding {
	for _, locale := range c.served.Locales {
		if slices.Contains(c.candidate.Locales, locale) {
			continue
		}
		var records []Record
		all = slices.DeleteFunc(all, func(f Finding) bool {
			if f.Family() != domain.GateEmptied || !strings.HasSuffix(f.Rule, "."+locale) {
				return false
			}
			for _, r := range f.all {
				r.Cause = "no " + r.Field
				records = append(records, r)
			}
			return true
		})
		if len(records) > 0 {
			all = append(all, finding(string(domain.GateEmptied)+":locale."+locale,
				fmt.Sprintf("locale %s is no longer declared, and %d texts in it are gone", locale, len(records)),
				"readers of that language get another one", records, func(int) bool { return true }))
		}
	}
	return all
}
