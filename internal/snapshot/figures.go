package snapshot

import (
	"sync"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// figureSources are the declared sources of figures.
type figureSources []domain.Source

// named returns the source with a key, which is empty if it is not declared.
func (s figureSources) named(key string) domain.Source {
	for _, source := range s { // there are few of them
		if source.Key == key {
			return source
		}
	}
	return domain.Source{}
}

// figure returns the view of a figure.
func (s figureSources) figure(f *domain.Figure) Figure {
	return Figure{Value: f.Value, Source: f.Source, SourceURL: s.named(f.Source).URL, AsOf: f.AsOf}
}

// Sources returns the sources that the catalogue declares, in the order of the editors.
func (s *Snapshot) Sources() []domain.Source { return s.catalog.Sources }

// Licences returns the licences that the catalogue declares, in the order of the editors.
func (s *Snapshot) Licences() []domain.Licence { return s.catalog.Licences }

// SourceNamed returns the declared source with a key; ok is false for none.
func (s *Snapshot) SourceNamed(key string) (source domain.Source, ok bool) {
	source = figureSources(s.catalog.Sources).named(key)
	return source, source.Key != ""
}

// FigureSummary sums up one figure of the records that a list selects, in the form that lists have.
type FigureSummary struct {
	Records        int // with the figure
	Total, Largest float64
	Sources        []SourceDates // in the order of their first record; a bare figure has the source ""
}

// SourceDates are the dates of the figures of one source, "" for bare figures.
type SourceDates struct {
	Source         string
	Oldest, Newest domain.Date
}

// Dates returns the oldest and the newest date of the figures, "" if all are bare.
func (f FigureSummary) Dates() (oldest, newest domain.Date) {
	for _, s := range f.Sources {
		if oldest == "" || s.Oldest != "" && s.Oldest < oldest {
			oldest = s.Oldest
		}
		newest = max(newest, s.Newest)
	}
	return oldest, newest
}

// FigureSummary sums up a figure of all records that a list selects, whatever its page is. It is
// zero for kinds without the figure. That of a list without conditions is computed once per snapshot.
// The caller must not modify it.
func (s *Snapshot) FigureSummary(q query.List, name domain.FigureName) FigureSummary {
	return s.list(q.Kind).summarize(s.Resolve(q), name)
}

// ListedFigure returns a figure of the record of a kind with a key, in the form that lists have; ok
// is false if the record or its figure is unknown.
func (s *Snapshot) ListedFigure(kind query.Kind, key string, name domain.FigureName) (figure Figure, ok bool) {
	f := s.list(kind).listedFigure(key, name)
	if f == nil {
		return Figure{}, false
	}
	return figureSources(s.catalog.Sources).figure(f), true
}

// summaries caches the sums of figures of a list by figure and status, of which there are a few each.
// It is safe for concurrent use.
type summaries struct {
	lock sync.Mutex
	by   map[summaryKey]FigureSummary
}

type summaryKey struct {
	figure domain.FigureName
	status query.Status
}

func (l *list[R, V]) summarize(q query.List, name domain.FigureName) FigureSummary {
	if len(q.Terms)+len(q.Tags)+len(q.Names)+len(q.Filters) > 0 || q.Unlisted || l.figureField(name) == nil {
		return l.sum(q, name)
	}
	key := summaryKey{name, q.Status}
	if _, some := l.statuses[q.Status]; !some {
		key.status = query.StatusAll
	}
	l.summaries.lock.Lock() // others wait for the same sum
	defer l.summaries.lock.Unlock()
	known, ok := l.summaries.by[key]
	if !ok {
		known = l.sum(q, name)
		l.summaries.by[key] = known
	}
	return known
}

func (l *list[R, V]) sum(q query.List, name domain.FigureName) FigureSummary {
	var sum FigureSummary
	field := l.figureField(name)
	if field == nil {
		return sum
	}
	places := map[string]int{} // in sum.Sources
	place := -1                // of the previous record, which mostly has the same source
	add := func(number uint32) {
		figure := *field.Figure(l.records[number])
		if figure == nil {
			return
		}
		if place < 0 || sum.Sources[place].Source != figure.Source {
			known, ok := places[figure.Source]
			if !ok {
				known = len(sum.Sources)
				places[figure.Source], sum.Sources = known, append(sum.Sources, SourceDates{figure.Source, figure.AsOf, figure.AsOf})
			}
			place = known
		}
		of := &sum.Sources[place]
		of.Oldest, of.Newest = min(of.Oldest, figure.AsOf), max(of.Newest, figure.AsOf)
		sum.Records++
		sum.Total += figure.Value
		sum.Largest = max(sum.Largest, figure.Value)
	}
	// Records are visited in the order of their keys, so that the same catalogue always gives the same sums.
	selected := l.matches(q).selected
	for _, number := range l.byKey {
		if selected == nil || selected.Contains(number) {
			add(number)
		}
	}
	return sum
}

func (l *list[R, V]) listedFigure(key string, name domain.FigureName) *domain.Figure {
	field := l.figureField(name)
	number, ok := l.keyed(key)
	if field == nil || !ok {
		return nil
	}
	return *field.Figure(l.records[number])
}

// figureField returns the field of a figure, nil for none.
func (l *list[R, V]) figureField(name domain.FigureName) *domain.Field {
	if l.description == nil {
		return nil
	}
	if field := l.description.Shape.Field(string(name)); field != nil && field.Type == domain.TypeFigure {
		return field
	}
	return nil
}
