package gate

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/spelling"
)

// Lengths from which two registered names at an edit distance of one are suspicious. Shorter ones are
// often similar by chance.
const (
	shortestLabel = 6 // of the hosts of all known records
	shortestOwn   = 3 // of the hosts that the record itself had before
)

const (
	// shortestPart is the length from which a known name between the hyphens of another one is suspicious.
	shortestPart = 4
	// commonPart is the number of domains from which a part of their names is a common word.
	commonPart = 3
)

// lookalikes holds new hosts whose registered name resembles that of a known website or app, or of any
// host that the record had before: in letters of another script, in similar letters (rn for m), or
// at an edit distance of one. The last is common, so a known host counts only for a record that had
// it before or has its name. A link that readers follow is also held if its host contains a known name.
func (c *comparison) lookalikes() []Finding {
	var gained []gainedHost
	for _, k := range c.kinds {
		gained = append(gained, k.gainedHosts()...)
	}
	gained = append(gained, c.gainedByCards()...)
	if len(gained) == 0 {
		return nil
	}
	known := c.knownNames()
	byRule := map[string][]Record{}
	var rules []string
	for _, g := range gained {
		original := known.resembled(g)
		if original == "" {
			continue
		}
		rule := ruleOf(domain.GateLookalike, g.subject, g.Field)
		if byRule[rule] == nil {
			rules = append(rules, rule)
		}
		g.Before, g.After = original, g.host
		byRule[rule] = append(byRule[rule], g.Record)
	}
	var all []Finding
	for _, rule := range rules {
		records := byRule[rule]
		of := c.kind(records[0].Kind) // of cards, the menus
		all = append(all, finding(rule, of.count(distinct(records))+" with a new host that resembles or contains the name of the host of a known record",
			"such hosts are used to take passwords and funds", records, nil))
	}
	return all
}

// gainedHost is a host that a record did not have before.
type gainedHost struct {
	Record
	subject domain.Kind // of the rule
	host    string
	had     []string // hosts of the record before
	names   string   // key and name of the record, without separators
	main    bool     // of the link that readers follow, not of a further link or an endpoint
}

// gainedHosts returns the hosts that records gain in links that readers and programs follow.
func (k *kindPairs) gainedHosts() []gainedHost {
	var all []gainedHost
	for _, p := range slices.Concat(k.changed, k.added) {
		var names string
		var own []string
		for _, f := range k.Shape.Fields {
			own = append(own, hostsAt(f, p.before)...)
		}
		for _, f := range k.Shape.Fields {
			if f.IsImage() {
				continue
			}
			had := hostsAt(f, p.before)
			for _, host := range hostsAt(f, p.after) {
				if slices.Contains(had, host) {
					continue
				}
				if names == "" {
					names = folded(append([]string{p.key}, k.Shape.Finding(p.after).Labels...))
				}
				all = append(all, gainedHost{Record{Kind: k.Kind, Key: p.key, Field: f.Name}, k.Kind, host, own, names, f.Type == domain.TypeLink})
			}
		}
	}
	return all
}

// gainedByCards returns the hosts that menus gain in cards with a link of their own. A card has no key,
// so its hosts before are those of the cards of its menu with the same titles.
func (c *comparison) gainedByCards() []gainedHost {
	var all []gainedHost
	menus := c.kind(domain.KindMenu)
	for _, p := range slices.Concat(menus.changed, menus.added) {
		inMenu, had := map[string]bool{}, map[string][]string{}
		if p.before != nil {
			for titles, host := range linkedCards(p.before.(*domain.Menu)) {
				inMenu[host], had[titles] = true, append(had[titles], host)
			}
		}
		for titles, host := range linkedCards(p.after.(*domain.Menu)) {
			if !inMenu[host] {
				all = append(all, gainedHost{Record{Kind: domain.KindMenu, Key: p.key, Field: "link"}, cards, host, had[titles], titles, true})
			}
		}
	}
	return all
}

