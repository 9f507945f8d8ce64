package gate

import (
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
)

// Lengths of the keys that a host may name another record by, and of the words by which it names its
// own. Shorter ones occur by chance.
const (
	shortestKey  = 4
	shortestWord = 3
)

// namedAfter returns the endpoints that records gain whose host has the key of another record of the
// candidate, and no name of their own: providers name hosts by the chain.
func (k *kindPairs) namedAfter(field string) []Record {
	f := k.Shape.Field(field)
	var keys map[string]any
	var all []Record
	for _, p := range slices.Concat(k.changed, k.added) {
		had := linksIn(f, p.before)
		for _, link := range linksIn(f, p.after) {
			if slices.Contains(had, link) || k.isDemoted(p.after) {
				continue
			}
			if keys == nil {
				keys = k.keysOf(k.candidate)
			}
			if other := k.namedBy(link, p.after, keys); other != "" {
				endpoint, _ := endpointOf(link) // has a host
				all = append(all, Record{Kind: k.Kind, Key: p.key, Field: field, After: endpoint + " (named after " + other + ")"})
			}
		}
	}
	return all
}

// keysOf returns the records of a catalogue by key.
func (k *kindPairs) keysOf(c *domain.Catalog) map[string]any {
	keys := make(map[string]any, k.Size(c))
	for i := range k.Size(c) {
		record := k.Record(c, i)
		keys[k.Address(record)] = record
	}
	return keys
}

// namedBy returns the key of the other record that a link is named after, "" for none.
func (k *kindPairs) namedBy(link string, record any, keys map[string]any) string {
	own := k.Address(record)
	labels := labelsBelow(link)
	var other string
	for _, label := range labels {
		if len(label) >= shortestWord && (strings.HasPrefix(own, label) || strings.HasPrefix(label, own)) {
			return ""
		}
		if of := keys[label]; of != nil && len(label) >= shortestKey && !related(of, record) && !k.renumbered(of, record) {
			other = label
		}
	}
	if other == "" || k.names(link, record) {
		return ""
	}
	return other
}

// labelsBelow returns the words of a host below its registered domain.
func labelsBelow(link string) []string {
	host := hostOf(link)
	registered := registeredDomain(host)
	if registered == "" {
		return nil
	}
	return strings.FieldsFunc(strings.TrimSuffix(host, registered), func(r rune) bool { return r == '.' || r == '-' || r == '_' })
}

// names reports whether a link has a name of a record, or a word of it.
func (k *kindPairs) names(link string, record any) bool {
	if decoded, err := url.PathUnescape(link); err == nil {
		link = decoded
	}
	link = plainText(link)
	names := append([]string{k.Address(record)}, k.Shape.Finding(record).Labels...)
	for _, f := range k.Shape.Fields {
		switch {
		case f.Type == domain.TypeChainID:
			names = append(names, *f.Line(record))
		case f.Type == domain.TypeLines && f.Name == "aliases":
			names = append(names, f.Lines(record)...)
		}
	}
	for _, name := range names {
		for _, word := range append(strings.FieldsFunc(fold.Text(name), isSeparator), plainText(name)) {
			if len(word) >= shortestWord && strings.Contains(link, word) {
				return true
			}
		}
	}
	return false
}

// plainText folds a text and removes separators.
func plainText(text string) string {
	return strings.Join(strings.FieldsFunc(fold.Text(text), isSeparator), "")
}

// isSeparator reports whether a folded character is in ASCII and neither a letter nor a digit.
func isSeparator(r rune) bool {
	return r < 0x80 && (r < '0' || r > '9') && (r < 'a' || r > 'z')
}
