package publish_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// words returns a catalogue with a chain for each word, `slug=Name`.
func words(text string) *domain.Catalog {
	c := titled("A")
	for word := range strings.FieldsSeq(text) {
		slug, name, _ := strings.Cut(word, "=")
		c.Chains = append(c.Chains, domain.Chain{
			Slug: slug, ChainID: slug, Name: domain.Text{{Locale: "en", Value: name}},
		})
	}
	return c
}

// life plays a history of the steps `import WORDS`, `accept RULES: WORDS`, `rollback REV` and
// `prune REV`. The result of a step is `published`, `nothing` or the rules that hold.
type life struct {
	t     *testing.T
	store memory
}

func (l *life) step(step, want string) {
	l.t.Helper()
	what, rest, _ := strings.Cut(step, " ")
	var plan *publish.Plan
	var err error
	switch what {
	case "rollback":
		var number int64
		fmt.Sscan(rest, &number)
		plan, err = publish.Rollback(l.t.Context(), &l.store, number)
	case "accept":
		rules, text, _ := strings.Cut(rest, "; ")
		if plan, err = publish.Import(l.t.Context(), &l.store, &bundle.Directory{Catalog: words(text)}, publish.From{}); err == nil {
			if needless := plan.Accept(strings.Split(rules, ",")); needless != nil {
				l.t.Errorf("%s: accepted needlessly: %q", step, needless)
			}
		}
	default:
		plan, err = publish.Import(l.t.Context(), &l.store, &bundle.Directory{Catalog: words(rest)}, publish.From{})
	}
	if err != nil {
		l.t.Fatalf("%s: %v", step, err)
	}
	outcome, err := plan.Publish(l.t.Context(), &l.store, note)
	var held *publish.HeldError
	got := "nothing"
	switch {
	case errors.As(err, &held):
		got = held.Rules()
	case err != nil:
		l.t.Fatalf("%s: %v", step, err)
	case outcome.Published:
		got = "published"
	}
	if got != want {
		l.t.Errorf("%s: %s, want %s (%v)", step, got, want, err)
	}
}

func TestRollbacksHold(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps [][2]string // step and result
	}{
		{"an unrelated save does not undo a rollback", [][2]string{
			{"import a=Old b=B", "published"},
			{"import a=Bad b=B", "published"},
			{"rollback 1", "published"},
			{"import a=Bad b=B", "rollback:3"},
			{"import a=Bad b=Better", "rollback:3"},
			{"import a=Old b=Better", "published"},
		}},
		{"a repeated import is held, not ignored", [][2]string{
			{"import a=Old", "published"},
			{"import a=Bad", "published"},
			{"rollback 1", "published"},
			{"import a=Old", "nothing"},
			{"import a=Bad", "rollback:3"},
			{"accept rollback:3; a=Bad", "published"},
			{"import a=Old", "published"},
			{"import a=Bad", "published"}, // accepted before
		}},
		{"a third version is not held", [][2]string{
			{"import a=Old", "published"},
			{"import a=Bad", "published"},
			{"rollback 1", "published"},
			{"import a=Mended", "published"},
			{"import a=Bad", "rollback:3"}, // the removed value
		}},
		{"all records that it changed count", [][2]string{
			{"import a=Old b=Old", "published"},
			{"import a=Bad b=Bad", "published"},
			{"rollback 1", "published"},
			{"import a=Mended b=Bad", "rollback:3"},
			{"import a=Mended b=Old", "published"},
		}},
		{"added and removed records", [][2]string{
			{"import a=A b=B", "published"},
			{"import a=A c=C", "published"},
			{"rollback 1", "published"},
			{"import a=A b=B c=C", "rollback:3"},
			{"import a=A", "rollback:3"},
			{"import a=A b=B d=D", "published"},
			{"accept rollback:3; a=A d=D", "published"},
			{"import a=A b=B", "published"},
			{"import a=A", "published"},
		}},
		{"a rollback of a rollback", [][2]string{
			{"import a=Old", "published"},
			{"import a=New", "published"},
			{"rollback 1", "published"},
			{"rollback 2", "published"}, // naming a revision is explicit
			{"import a=New", "nothing"},
			{"import a=Newer", "published"},
			{"import a=New", "published"}, // restored by the second rollback
			{"import a=Old", "rollback:4"},
		}},
		{"two rollbacks", [][2]string{
			{"import a=One b=One", "published"},
			{"import a=Two b=One", "published"},
			{"import a=Two b=Two", "published"},
			{"rollback 2", "published"},
			{"rollback 1", "published"},
			{"import a=One b=Two", "rollback:4"},
			{"import a=Two b=One", "rollback:5"},
			{"import a=Two b=Two", "rollback:4,rollback:5"},
			{"accept rollback:4; a=One b=Two", "published"},
			{"import a=Two b=Two", "rollback:5"},
		}},
		{"one more rollback, after an accepted publish", [][2]string{
			{"import a=Old", "published"},
			{"import a=Bad", "published"},
			{"rollback 1", "published"},
			{"accept rollback:3; a=Bad", "published"},
			{"rollback 1", "published"},
			{"import a=Bad", "rollback:5"},
		}},
		{"values return freely without rollbacks", [][2]string{
			{"import a=Old", "published"},
			{"import a=New", "published"},
			{"import a=Old", "published"},
			{"import a=New", "published"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := life{t: t}
			for _, s := range tt.steps {
				l.step(s[0], s[1])
			}
		})
	}
}