// linkedCards yields the titles and the host of each card of a menu with a link of its own.
func linkedCards(menu *domain.Menu) iter.Seq2[string, string] {
	return func(yield func(titles, host string) bool) {
		for card := range menu.Cards() {
			if card.Link == "" {
				continue
			}
			var titles []string
			for _, title := range card.Title {
				titles = append(titles, title.Value)
			}
			if !yield(folded(titles), hostOf(card.Link)) {
				return
			}
		}
	}
}

// folded returns names folded, without separators, one per line.
func folded(names []string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "", ".", "").Replace(fold.Text(strings.Join(names, "\n")))
}

// knownNames has the registered names of the known hosts, with a host for each.
type knownNames struct {
	hosts map[string]bool   // all hosts of the served catalogue
	exact map[string]string // host by registered name
	looks map[string]string // host by the look of its name
	near  map[string][]string

	domains map[string]bool // registered domains of hosts; see survey
	parts   map[string]int  // domains by each part of their names
}

// knownNames returns the names of the websites of chains with a figure and of accounts, and of the
// links of apps and cards.
func (c *comparison) knownNames() *knownNames {
	n := &knownNames{hosts: map[string]bool{}, exact: map[string]string{}, looks: map[string]string{}, near: map[string][]string{}}
	for _, k := range c.kinds {
		for i := range k.Size(c.served) {
			record := k.Record(c.served, i)
			for _, f := range k.Shape.Fields {
				for _, host := range hostsAt(f, record) {
					n.hosts[host] = true
				}
			}
			if host := knownHost(record); host != "" {
				n.add(host)
			}
		}
	}
	for i := range c.served.Menus {
		for _, host := range linkedCards(&c.served.Menus[i]) {
			n.hosts[host] = true
			n.add(host)
		}
	}
	return n
}

// knownHost returns the known host of a record, "" for none.
func knownHost(record any) string {
	switch r := record.(type) {
	case *domain.Chain:
		if (r.TVL != nil || r.Platforms != nil) && r.Website != "" {
			return hostOf(r.Website)
		}
	case *domain.App:
		return hostOf(r.Link)
	case *domain.Account:
		return hostOf(r.Website)
	}
	return ""
}

func (n *knownNames) add(host string) {
	name := registeredName(host)
	if name == "" || n.exact[name] != "" {
		return
	}
	n.exact[name], n.looks[look(name)] = host, host
	if len(name) >= shortestLabel {
		for _, v := range variants(name) {
			n.near[v] = append(n.near[v], name)
		}
	}
}

// resembled returns the known host that a host resembles or whose name it contains, "" for none.
func (n *knownNames) resembled(g gainedHost) string {
	name := registeredName(g.host)
	if name == "" || n.hosts[g.host] || n.exact[name] != "" {
		return ""
	}
	if original := n.looks[look(name)]; original != "" {
		return original
	}
	if original := g.resembledOwn(name); original != "" {
		return original
	}
	if original := n.nearby(g, name); original != "" {
		return original
	}
	return n.contained(g, name)
}

// nearby returns the known host at an edit distance of one from a registered name, "" for none.
func (n *knownNames) nearby(g gainedHost, name string) string {
	if len(name) < shortestLabel {
		return ""
	}
	for _, v := range variants(name) {
		for _, near := range n.near[v] {
			if spelling.Distance(name, near, 2) == 1 && (strings.Contains(g.names, near) || slices.Contains(g.had, n.exact[near])) {
				return n.exact[near]
			}
		}
	}
	return ""
}

// contained returns the known host whose name is a part of the registered name of a link's host, such as
// `example` of `example-airdrop.org`, "" for none. A part of a subdomain counts if the record is named
// after it, because providers and makers of several apps have such subdomains.
func (n *knownNames) contained(g gainedHost, name string) string {
	registered := registeredDomain(g.host)
	below := strings.TrimSuffix(g.host, registered)
	if !g.main || !strings.Contains(name, "-") && below == "" {
		return ""
	}
	n.survey()
	if n.domains[registered] {
		return ""
	}
	for part := range strings.SplitSeq(name, "-") {
		if original := n.looks[look(part)]; part != name && len(part) >= shortestPart && n.parts[part] < commonPart && original != "" {
			return original
		}
	}
	for _, part := range strings.FieldsFunc(below, func(r rune) bool { return r == '.' || r == '-' }) {
		if original := n.exact[part]; len(part) >= shortestLabel && strings.Contains(g.names, part) && original != "" {
			return original
		}
	}
	return ""
}

