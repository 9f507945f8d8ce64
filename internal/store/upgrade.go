package store

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/domain"
	"vitrine/internal/recordjson"
)

// UpgradeBody returns the body of a row as it is written today, given one that
// was written up to schema 4 and up to format 2 of the last good file. There a
// text was a list of pairs of locale and value, a figure always a map, a table a
// list of its parts, and nothing was left out for being the standard. Key is the
// row's. A body that has a member which is not known or null, or the record of
// another key, is an error.
func UpgradeBody(kind domain.Kind, key string, body []byte) ([]byte, error) {
	d := domain.Describe(kind)
	if d == nil {
		return nil, fmt.Errorf("no record is of the kind %q", kind)
	}
	record := d.New()
	if err := readFormer(body, d.Shape, record); err != nil {
		return nil, fmt.Errorf("read the former body of %s %q: %w", kind, key, err)
	}
	if held := KeyOf(d, record); held != key { // which a menu's body does not say any more
		return nil, fmt.Errorf("the former body of %s %q holds the record of %q", kind, key, held)
	}
	return recordjson.Append(nil, d.Shape, record, "")
}

func readFormer(body []byte, s *domain.Shape, record any) error {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(body, &members); err != nil {
		return err
	}
	known := 0
	for _, f := range s.Fields {
		value, ok := members[f.Name]
		if !ok {
			continue
		}
		known++
		if value.Kind() == 'n' { // which would read as a figure of 0
			return fmt.Errorf("%s is null", f.Name)
		}
		if err := readFormerField(value, f, record); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if known < len(members) {
		return fmt.Errorf("%d of its members are not known", len(members)-known)
	}
	return nil
}

func readFormerField(value jsontext.Value, f *domain.Field, record any) error {
	switch f.Type {
	case domain.TypeText:
		var pairs [][2]string
		err := json.Unmarshal(value, &pairs)
		for _, pair := range pairs {
			*f.Text(record) = append(*f.Text(record), domain.Translation{Locale: pair[0], Value: pair[1]})
		}
		return err
	case domain.TypeLines:
		var lines []string
		err := json.Unmarshal(value, &lines)
		f.SetLines(record, lines)
		return err
	case domain.TypeNumber:
		return json.Unmarshal(value, f.Number(record))
	case domain.TypeFigure:
		var figure struct {
			Value  float64     `json:"value"`
			Source string      `json:"source"`
			AsOf   domain.Date `json:"as_of"`
		}
		err := json.Unmarshal(value, &figure, json.RejectUnknownMembers(true))
		*f.Figure(record) = &domain.Figure{Value: figure.Value, Source: figure.Source, AsOf: figure.AsOf}
		return err
	case domain.TypeParts, domain.TypeTable:
		var parts []jsontext.Value
		err := json.Unmarshal(value, &parts)
		for i := 0; i < len(parts) && err == nil; i++ {
			err = readFormer(parts[i], f.Parts, f.Grow(record))
		}
		return err
	}
	return json.Unmarshal(value, f.Line(record))
}
