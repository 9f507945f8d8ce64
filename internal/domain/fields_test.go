package domain_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
)

// visit is a field of one record or of a part of one.
type visit struct {
	f      *domain.Field
	record any
	path   string // kind[index].field…
}

// eachField visits the fields of a record and of its parts.
func eachField(s *domain.Shape, record any, path string, see func(visit)) {
	for _, f := range s.Fields {
		at := path + "." + f.Name
		see(visit{f, record, at})
		if f.Parts == nil {
			continue
		}
		for i := range f.Size(record) {
			here := at
			switch f.Type {
			case domain.TypeParts:
				here += "." + strconv.Itoa(i)
			case domain.TypeKeyed:
				here += "." + *f.Parts.Fields[0].Line(f.Part(record, i))
			}
			if f.Type != domain.TypeTable { // a table has keys and lists instead of fields
				eachField(f.Parts, f.Part(record, i), here, see)
			}
		}
	}
}

func eachFieldOf(c *domain.Catalog, see func(visit)) {
	for _, d := range domain.Descriptions() {
		for i := range d.Size(c) {
			eachField(d.Shape, d.Record(c, i), fmt.Sprintf("%s[%d]", d.Kind, i), see)
		}
	}
}

// full returns a catalogue in which each field of each shape has a value somewhere. Fields with
// rules of their own are set here, the others by [domaintest.Complete].
func full() *domain.Catalog {
	c := detailed()
	c.MaxAge = &domain.MaxAges{
		TVL: &domain.AgeLimit{Days: 10, Older: domain.OlderMark}, Platforms: &domain.AgeLimit{Days: 10}, Followers: &domain.AgeLimit{Days: 10}, Subscribers: &domain.AgeLimit{Days: 10},
	}
	c.Accept = []domain.Acceptance{{Rule: domain.RuleMissingTranslation, Kind: domain.KindChain, Key: "celo", Locale: "zh-hans", Reason: "later"}}
	c.Gate = &domain.GateSettings{
		Shrink: &domain.Threshold{Share: .5, Min: 3}, Values: &domain.Threshold{Share: .25, Min: 20}, Window: 14,
		Accept: []domain.GateAcceptance{{Rule: "moved:chains.rpc", Key: "celo", Reason: "they share it", Author: "ann", Expires: "2031-01-01"}},
		Rules:  new(domain.GateRules),
	}
	for i := range c.Gate.Rules {
		c.Gate.Rules[i] = domain.GateSeverities()[i%3]
	}
	c.Expect = []domain.Expectation{{Kind: domain.KindChain, Field: "name", Locale: "en", Min: 1, Max: 1e6, Fill: .9}}
	c.Site = &domain.Site{
		Lead: en("All"), Footer: en("CC0"), Imprint: "https://celo.example/imprint", Accent: "#1a2b3c", Icon: "https://celo.example/icon.svg", Words: []domain.Word{{Locale: "en", Key: "nav.apps", Text: "Products"}},
	}
	c.Roles = &domain.Roles{EVM: []string{"evm"}, Summary: []string{"layer"}}
	c.PastIDs = []domain.PastID{{ID: "celo-0", Chain: "celo"}}
	c.Categories[3].Aliases, c.Categories[3].Description, c.Categories[3].Parent = []string{"Purses"}, en("Hold keys"), "vaults"
	vaults := c.Categories[3]
	vaults.Key, vaults.Parent, vaults.Former = "vaults", "", nil
	c.Categories = append(c.Categories, vaults)
	c.Chains[1].TVL, c.Chains[1].Platforms = dated(1, "defillama", "2025-01-01"), dated(1, "defillama", "2025-01-01")
	c.Chains[1].ID, c.Chains[1].Logo, c.Chains[1].Aliases = "celo-id", "/celo.svg", []string{"CELO"}
	c.Apps[0].Aliases = []string{"Bourse"}
	c.Apps = append(c.Apps, domain.App{Key: "closed", Title: en("Closed"), Link: "/closed", Status: domain.StatusRetired, Successor: c.Apps[0].Key})
	c.Accounts[1].Former = []string{"CeloOrg"}
	c.NavGroups[0].Description = en("All of them")
	m := &c.Menus[1]
	m.Description, m.OGImage, m.BlogSlugs, m.Aliases, m.Former = en("Look"), "/og.png", []string{"how-to"}, []string{"Scan"}, []string{"scanners"}
	m.Groups[0].ID, m.Groups[0].Items[0].ID, m.Groups[0].Items[0].Description = "g", "i", en("Hold")
	card := &m.Groups[0].Items[0].Cards[4]
	card.ID, card.Description, card.Image, card.Aliases = "card", en("Holds"), "/p.png", []string{"P"}
	for _, d := range domain.Descriptions() {
		if d.Size(c) == 0 {
			domaintest.AddFull(c, d)
		}
	}
	domaintest.Complete(c)
	return c
}

