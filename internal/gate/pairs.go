package gate

import (
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// comparison has the inputs of the rules.
type comparison struct {
	served, candidate *domain.Catalog
	settings          domain.GateSettings // of the candidate
	values            share               // of changed values that is large
	kinds             []*kindPairs
}

// kindPairs are the records of a kind: those that changed, and those that only one catalogue has.
type kindPairs struct {
	*domain.Description
	served, candidate *domain.Catalog
	changed           []pair // in the order of the candidate
	added             []pair // with no record before
	removed           []any
	columns           []*column // of changed, sorted by path
	values            share
}

// pair is a record before and after, nil for none.
type pair struct {
	key           string // the current key
	before, after any
}

func newComparison(delta *domain.Delta) *comparison {
	served, candidate := delta.Catalogs()
	c := &comparison{served: served, candidate: candidate}
	if candidate.Gate != nil {
		c.settings = *candidate.Gate
	}
	c.values = shareOf(c.settings.Values, standardValues)
	for _, d := range domain.Descriptions() {
		k := &kindPairs{Description: d, served: served, candidate: candidate, values: c.values}
		k.match(delta.Records(d))
		k.columns = k.columnsOf()
		c.kinds = append(c.kinds, k)
	}
	return c
}

func (c *comparison) kind(kind domain.Kind) *kindPairs {
	return c.kinds[slices.IndexFunc(c.kinds, func(k *kindPairs) bool { return k.Kind == kind })]
}

// match pairs records that differ by address, and renamed ones by a former key.
func (k *kindPairs) match(served, candidate []any) {
	before := make(map[string]int, len(served))
	for i, record := range served {
		before[k.Identity(k.Address(record))] = i
	}
	matched := make([]bool, len(served))
	join := func(j int, after any) {
		matched[j] = true
		if before := served[j]; !k.Shape.Equal(before, after) {
			k.changed = append(k.changed, pair{k.Address(after), before, after})
		}
	}
	var unknown []any
	for _, record := range candidate {
		if j, ok := before[k.Identity(k.Address(record))]; ok && !matched[j] {
			join(j, record)
			continue
		}
		unknown = append(unknown, record)
	}
	for _, record := range unknown {
		j, ok := -1, false
		for _, key := range k.FormerKeys(record) {
			if j, ok = before[k.Identity(key)]; ok && !matched[j] {
				break
			}
			ok = false
		}
		if ok {
			join(j, record)
		} else {
			k.added = append(k.added, pair{k.Address(record), nil, record})
		}
	}
	for j, is := range matched {
		if !is {
			k.removed = append(k.removed, served[j])
		}
	}
}

// fact is one value of a record: of a text one for each locale, of links their hosts, of a list all
// its elements separated by spaces. A figure of 0 is no value.
type fact struct {
	path  string // `chain_id`, `name.en`, `native_currency.decimals`
	field *domain.Field
	value string
}

// factsOf returns the facts of a record without its address, by which records are matched, and without
// translations that equal the text in the default locale, which tell readers nothing.
func (k *kindPairs) factsOf(record any) []fact {
	address := k.Address(record)
	facts := factsOf(k.Shape, "", record, nil)
	original := map[string]string{}
	for _, f := range facts {
		if name, is := strings.CutSuffix(f.path, "."+k.served.DefaultLocale); is && f.field.Type == domain.TypeText {
			original[name] = f.value
		}
	}
	return slices.DeleteFunc(facts, func(f fact) bool {
		if f.field.Type == domain.TypeText {
			dot := strings.LastIndexByte(f.path, '.')
			return f.path[dot+1:] != k.served.DefaultLocale && original[f.path[:dot]] == f.value
		}
		return f.value == address && f.field.Form != nil
	})
}

// factsOf returns the facts of a record, in the order of its fields, empty ones left out. JSON and
// maps have none.
func factsOf(shape *domain.Shape, prefix string, record any, facts []fact) []fact {
	for _, f := range shape.Fields {
		path := prefix + f.Name
		switch f.Type {
		case domain.TypeJSON, domain.TypeKeyed, domain.TypeTable:
		case domain.TypeLines:
			if lines := f.Lines(record); len(lines) > 0 {
				facts = append(facts, fact{path, f, strings.Join(lines, " ")})
			}
		case domain.TypeFigure:
			if figure := *f.Figure(record); figure != nil && figure.Value > 0 {
				facts = append(facts, fact{path, f, number(figure.Value)})
			}
		case domain.TypeText:
			for _, t := range *f.Text(record) {
				facts = append(facts, fact{path + "." + t.Locale, f, t.Value})
			}
		case domain.TypeNumber:
			facts = append(facts, fact{path, f, number(*f.Number(record))})
		case domain.TypePart:
			if f.Size(record) > 0 {
				facts = factsOf(f.Parts, path+".", f.Part(record, 0), facts)
			}
		case domain.TypeParts:
			if value := strings.Join(hostsOf(f, record), " "); value != "" {
				facts = append(facts, fact{path, f, value})
			}
		case domain.TypeLink:
			if value := *f.Line(record); value != "" {
				facts = append(facts, fact{path, f, hostOf(value)})
			}
		default:
			if value := cmp.Or(*f.Line(record), f.Implied); value != "" {
				facts = append(facts, fact{path, f, value})
			}
		}
	}
	return facts
}
