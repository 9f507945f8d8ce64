package domain

// ValueSince is a value of a record as text, with the path of [FieldChange]. A figure is one
// value, without text.
type ValueSince struct {
	Path, Value string
	// Version is the index of the version from which on it is unchanged.
	Version int
}

// Since returns the values of the last of some versions of one record, oldest first, in the order
// of the record's fields: every text in every locale, including those of cards of a menu. A
// version is a pointer to the record, nil if it was deleted. Keys are not compared. The result is
// nil if the last version is nil. It reads each version once.
func (d *Description) Since(versions []any) []ValueSince {
	var now []part
	for i, record := range versions {
		var next []part
		if record != nil {
			next = d.parts(record)
		}
		date(now, next, i)
		now = next
	}
	return appendValues(nil, "", now)
}

// date sets for the parts of a version since when they are unchanged. It returns whether they
// differ, including removed ones.
func date(old, new []part, version int) (differ bool) {
	for _, p := range match(old, new, func(p part) string { return p.name }, func(p part) string { return p.label }) {
		switch {
		case p.new == nil:
			differ = true
			continue
		case p.old == nil:
			date(nil, p.new.parts, version)
			p.new.since, differ = version, true
			continue
		}
		if date(p.old.parts, p.new.parts, version) || p.old.value != p.new.value {
			p.new.since, differ = version, true
			continue
		}
		p.new.since = p.old.since
	}
	return differ
}

// appendValues appends the values of dated parts at a path.
func appendValues(values []ValueSince, path string, parts []part) []ValueSince {
	for i, n := range names(parts, func(p part) string { return p.name }) {
		p, at := parts[i], n.String()
		switch {
		case p.element:
			at = path + "[" + at + "]"
		case path != "":
			at = path + "." + at
		}
		switch {
		case p.figure && len(p.parts) > 0:
			values = append(values, ValueSince{Path: at, Version: p.since})
		case p.value != "":
			values = append(values, ValueSince{at, p.value, p.since})
		default:
			values = appendValues(values, at, p.parts)
		}
	}
	return values
}
