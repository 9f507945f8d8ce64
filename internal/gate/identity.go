package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/domain"
)

// moved holds each identifying value that moves from the only record with it to another record,
// and each endpoint that a record gains and another one has, or that is named after another one.
func (c *comparison) moved() []Finding {
	var all []Finding
	for _, k := range c.kinds {
		for _, path := range k.identifying() {
			records := k.movedTo(path)
			if k.Shape.Field(path).Type == domain.TypeParts {
				records = withOthers(records, k.namedAfter(path))
			}
			if len(records) > 0 {
				all = append(all, finding(ruleOf(domain.GateMoved, k.Kind, path),
					fmt.Sprintf("%s with a %s of another record", k.count(distinct(records)), path),
					"the value identifies the other record; programs would take one for the other", records, nil))
			}
		}
	}
	return all
}

// withOthers adds the records of which the first list has none.
func withOthers(records, more []Record) []Record {
	found := map[string]bool{}
	for _, r := range records {
		found[r.Key] = true
	}
	for _, r := range more {
		if !found[r.Key] {
			records = append(records, r)
		}
	}
	return records
}

// count formats a number of records of the kind.
func (k *kindPairs) count(n int) string {
	if n == 1 {
		return "1 " + k.Names[0]
	}
	return fmt.Sprintf("%d %s", n, k.Plural)
}

// distinct returns the number of distinct records, because one may have several changes.
func distinct(records []Record) int {
	keys := map[string]bool{}
	for _, r := range records {
		keys[r.Key] = true
	}
	return len(keys)
}

// identifying returns the fields of a kind whose values identify a record.
func (k *kindPairs) identifying() []string {
	var paths []string
	for _, f := range k.Shape.Fields {
		switch {
		case f.Type == domain.TypeChainID, f.Name == "id" && k.Kind == domain.KindChain,
			f.Type == domain.TypeText && f.Names, f.Name == "website", f.Name == "link", f.Name == "rpc":
			paths = append(paths, f.Name)
		}
	}
	return paths
}

// identity returns the identifying values of a record at a field. A nil record has none.
func (k *kindPairs) identity(field string, record any) []string {
	if record == nil {
		return nil
	}
	if chain, ok := record.(*domain.Chain); ok && field == "id" {
		return []string{chain.StableID()}
	}
	f := k.Shape.Field(field)
	switch f.Type {
	case domain.TypeText:
		if value, ok := f.Text(record).In(k.served.DefaultLocale); ok {
			return []string{strings.ToLower(value)}
		}
		return nil
	case domain.TypeParts:
		var all []string
		for _, link := range linksIn(f, record) {
			if endpoint, ok := endpointOf(link); ok && !slices.Contains(all, endpoint) {
				all = append(all, endpoint)
			}
		}
		return all
	case domain.TypeLink:
		if link := *f.Line(record); link != "" {
			return []string{hostOf(link)}
		}
		return nil
	case domain.TypeChainID:
		return []string{domain.ChainIDKey(*f.Line(record))}
	}
	if value := *f.Line(record); value != "" {
		return []string{value}
	}
	return nil
}

