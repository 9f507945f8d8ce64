package domain

import (
	"fmt"
	"time"
)

// MaxAges say how old figures may be, by name; nil is any age.
type MaxAges struct {
	TVL, Platforms, Followers *AgeLimit
}

// AgeLimit is how old a figure may be: so many days older than the newest one of its name
// in the catalogue. There is no clock in it, so that what is served follows from the
// catalogue alone and stays the same until somebody changes it.
type AgeLimit struct {
	Days  float64 // a whole number, at least 1
	Older Older
}

// Older says what becomes of figures that are older. "" is [OlderHold], which is not written.
type Older string

// What becomes of older figures (docs/figures.md#age).
const (
	OlderHold Older = "hold" // lists treat the record as one without the figure
	OlderMark Older = "mark" // nothing: check and the meta operation tell of them
)

// Olders returns all that may become of older figures, the standard first.
func Olders() []Older { return []Older{OlderHold, OlderMark} }

// limit returns the limit of a figure, nil for none.
func (m *MaxAges) limit(name FigureName) *AgeLimit {
	if m == nil {
		return nil
	}
	limit := map[FigureName]*AgeLimit{FigureTVL: m.TVL, FigurePlatforms: m.Platforms, FigureFollowers: m.Followers}[name]
	if limit == nil || limit.Days < 1 {
		return nil
	}
	return limit
}

// Ages tells which figures of a catalogue are older than it allows.
type Ages map[FigureName]ageRule

// ageRule is what holds for figures of one name.
type ageRule struct {
	limit  *AgeLimit
	newest Date
}

// AgesOf returns what holds for the figures of a catalogue. An editor's bare number has no
// age and is never old.
func AgesOf(c *Catalog) Ages {
	ages := Ages{}
	for _, d := range descriptions {
		for _, f := range d.Shape.Figures() {
			limit := c.MaxAge.limit(FigureName(f.Name))
			if limit == nil {
				continue
			}
			rule := ageRule{limit: limit}
			for i := range d.size(c) {
				if figure := *f.figure(d.at(c, i)); figure != nil {
					rule.newest = max(rule.newest, figure.AsOf)
				}
			}
			ages[FigureName(f.Name)] = rule
		}
	}
	return ages
}

// Older reports whether a figure, which may be nil, is older than its name allows.
func (a Ages) Older(name FigureName, f *Figure) bool {
	rule, limited := a[name]
	return limited && f != nil && float64(rule.newest.daysSince(f.AsOf)) > rule.limit.Days
}

// Held reports whether a figure is older and so not there for lists.
func (a Ages) Held(name FigureName, f *Figure) bool {
	return a.Older(name, f) && a[name].limit.Older != OlderMark
}

// Listed returns the catalogue as lists have it: without the figures that are held. It is c
// itself where there are none; else it shares with c what is the same.
func Listed(c *Catalog) *Catalog {
	ages := AgesOf(c)
	listed := c
	for _, d := range descriptions {
		figures := d.Shape.Figures()
		held := func(i int) bool {
			for _, f := range figures {
				if ages.Held(FigureName(f.Name), *f.figure(d.at(c, i))) {
					return true
				}
			}
			return false
		}
		if figures == nil || !anyBelow(d.size(c), held) {
			continue
		}
		if listed == c {
			clone := *c
			listed = &clone
		}
		d.Fill(listed, d.size(c), func(i int) any { return d.at(c, i) })
		for i := range d.size(listed) {
			for _, f := range figures {
				if at := f.figure(d.at(listed, i)); ages.Held(FigureName(f.Name), *at) {
					*at = nil
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

// daysSince returns how many days d is after another one, 0 where one of them is no date.
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

// oldFigures reports the figures that are older than the catalogue allows.
func (ck *checker) oldFigures() {
	if ck.stored || ck.unread.Kinds[KindCatalog] || ck.cat.MaxAge == nil { // it is about writing
		return
	}
	ages := AgesOf(ck.cat)
	for _, d := range descriptions {
		for _, f := range d.Shape.Figures() {
			name := FigureName(f.Name)
			for i := range d.size(ck.cat) {
				if figure := *f.figure(d.at(ck.cat, i)); ages.Older(name, figure) {
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
