package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"vitrine/internal/domain"
)

// Factors between two values of a figure that are implausible for values of the same day: of one
// record, and in the middle of all that changed.
const (
	maxFactor    = 10
	middleFactor = 3
)

// manyFigures is the number of changed figures from which their median is significant.
const manyFigures = 6

// changedFigure is a figure of a record that changed its value.
type changedFigure struct {
	record      Record
	factor, age float64 // age in months between the dates
	larger      float64 // of both values
}

// figures objects to figures that change by an implausible factor, or get an older date.
func (c *comparison) figures() []Finding {
	var all []Finding
	for _, k := range c.kinds {
		for _, f := range k.Shape.Figures() {
			changed, older := k.changedFigures(f)
			if f, ok := k.jump(f, changed); ok {
				all = append(all, f)
			}
			if len(older) > 0 {
				all = append(all, finding(fmt.Sprintf("%s:%s", domain.GateBackwards, f.Name), fmt.Sprintf("%s with an older date of %s", k.count(len(older)), f.Name),
					"an old recording would replace newer figures", older, nil))
			}
		}
	}
	return all
}

// changedFigures returns the figures with another value, the largest factor first, and those with
// an older date.
func (k *kindPairs) changedFigures(f *domain.Field) (changed []changedFigure, older []Record) {
	for _, p := range k.changed {
		before, after := *f.Figure(p.before), *f.Figure(p.after)
		if before == nil || after == nil {
			continue
		}
		r := Record{Kind: k.Kind, Key: p.key, Field: f.Name, Before: figure(before), After: figure(after)}
		if before.AsOf != "" && after.AsOf != "" && after.AsOf < before.AsOf {
			older = append(older, r)
		}
		if before.Value != after.Value {
			changed = append(changed, changedFigure{r, factorOf(before.Value, after.Value), monthsBetween(before, after), math.Max(before.Value, after.Value)})
		}
	}
	slices.SortStableFunc(changed, func(a, b changedFigure) int { return cmp.Compare(size(b.factor), size(a.factor)) })
	return changed, older
}

// jump objects to the median of many figures, or else to single ones. A figure below the median of
// its kind may change by any factor.
func (k *kindPairs) jump(f *domain.Field, changed []changedFigure) (Finding, bool) {
	var records, jumps []Record
	var logs, ages []float64
	floor := -1.0
	for _, c := range changed {
		records = append(records, c.record)
		logs, ages = append(logs, math.Log(c.factor)), append(ages, c.age)
		if size(c.factor) < grown(maxFactor, c.age, 2) {
			continue
		}
		if floor < 0 {
			floor = k.medianOf(f)
		}
		if c.larger >= floor {
			jumps = append(jumps, c.record)
		}
	}
	rule := fmt.Sprintf("%s:%s", domain.GateJump, f.Name)
	middle, limit := math.Exp(median(logs)), grown(middleFactor, median(ages), 6)
	switch {
	case len(changed) >= manyFigures && size(middle) >= limit:
		return finding(rule, fmt.Sprintf("the median of %d changed figures is a factor of %.3g (held from %.3g)", len(changed), middle, limit),
			"a source that changes its unit or meaning moves all figures alike", records, nil), true
	case len(jumps) > 0:
		return finding(rule, fmt.Sprintf("%s with a %s that changed by a factor of %d or more", k.count(len(jumps)), f.Name, maxFactor),
			"a wrong figure leads lists that sort by it", jumps, nil), true
	}
	return Finding{}, false
}

// size returns a factor of growth or its inverse, whichever is greater.
func size(factor float64) float64 { return math.Max(factor, 1/factor) }

// factorOf returns the factor between two values; a value below 1 counts as 1.
func factorOf(before, after float64) float64 { return math.Max(after, 1) / math.Max(before, 1) }

// monthsBetween returns the time between the dates of two figures, 0 if unknown.
func monthsBetween(before, after *domain.Figure) float64 {
	from, errFrom := time.Parse(time.DateOnly, string(before.AsOf))
	to, errTo := time.Parse(time.DateOnly, string(after.AsOf))
	if errFrom != nil || errTo != nil || !to.After(from) {
		return 0
	}
	return to.Sub(from).Hours() / 24 / 30
}

// grown returns a factor that doubles within so many months.
func grown(factor, months, doubling float64) float64 { return factor * math.Pow(2, months/doubling) }

// median returns the median of values, which it sorts; 0 for none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// medianOf returns the median of a figure in the served catalogue, 0 without any.
func (k *kindPairs) medianOf(f *domain.Field) float64 {
	var values []float64
	for i := range k.Size(k.served) {
		if v := *f.Figure(k.Record(k.served, i)); v != nil {
			values = append(values, v.Value)
		}
	}
	return median(values)
}

// figure returns a figure with its date, if it has one.
func figure(f *domain.Figure) string {
	if f.AsOf == "" {
		return number(f.Value)
	}
	return number(f.Value) + " (" + string(f.AsOf) + ")"
}
