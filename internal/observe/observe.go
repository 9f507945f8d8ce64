// Package observe turns rows of upstreams into observations of figures of the served catalogue. It
// joins rows with records and rejects responses that suggest a broken, partial or old upstream.
//
// It must not know the origin of rows or the storage of observations. All functions are pure and
// safe for concurrent use.
package observe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/store"
)

// Result has the observations of a response.
type Result struct {
	// Observations are the figures that differ from the newest observations, in value or date,
	// ordered by key; nil for none.
	Observations []store.Observation
	Joined       int              // rows that belong to a record
	Lost         []connector.Loss // other rows, with the reason
}

// RejectedError reports why a response is not used.
type RejectedError struct{ Reason string }

func (e *RejectedError) Error() string { return e.Reason }

// Chains joins rows with the chains of a catalogue by chain id, whatever its spelling. Of several
// rows of a chain the largest counts. A row whose id several chains have is lost, unless all but one
// of these are retired.
//
// The error is a [*RejectedError] if the response has no usable row, or is older than the earlier
// observations. It also is if the response joins fewer than three quarters of the chains that the
// same source observed before.
func Chains(figure domain.FigureName, rows []connector.Row, served *domain.Catalog, observed []domain.Observation) (Result, error) {
	bySlug, lost := joinChains(rows, served)
	of := series{kind: domain.KindChain, figure: figure}
	if len(rows) > 0 {
		of.source = rows[0].Figure.Source
	}
	values := map[string]value{}
	for slug, row := range bySlug {
		values[slug] = value{figure: row.Figure, id: row.Name}
	}
	return of.result(values, lost, observed)
}

// Requested joins rows with the records of a kind that were requested, by key in any spelling. known
// are the ids under which accounts were observed before, by folded key, nil for kinds whose keys are
// ids: a row with another id is lost, because its account has taken over the handle. Errors are those
// of [Chains].
func Requested(
	kind domain.Kind, figure domain.FigureName, rows []connector.KeyedRow, asked []string, known map[string]string, observed []domain.Observation,
) (Result, error) {
	d := domain.Describe(kind)
	of := series{kind: kind, figure: figure, only: map[string]bool{}}
	keys := map[string]string{}
	for _, key := range asked {
		keys[d.Identity(key)] = key
		of.only[fold.Text(key)] = true
	}
	var lost []connector.Loss
	values := map[string]value{}
	for _, row := range rows {
		of.source = row.Figure.Source
		key, ok := keys[d.Identity(row.Key)]
		_, twice := values[key]
		id := known[fold.Text(key)]
		lose := func(reason string) { lost = append(lost, connector.Loss{Name: row.Key, Reason: reason}) }
		switch {
		case !ok:
			lose("the " + d.Names[0] + " was not requested")
		case twice:
			lose("the response has the " + d.Names[0] + " twice")
		case id != "" && id != row.ID:
			lose(fmt.Sprintf("another account has taken over the handle: its id is %s, was %s", row.ID, id))
		default:
			values[key] = value{figure: row.Figure, id: row.ID}
		}
	}
	return of.result(values, lost, observed)
}

// DropDates drops the observations of records with an unchanged document that differ from the newest
// ones in their date alone. A document that has not changed since it was observed changes nothing.
func (r *Result) DropDates(observed []domain.Observation, unchanged func(key string) bool) {
	type series struct {
		kind   domain.Kind
		key    string
		figure domain.FigureName
		source string
	}
	values := map[series]float64{}
	for _, o := range observed {
		values[series{o.Kind, fold.Text(o.Key), o.Figure, o.Source}] = o.Value
	}
	r.Observations = slices.DeleteFunc(r.Observations, func(o store.Observation) bool {
		value, known := values[series{o.Kind, fold.Text(o.Key), o.Figure, o.Source}]
		return known && value == o.Value && unchanged(o.Key)
	})
}

// series are the observations of a figure by one source.
type series struct {
	kind   domain.Kind
	figure domain.FigureName
	source string
	only   map[string]bool // folded keys that were requested; nil for all
}