// movedTo returns the records that gain a value of a field that exactly one other served record
// has. If both still have it, that counts for endpoints alone: related chains share websites.
func (k *kindPairs) movedTo(field string) []Record {
	type gain struct {
		key    string
		record any
		before string
	}
	gains := map[string][]gain{}
	for _, p := range slices.Concat(k.changed, k.added) {
		had := k.identity(field, p.before)
		for _, value := range k.identity(field, p.after) {
			if !slices.Contains(had, value) {
				gains[value] = append(gains[value], gain{p.key, p.after, strings.Join(had, " ")})
			}
		}
	}
	if len(gains) == 0 {
		return nil
	}
	owners := map[string][]any{}
	for i := range k.Size(k.served) {
		record := k.Record(k.served, i)
		for _, value := range k.identity(field, record) {
			if len(gains[value]) > 0 && !slices.Contains(owners[value], record) {
				owners[value] = append(owners[value], record)
			}
		}
	}
	after := map[any]any{}
	for _, p := range k.changed {
		after[p.before] = p.after
	}
	gone := map[any]bool{}
	for _, record := range k.removed {
		gone[record] = true
	}
	shared := k.Shape.Field(field).Type == domain.TypeParts
	var records []Record
	for value, list := range gains {
		if len(owners[value]) != 1 {
			continue
		}
		owner := owners[value][0]
		kept := !gone[owner]
		if now, changed := after[owner]; changed {
			kept = slices.Contains(k.identity(field, now), value)
		}
		for _, g := range list {
			switch {
			case k.renumbered(owner, g.record), kept && !shared, kept && related(owner, g.record):
				continue
			case gone[owner] && renamed(k, owner, g.record):
				continue
			}
			records = append(records, Record{Kind: k.Kind, Key: g.key, Field: field,
				Before: g.before, After: fmt.Sprintf("%s (of %s)", value, k.Address(owner))})
		}
	}
	slices.SortFunc(records, func(a, b Record) int {
		return strings.Compare(a.Key+"\n"+a.After, b.Key+"\n"+b.After)
	})
	return records
}

// renumbered reports whether two records may exchange identifying values: their keys differ only
// in a number, or searches demote both, as test networks, which are replaced routinely.
func (k *kindPairs) renumbered(a, b any) bool {
	return stem(k.Address(a)) == stem(k.Address(b)) || k.isDemoted(a) && k.isDemoted(b)
}

// related reports whether two chains may share an endpoint: one is the parent or the successor of
// the other. Chains with the same parent may not: a hundred chains settle on Ethereum.
func related(a, b any) bool {
	x, okX := a.(*domain.Chain)
	y, okY := b.(*domain.Chain)
	return okX && okY && (x.Parent == y.Slug || y.Parent == x.Slug || x.Successor == y.Slug || y.Successor == x.Slug)
}

// stem returns a key without its number at the end.
func stem(key string) string { return strings.TrimRight(key, "0123456789-_.") }

// isDemoted reports whether searches put a record of the served catalogue last.
func (k *kindPairs) isDemoted(record any) bool {
	f := k.Shape.Categories()
	if f == nil || k.served.Search == nil {
		return false
	}
	return slices.ContainsFunc(f.Lines(record), func(key string) bool { return slices.Contains(k.served.Search.Demote, key) })
}

// renamed reports whether a removed and an added record share more than one value, so that the
// added one is probably the same under another key.
func renamed(k *kindPairs, gone, added any) bool {
	same := 0
	for _, field := range k.identifying() {
		had := k.identity(field, gone)
		if slices.ContainsFunc(k.identity(field, added), func(v string) bool { return slices.Contains(had, v) }) {
			same++
		}
	}
	return same > 1
}

// replaced objects to records that keep their key and change everything else that identifies them, and
// to chains with another number as chain id: networks keep theirs. [comparison.moved] objects to those that
// have the number of a chain without it now.
func (c *comparison) replaced() []Finding {
	moved := sync.OnceValue(func() map[string]bool {
		keys := map[string]bool{}
		for _, r := range c.kind(domain.KindChain).movedTo("chain_id") {
			keys[r.Key] = true
		}
		return keys
	})
	var all []Finding
	for _, k := range c.kinds {
		var records []Record
		for _, p := range k.changed {
			if k.isDemoted(p.before) && k.isDemoted(p.after) {
				continue
			}
			differ, same := 0, 0
			before, after := "", ""
			for _, field := range k.identifying() {
				had, has := k.identity(field, p.before), k.identity(field, p.after)
				switch {
				case field == "id": // derived from the key
				case len(had) == 0 || len(has) == 0:
				case slices.ContainsFunc(has, func(v string) bool { return slices.Contains(had, v) }):
					same++
				default:
					if differ == 0 {
						before, after = had[0], has[0]
					}
					differ++
				}
			}
			if was, now, is := otherNumber(p); is && !moved()[p.key] {
				before, after, differ, same = was, now, 2, 0
			}
			if differ > 1 && same == 0 {
				records = append(records, Record{Kind: k.Kind, Key: p.key, Before: before, After: after})
			}
		}
		if len(records) > 0 {
			all = append(all, finding(fmt.Sprintf("%s:%s", domain.GateReplaced, k.Kind),
				fmt.Sprintf("%s with a key that meant another record: another number as chain_id, or all identifying values differ", k.count(len(records))),
				"clients know records by their keys and would show the wrong one", records, nil))
		}
	}
	return all
}

