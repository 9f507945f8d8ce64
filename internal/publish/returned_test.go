package publish_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
)

// chain returns a catalogue of one chain, `base`, edited by f.
func chain(f func(*domain.Chain)) *domain.Catalog {
	c := titled("A")
	c.Chains = []domain.Chain{{
		Slug: "base", ChainID: "8453", Name: domain.Text{{Locale: "en", Value: "Base"}}, Description: domain.Text{{Locale: "en", Value: "Good"}},
		RPC:   []domain.Endpoint{{URL: "https://a.example/"}, {URL: "https://b.example/"}},
		Links: []domain.Link{{Type: "docs", URL: "https://docs.example/"}},
		TVL:   &domain.Figure{Value: 5, Source: "s", AsOf: "2026-01-01"},
		Extra: `{"slip44":60,"tags":["x","y"]}`,
	}}
	if f != nil {
		f(&c.Chains[0])
	}
	return c
}

func rpc(urls ...string) func(*domain.Chain) {
	return func(c *domain.Chain) {
		c.RPC = nil
		for _, url := range urls {
			c.RPC = append(c.RPC, domain.Endpoint{URL: url})
		}
	}
}

func both(edits ...func(*domain.Chain)) func(*domain.Chain) {
	return func(c *domain.Chain) {
		for _, edit := range edits {
			edit(c)
		}
	}
}

func imported(t *testing.T, m *memory, c *domain.Catalog, accept ...string) error {
	t.Helper()
	plan, err := publish.Import(t.Context(), m, &bundle.Directory{Catalog: c}, publish.From{})
	if err != nil {
		t.Fatal(err)
	}
	plan.Accept(accept)
	_, err = plan.Publish(t.Context(), m, note)
	return err
}

func rolledBack(t *testing.T, m *memory, to int64) {
	t.Helper()
	plan, err := publish.Rollback(t.Context(), m, to)
	if err != nil {
		t.Fatal(err)
	}
	plan.Accept([]string{"shrink:chains", "shrink:cards"})
	if _, err := plan.Publish(t.Context(), m, note); err != nil {
		t.Fatal(err)
	}
}