// value is a joined row.
type value struct {
	figure domain.Figure
	id     string // at the source
}

// result compares the values by key with what was observed before.
func (s series) result(values map[string]value, lost []connector.Loss, observed []domain.Observation) (Result, error) {
	before := map[string]domain.Observation{}
	var newest domain.Date
	for _, o := range observed {
		key := fold.Text(o.Key)
		if o.Kind == s.kind && o.Figure == s.figure && o.Source == s.source && (s.only == nil || s.only[key]) {
			before[key] = o
			newest = max(newest, o.AsOf)
		}
	}
	if err := s.plausible(values, len(before), newest); err != nil {
		return Result{Lost: lost}, err
	}
	r := Result{Joined: len(values), Lost: lost}
	for key, v := range values {
		o := domain.Observation{Kind: s.kind, Key: key, Figure: s.figure, Value: v.figure.Value, Source: v.figure.Source, AsOf: v.figure.AsOf}
		if was, ok := before[fold.Text(key)]; ok && was.Value == o.Value && was.AsOf == o.AsOf {
			continue
		}
		r.Observations = append(r.Observations, store.Observation{Observation: o, UpstreamID: v.id})
	}
	slices.SortFunc(r.Observations, func(a, b store.Observation) int { return strings.Compare(a.Key, b.Key) })
	return r, nil
}

// plausible returns a [*RejectedError] for a response that must not change anything.
func (s series) plausible(values map[string]value, before int, newest domain.Date) error {
	var latest domain.Date
	for _, v := range values {
		latest = max(latest, v.figure.AsOf)
	}
	switch {
	case len(values) == 0:
		return &RejectedError{fmt.Sprintf("no row of %s belongs to %s of the catalogue; nothing was changed", s.figure, article(domain.Describe(s.kind).Names[0]))}
	case 4*len(values) < 3*before:
		return &RejectedError{fmt.Sprintf("%s has values for %d %s now and %d before; the response is probably incomplete, and nothing was changed", s.figure, len(values), domain.Describe(s.kind).Plural, before)}
	case latest < newest:
		return &RejectedError{fmt.Sprintf("the response of %s is older than the observations of %s; nothing was changed", latest, newest)}
	}
	return nil
}

func article(noun string) string {
	if strings.HasPrefix(noun, "a") {
		return "an " + noun
	}
	return "a " + noun
}

// joinChains returns the row of each chain by slug, and the other rows as losses.
func joinChains(rows []connector.Row, served *domain.Catalog) (bySlug map[string]connector.Row, lost []connector.Loss) {
	byID := map[string][]*domain.Chain{}
	for i := range served.Chains {
		id := domain.ChainIDKey(served.Chains[i].ChainID)
		byID[id] = append(byID[id], &served.Chains[i])
	}
	bySlug = map[string]connector.Row{}
	for _, row := range rows {
		slug, reason := chainOf(row, byID)
		if reason != "" {
			lost = append(lost, row.Loss(reason))
			continue
		}
		if other, twice := bySlug[slug]; twice {
			if other.Figure.Value >= row.Figure.Value {
				row, other = other, row
			}
			lost = append(lost, other.Loss(connector.Lesser))
		}
		bySlug[slug] = row
	}
	return bySlug, lost
}

// chainOf returns the slug of the chain of a row, or why there is none.
func chainOf(row connector.Row, byID map[string][]*domain.Chain) (slug, reason string) {
	chains := byID[domain.ChainIDKey(row.ChainID)]
	if live := slices.DeleteFunc(slices.Clone(chains), func(c *domain.Chain) bool { return c.Status.Retired() }); len(live) > 0 {
		chains = live
	}
	switch {
	case row.ChainID == "":
		return "", "the row has no chain id"
	case len(chains) == 0:
		return "", "no chain of the catalogue has the id"
	case len(chains) > 1:
		slices.SortFunc(chains, func(a, b *domain.Chain) int { return cmp.Compare(a.Slug, b.Slug) })
		return "", fmt.Sprintf("several chains have the id: %s and %s", chains[0].Slug, chains[1].Slug)
	}
	return chains[0].Slug, ""
}
