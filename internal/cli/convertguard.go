package cli

import (
	"fmt"
	"io"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// overwriting are the flags of converters that allow suspicious results to replace existing data.
type overwriting struct {
	Shrink bool `help:"Write even if no chains or figures, or far fewer than before, would be left." env:"-"`
	Older  bool `help:"Write even if a recording is older than the existing figures." env:"-"`
}

// refuse returns an error for figures that suggest a broken, partial or outdated recording. newest is the
// date of the newest new figure, "" for none. At least three quarters of the existing figures must remain.
func (o overwriting) refuse(name domain.FigureName, r bundle.Replaced, newest domain.Date) error {
	switch {
	case o.Shrink:
	case r.Before > 0 && r.After == 0:
		return fmt.Errorf("no %s figures would be left of %d, so nothing was written; check that the recording is complete, or pass --shrink to write anyway", name, r.Before)
	case 4*r.After < 3*r.Before:
		return fmt.Errorf("only %d of %d %s figures would be left, so nothing was written; check that the recording is complete, or pass --shrink to write anyway", r.After, r.Before, name)
	}
	if !o.Older && newest != "" && newest < r.Newest {
		return fmt.Errorf("the recording of %s is dated %s, older than the existing figures of %s, so nothing was written; use a newer recording, or pass --older to write anyway",
			name, newest, r.Newest)
	}
	return nil
}

// refuseEmpty returns an error for a recording without a usable row.
func (o overwriting) refuseEmpty(path string, rows int) error {
	if path == "" || rows > 0 || o.Shrink {
		return nil
	}
	return fmt.Errorf("%s: the recording has no usable rows, so nothing was written; check that it is complete, or pass --shrink to write anyway", path)
}

// refuseFaulty returns an error for a recording with a figure that check rejects.
func refuseFaulty(path string, name domain.FigureName, rows []connector.Row) error {
	today := domain.DateOf(time.Now())
	for _, row := range rows {
		if fault := row.Figure.Fault(name != domain.FigureTVL, today); fault != "" {
			return fmt.Errorf("%s: the %s %v of %q %s, so nothing was written; correct the recording", path, name, row.Figure.Value, row.Name, fault)
		}
	}
	return nil
}

// newestOf returns the date of the newest row, "" for none.
func newestOf(rows []connector.Row) domain.Date {
	var newest domain.Date
	for _, row := range rows {
		newest = max(newest, row.Figure.AsOf)
	}
	return newest
}

// presentFigures reads the dated figures that an earlier conversion wrote. It returns their number and
// newest date by name.
func presentFigures(r io.Reader) (map[domain.FigureName]bundle.Replaced, error) {
	type figure struct {
		AsOf domain.Date `json:"as_of"`
	}
	present := map[domain.FigureName]bundle.Replaced{}
	take := func(_ int, record struct {
		TVL       *figure `json:"llama_tvl"`
		Platforms *figure `json:"platforms"`
	}) {
		for name, f := range map[domain.FigureName]*figure{domain.FigureTVL: record.TVL, domain.FigurePlatforms: record.Platforms} {
			if f != nil {
				was := present[name]
				was.Before++
				was.Newest = max(was.Newest, f.AsOf)
				present[name] = was
			}
		}
	}
	err := connector.Array(r, take, func(int, error) {}) // a bare number is an editor's, not from a recording
	return present, err
}

// figuresThere returns the figures that a conversion into out would replace: those of the previous import
// or, without one, of the existing file. There are none if that file does not exist or is not from a
// conversion.
func figuresThere(earlier, out string) (map[domain.FigureName]bundle.Replaced, error) {
	if earlier != "" {
		return readFrom(earlier, presentFigures)
	}
	if out == "-" {
		return nil, nil
	}
	there, err := readFrom(out, presentFigures)
	if err != nil {
		return nil, nil
	}
	return there, nil
}