// numberedWords returns the words of a range of numbers.
func numberedWords(from, to int) string {
	var b strings.Builder
	for n := from; n <= to; n++ {
		fmt.Fprintf(&b, "c%03d=Name ", n)
	}
	return b.String()
}

func TestMassLossIsHeld(t *testing.T) {
	for _, tt := range []struct {
		name        string
		before, now string
		want        string
	}{
		{"a quarter", numberedWords(1, 40), numberedWords(11, 40), "shrink:chains"},
		{"less than a quarter", numberedWords(1, 40), numberedWords(10, 40), ""},
		{"five of eleven", numberedWords(1, 11), numberedWords(6, 11), ""},
		{"six of eleven", numberedWords(1, 11), numberedWords(7, 11), "shrink:chains"},
		{"two thirds of six", numberedWords(1, 6), numberedWords(5, 6), "shrink:chains"},
		{"half of six", numberedWords(1, 6), numberedWords(4, 6), "shrink:chains"},
		{"less than half of seven", numberedWords(1, 7), numberedWords(4, 7), ""},
		{"half of four", numberedWords(1, 4), numberedWords(3, 4), ""},
		{"all of three", numberedWords(1, 3), "", "shrink:chains"},
		{"all of two", numberedWords(1, 2), "", ""},
		{"all renamed", numberedWords(1, 9), numberedWords(101, 109), "shrink:chains"},
		{"all changed", numberedWords(1, 9), strings.ReplaceAll(numberedWords(1, 9), "Name", "Other"), ""},
		{"more than before", numberedWords(1, 9), numberedWords(1, 900), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := life{t: t}
			l.step("import "+tt.before, "published")
			if tt.want == "" {
				tt.want = "published"
			}
			l.step("import "+tt.now, tt.want)
			if tt.want == "published" {
				return
			}
			l.step("accept "+tt.want+"; "+tt.now, "published")
		})
	}
}

// TestRollbackThatLosesMuchIsHeld checks that a large loss holds a rollback too.
func TestRollbackThatLosesMuchIsHeld(t *testing.T) {
	l := life{t: t}
	l.step("import "+numberedWords(1, 2), "published")
	l.step("import "+numberedWords(1, 40), "published")
	l.step("rollback 1", "shrink:chains")
}

