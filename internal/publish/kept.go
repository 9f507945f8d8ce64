package publish

import (
	"fmt"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/store"
)

// keptFigures returns a note on the figures that were observed after an old revision and that a
// rollback to it keeps, as a list of one; nil for none.
func keptFigures(number int64, old, head *store.State) []string {
	type figure struct {
		kind domain.Kind
		key  string
		name domain.FigureName
	}
	values := func(s *store.State) map[figure]float64 {
		of := map[figure]float64{}
		for _, o := range s.Observed() {
			if o.Source != domain.SourceProbe {
				of[figure{o.Kind, fold.Text(o.Key), o.Figure}] = o.Value
			}
		}
		return of
	}
	before := values(old)
	var kept []string
	for f, value := range values(head) {
		if was, known := before[f]; !known || was != value {
			kept = append(kept, fmt.Sprintf("%s of %s %s", f.name, f.kind, f.key))
		}
	}
	if len(kept) == 0 {
		return nil
	}
	slices.Sort(kept)
	return []string{fmt.Sprintf("figures that were observed after revision %d stay: %s; to correct one, write it as a plain number in the directory, or sync one with a newer date",
		number, someOf(kept))}
}