// survey fills domains and parts, which few publishes need.
func (n *knownNames) survey() {
	if n.domains != nil {
		return
	}
	n.domains, n.parts = map[string]bool{}, map[string]int{}
	for host := range n.hosts {
		registered := registeredDomain(host)
		if n.domains[registered] {
			continue
		}
		n.domains[registered] = true
		if name := registeredName(host); strings.Contains(name, "-") {
			for part := range strings.SplitSeq(name, "-") {
				n.parts[part]++
			}
		}
	}
}

// resembledOwn returns the host of the record before that a host with a registered name resembles, ""
// for none. One that differs in nothing else comes first. A provider that moves often takes a similar name below another suffix, so the suffix
// must be the same unless the name is the record's own. Names that differ in their numbers are
// numbered.
func (g *gainedHost) resembledOwn(name string) string {
	suffix, _ := publicsuffix.PublicSuffix(g.host)
	resembled := ""
	for _, host := range g.had {
		own := registeredName(host)
		if own == name || utf8.RuneCountInString(own) < shortestOwn || numberedAlike(own, name) {
			continue
		}
		if had, _ := publicsuffix.PublicSuffix(host); had != suffix && !strings.Contains(g.names, own) {
			continue
		}
		if look(own) != look(name) && spelling.Distance(name, own, 2) != 1 {
			continue
		}
		if strings.Replace(host, own, name, 1) == g.host {
			return host
		}
		resembled = cmp.Or(resembled, host)
	}
	return resembled
}

// numberedAlike reports whether two names have numbers and differ in them alone.
func numberedAlike(a, b string) bool {
	plainA, plainB := withoutDigits(a), withoutDigits(b)
	return plainA == plainB && plainA != a && plainB != b
}

// withoutDigits returns a name without its ASCII digits.
func withoutDigits(name string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, name)
}

// hostsAt returns the hosts of the links at a field. A nil record has none.
func hostsAt(f *domain.Field, record any) []string {
	if record == nil {
		return nil
	}
	switch f.Type {
	case domain.TypeLink:
		if link := *f.Line(record); strings.Contains(link, "://") {
			return []string{hostOf(link)}
		}
	case domain.TypeParts:
		return hostsOf(f, record)
	}
	return nil
}

// registeredDomain returns the public suffix of a host with the label below it, "" for addresses and
// suffixes.
func registeredDomain(host string) string {
	registered, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return registered
}

// registeredName returns the label of a host below its public suffix, in Unicode: `example` of
// `www.example.co.uk`. It is "" for addresses and suffixes.
func registeredName(host string) string {
	name, _, _ := strings.Cut(registeredDomain(host), ".")
	if unicode, err := idna.ToUnicode(name); err == nil {
		return unicode
	}
	return name
}

// printedAlike replaces letters by those that look the same in most fonts.
var printedAlike = strings.NewReplacer("rn", "m", "vv", "w", "0", "o", "1", "l", "i", "l", "-", "")

// look returns the canonical appearance of a name: letters of other scripts as Latin ones, and
// similar letters as one.
func look(name string) string { return printedAlike.Replace(fold.Latin(fold.Text(name))) }

// variants returns a word, and the word without each of its letters. Two words at an edit
// distance of one share a variant.
func variants(word string) []string {
	letters := []rune(word)
	all := make([]string, 0, len(letters)+1)
	all = append(all, word)
	for i := range letters {
		all = append(all, string(slices.Delete(slices.Clone(letters), i, i+1)))
	}
	return all
}
