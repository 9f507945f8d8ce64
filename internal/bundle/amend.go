package bundle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// Amendment sets fields of one record of a file, or removes those without a value.
type Amendment struct {
	Fields []string     // names
	Chain  domain.Chain // with the values of the fields, and all others
}

// Edit replaces Gone lines of a file, from Line on, by other lines. Lines count from 1, and Added
// end with a line feed.
type Edit struct {
	Line, Gone int
	Added      []string
}

// AmendChains returns the edits, in the order of lines, that set fields of chains in a file of
// chains (.yaml or .ndjson). Everything else in the file stays as it is, comments too. A list in YAML
// that only loses items keeps the lines of the others. refused has
// the amendments that cannot be made so, by slug: of fields with comments, of records that are not
// written with one field a line, and of records that the file does not have. locale is the default
// locale of the catalogue.
func AmendChains(name string, data []byte, locale string, amendments []Amendment) (edits []Edit, refused map[string]error) {
	refused = map[string]error{}
	bySlug := map[string]Amendment{}
	for _, a := range amendments {
		bySlug[a.Chain.Slug] = a
		refused[a.Chain.Slug] = errors.New("the file does not have the record")
	}
	amend := amendYAML
	switch path.Ext(name) {
	case ".ndjson":
		amend = amendLines
	case ".yaml":
	default:
		for slug := range refused {
			refused[slug] = fmt.Errorf("records in a %s file are not edited", path.Ext(name))
		}
		return nil, refused
	}
	amend(data, func(slug string, edit func(a Amendment, record []byte) ([]Edit, error)) {
		a, ok := bySlug[slug]
		if !ok {
			return
		}
		record, err := RecordJSON(&domain.Catalog{DefaultLocale: locale, Chains: []domain.Chain{a.Chain}}, domain.KindChain, 0)
		var made []Edit
		if err == nil {
			made, err = edit(a, record)
		}
		if err != nil {
			refused[slug] = err
			return
		}
		delete(refused, slug)
		edits = append(edits, made...)
	})
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Line - b.Line })
	return edits, refused
}

// ApplyEdits returns the file with edits, which are in the order of lines and do not overlap.
func ApplyEdits(data []byte, edits []Edit) []byte {
	var out bytes.Buffer
	lines := bytes.SplitAfter(data, []byte("\n"))
	next := 1
	copyTo := func(line int) {
		for ; next < line && next <= len(lines); next++ {
			out.Write(lines[next-1])
		}
	}
	for _, e := range edits {
		copyTo(e.Line)
		if out.Len() > 0 && !bytes.HasSuffix(out.Bytes(), []byte("\n")) {
			out.WriteByte('\n')
		}
		for _, line := range e.Added {
			out.WriteString(line)
		}
		next += e.Gone
	}
	copyTo(len(lines) + 1)
	return out.Bytes()
}

// visit calls edit for the record with a slug, if it is to be amended.
type visit func(slug string, edit func(a Amendment, record []byte) ([]Edit, error))

// amendLines amends NDJSON: a record is a line.
func amendLines(data []byte, each visit) {
	for i, line := range bytes.Split(data, []byte("\n")) {
		var record struct{ Slug string }
		if json.Unmarshal(line, &record) != nil {
			continue // a blank line
		}
		each(record.Slug, func(a Amendment, as []byte) ([]Edit, error) {
			amended, err := amendLine(line, a.Fields, as)
			return []Edit{{Line: i + 1, Gone: 1, Added: []string{string(amended) + "\n"}}}, err
		})
	}
}

// amendLine returns a record with the values that fields have in another one. Everything else stays,
// byte by byte.
func amendLine(line []byte, fields []string, as []byte) ([]byte, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(as, &values); err != nil {
		return nil, err
	}
	for _, name := range fields {
		members, err := membersOf(line)
		if err != nil {
			return nil, err
		}
		at := fieldBefore(members, name)
		if values[name] == nil {
			if line, err = withoutMember(line, members, at, name); err != nil {
				return nil, err
			}
			continue
		}
		if members[at].name == name {
			line = slices.Concat(line[:members[at].start], values[name], line[members[at].end:])
			continue
		}
		line = slices.Concat(line[:members[at].end], fmt.Appendf(nil, ",%q:%s", name, values[name]), line[members[at].end:])
	}
	return line, nil
}

