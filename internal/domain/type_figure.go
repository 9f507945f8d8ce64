package domain

import (
	"errors"
	"fmt"
	"math"

	"vitrine/internal/recordjson"
)

// figureType is a [Figure], written as {value, source, as_of}, or as a number without source and
// date.
type figureType struct{}

func figureField[R any](name FigureName, at func(*R) **Figure) *Field {
	return &Field{
		Name: string(name), Type: TypeFigure,
		Figure: func(r any) **Figure { return at(r.(*R)) },
		Equal:  func(a, b any) bool { return (*at(a.(*R))).Equal(*at(b.(*R))) },
	}
}

func (figureType) isEmpty(f *Field, record any) bool { return *f.Figure(record) == nil }

func (figureType) check(ck *checker, at Ref, of *Field, record any) {
	f, name := *of.Figure(record), of.Name
	in := func(part string) Ref { return at.in(name, part) }
	if fault := numberFault(f.Value, of.Count); fault != "" {
		ck.report(in("value"), RuleMalformedFigure, fmt.Sprintf("%s %s %s", name, formatNumber(f.Value), fault), "write a number, as 1200")
	}
	if f.AsOf == "" && f.Source == "" {
		return
	}
	if !f.AsOf.valid() {
		ck.report(in("as_of"), RuleMalformedFigure, fmt.Sprintf("as_of %s of %s is not a date", quote(string(f.AsOf)), name),
			"write the day of the figure as YYYY-MM-DD")
	}
	if ck.inFuture(f.AsOf) {
		ck.futureDate(in("as_of"), fmt.Sprintf("as_of %s of %s", f.AsOf, name), "write the day on which the figure was true")
	}
	if f.Source == "" {
		ck.report(in("source"), RuleMalformedFigure, fmt.Sprintf("%s has a date and no source", name), "write where the figure is from")
	}
	if fault := ck.textFault("source", f.Source, maxName, false); fault != nil {
		ck.reportFault(in("source"), fault)
	}
}

// Fault returns the reason why [Check] would reject a figure with a source and a date, "" for
// none. count requires a whole number; today is as in [Reading].
func (f *Figure) Fault(count bool, today Date) string {
	switch fault := numberFault(f.Value, count); {
	case fault != "":
		return fault
	case f.Value > MaxNumber:
		return fmt.Sprintf("is too large, the limit is %d", int64(MaxNumber))
	case !f.AsOf.valid():
		return fmt.Sprintf("has the date %s, which is none", quote(string(f.AsOf)))
	case f.AsOf > today.dayAfter():
		return fmt.Sprintf("is of %s, which is in the future, today is %s", f.AsOf, today)
	}
	return ""
}

func (figureType) write(w *recordWriter, of *Field, record any) {
	f := *of.Figure(record)
	if f.Bare() && f.Source == "" {
		w.Number(f.Value)
		return
	}
	w.Object(func() {
		w.Member("value")
		w.Number(f.Value)
		w.Member("source")
		w.String(f.Source)
		w.Member("as_of")
		w.String(string(f.AsOf))
	})
}

func (figureType) read(r *recordjson.Reader, of *Field, record any) error {
	f := new(Figure)
	*of.Figure(record) = f
	if r.IsNumber() {
		v, err := r.Number()
		f.Value = v
		return err
	}
	known := false
	err := r.Object(func(name []byte) (err error) {
		switch string(name) {
		case "value":
			known = true
			f.Value, err = r.Number()
		case "source":
			f.Source, err = r.Word()
		case "as_of":
			var day string
			day, err = r.Word()
			f.AsOf = Date(day)
		default:
			err = fmt.Errorf("a figure has no field %q", name)
		}
		return err
	})
	if err == nil && !known {
		err = errors.New("a figure has no value")
	}
	return err
}