// TestRollbackHoldsValues publishes a good and a bad state and rolls back to the good one. A draft
// is held exactly if it has a bad value.
func TestRollbackHoldsValues(t *testing.T) {
	const evil = "https://evil.example/"
	tvl := func(v float64) func(*domain.Chain) {
		return func(c *domain.Chain) { c.TVL = &domain.Figure{Value: v, Source: "s", AsOf: "2026-02-02"} }
	}
	describe := func(text string) func(*domain.Chain) {
		return func(c *domain.Chain) {
			c.Description = nil
			if text != "" {
				c.Description = domain.Text{{Locale: "en", Value: text}}
			}
		}
	}
	renamed := func(slug string, former ...string) func(*domain.Chain) {
		return func(c *domain.Chain) { c.Slug, c.Former = slug, former }
	}
	extra := func(text string) func(*domain.Chain) {
		return func(c *domain.Chain) { c.Extra = domain.JSON(text) }
	}
	good := rpc("https://a.example/", "https://b.example/")
	with := func(c *domain.Catalog, more ...domain.Chain) *domain.Catalog {
		c.Chains = append(c.Chains, more...)
		return c
	}
	other := chain(both(renamed("other"), rpc(evil), func(c *domain.Chain) { c.ChainID = "1"; c.Name[0].Value = "Other" })).Chains[0]
	none := titled("A")
	for _, tt := range []struct {
		name  string
		good  *domain.Catalog // nil for the plain chain
		bad   *domain.Catalog
		draft *domain.Catalog
		want  string // of the message, "" if the draft is published
	}{
		{"an endpoint with another figure", nil, chain(rpc("https://a.example/", evil)), chain(both(rpc("https://a.example/", "https://b.example/", evil), tvl(6))),
			`this publish would return 1 value that revision 3 (rollback by ann, 2026-11-21 09:00 UTC, "from a test") removed: chains base rpc[https://evil.example/]; `},
		{"an endpoint in another order", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(rpc(evil, "https://b.example/", "https://a.example/")), "rpc[https://evil.example/]"},
		{"an endpoint with another note", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(func(c *domain.Chain) { c.RPC = append(c.RPC, domain.Endpoint{URL: evil, Note: "new"}) }), "rpc[https://evil.example/]"},
		{"another field", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(both(good, tvl(6))), ""},
		{"another endpoint", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(rpc("https://a.example/", "https://b.example/", "https://c.example/")), ""},
		{"a missing endpoint", nil, chain(rpc("https://a.example/")), chain(both(rpc("https://a.example/"), tvl(6))), "chains base rpc[https://b.example/] missing"},
		{"a third endpoint instead", nil, chain(rpc("https://a.example/", evil)), chain(both(rpc("https://a.example/", "https://c.example/"), tvl(6))), ""},
		{"a third endpoint beside a missing one", nil, chain(rpc("https://a.example/")), chain(rpc("https://a.example/", "https://c.example/")), `this publish would lose 1 value that revision 3 (rollback by ann, 2026-11-21 09:00 UTC, "from a test") restored: chains base rpc[https://b.example/] missing; put that back in the directory`},
		{"fewer third endpoints than missing ones", nil, chain(rpc(evil)), chain(rpc("https://c.example/")), "rpc[https://b.example/] missing; put that back"},
		{"a missing endpoint and another spelling of the bad one", nil, chain(rpc("https://a.example/", evil)), chain(rpc("https://a.example/", "https://EVIL.example")),
			"rpc[https://b.example/] missing; chains base rpc[https://evil.example/] (as rpc[https://EVIL.example]); put back what is missing and revert the others"},
		{"a restored endpoint in another spelling", nil, chain(rpc("https://a.example/")), chain(rpc("https://a.example", "https://B.example:443")), ""},
		{"an endpoint in another spelling", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(rpc("https://a.example/", "https://b.example/", "https://evil.example")), "rpc[https://evil.example/] (as rpc[https://evil.example])"},
		{"an endpoint at the default port", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(rpc("https://a.example/", "https://b.example/", "https://evil.example:443/")), "(as rpc[https://evil.example:443/])"},
		{"an endpoint without encryption", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(rpc("https://a.example/", "https://b.example/", "http://evil.example:80/")), "(as rpc[http://evil.example:80/])"},
		{"an endpoint with an escape", nil, chain(rpc("https://a.example/", "https://b.example/", evil+"x")), chain(rpc("https://a.example/", "https://b.example/", evil+"./%78/")), "(as rpc[https://evil.example/./%78/])"},
		{"another path of a host", nil, chain(rpc("https://a.example/", "https://b.example/", evil+"x")), chain(rpc("https://a.example/", "https://b.example/", evil+"y")), ""},
		{"an endpoint among the links", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(func(c *domain.Chain) {
			c.Links = append(c.Links, domain.Link{Type: "other", URL: "https://Evil.Example."})
		}), "rpc[https://evil.example/] (as links[https://Evil.Example.])"},
		{"an endpoint as the website", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(func(c *domain.Chain) { c.Website = evil }), "(as website)"},
		{"an endpoint in extra", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(extra(`{"slip44":60,"tags":["x","y"],"more":{"rpc":"https://evil.example"}}`)), "(as extra[more][rpc])"},
		{"an endpoint that stays as a link", chain(func(c *domain.Chain) { c.Website = evil }), chain(both(func(c *domain.Chain) { c.Website = evil }, rpc(evil))),
			chain(func(c *domain.Chain) {
				c.Website, c.Links = "", append(c.Links, domain.Link{Type: "other", URL: evil})
			}), ""},
		{"a corrected text and another change", nil, chain(describe("Bad")), chain(both(describe("Better"), rpc("https://a.example/", "https://c.example/"))), ""},
		{"the order of endpoints", nil, chain(rpc("https://b.example/", "https://a.example/")), chain(both(rpc("https://b.example/", "https://c.example/", "https://a.example/"), tvl(6))), "chains base rpc[https://b.example/] before rpc[https://a.example/]"},
		{"the order of endpoints that is served", nil, chain(rpc("https://b.example/", "https://a.example/")), chain(both(rpc("https://a.example/", "https://c.example/", "https://b.example/"), tvl(6))), ""},
		{"a text", nil, chain(describe("Bad")), chain(both(describe("Bad"), tvl(6))), `chains base description.en "Bad"`},
		{"a corrected text", nil, chain(describe("Bad")), chain(describe("Better")), ""},
		{"a missing text", nil, chain(describe("")), chain(both(describe(""), tvl(6))), "chains base description.en missing"},
		{"the same figure of another day", nil, chain(tvl(0.5)), chain(func(c *domain.Chain) { c.TVL = &domain.Figure{Value: 0.5, Source: "t", AsOf: "2026-03-03"} }), `chains base llama_tvl "0.5"; `},
		{"another figure of that day", nil, chain(tvl(0.5)), chain(tvl(7)), ""},
		{"a member of extra", nil, chain(extra(`{"slip44":666,"tags":["x","y"]}`)), chain(extra(`{"tags":["y"],"slip44":666}`)), `chains base extra[slip44] "666"`},
		{"an element in extra", nil, chain(extra(`{"slip44":60,"tags":["x","y","z"]}`)), chain(extra(`{"slip44":61,"tags":["z"]}`)), `extra[tags]["\"z\""]`},
		{"another member of extra", nil, chain(extra(`{"slip44":666,"tags":["x","y"]}`)), chain(extra(`{"slip44":60,"tags":["x","y"],"new":1}`)), ""},
		{"a whole record in another form", none, chain(nil), chain(both(tvl(9), good, describe("Else"))), "chains base (the whole record)"},
		{"a removed record", nil, none, titled("B"), "chains base missing"},
		{"a renamed record with the value", nil, chain(rpc(evil)), chain(both(renamed("base2", "base"), rpc(evil))), "chains base rpc[https://evil.example/]"},
		{"a renamed record with the value, without former", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(both(renamed("base2"), rpc(evil))), "chains base (now base2) rpc[https://evil.example/]"},
		{"a renamed record without the value", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), chain(renamed("base2", "base")), ""},
		{"a record that returns under another name", none, chain(rpc(evil)), chain(both(renamed("base2"), rpc(evil), func(c *domain.Chain) { c.Name[0].Value = "Else" })), "chains base (now base2) rpc[https://evil.example/]"},
		{"a new record in another field, without the one that had it", none, chain(rpc(evil)), chain(both(renamed("base2"), rpc(), func(c *domain.Chain) { c.Name[0].Value = "Else"; c.Website = "https://evil.example" })), "chains base (now base2) rpc[https://evil.example/]"},
		{"a value that another record already has", nil, chain(rpc("https://a.example/", "https://b.example/", evil)), with(chain(nil), other), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			if tt.good == nil {
				tt.good = chain(nil)
			}
			for _, c := range []*domain.Catalog{tt.good, tt.bad} {
				if err := imported(t, &m, c); err != nil {
					t.Fatal(err)
				}
			}
			rolledBack(t, &m, 1)
			err := imported(t, &m, tt.draft)
			var held *publish.HeldError
			switch {
			case tt.want == "":
				if err != nil {
					t.Error(err)
				}
				return
			case !errors.As(err, &held) || held.Rules() != "rollback:3":
				t.Fatalf("error %v, want a hold of rollback:3", err)
			case !strings.Contains(held.Holds[0].Message, tt.want):
				t.Errorf("%s\nwant %s", held.Holds[0].Message, tt.want)
			}
			// An accepted value is released: it can be removed and return.
			if err := imported(t, &m, tt.draft, "rollback:3"); err != nil {
				t.Fatal(err)
			}
			back := *tt.good
			back.Title = titled("C").Title
			if err := imported(t, &m, &back); err != nil {
				t.Fatal(err)
			}
			if err := imported(t, &m, tt.draft); err != nil {
				t.Errorf("after the value was accepted: %v", err)
			}
		})
	}
}