func errorsOf(problems []domain.Problem) []domain.Problem {
	return slices.DeleteFunc(problems, func(p domain.Problem) bool { return p.Rule.Severity() == domain.Warning })
}

func TestFullCatalogHasEveryField(t *testing.T) {
	c := full()
	if got := errorsOf(domain.Check(c, domain.Reading{}).Problems); len(got) > 0 {
		t.Fatalf("it has errors: %q", lines(got))
	}
	for _, d := range domain.Descriptions() {
		if d.Size(c) == 0 {
			t.Errorf("no record has the kind %s: add one to full()", d.Kind)
		}
	}
	there := map[*domain.Field]bool{}
	all := map[*domain.Field]string{}
	eachFieldOf(c, func(v visit) {
		all[v.f] = v.path
		there[v.f] = there[v.f] || hasValue(v)
	})
	for f, path := range all {
		if !there[f] {
			t.Errorf("no record has %s", path)
		}
	}
}

func hasValue(v visit) bool {
	switch v.f.Type {
	case domain.TypeNumber:
		return true
	case domain.TypeText:
		return len(*v.f.Text(v.record)) > 0
	case domain.TypeLines:
		return len(v.f.Lines(v.record)) > 0
	case domain.TypeFigure:
		return *v.f.Figure(v.record) != nil
	case domain.TypePart, domain.TypeParts, domain.TypeKeyed, domain.TypeTable:
		return v.f.Size(v.record) > 0
	}
	return *v.f.Line(v.record) != "" || v.f.Implied != ""
}

// TestRequiredFieldsAreEnforced checks that Check reports each required field that is empty, for
// every type and shape. Numbers are never missing here: 0 is a value (package bundle reports
// numbers that are not written).
func TestRequiredFieldsAreEnforced(t *testing.T) {
	empty := grown()
	eachFieldOf(empty, func(v visit) {
		before := *v.f
		t.Cleanup(func() { *v.f = before })
		v.f.Required, v.f.RequiredUnless = true, ""
	})
	got := map[string]bool{}
	for _, p := range rules(domain.Check(empty, domain.Reading{}).Problems) {
		got[p] = true
	}
	eachFieldOf(empty, func(v visit) {
		switch {
		case v.f.Type == domain.TypeNumber, v.f.Type == domain.TypeTable, v.f.InFileName, hasValue(v) && v.f.Implied == "":
		case v.f.Standard(v.record) == "" && v.f.Name == "slug" && strings.HasPrefix(v.path, "nav["): // is the key, which is missed
		case !got[v.path+" missing-field"]:
			t.Errorf("%s is required and missing, but Check does not report it", v.path)
		}
	})
}

// grown returns a catalogue with one empty record of each kind and one empty part of each type.
func grown() *domain.Catalog {
	c := new(domain.Catalog)
	for _, d := range domain.Descriptions() {
		grow(d.Shape, d.Grow(c))
	}
	return c
}

func grow(s *domain.Shape, record any) {
	for _, f := range s.Fields {
		if f.Parts != nil && f.Type != domain.TypeTable {
			grow(f.Parts, f.Grow(record))
		}
	}
}

// TestRequiredPartsAreEnforced checks that Check reports required lists and maps of parts that
// are empty.
func TestRequiredPartsAreEnforced(t *testing.T) {
	empty := new(domain.Catalog)
	for _, d := range domain.Descriptions() {
		d.Grow(empty)
	}
	eachFieldOf(empty, func(v visit) {
		if v.f.Type != domain.TypePart && v.f.Type != domain.TypeParts {
			return
		}
		before := v.f.Required
		v.f.Required = true
		if got := rules(domain.Check(empty, domain.Reading{}).Problems); !slices.Contains(got, v.path+" missing-field") {
			t.Errorf("%s is required and empty, but Check does not report it", v.path)
		}
		v.f.Required = before
	})
}

