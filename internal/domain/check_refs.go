package domain

import (
	"fmt"
	"slices"
	"strings"
)

// references finds the records of a kind by their keys, including former ones.
type references struct {
	index   *index
	renamed map[string]string // from former keys to present ones
}

// references returns the index of a kind. It is made on first use, because most long lists have
// no references.
func (ck *checker) references(kind Kind) *references {
	if r := ck.byKind[kind]; r != nil {
		return r
	}
	r := &references{index: newIndex(), renamed: map[string]string{}}
	d := Describe(kind)
	for i, record := range d.records(ck.cat) {
		key := d.Key(record)
		r.index.add(key, i)
		for _, old := range d.FormerKeys(record) {
			r.renamed[old] = key
		}
	}
	ck.byKind[kind] = r
	return r
}

// unknownRule is the rule of references to records of the kind that do not exist.
func (d *Description) unknownRule() Rule { return Rule("unknown-" + d.Names[0]) }

// reference checks the key of a record to which a field refers. what is the name of the value in
// messages.
func (ck *checker) reference(at Ref, f *Field, what, key string) {
	switch f.Refers {
	case KindGroup:
		ck.groupRef(at, f.Scope, key)
		return
	case KindCategory:
		ck.categoryRef(at, f.Scope, what, key)
		return
	}
	if _, known := ck.references(f.Refers).index.lookup(key); !known {
		d := Describe(f.Refers)
		ck.unknownKey(at, d, what, key, d.name(), "")
	}
}

// unknownKey reports a key that no record of a kind has. value is the name of the key in
// messages; what and where describe the missing record.
func (ck *checker) unknownKey(at Ref, d *Description, value, key, what, where string) {
	r := ck.references(d.Kind)
	if now, ok := r.renamed[key]; ok {
		ck.report(at, d.unknownRule(), fmt.Sprintf("%s %s has been renamed", value, quote(key)), "write "+now)
		return
	}
	ck.report(at, d.unknownRule(), fmt.Sprintf("%s %s does not exist", value, quote(key)), r.index.remedy(key, what, d.addressAt.Name, where))
}

// remedy returns the remedy for an unknown key. The arguments are those of [checker.unknownKey];
// keyName is the name of the key field.
func (x *index) remedy(key, what, keyName, where string) string {
	near := x.suggest(key)
	switch {
	case near != "" && !validKey(key):
		return fmt.Sprintf("write %q", near)
	case near != "":
		return fmt.Sprintf("did you mean %q? If not, add %s with that %s%s", near, article(what), keyName, where)
	case validKey(key):
		return fmt.Sprintf("add %s with %s %s%s, or remove it here", article(what), keyName, key, where)
	}
	return fmt.Sprintf("write the %s of %s%s", keyName, article(what), where)
}

// isUnread reports whether records to which the field refers could not be read.
func (ck *checker) isUnread(f *Field) bool {
	return ck.unread.Kinds[f.Refers] || f.Refers == KindGroup && ck.unread.Kinds[KindCategory]
}

// entries reports the empty entries of a list and, if they must be distinct, the repeated ones.
// It calls check with all others. what is the name of an entry in messages.
func (ck *checker) entries(at Ref, field, what string, list []string, distinct bool, check func(i int, entry string)) {
	seen := firstsFor(list)
	for i, entry := range list {
		if entry == "" {
			ck.emptyEntry(at.at(i), field)
			continue
		}
		if distinct {
			if first, repeated := seen(entry, i); repeated {
				ck.repeats(at.at(i), at.at(first), RuleDuplicate, fmt.Sprintf("%s %s is listed twice", what, quote(entry)), "remove one of them")
				continue
			}
		}
		check(i, entry)
	}
}

// firstsFor returns firsts.repeatsExactly for the entries of a list. Most lists are short, for
// which comparing entries is cheaper than a map.
func firstsFor(list []string) func(entry string, i int) (first int, repeated bool) {
	const short = 16
	if len(list) > short {
		return make(firsts, len(list)).repeatsExactly
	}
	return func(entry string, i int) (first int, repeated bool) {
		first = slices.Index(list[:i], entry)
		return max(first, 0), first >= 0 && entry != ""
	}
}

// referenceCycles reports each cycle of references between records of a kind once, at its
// first record. The field holds one key.
func (ck *checker) referenceCycles(d *Description, f *Field) {
	all := d.records(ck.cat)
	if !slices.ContainsFunc(all, func(record any) bool { return *f.Line(record) != "" }) {
		return
	}
	const longest = 10 // maximum number of named keys
	known := ck.references(d.Kind).index
	for _, cycle := range cycles(len(all), func(i int) (int, bool) { return known.lookup(*f.Line(all[i])) }) {
		var keys []string
		for _, i := range append(cycle, cycle[0]) {
			keys = append(keys, quote(d.Key(all[i])))
		}
		if len(keys) > longest+2 {
			keys = append(keys[:longest], "…")
		}
		ck.report(Ref{Kind: d.Kind, Index: cycle[0]}.in(f.Name), RuleParentCycle,
			"the "+f.Name+"s form a cycle: "+strings.Join(keys, " → "), "remove one of these "+f.Name+"s")
	}
}

// cycles returns the cycles of a graph of n nodes with at most one edge each: next returns its
// target. A cycle begins with its smallest node.
func cycles(n int, next func(i int) (int, bool)) [][]int {
	var found [][]int
	const unseen = 0
	walk := make([]int, n) // by node: the number of the walk that visited it first
	for start := range n {
		i, ok := start, true
		for ok && walk[i] == unseen {
			walk[i] = start + 1
			i, ok = next(i)
		}
		if !ok || walk[i] != start+1 {
			continue
		}
		cycle := []int{i}
		for j, _ := next(i); j != i; j, _ = next(j) {
			cycle = append(cycle, j)
		}
		first := slices.Index(cycle, slices.Min(cycle))
		found = append(found, slices.Concat(cycle[first:], cycle[:first]))
	}
	return found
}