// currencies objects to every change of the symbol or the decimals of a chain's currency.
func (c *comparison) currencies() []Finding {
	k := c.kind(domain.KindChain)
	var records []Record
	for _, col := range k.columns {
		if col.path != "native_currency.symbol" && col.path != "native_currency.decimals" {
			continue
		}
		for _, cell := range col.cells {
			if cell.before != "" && cell.after != "" && !k.isDemoted(cell.pair.after) {
				records = append(records, k.record(col, cell))
			}
		}
	}
	if len(records) == 0 {
		return nil
	}
	return []Finding{finding(fmt.Sprintf("%s:%s", domain.GateCurrency, domain.KindChain),
		fmt.Sprintf("%s with another symbol or other decimals of the currency", k.count(distinct(records))),
		"wallets show and send wrong amounts", records, nil)}
}

// leftCategories objects if many records leave a category that stays.
func (c *comparison) leftCategories() []Finding {
	names := map[string]string{} // key of a category now, by the key that it had
	for i := range c.candidate.Categories {
		category := &c.candidate.Categories[i]
		names[category.Key] = category.Key
		for _, key := range category.Former {
			names[key] = category.Key
		}
	}
	var all []Finding
	left := map[string][]Record{}
	for _, k := range c.kinds {
		f := k.Shape.Categories()
		if f == nil {
			continue
		}
		for _, p := range k.changed {
			now := f.Lines(p.after)
			for _, key := range f.Lines(p.before) {
				if to, stays := names[key]; stays && !slices.Contains(now, to) && !domain.IsRetired(p.after) {
					left[key] = append(left[key], Record{Kind: k.Kind, Key: p.key, Field: "categories",
						Before: strings.Join(f.Lines(p.before), ", "), After: strings.Join(now, ", ")})
				}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		records := left[key]
		if !c.values.isLarge(len(records), 0) {
			continue
		}
		if of := c.membersOf(key); c.values.isLarge(len(records), of) {
			all = append(all, largeFinding(fmt.Sprintf("%s:%s", domain.GateCategory, key),
				fmt.Sprintf("%s of category %s leave it", c.values.text(len(records), of, "records"), key),
				"lists, filters and pages of the category lose them", records, c.values, of))
		}
	}
	return all
}

// membersOf returns how many served records have a category.
func (c *comparison) membersOf(category string) int {
	n := 0
	for _, k := range c.kinds {
		f := k.Shape.Categories()
		if f == nil {
			continue
		}
		for i := range k.Size(c.served) {
			if slices.Contains(f.Lines(k.Record(c.served, i)), category) {
				n++
			}
		}
	}
	return n
}

// otherNumber returns the numeric chain ids of a chain that has another one. is is false if the chain was
// not live yet.
func otherNumber(p pair) (was, now string, is bool) {
	before, ok := p.before.(*domain.Chain)
	if !ok || before.Status == domain.StatusUpcoming {
		return "", "", false
	}
	was, numeric := domain.ChainIDName(before.ChainID)
	now, stays := domain.ChainIDName(p.after.(*domain.Chain).ChainID)
	return was, now, numeric && stays && was != now
}