// TestRollbackFollowsRenames checks that a renamed record stays the one that a rollback changed
// after its former key is removed: it is not missing, and bad values stay held.
func TestRollbackFollowsRenames(t *testing.T) {
	bad := rpc("https://a.example/", "https://evil.example/")
	renamed := func(former ...string) func(*domain.Chain) {
		return func(c *domain.Chain) { c.Slug, c.Former = "base2", former }
	}
	for _, tt := range []struct {
		name  string
		steps []*domain.Catalog // all but the last one are published
		want  string            // result of the last one
	}{
		{"former is removed", []*domain.Catalog{chain(renamed("base")), chain(renamed())}, ""},
		{"former is removed later", []*domain.Catalog{chain(renamed("base")), titledChain("B", renamed("base")), chain(renamed())}, ""},
		{"renamed without former", []*domain.Catalog{chain(renamed()), titledChain("B", renamed())}, ""},
		{"bad as former is removed", []*domain.Catalog{chain(renamed("base")), chain(both(renamed(), bad))}, "rollback:3"},
		{"bad after former was removed", []*domain.Catalog{chain(renamed("base")), chain(renamed()), chain(both(renamed(), bad))}, "rollback:3"},
		{"bad after it was renamed without former", []*domain.Catalog{chain(renamed()), chain(both(renamed(), bad))}, "rollback:3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			for _, c := range []*domain.Catalog{chain(nil), chain(bad)} {
				if err := imported(t, &m, c); err != nil {
					t.Fatal(err)
				}
			}
			rolledBack(t, &m, 1)
			for i, c := range tt.steps {
				err := imported(t, &m, c)
				got := ""
				if held, ok := errors.AsType[*publish.HeldError](err); ok {
					got = held.Rules()
				} else if err != nil {
					t.Fatal(err)
				}
				want := ""
				if i == len(tt.steps)-1 {
					want = tt.want
				}
				if got != want {
					t.Errorf("step %d: held by %q, want %q (%v)", i, got, want, err)
				}
			}
		})
	}
	t.Run("an accepted rename", func(t *testing.T) {
		var m memory
		for _, c := range []*domain.Catalog{chain(nil), chain(renamed("base"))} {
			if err := imported(t, &m, c); err != nil {
				t.Fatal(err)
			}
		}
		rolledBack(t, &m, 1)
		if err := imported(t, &m, chain(renamed("base")), "rollback:3"); err != nil {
			t.Fatal(err)
		}
		if err := imported(t, &m, chain(renamed())); err != nil {
			t.Error(err)
		}
	})
}

