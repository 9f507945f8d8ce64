package operations

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// Compared is an operation whose responses depend on the snapshot and a known set of requests, so that
// two catalogues can be compared by them.
type Compared struct {
	Name, Path string
	Record     query.Kind // of the record that the braces of Path name, "" for none
	operation  *operation
}

// ComparedOperations returns these operations in the order of the index: all but those of the program
// (index and document), and those that require a parameter of any value, such as a search.
func ComparedOperations() []Compared {
	var all []Compared
	table := operations()
	for i := range table {
		op := &table[i]
		if op.free != nil || slices.ContainsFunc(op.takes, func(p query.Parameter) bool { return p.Required != "" && len(p.Allowed) == 0 }) {
			continue
		}
		c := Compared{Name: op.name, Path: op.template, operation: op}
		if op.record != nil {
			c.Record = op.record.kind
		}
		all = append(all, c)
	}
	return all
}

// Requests returns the query strings of an operation without braces. Together they show all records, all
// orders, and all values of required parameters. The first ones have no order.
func (c Compared) Requests() []string {
	for _, p := range c.operation.takes {
		if p.Required != "" {
			return assigned(p.Name, p.Allowed)
		}
	}
	all := []string{""}
	if c.Takes("status") {
		all = append(all, "status="+string(query.StatusRetired))
	}
	if sort := c.operation.takes.Find("sort"); sort != nil {
		for _, order := range sort.Allowed {
			if order != sort.Default && order != string(query.SortRelevance) {
				all = append(all, "sort="+order)
			}
		}
	}
	return all
}

func assigned(name string, values []string) []string {
	all := make([]string, len(values))
	for i, value := range values {
		all[i] = name + "=" + value
	}
	return all
}

// Takes reports whether the operation has a parameter.
func (c Compared) Takes(parameter string) bool { return c.operation.takes.Find(parameter) != nil }

// Body returns the body of a request of [Compared.Requests] in a locale.
func (c Compared) Body(s *snapshot.Snapshot, rawQuery string, id locale.ID) []byte {
	asked := request{operation: c.operation, query: strings.TrimPrefix(rawQuery+"&locale="+s.Locales().Name(id), "&")}
	found, err := c.operation.handle(&Handler{}, newGeneration(s, 1), asked)
	if err != nil {
		panic(fmt.Sprintf("operations: %s rejects its request %q: %v", c.Name, rawQuery, err))
	}
	return found.plan.body()
}

// RecordBody returns the body for a record in a locale. ok is false if no record has the name.
func (c Compared) RecordBody(s *snapshot.Snapshot, name string, id locale.ID) (body []byte, ok bool) {
	key, ok := s.Named(c.Record, name)
	if !ok {
		return nil, false
	}
	return c.operation.record.body(s, key, id), true
}

// PathOf returns the path of a record.
func (c Compared) PathOf(name string) string { return parameter.ReplaceAllLiteralString(c.Path, name) }