// TestLosses checks losses of each kind, and of cards in any menu.
func TestLosses(t *testing.T) {
	many := func(n int) *domain.Catalog {
		c := titled("A")
		menu := func(i int) *domain.Menu { return &c.Menus[i%len(c.Menus)] }
		for i := range n {
			key := fmt.Sprintf("k%02d", i)
			c.Groups = append(c.Groups, domain.Group{Key: key, Module: domain.ModuleChain})
			c.Categories = append(c.Categories, domain.Category{Key: key})
			c.Chains = append(c.Chains, domain.Chain{Slug: key})
			c.Accounts = append(c.Accounts, &domain.Account{Handle: key, Followers: &domain.Figure{Value: 1}})
			c.Channels = append(c.Channels, domain.Channel{ChannelID: key})
			c.NavGroups = append(c.NavGroups, domain.NavGroup{Key: key, Slug: key})
			c.Menus = append(c.Menus, domain.Menu{PathSlug: key})
		}
		for i := range n {
			item := domain.Item{Slug: "i", Type: domain.ItemCategory, Cards: []domain.Card{{Link: fmt.Sprintf("/%d", i)}}}
			if i%2 == 0 {
				menu(i).Standalone = append(menu(i).Standalone, item)
			} else {
				menu(i).Groups = []domain.MenuGroup{{Slug: "g", Items: []domain.Item{item}}}
			}
		}
		return c
	}
	moved := many(12) // its cards stand in another menu
	for i := range moved.Menus {
		if i > 0 {
			moved.Menus[0].Groups = append(moved.Menus[0].Groups, moved.Menus[i].Groups...)
			moved.Menus[0].Standalone = append(moved.Menus[0].Standalone, moved.Menus[i].Standalone...)
			moved.Menus[i].Groups, moved.Menus[i].Standalone = nil, nil
		}
	}
	bare := many(12)
	for i := range bare.Menus {
		bare.Menus[i].Groups, bare.Menus[i].Standalone = nil, nil
	}
	ofApps := func(link string) *domain.Catalog { // the first cards have their links from apps
		c := many(12)
		for i := range 6 {
			key := fmt.Sprintf("a%d", i)
			c.Apps = append(c.Apps, domain.App{Key: key, Link: fmt.Sprintf(link, i)})
			items := c.Menus[i].Standalone
			if i%2 == 1 {
				items = c.Menus[i].Groups[0].Items
			}
			items[0].Cards = []domain.Card{{App: key}}
		}
		return c
	}
	unlisted := many(12)
	for i := range unlisted.Accounts {
		unlisted.Accounts[i].Followers = nil
	}
	upper := many(12)
	for i := range upper.Accounts {
		upper.Accounts[i].Handle = strings.ToUpper(upper.Accounts[i].Handle)
	}
	for _, tt := range []struct {
		name string
		now  *domain.Catalog
		want []string
	}{
		{"everything", titled("A"), []string{
			"shrink:groups: 12 of 12 dimension groups (100 %; held from 25 %) would be gone: chain/k00, chain/k01, chain/k02, chain/k03, chain/k04 and 7 more",
			"shrink:categories: 12 of 12 categories (100 %; held from 25 %) would be gone: k00, k01, k02, k03, k04 and 7 more",
			"shrink:chains: 12 of 12 chains (100 %; held from 25 %) would be gone: k00, k01, k02, k03, k04 and 7 more",
			"shrink:twitter: 12 of 12 listed accounts (100 %; held from 25 %) would be gone: k00, k01, k02, k03, k04 and 7 more",
			"shrink:youtube: 12 of 12 channels (100 %; held from 25 %) would be gone: k00, k01, k02, k03, k04 and 7 more",
			"shrink:nav: 12 of 12 nav groups (100 %; held from 25 %) would be gone: k00, k01, k02, k03, k04 and 7 more",
			"shrink:menus: 12 of 12 menus (100 %; held from 25 %) would be gone: k00, k01, k02, k03, k04 and 7 more",
			"shrink:cards: 12 of 12 cards (100 %; held from 25 %) would be gone: /0, /1, /10, /11, /2 and 7 more",
		}},
		{"cards that move", moved, nil},
		{"menus without their cards", bare, []string{"shrink:cards: 12 of 12 cards (100 %; held from 25 %) would be gone: /0, /1, /10, /11, /2 and 7 more"}},
		{"cards that take the same links from apps", ofApps("/%d"), nil},
		{"cards whose apps have other links", ofApps("/other/%d"), []string{"shrink:cards: 6 of 12 cards (50 %; held from 25 %) would be gone: /0, /1, /2, /3, /4 and 1 more"}},
		{"accounts that would be held back", unlisted, []string{
			"shrink:twitter: 12 of 12 listed accounts (100 %; held from 25 %) would be gone: held back: k00, k01, k02, k03, k04 and 7 more",
		}},
		{"handles in another case", upper, nil},
		{"a few of each", many(7), nil},
		{"half of each", many(6), []string{"shrink:groups", "shrink:categories", "shrink:chains", "shrink:twitter", "shrink:youtube", "shrink:nav", "shrink:menus", "shrink:cards"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			m.add(revision(1, store.OpImport, "a"), many(12))
			_, err := publish.Directory(t.Context(), &m, &bundle.Directory{Catalog: tt.now, Digest: "b"}, publish.From{}, note)
			var held *publish.HeldError
			if tt.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.As(err, &held) {
				t.Fatalf("error %v, want a HeldError", err)
			}
			var got []string
			for i, h := range held.Holds {
				line := h.Rule
				if strings.Contains(tt.want[min(i, len(tt.want)-1)], " ") {
					line += ": " + h.Message
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if held.Head.Number != 1 || len(m.states) != 1 {
				t.Errorf("head %d, %d revisions", held.Head.Number, len(m.states))
			}
		})
	}
}

// TestRenamesAreNoLosses checks that renames with a former key are not losses, and neither are
// apps that become cards with the same link, or the reverse. One undeclared rename more is held.
func TestRenamesAreNoLosses(t *testing.T) {
	const n = 12
	renamed := func(named int) *domain.Catalog {
		c := titled("A")
		former := func(i int) []string {
			if i >= named {
				return nil
			}
			return []string{"even-older", fmt.Sprintf("k%02d", i)}
		}
		for i := range n {
			key := fmt.Sprintf("n%02d", i)
			c.Categories = append(c.Categories, domain.Category{Key: key, Former: former(i)})
			c.Chains = append(c.Chains, domain.Chain{Slug: key, Former: former(i)})
			c.Apps = append(c.Apps, domain.App{Key: key, Title: domain.Text{{Locale: "en", Value: fmt.Sprint("App ", i)}}, Link: fmt.Sprint("/app/", i), Former: former(i)})
			c.NavGroups = append(c.NavGroups, domain.NavGroup{Key: key, Slug: key, Former: former(i)})
			c.Menus = append(c.Menus, domain.Menu{PathSlug: key, Former: former(i)})
		}
		return c
	}
	before := titled("A")
	for i := range n {
		key := fmt.Sprintf("k%02d", i)
		before.Categories = append(before.Categories, domain.Category{Key: key})
		before.Chains = append(before.Chains, domain.Chain{Slug: key})
		before.Apps = append(before.Apps, domain.App{Key: key, Title: domain.Text{{Locale: "en", Value: fmt.Sprint("App ", i)}}, Link: fmt.Sprint("/app/", i)})
		before.NavGroups = append(before.NavGroups, domain.NavGroup{Key: key, Slug: key})
		before.Menus = append(before.Menus, domain.Menu{PathSlug: key})
	}
	withApps := func(apps, cards int, linked, named bool) *domain.Catalog {
		c := titled("A")
		item := domain.Item{Slug: "i", Type: domain.ItemCategory}
		for i := range max(apps, cards) {
			key, link := fmt.Sprintf("k%02d", i), fmt.Sprintf("https://example.org/%d", i)
			if i < apps {
				c.Apps = append(c.Apps, domain.App{Key: key, Link: link})
			}
			card := domain.Card{Link: link}
			if !linked {
				card.Link += "/elsewhere"
			}
			if named {
				card = domain.Card{App: key}
			}
			if i < cards {
				item.Cards = append(item.Cards, card)
			}
		}
		c.Menus = []domain.Menu{{PathSlug: "m", Standalone: []domain.Item{item}}}
		return c
	}
	for _, tt := range []struct {
		name   string
		before *domain.Catalog
		now    *domain.Catalog
		want   string
	}{
		{"all renamed", before, renamed(n), ""},
		{"half renamed, half replaced", before, renamed(n / 2), "shrink:categories,shrink:chains,shrink:apps,shrink:nav,shrink:menus"},
		{"apps move into their cards", withApps(n, n, true, true), withApps(0, n, true, false), ""},
		{"apps go, their cards lead elsewhere", withApps(n, n, true, true), withApps(0, n, false, false), "shrink:apps,shrink:cards"},
		{"apps go, with their cards", withApps(n, n, true, true), withApps(1, 1, true, true), "shrink:apps,shrink:cards"},
		{"cards become apps that no menu has", withApps(0, n, true, false), withApps(n, 0, true, false), ""},
		{"cards of apps go", withApps(n, n, true, true), withApps(n, 0, true, true), "shrink:cards"},
	} {
		var m memory
		m.add(revision(1, store.OpImport, "a"), tt.before)
		_, err := publish.Directory(t.Context(), &m, &bundle.Directory{Catalog: tt.now, Digest: "b"}, publish.From{}, note)
		got := ""
		if held, is := errors.AsType[*publish.HeldError](err); is {
			got = held.Rules()
		} else if err != nil {
			t.Fatal(err)
		}
		if got != tt.want {
			t.Errorf("%s: held by %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAcceptUnusedRules(t *testing.T) {
	m := holding("a", "A")
	plan, err := publish.Import(t.Context(), &m, directory("b", "B"), publish.From{})
	if err != nil {
		t.Fatal(err)
	}
	if got := plan.Accept([]string{"shrink:chains"}); !slices.Equal(got, []string{"shrink:chains"}) {
		t.Errorf("rules without effect: %q", got)
	}
	if _, err := plan.Publish(t.Context(), &m, note); err != nil {
		t.Error(err)
	}
}

func TestCheckRule(t *testing.T) {
	for _, good := range []string{"shrink:chains", "shrink:cards", "shrink:twitter", "rollback:7"} {
		if err := publish.CheckRule(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "shrink", "shrink:", "shrink:catalog", "shrink:Chains", "rollback:", "rollback:0", "rollback:-1", "rollback:07", "rollback:x", "all", "shrink:chains "} {
		if err := publish.CheckRule(bad); err == nil {
			t.Errorf("%q is a rule", bad)
		}
	}
}
