package convert

import (
	"fmt"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// Guard rejects results that suggest a broken, partial or outdated recording. Its fields are flags that
// allow them.
type Guard struct {
	Shrink bool `help:"Write even if no chains or figures, or far fewer than before, would be left." env:"-"`
	Older  bool `help:"Write even if a recording is older than the existing figures." env:"-"`
}

// Replace returns an error if too few figures remain or the new ones are older. newest is the date of the
// newest new figure, "" for none. At least three quarters of the existing figures must remain.
func (g Guard) Replace(name domain.FigureName, r bundle.Replaced, newest domain.Date) error {
	switch {
	case g.Shrink:
	case r.Before > 0 && r.After == 0:
		return fmt.Errorf("no %s figures would be left of %d, so nothing was written; check that the recording is complete, or pass --shrink to write anyway", name, r.Before)
	case 4*r.After < 3*r.Before:
		return fmt.Errorf("only %d of %d %s figures would be left, so nothing was written; check that the recording is complete, or pass --shrink to write anyway", r.After, r.Before, name)
	}
	if !g.Older && newest != "" && newest < r.Newest {
		return fmt.Errorf("the recording of %s is dated %s, older than the existing figures of %s, so nothing was written; use a newer recording, or pass --older to write anyway",
			name, newest, r.Newest)
	}
	return nil
}

// Empty returns an error for a recording without a usable row. Without a path there is no recording.
func (g Guard) Empty(path string, rows int) error {
	if path == "" || rows > 0 || g.Shrink {
		return nil
	}
	return fmt.Errorf("%s: the recording has no usable rows, so nothing was written; check that it is complete, or pass --shrink to write anyway", path)
}

// faulty returns an error for a recording with a figure that check rejects.
func faulty(path string, name domain.FigureName, rows []connector.Row) error {
	today := domain.DateOf(time.Now())
	for _, row := range rows {
		if fault := row.Figure.Fault(name != domain.FigureTVL, today); fault != "" {
			return fmt.Errorf("%s: the %s %v of %q %s, so nothing was written; correct the recording", path, name, row.Figure.Value, row.Name, fault)
		}
	}
	return nil
}

// Newest returns the date of the newest row, "" for none.
func Newest(rows []connector.Row) domain.Date {
	var newest domain.Date
	for _, row := range rows {
		newest = max(newest, row.Figure.AsOf)
	}
	return newest
}

// CheckDate returns an error that names the flag for an invalid or future date, and nil for "".
func CheckDate(flag, value string) error {
	if value == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, value); err != nil {
		return fmt.Errorf("%s %q is not a date like 2025-08-17", flag, value)
	}
	figure, today := domain.Figure{AsOf: domain.Date(value)}, domain.DateOf(time.Now())
	if figure.Fault(false, today) != "" {
		return fmt.Errorf("%s %s is in the future, today is %s; pass the day on which the recording was made", flag, value, today)
	}
	return nil
}
