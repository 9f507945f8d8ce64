package connector

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode"

	"vitrine/internal/domain"
)

// Counts reads counts of apps, each with its source and date:
// [{"chain_id": 1, "name": "Ethereum", "platforms": 884, "source": "…", "as_of": "2023-10-16"}].
// Rows without an id have ChainID "", so the join reports them. Rows without a count, a source or a
// date are losses.
func Counts(r io.Reader) ([]Row, []Loss, error) {
	type entry struct {
		ChainID   json.RawMessage `json:"chain_id"`
		Name      string          `json:"name"`
		Platforms *float64        `json:"platforms"`
		Source    string          `json:"source"`
		AsOf      string          `json:"as_of"`
	}
	rows, lost, err := Rows(r, func(e entry) (Row, *Loss) {
		name, source := oneLine(e.Name), oneLine(e.Source)
		id, err := ParseChainID(e.ChainID)
		if err == nil {
			err = checkCount(e.Platforms, source, e.AsOf)
		}
		if err != nil {
			return Row{}, &Loss{ChainID: id, Name: name, Reason: err.Error()}
		}
		return Row{ChainID: id, Name: name, Figure: domain.Figure{Value: math.Abs(*e.Platforms), Source: source, AsOf: domain.Date(e.AsOf)}}, nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("platforms: %w", err)
	}
	return rows, lost, nil
}

func checkCount(count *float64, source, asOf string) error {
	if count == nil {
		return errors.New("the row has no platforms")
	}
	if !IsCount(*count) {
		return fmt.Errorf("platforms %v is not a count", *count)
	}
	if source == "" || len(source) > 500 || strings.ContainsFunc(source, unprintable) {
		return errors.New("the row has no source")
	}
	if _, err := time.Parse(time.DateOnly, asOf); err != nil {
		return fmt.Errorf("as_of %.40q is not a date like 2023-10-16", asOf)
	}
	return nil
}

func unprintable(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// oneLine trims a text and collapses white space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