func (figureType) part(of *Field, record, _ any) part {
	p := part{name: of.Name, figure: true}
	if f := *of.Figure(record); f != nil {
		p.parts = []part{stringPart("value", formatNumber(f.Value)), stringPart("source", f.Source), stringPart("as_of", string(f.AsOf))}
	}
	return p
}

// addValues adds the number as a separate value: a number with another date is the same value to
// readers.
func (figureType) addValues(v *Values, path, name string, of *Field, record any) {
	f := *of.Figure(record)
	if f == nil {
		return
	}
	number := formatNumber(f.Value)
	v.add(Value{Path: path, Text: number, Name: name, Number: true})
	v.add(Value{Path: path + ".as_of", Text: number + " (" + f.Source + ", " + string(f.AsOf) + ")", Name: name + ".as_of"})
}

func (figureType) appendTexts(texts []string, _ *Field, _ any) []string { return texts }

func (figureType) isFree(*Field) bool { return false }

func (figureType) schema(f *Field, s *Schemas) Object {
	figure := s.Shared("amount")
	if f.Count {
		figure = s.Shared("count")
	}
	if f.Required {
		figure = append(figure, Member{"not", Object{{"type", "null"}}})
	}
	return figure
}

// figureSchema is the shared definition of figures with a type of number.
func figureSchema(about, number string) Object {
	about += " A plain number takes precedence over observed figures. Of figures with source and date, the newest is served."
	value := Object{{"type", number}, {"minimum", 0}, {"maximum", MaxNumber}}
	return Object{
		{"description", about},
		{"anyOf", []any{
			value,
			Object{
				{"type", "object"},
				{"properties", Object{
					{"value", append(value[:len(value):len(value)], Member{"description", "The number."})},
					{"source", Object{{"description", "Source of the number."}, {"type", "string"}, {"pattern", `\S`}, {"examples", []string{"defillama"}}}},
					{"as_of", Object{
						{"description", "Date of the number, YYYY-MM-DD."}, {"type", "string"},
						{"pattern", datePattern}, {"format", "date"}, {"examples", []string{"2025-08-17"}},
					}},
				}},
				{"required", []string{"value", "source", "as_of"}},
				{"additionalProperties", false},
			},
			Object{{"type", "null"}},
		}},
		{"examples", []any{12, Object{{"value", 3602125}, {"source", "public recording"}, {"as_of", "2025-01-09"}}}},
	}
}

func (figureType) formName(f *Field) string {
	if f.Count {
		return "Figure, a whole number. "
	}
	return "Figure. "
}

func (figureType) clear(f *Field, record any) { *f.Figure(record) = nil }

func (figureType) random(r *Random, of *Field, record any) {
	numbers := []float64{0, math.Copysign(0, -1), 1, 2, 1000}
	if !of.Count {
		numbers = append(numbers, 3.5)
	}
	f := &Figure{Value: r.number(numbers...)}
	if r.Int(2) == 1 {
		f.Source, f.AsOf = r.text("defillama", "recording"), Date(r.text("2025-01-09", "2025-08-17"))
	}
	*of.Figure(record) = f
}

// Figure is a number with its source. A figure without Source and AsOf is a bare figure of the
// editors, which takes precedence over all observations (docs/figures.md#precedence).
type Figure struct {
	Value  float64 // finite, 0 or more
	Source string  // "" exactly when AsOf is ""
	AsOf   Date
}

// Bare reports whether the figure is an editor's number without a source.
func (f Figure) Bare() bool { return f.AsOf == "" }

// Equal reports whether two figures have the same values. nil is an unknown figure.
func (f *Figure) Equal(g *Figure) bool {
	if f == nil || g == nil {
		return f == g
	}
	return *f == *g
}

// FigureName is the name of a figure in the directory and in the meta operation.
type FigureName string

// The figures of a catalogue.
const (
	FigureTVL       FigureName = "llama_tvl"
	FigurePlatforms FigureName = "platforms"
	FigureFollowers FigureName = "followers_count"

	FigureSubscribers FigureName = "subscriber_count"
)