func titledChain(title string, f func(*domain.Chain)) *domain.Catalog {
	c := chain(f)
	c.Title = titled(title).Title
	return c
}

// TestPartOfARollbackIsAccepted checks that only accepted values are released.
func TestPartOfARollbackIsAccepted(t *testing.T) {
	bad := func(c *domain.Chain) {
		c.Name[0].Value = "Bad"
		c.RPC = []domain.Endpoint{{URL: "https://evil.example/"}}
	}
	name := func(c *domain.Chain) { c.Name[0].Value = "Bad" }
	var m memory
	for _, step := range []struct {
		c      *domain.Catalog
		accept string
		held   bool
	}{
		{c: chain(nil)}, {c: chain(bad)}, {}, // the rollback
		{c: chain(name), held: true},
		{c: chain(name), accept: "rollback:3"},
		{c: chain(nil)},
		{c: chain(name)},
		{c: chain(bad), held: true},
		{c: chain(bad), accept: "rollback:3"},
		{c: chain(nil)},
		{c: chain(bad)},
	} {
		if step.c == nil {
			rolledBack(t, &m, 1)
			continue
		}
		err := imported(t, &m, step.c, step.accept)
		if held := err != nil; held != step.held {
			t.Fatalf("revision %d: %v", m.head().Revision.Number+1, err)
		}
	}
}

