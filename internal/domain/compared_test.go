package domain_test

import (
	"testing"

	"vitrine/internal/domain"
)

// TestEveryFieldIsComparedAndWritten checks for records that differ in one field that they are
// not equal, that Diff reports them, and that their JSON differs.
func TestEveryFieldIsComparedAndWritten(t *testing.T) {
	json := func(d *domain.Description, record any) string {
		text, err := d.Shape.AppendJSON(nil, record, "")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	eachFieldOf(full(), func(of visit) {
		switch {
		case !hasValue(of), of.f.Type == domain.TypeNumber && *of.f.Number(of.record) == 0:
			return
		case of.f.IsLine() && *of.f.Line(of.record) == of.f.Standard(of.record): // as if it were empty
			return
		}
		before, after := full(), full()
		eachFieldOf(after, func(v visit) {
			if v.path == of.path {
				v.f.Clear(v.record)
			}
		})
		equal, written := true, of.f.InFileName
		for _, d := range domain.Descriptions() {
			for i := range d.Size(before) {
				old, new := d.Record(before, i), d.Record(after, i)
				equal = equal && d.Shape.Equal(old, new)
				written = written || json(d, old) != json(d, new)
			}
		}
		if equal {
			t.Errorf("records that differ in %s are equal", of.path)
		}
		if domain.Diff(before, after) == nil {
			t.Errorf("Diff does not report %s", of.path)
		}
		if !written {
			t.Errorf("%s is not written", of.path)
		}
	})
}