// withoutMember returns a record without a member, which is not the first one.
func withoutMember(line []byte, members []member, at int, name string) ([]byte, error) {
	switch {
	case members[at].name != name:
		return line, nil
	case at == 0:
		return nil, fmt.Errorf("%s is the first field", name)
	}
	return slices.Concat(line[:members[at-1].end], line[members[at].end:]), nil
}

// member is a member of a JSON object. Its value is the bytes from start to end.
type member struct {
	name       string
	start, end int
}

// membersOf returns the members of a JSON object, of which there is one at least.
func membersOf(line []byte) (members []member, err error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		end := int(dec.InputOffset())
		members = append(members, member{name.(string), end - len(value), end})
	}
	return members, nil
}

// fieldBefore returns the index of a field or, if there is none, that of the field before it in the order
// of the documentation.
func fieldBefore(members []member, name string) int {
	at := 0
	for i, m := range members {
		if m.name == name {
			return i
		}
		if now := fieldOrder(m.name); now < fieldOrder(name) && now > fieldOrder(members[at].name) {
			at = i
		}
	}
	return at
}

// fieldOrder returns the place of a field of chains in the documentation, -1 for an unknown one.
func fieldOrder(name string) int {
	return slices.IndexFunc(domain.Describe(domain.KindChain).Shape.Fields, func(f *domain.Field) bool { return f.Name == name })
}

// amendYAML amends YAML.
func amendYAML(data []byte, each visit) {
	doc, err := parseYAML(data)
	if err != nil {
		return // the directory would have an error
	}
	chains := cmp.Or(doc.value("chains"), doc) // a list may be bare
	if chains.kind != list {
		return
	}
	file := yamlFile{lines: strings.SplitAfter(string(data), "\n")}
	for _, record := range chains.items {
		file.starts = append(file.starts, record.line)
	}
	for _, key := range doc.keys {
		file.starts = append(file.starts, key.line)
	}
	for _, record := range chains.items {
		if slug := record.value("slug"); slug != nil {
			each(slug.text, func(a Amendment, as []byte) ([]Edit, error) { return file.amend(record, a, as) })
		}
	}
}

// yamlFile is a file whose records are amended.
type yamlFile struct {
	lines  []string
	starts []int // first lines of records and of top-level fields
}

// amend returns the edits that set fields of a record to those of its JSON form.
func (f *yamlFile) amend(record *node, a Amendment, as []byte) ([]Edit, error) {
	margin, err := f.margin(record)
	if err != nil {
		return nil, err
	}
	if f.lines[len(f.lines)-1] != "" {
		return nil, errors.New("the file has no line feed at its end")
	}
	written, err := yamlOf(as)
	if err != nil {
		return nil, err
	}
	now, err := parseYAML(written)
	if err != nil {
		return nil, err
	}
	from := yamlFile{lines: strings.SplitAfter(string(written), "\n")}
	var edits []Edit
	for _, name := range a.Fields {
		i := now.indexOf(name)
		if i < 0 && record.indexOf(name) < 0 {
			return nil, fmt.Errorf("the record has no %s", name)
		}
		if i >= 0 {
			if removals, ok := f.removals(record, name, now.value(name)); ok {
				edits = append(edits, removals...)
				continue
			}
		}
		edit, err := f.place(record, name)
		if err != nil {
			return nil, err
		}
		if i >= 0 {
			first, end := from.region(now, i)
			for _, line := range from.lines[first-1 : end-1] {
				edit.Added = append(edit.Added, margin+strings.TrimSuffix(line, "\n")+"\n")
			}
		}
		edits = append(edits, edit)
	}
	return edits, f.verify(record, now, a.Fields, edits)
}

// margin returns the indentation of the fields of a record, which are on lines of their own.
func (f *yamlFile) margin(record *node) (string, error) {
	if record.kind != object {
		return "", errors.New("it is no record")
	}
	margin := strings.Repeat(" ", record.keys[0].column-1)
	for i, key := range record.keys {
		before := f.lines[key.line-1][:min(key.column-1, len(f.lines[key.line-1]))]
		if i > 0 && before != margin || strings.Trim(before, " -") != "" || key.column-1 != len(margin) {
			return "", fmt.Errorf("line %d: the fields of the record are not on lines of their own", key.line)
		}
	}
	return margin, nil
}

