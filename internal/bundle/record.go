package bundle

import (
	"fmt"

	"vitrine/internal/domain"
)

// RecordYAML returns one record of a catalogue in YAML, as [Write] writes it. index is that in
// the catalogue's slice of the kind. It is an error if there is no such record.
func RecordYAML(c *domain.Catalog, kind domain.Kind, index int) ([]byte, error) {
	data, err := RecordJSON(c, kind, index)
	if err != nil {
		return nil, err
	}
	return yamlOf(data)
}

// RecordJSON is [RecordYAML] in JSON, on one line.
func RecordJSON(c *domain.Catalog, kind domain.Kind, index int) ([]byte, error) {
	d := domain.Describe(kind)
	if d == nil {
		return nil, fmt.Errorf("no record is of the kind %q", kind)
	}
	if n := d.Size(c); index < 0 || index >= n {
		return nil, fmt.Errorf("there are %d records of the kind %q, none has the index %d", n, kind, index)
	}
	data, err := d.Shape.AppendJSON(nil, d.Record(c, index), c.DefaultLocale)
	return append(data, '\n'), err
}