// TestForbiddenCharactersAreRefusedInEveryField checks that a forbidden character is an error in
// all texts: of every shape, list and map.
func TestForbiddenCharactersAreRefusedInEveryField(t *testing.T) {
	texts := 0
	eachText(full(), func(string, func(bad string)) { texts++ })
	for _, bad := range []string{"\u0007", "\u202e", "\u200b", "\u2060", "\ufeff", "\u00ad", "\u200d", "\ufffe", "\U0001ffff", "\u200e"} {
		for n := range texts {
			c, i, path := full(), 0, ""
			eachText(c, func(at string, put func(bad string)) {
				if i == n {
					put(bad)
					path = at
				}
				i++
			})
			if got := errorsOf(domain.Check(c, domain.Reading{}).Problems); !slices.ContainsFunc(got, func(p domain.Problem) bool { return strings.HasPrefix(rules([]domain.Problem{p})[0], path) }) {
				t.Errorf("U+%04X in %s is no error there: %q", []rune(bad)[0], path, lines(got))
			}
		}
	}
	if texts < 150 {
		t.Errorf("the catalogue has only %d texts", texts)
	}
}

// eachText calls see with every text of a catalogue, and a function that puts a character into
// it.
func eachText(c *domain.Catalog, see func(path string, put func(bad string))) {
	into := func(s, bad string) string { return s[:len(s)/2] + bad + s[len(s)/2:] }
	eachFieldOf(c, func(v visit) {
		switch v.f.Type {
		case domain.TypeNumber, domain.TypePart, domain.TypeParts, domain.TypeKeyed, domain.TypeTable:
		case domain.TypeText:
			t := *v.f.Text(v.record)
			for i := range t {
				see(v.path+"."+t[i].Locale, func(bad string) {
					t = slices.Clone(t)
					t[i].Value = into(t[i].Value, bad)
					*v.f.Text(v.record) = t
				})
			}
		case domain.TypeLines:
			list := v.f.Lines(v.record)
			for i := range list {
				see(fmt.Sprintf("%s.%d", v.path, i), func(bad string) {
					list = slices.Clone(list)
					list[i] = into(list[i], bad)
					v.f.SetLines(v.record, list)
				})
			}
		case domain.TypeFigure:
			if figure := *v.f.Figure(v.record); figure != nil && figure.Source != "" {
				see(v.path+".source", func(bad string) {
					with := *figure
					with.Source = into(with.Source, bad)
					*v.f.Figure(v.record) = &with
				})
			}
		case domain.TypeJSON:
			if strings.Contains(*v.f.Line(v.record), `"a"`) {
				see(v.path, func(bad string) {
					if bad == "\u0007" {
						bad = `\u0007`
					}
					*v.f.Line(v.record) = `{"a":["x` + bad + `y"]}`
				})
			}
		default:
			if line := v.f.Line(v.record); *line != "" {
				path := v.path
				if v.f.InFileName { // the record has no field for it
					path = strings.TrimSuffix(path, "."+v.f.Name)
					path = strings.TrimSuffix(path, "."+*line) // the key of a map, which changes
				}
				see(path, func(bad string) { *line = into(*line, bad) })
			}
		}
	})
}

