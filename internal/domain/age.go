package domain

import (
	"fmt"
	"maps"
	"time"
)

// MaxAges has the maximum age of figures by name. nil allows any age.
type MaxAges struct {
	TVL, Platforms, Followers, Subscribers *AgeLimit
}

// AgeLimit is a maximum age of figures, in days before the newest figure of the same name in the
// catalogue. It does not depend on a clock, so responses depend only on the catalogue.
type AgeLimit struct {
	Days  float64 // a whole number, at least 1
	Older Older
}

// Older is the treatment of older figures. "" is [OlderHold], which is not written.
type Older string

// Treatments of older figures (docs/figures.md#age).
const (
	OlderHold Older = "hold" // lists treat the record as one without the figure
	OlderMark Older = "mark" // nothing: check and the meta operation tell of them
)

// Olders returns all treatments of older figures, the default first.
func Olders() []Older { return []Older{OlderHold, OlderMark} }

// limit returns the limit of a figure, nil for none.
func (m *MaxAges) limit(name FigureName) *AgeLimit {
	if m == nil {
		return nil
	}
	limit := map[FigureName]*AgeLimit{FigureTVL: m.TVL, FigurePlatforms: m.Platforms, FigureFollowers: m.Followers, FigureSubscribers: m.Subscribers}[name]
	if limit == nil || limit.Days < 1 {
		return nil
	}
	return limit
}

// Ages reports which figures of a catalogue exceed its age limits.
type Ages map[FigureName]ageRule

// ageRule is the limit for figures of one name.
type ageRule struct {
	limit  *AgeLimit
	newest Date
}

// AgesOf returns the age limits of a catalogue. A bare number of an editor has no age and never
// exceeds a limit.
func AgesOf(c *Catalog) Ages {
	ages := Ages{}
	for _, d := range descriptions {
		for _, f := range d.Shape.Figures() {
			limit := c.MaxAge.limit(FigureName(f.Name))
			if limit == nil {
				continue
			}
			rule := ageRule{limit: limit}
			for i := range d.Size(c) {
				if figure := *f.Figure(d.Record(c, i)); figure != nil {
					rule.newest = max(rule.newest, figure.AsOf)
				}
			}
			ages[FigureName(f.Name)] = rule
		}
	}
	return ages
}

// Equal reports whether the limits of both allow the same figures.
func (a Ages) Equal(b Ages) bool {
	return maps.EqualFunc(a, b, func(a, b ageRule) bool { return *a.limit == *b.limit && a.newest == b.newest })
}

// Older reports whether a figure, which may be nil, is older than its name allows.
func (a Ages) Older(name FigureName, f *Figure) bool {
	rule, limited := a[name]
	return limited && f != nil && float64(rule.newest.daysSince(f.AsOf)) > rule.limit.Days
}

// Held reports whether lists treat a figure as missing because of its age.
func (a Ages) Held(name FigureName, f *Figure) bool {
	return a.Older(name, f) && a[name].limit.Older != OlderMark
}

// Listed returns the catalogue as lists have it, without the held figures. The result is c if
// there are none; otherwise it shares unchanged records with c.
func Listed(c *Catalog) *Catalog {
	ages := AgesOf(c)
	if len(ages) == 0 {
		return c
	}
	listed := c
	for _, d := range descriptions {
		figures := d.Shape.Figures()
		held := func(i int) bool {
			for _, f := range figures {
				if ages.Held(FigureName(f.Name), *f.Figure(d.Record(c, i))) {
					return true
				}
			}
			return false
		}
		if figures == nil || !anyBelow(d.Size(c), held) {
			continue
		}
		if listed == c {
			clone := *c
			listed = &clone
		}
		d.Fill(listed, d.Size(c), func(i int) any { return d.Record(c, i) })
		for i := range d.Size(listed) {
			for _, f := range figures {
				if ages.Held(FigureName(f.Name), *f.Figure(d.Record(listed, i))) {
					*f.Figure(d.Own(listed, i)) = nil
				}
			}
		}
	}
	return listed
}

func anyBelow(n int, is func(i int) bool) bool {
	for i := range n {
		if is(i) {
			return true
		}
	}
	return false
}

// daysSince returns the number of days from earlier to d, 0 if one of them is not a date.
func (d Date) daysSince(earlier Date) int {
	to, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return 0
	}
	from, err := time.Parse(time.DateOnly, string(earlier))
	if err != nil {
		return 0
	}
	return int(to.Sub(from).Hours() / 24)
}

// oldFigures reports the figures that exceed the age limits of the catalogue.
func (ck *checker) oldFigures() {
	if ck.stored || ck.unread.Kinds[KindCatalog] || ck.cat.MaxAge == nil { // the rule is for editing
		return
	}
	ages := AgesOf(ck.cat)
	for _, d := range descriptions {
		for _, f := range d.Shape.Figures() {
			name := FigureName(f.Name)
			for i := range d.Size(ck.cat) {
				if figure := *f.Figure(d.Record(ck.cat, i)); ages.Older(name, figure) {
					ck.oldFigure(Ref{Kind: d.Kind, Index: i}.in(f.Name), f.Name, figure.AsOf, ages[name])
				}
			}
		}
	}
}

func (ck *checker) oldFigure(at Ref, name string, day Date, rule ageRule) {
	message := fmt.Sprintf("%s is of %s, %d days before the newest one; max_age is %s", name, day, rule.newest.daysSince(day), formatNumber(rule.limit.Days))
	if rule.limit.Older != OlderMark {
		message += ", so that lists do not have it"
	}
	ck.report(at, RuleOldFigure, message, "write a newer one with its date, or accept this one in "+ck.files.Catalog)
}
