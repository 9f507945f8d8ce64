package domain

import (
	"fmt"
	"math"
	"strconv"

	"vitrine/internal/recordjson"
)

const (
	// MaxNumber is the largest number of a catalogue: up to here, a float64, and so JavaScript,
	// represents all whole numbers.
	MaxNumber = 1<<53 - 1

	maxCount    = 1 << 53 // largest count
	maxDecimals = 36      // of a currency: amounts in the least unit stay below 2²⁵⁶ (Nano has 30)
)

// numberType is a number. A required one is always written, because 0 is a value; the decoder
// reports a missing one.
type numberType struct{}

func numberField[R any](name string, at func(*R) *float64) *Field {
	return &Field{
		Name: name, Type: TypeNumber,
		Number: func(r any) *float64 { return at(r.(*R)) },
		Equal:  func(a, b any) bool { return *at(a.(*R)) == *at(b.(*R)) },
	}
}

func (numberType) isEmpty(f *Field, record any) bool { return !f.Required && *f.Number(record) == 0 }

func (numberType) check(ck *checker, at Ref, f *Field, record any) {
	v := *f.Number(record)
	switch fault := numberFault(v, f.Count); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		ck.report(at.in(f.Name), RuleMalformedFigure, f.Name+" is not a finite number", "write a number, as 10")
	case f.Max > 0 && v > f.Max && !ck.stored:
		ck.report(at.in(f.Name), RuleMalformedFigure, fmt.Sprintf("%s %s is too large", f.Name, formatNumber(v)), "write at most "+formatNumber(f.Max))
	case v < f.Min && fault == "":
		ck.report(at.in(f.Name), RuleMalformedFigure, fmt.Sprintf("%s is missing or less than %s", f.Name, formatNumber(f.Min)), "write at least "+formatNumber(f.Min))
	case f.Count && fault != "":
		ck.report(at.in(f.Name), RuleMalformedFigure, fmt.Sprintf("%s %s %s", f.Name, formatNumber(v), fault), "write a whole number, as 18")
	}
}

// numberFault returns the reason why a value is not a valid figure, "" for none. count requires a
// whole number.
func numberFault(v float64, count bool) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "is not a finite number"
	case v < 0:
		return "is below 0"
	case count && v != math.Trunc(v):
		return "is not a whole number"
	case count && v > maxCount:
		return "is too large"
	}
	return ""
}

func (numberType) write(w *recordWriter, f *Field, record any) { w.Number(*f.Number(record)) }

func (numberType) read(r *recordjson.Reader, f *Field, record any) (err error) {
	*f.Number(record), err = r.Number()
	return err
}

func (numberType) part(f *Field, record, _ any) part {
	return stringPart(f.Name, formatNumber(*f.Number(record)))
}

// formatNumber formats v without an exponent, as editors do.
func formatNumber(v float64) string {
	return strconv.FormatFloat(v+0, 'f', -1, 64) // -0 + 0 is 0
}

func (numberType) addValues(v *Values, path, name string, f *Field, record any) {
	if n := *f.Number(record); n != 0 {
		v.scalar(path, name, f, formatNumber(n))
	}
}

func (numberType) appendTexts(texts []string, _ *Field, _ any) []string { return texts }

func (numberType) isFree(*Field) bool { return false }

func (numberType) schema(f *Field, _ *Schemas) Object {
	of, minimum, maximum := "number", float64(-MaxNumber), float64(MaxNumber)
	if f.Count {
		of, minimum = "integer", 0
	}
	if f.Min > 0 {
		minimum = f.Min
	}
	if f.Max > 0 {
		maximum = f.Max
	}
	if f.Required {
		return Object{{"type", of}, {"minimum", minimum}, {"maximum", maximum}}
	}
	return Object{{"type", orNull(of)}, {"minimum", minimum}, {"maximum", maximum}}
}

func (numberType) formName(*Field) string { return "Number. " }

func (numberType) clear(f *Field, record any) { *f.Number(record) = 0 }

func (numberType) random(r *Random, f *Field, record any) {
	numbers := []float64{1, 2, 18}
	switch {
	case f.Max == 1:
		numbers = []float64{0.25, 0.5, 1}
	case !f.Count:
		numbers = append(numbers, -1, 0, 2.5)
	}
	*f.Number(record) = r.number(numbers...)
}