// TestZeroWidthCharacters checks that zero-width characters are allowed where a script or a
// sequence needs them.
func TestZeroWidthCharacters(t *testing.T) {
	cases := []struct {
		name, text string
		bad        rune // 0 for none
	}{
		{"Persian with a non-joiner", "می\u200cخواهم", 0},
		{"Hindi with joiners", "क्\u200dष और क्\u200cष", 0},
		{"Malayalam at the end of a word", "അവന്\u200d", 0},
		{"Sinhala", "ශ්\u200dරී", 0},
		{"Khmer with spaces of no width", "ភាសា\u200bខ្មែរ", 0},
		{"Thai with a space of no width", "ภาษา\u200bไทย", 0},
		{"a scientist", "👩\u200d🔬", 0},
		{"a scientist with a skin tone", "👩🏽\u200d🔬", 0},
		{"a heart on fire", "❤\ufe0f\u200d🔥", 0},
		{"an eye in a bubble", "👁\ufe0f\u200d🗨\ufe0f", 0},
		{"a key cap", "1\ufe0f⃣", 0},
		{"the flag of Scotland", "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F", 0},
		{"an ideographic variant", "葛\U000E0100", 0},
		{"Arabic with marks of direction", "سعر ETH\u200f اليوم", 0},
		{"isolates", "a \u2068b\u2069", 0},
		{"Mongolian", "ᠠ\u180e", 0},

		{"a space of no width", "Ether\u200beum", '\u200b'},
		{"a non-joiner in Latin", "Ether\u200ceum", '\u200c'},
		{"a joiner in Latin", "Ether\u200deum", '\u200d'},
		{"a joiner after an emoji alone", "👩\u200d x", '\u200d'},
		{"a word joiner", "Ether\u2060eum", '\u2060'},
		{"a byte order mark", "\ufeffEthereum", '\ufeff'},
		{"a soft hyphen", "Ether\u00adeum", '\u00ad'},
		{"a grapheme joiner", "Ether\u034feum", '\u034f'},
		{"a variation selector after a letter", "E\ufe0fther", '\ufe0f'},
		{"a second variation selector", "❤\ufe0f\ufe0f", '\ufe0f'},
		{"a Hangul filler", "Ether\u3164eum", '\u3164'},
		{"an invisible operator", "a\u2063b", '\u2063'},
		{"tags without a flag", "a\U000E0041", '\U000E0041'},
		{"a mark of direction in Latin", "Ethereum\u200e", '\u200e'},
		{"an annotation", "a\ufff9b", '\ufff9'},
		{"a noncharacter", "a\ufdd0", '\ufdd0'},
		{"the last code point", "a\U0010ffff", '\U0010ffff'},
		{"a control character of Latin-1", "a\u0085b", '\u0085'},
		{"delete", "a\u007fb", '\u007f'},
		{"null", "a\x00b", 0x00},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := rich()
			c.Channels[0].Name = tc.text
			var want []string
			if tc.bad != 0 || tc.name == "null" {
				want = []string{fmt.Sprintf("U+%04X", tc.bad)}
			}
			var got []string
			for _, p := range domain.Check(c, domain.Reading{}).Problems {
				if p.At.Kind == domain.KindChannel && p.Rule == domain.RuleForbiddenCharacter {
					fields := strings.Fields(p.Message)
					got = append(got, fields[len(fields)-1])
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			stored := slices.ContainsFunc(domain.CheckAgain(nil, c), func(p domain.Problem) bool { return p.Rule == domain.RuleForbiddenCharacter })
			if control := tc.bad == 0x7f || tc.bad == 0x85 || tc.name == "null"; stored != control {
				t.Errorf("of a catalogue that was published before: %t", stored)
			}
		})
	}
}

// TestSearchedFieldsAreFound checks that records match by all texts of each searched field, for
// every type and shape.
func TestSearchedFieldsAreFound(t *testing.T) {
	eachFieldOf(full(), func(v visit) {
		before := *v.f
		t.Cleanup(func() { *v.f = before })
		v.f.Searched = true
	})
	look := func(s *domain.Shape, record any, path string) {
		found := s.Finding(record)
		all := slices.Concat(found.Labels, found.IDs, found.Texts)
		eachField(s, record, path, func(v visit) {
			for _, want := range textsOf(v) {
				if !slices.Contains(all, want) {
					t.Errorf("%s is not found by %q", v.path, want)
				}
			}
		})
	}
	c := full()
	for _, d := range domain.Descriptions() {
		for i := range d.Size(c) {
			look(d.Shape, d.Record(c, i), fmt.Sprintf("%s[%d]", d.Kind, i))
		}
	}
	for i := range c.Menus[1].Groups[0].Items[0].Cards { // cards have a separate search
		look(domain.CardShape(), &c.Menus[1].Groups[0].Items[0].Cards[i], fmt.Sprintf("cards[%d]", i))
	}
}

func textsOf(v visit) []string {
	var texts []string
	switch v.f.Type {
	case domain.TypeText:
		for _, tr := range *v.f.Text(v.record) {
			texts = append(texts, tr.Value)
		}
	case domain.TypeLines:
		texts = v.f.Lines(v.record)
	case domain.TypeLine, domain.TypeLink, domain.TypeHandle, domain.TypeChainID, domain.TypeDate:
		texts = []string{*v.f.Line(v.record)}
	}
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return s == "" })
}

// TestTakingEveryKindCopiesTheCatalogue checks that a catalogue built from the records of
// another, kind by kind, is equal, so that stores lose nothing.
func TestTakingEveryKindCopiesTheCatalogue(t *testing.T) {
	from := full()
	taken, filled := new(domain.Catalog), new(domain.Catalog)
	for _, kind := range domain.Kinds() {
		d := domain.Describe(kind)
		d.Take(taken, from)
		d.Fill(filled, d.Size(from), func(i int) any { return d.Record(from, i) })
	}
	for name, got := range map[string]*domain.Catalog{"taken": taken, "filled": filled} {
		if diff := cmp.Diff(from, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