// TestNothingReturnsUnaccepted checks random histories: a removed value is served again only if it
// was accepted, and nothing else is held. The oracle knows single fields and elements, without
// versions.
func TestNothingReturnsUnaccepted(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 20))
		var m memory
		type exchange struct{ before, after map[string]bool }
		rollbacks := map[int64]exchange{}                 // statements before and after each
		gone := map[string][]int64{}                      // removed statements
		open := map[string]bool{}                         // may be held: a URL is released in all places by some rollbacks
		var past []*domain.Catalog                        // earlier drafts
		edit := func(c *domain.Catalog) *domain.Catalog { // changes figures or spellings, like a converter
			edited := *c
			edited.Chains = slices.Clone(c.Chains)
			for i := range edited.Chains {
				ch := &edited.Chains[i]
				ch.RPC, ch.Links = slices.Clone(ch.RPC), slices.Clone(ch.Links)
				switch r.IntN(4) {
				case 0:
					ch.TVL = &domain.Figure{Value: float64(10 + r.IntN(90)), Source: "s", AsOf: domain.Date(fmt.Sprintf("2026-01-%02d", 1+r.IntN(28)))}
				case 1:
					for j := range ch.RPC {
						ch.RPC[j].URL = respelled(r, ch.RPC[j].URL)
					}
				case 2:
					if n := len(ch.RPC); n > 0 && !slices.ContainsFunc(ch.Links, func(l domain.Link) bool { return l.URL == ch.RPC[n-1].URL }) {
						ch.Links = append(ch.Links, domain.Link{Type: "other", URL: ch.RPC[n-1].URL})
						ch.RPC = ch.RPC[:n-1]
					}
				}
			}
			return &edited
		}
		random := func() *domain.Catalog {
			c := titled(pick(r, "A", "B"))
			if len(past) > 0 && r.IntN(2) == 0 {
				return edit(pick(r, past...))
			}
			for _, slug := range []string{"a", "b", "c"} {
				if r.IntN(5) == 0 {
					continue
				}
				ch := domain.Chain{Slug: slug, ChainID: slug, Name: domain.Text{{Locale: "en", Value: slug + pick(r, " one", " two", " three")}}}
				for _, url := range urlsOf(slug) {
					if r.IntN(2) == 0 {
						ch.RPC = append(ch.RPC, domain.Endpoint{URL: url, Note: pick(r, "", "x", "y")})
					}
				}
				r.Shuffle(len(ch.RPC), func(i, j int) { ch.RPC[i], ch.RPC[j] = ch.RPC[j], ch.RPC[i] })
				if n := r.IntN(4); n > 0 {
					ch.TVL = &domain.Figure{Value: float64(n)}
				}
				c.Chains = append(c.Chains, ch)
			}
			past = append(past, c)
			return c
		}
		if err := imported(t, &m, random()); err != nil {
			t.Fatal(err)
		}
		for range 40 {
			before := said(m.head().Editors())
			if len(m.states) > 1 && r.IntN(5) == 0 {
				n := len(m.states)
				rolledBack(t, &m, int64(1+r.IntN(n)))
				if len(m.states) == n {
					continue
				}
				number, after := m.head().Revision.Number, said(m.head().Editors())
				rollbacks[number] = exchange{before, after}
				for v := range before {
					slug, _, _ := strings.Cut(v, " ")
					if absent := strings.HasSuffix(v, " false") || strings.HasSuffix(v, " no tvl"); absent && v != slug+" false" && after[slug+" false"] {
						continue // the rollback removed the record
					}
					if element, noNote := strings.CutSuffix(v, " note false"); noNote && !after[element] {
						continue // or the endpoint
					}
					if !after[v] {
						gone[v] = append(gone[v], number)
						open[v] = true
					}
				}
				for v := range after {
					delete(gone, v) // a rollback names its revision explicitly
					releaseURL(gone, v, nil)
				}
				continue
			}
			draft := random()
			says := said(draft)
			back := map[string][]int64{}
			for v, by := range gone {
				if !says[v] || before[v] {
					continue
				}
				for _, number := range by {
					if e := rollbacks[number]; !replaces(v, says, before, e.before, e.after) {
						back[v] = append(back[v], number)
					}
				}
			}
			err := imported(t, &m, draft)
			if len(back) > 0 && err == nil {
				t.Fatalf("seed %d: revision %d was published with %v", seed, len(m.states), back)
			}
			var held *publish.HeldError
			if !errors.As(err, &held) {
				for number, e := range rollbacks {
					releaseRecords(gone, number, e.before, says)
				}
				continue
			}
			returns := false
			for v := range says {
				returns = returns || open[v] && !before[v]
			}
			if of := rollbacksOf(held); !returns && len(of) > 0 {
				t.Fatalf("seed %d: revision %d is held, but nothing returns: %v", seed, len(m.states)+1, of)
			}
			if r.IntN(3) == 0 {
				if err := imported(t, &m, draft, strings.Split(held.Rules(), ",")...); err != nil {
					t.Fatal(err)
				}
				for v, released := range back {
					gone[v] = slices.DeleteFunc(gone[v], func(n int64) bool { return slices.Contains(released, n) })
					releaseURL(gone, v, released)
				}
				for number, e := range rollbacks {
					releaseRecords(gone, number, e.before, says)
				}
			}
		}
	}
}

// releaseRecords releases everything that a rollback removed from records that are published as
// before it: each of their values was accepted or is served.
func releaseRecords(gone map[string][]int64, rollback int64, before, now map[string]bool) {
	of := func(all map[string]bool, slug string) map[string]bool {
		own := map[string]bool{}
		for v := range all {
			if strings.HasPrefix(v, slug+" ") {
				own[v] = true
			}
		}
		return own
	}
	for _, slug := range []string{"a", "b", "c"} {
		if !maps.Equal(of(before, slug), of(now, slug)) {
			continue
		}
		for v, by := range gone {
			if strings.HasPrefix(v, slug+" ") {
				gone[v] = slices.DeleteFunc(by, func(n int64) bool { return n == rollback })
			}
		}
	}
}

// releaseURL releases a URL everywhere in its record, for some rollbacks or for all.
func releaseURL(gone map[string][]int64, said string, rollbacks []int64) {
	url := urlIn(said)
	if url == "" {
		return
	}
	for v, by := range gone {
		if urlIn(v) == url {
			gone[v] = slices.DeleteFunc(by, func(n int64) bool { return rollbacks == nil || slices.Contains(rollbacks, n) })
		}
	}
}