// place returns the lines of a field, or the empty place where it belongs.
func (f *yamlFile) place(record *node, name string) (Edit, error) {
	if i := record.indexOf(name); i >= 0 {
		first, end := f.region(record, i)
		for _, line := range f.lines[first-1 : end-1] {
			if text := strings.TrimSpace(line); strings.HasPrefix(text, "#") || strings.Contains(text, " #") {
				return Edit{}, fmt.Errorf("line %d: %s has a comment", first, name)
			}
		}
		if i == 0 {
			return Edit{}, fmt.Errorf("line %d: %s is the first field", first, name)
		}
		return Edit{Line: first, Gone: end - first}, nil
	}
	behind := fieldBefore(membersNamed(record), name)
	_, end := f.region(record, behind)
	return Edit{Line: end}, nil
}

// removals returns the edits that remove items of a list. ok is false if the wanted list is not the
// present one with fewer items, or if items are not on lines of their own.
func (f *yamlFile) removals(record *node, name string, want *node) (edits []Edit, ok bool) {
	present := record.value(name)
	if present == nil || present.kind != list || want.kind != list || len(want.items) >= len(present.items) {
		return nil, false
	}
	_, end := f.region(record, record.indexOf(name))
	left := want.items
	for i, item := range present.items {
		if before := []rune(f.lines[item.line-1]); strings.TrimSpace(string(before[:min(item.column-1, len(before))])) != "-" {
			return nil, false
		}
		if len(left) > 0 && sameNodes(item, left[0]) {
			left = left[1:]
			continue
		}
		after := end
		if i+1 < len(present.items) {
			after = f.withoutComments(item.line, present.items[i+1].line)
		}
		edits = append(edits, Edit{Line: item.line, Gone: after - item.line})
	}
	return edits, len(left) == 0
}

// membersNamed returns the names of the fields of a record.
func membersNamed(record *node) []member {
	members := make([]member, len(record.keys))
	for i, key := range record.keys {
		members[i].name = key.text
	}
	return members
}

// region returns the first line of field i of a record and the line after its last one. Comments and
// blank lines behind the field do not belong to it.
func (f *yamlFile) region(record *node, i int) (first, end int) {
	first = record.keys[i].line
	end = f.next(first)
	if i+1 < len(record.keys) {
		end = min(end, record.keys[i+1].line)
	}
	return first, f.withoutComments(first, end)
}

// withoutComments returns the end of the lines from first on, without comments and blank lines before
// end.
func (f *yamlFile) withoutComments(first, end int) int {
	for end > first+1 {
		if text := strings.TrimSpace(f.lines[end-2]); text != "" && text != "-" && !strings.HasPrefix(text, "#") {
			break
		}
		end--
	}
	return end
}

// verify parses the record with its edits, and compares it: fields have the new values, and others the
// old ones.
func (f *yamlFile) verify(before, want *node, fields []string, edits []Edit) error {
	end := f.next(before.line)
	var own []Edit
	for _, e := range edits {
		e.Line -= before.line - 1
		own = append(own, e)
	}
	slices.SortStableFunc(own, func(a, b Edit) int { return a.Line - b.Line })
	after, err := parseYAML(ApplyEdits([]byte(strings.Join(f.lines[before.line-1:end-1], "")), own))
	if err != nil {
		return fmt.Errorf("line %d: the record cannot be edited: %w", before.line, err)
	}
	if after.kind == list && len(after.items) == 1 {
		after = after.items[0]
	}
	for _, key := range slices.Concat(before.keys, after.keys) {
		expected := before
		if slices.Contains(fields, key.text) {
			expected = want
		}
		if !sameNodes(after.value(key.text), expected.value(key.text)) {
			return fmt.Errorf("line %d: the record cannot be edited: %s would change", before.line, key.text)
		}
	}
	return nil
}

// next returns the first line of the record or top-level field behind a line, or the line behind the
// file.
func (f *yamlFile) next(line int) int {
	next := len(f.lines) + 1
	for _, start := range f.starts {
		if start > line {
			next = min(next, start)
		}
	}
	return next
}

// sameNodes reports whether two nodes have the same value.
func sameNodes(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.kind == b.kind && a.text == b.text && slices.EqualFunc(a.keys, b.keys, sameNodes) && slices.EqualFunc(a.items, b.items, sameNodes)
}