// urlIn returns the URL in a statement, "" for none.
func urlIn(said string) string {
	if strings.HasSuffix(said, " false") || strings.Contains(said, " note ") {
		return ""
	}
	for word := range strings.FieldsSeq(said) {
		if strings.HasPrefix(word, "https://") {
			return spelling(word)
		}
	}
	return ""
}

// rollbacksOf returns the holds of rollbacks, except those of an order.
func rollbacksOf(held *publish.HeldError) []string {
	var all []string
	for _, h := range held.Holds {
		if h.Family() == publish.RollbackRule && !strings.Contains(h.Message, " before ") && !strings.Contains(h.Message, " more; ") {
			all = append(all, h.Message)
		}
	}
	return all
}

// replaces reports whether v is about a missing endpoint that the draft replaces by a third one: the
// rollback exchanged endpoints, and the draft has at least as many endpoints that are new to the
// head and to the state before the rollback as it lacks.
func replaces(v string, draft, head, before, after map[string]bool) bool {
	slug, _, _ := strings.Cut(v, " ")
	if !strings.HasSuffix(v, " false") || strings.Contains(v, " note ") {
		return false
	}
	if !strings.HasPrefix(v, slug+" rpc ") {
		return strings.HasPrefix(v, slug+" links ") // this oracle does not model links
	}
	third, lacks := 0, 0
	for _, url := range urlsOf(slug) {
		has, lack := slug+" rpc "+url+" true", slug+" rpc "+url+" false"
		if draft[has] && !head[has] && !before[has] {
			third++
		}
		if draft[lack] && before[lack] && after[has] {
			lacks++
		}
	}
	exchanged := false
	for said := range before {
		exchanged = exchanged || strings.HasPrefix(said, slug+" rpc as ") && !strings.Contains(said, " note ") && !after[said]
	}
	return exchanged && third >= lacks
}

// respelled returns another spelling of a URL.
func respelled(r *rand.Rand, url string) string {
	return pick(r, url, strings.ReplaceAll(url, ".example/", ".example:443/"), strings.ReplaceAll(url, ".example/", ".EXAMPLE/"), strings.TrimSuffix(url, "/")+"/")
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// urlsOf returns URLs of one record only, so that no record is taken for a renamed one.
func urlsOf(slug string) []string {
	return []string{"https://1.example/" + slug, "https://2.example/" + slug, "https://3.example/" + slug}
}

// said returns statements about a catalogue: values that it has and lacks, the spelling and place
// of URLs, and whether a record has them anywhere.
func said(c *domain.Catalog) map[string]bool {
	all := map[string]bool{"title " + c.Title[0].Value: true}
	for _, slug := range []string{"a", "b", "c"} {
		i := slices.IndexFunc(c.Chains, func(c domain.Chain) bool { return c.Slug == slug })
		all[fmt.Sprintf("%s %t", slug, i >= 0)] = true
		if i < 0 {
			continue
		}
		ch := c.Chains[i]
		all[slug+" name "+ch.Name[0].Value] = true
		if ch.TVL != nil {
			all[fmt.Sprintf("%s tvl %v", slug, ch.TVL.Value)] = true
		} else {
			all[slug+" no tvl"] = true
		}
		for _, url := range urlsOf(slug) {
			in := fmt.Sprintf("%s rpc %s ", slug, url)
			there := false
			for _, e := range ch.RPC {
				if spelling(e.URL) != url {
					continue
				}
				there = true
				all[slug+" rpc as "+e.URL] = true
				all[slug+" link "+url] = true
				all[slug+" rpc as "+e.URL+" note "+cmp.Or(e.Note, "false")] = true
			}
			all[fmt.Sprint(in, there)] = true
			linked := slices.ContainsFunc(ch.Links, func(l domain.Link) bool { return spelling(l.URL) == url })
			all[fmt.Sprintf("%s links %s %t", slug, url, linked)] = true
			for _, l := range ch.Links {
				if spelling(l.URL) == url {
					all[slug+" links as "+l.URL] = true
					all[slug+" link "+url] = true
				}
			}
		}
	}
	return all
}

// spelling returns a URL as [urlsOf] has it, from any spelling of [respelled].
func spelling(url string) string {
	url = strings.Replace(strings.ToLower(url), ":443/", "/", 1)
	return strings.TrimSuffix(url, "/")
}
