package changelog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"vitrine/internal/changelog"
	"vitrine/internal/domain"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// chain returns a chain from text: its slug, its name, and its former slugs.
func chain(text string) domain.Chain {
	words := strings.Fields(text)
	return domain.Chain{Slug: words[0], ChainID: "1", Name: domain.Text{{Locale: "en", Value: words[1]}}, Former: words[2:]}
}

// logOf returns the log of revisions from 1 on, each with some chains.
func logOf(revisions ...[]string) *changelog.Log {
	log := changelog.New(changelog.Revision{Number: 1, PublishedAt: start})
	var before *domain.Catalog
	for i, chains := range revisions {
		now := &domain.Catalog{}
		for _, text := range chains {
			now.Chains = append(now.Chains, chain(text))
		}
		number := int64(i + 1)
		if before != nil {
			log = log.Append(changelog.Revision{
				Number: number, PublishedAt: start.AddDate(0, 0, i), Entries: changelog.Compare(number, before, now),
			})
		}
		before = now
	}
	return log
}

func outline(changes []changelog.Change) []string {
	var lines []string
	for _, c := range changes {
		line := fmt.Sprintf("%s %s in %d", c.Key, c.Op, c.Revision)
		if c.Was != "" {
			line += ", was " + c.Was
		}
		if c.Fields != nil {
			slices.Sort(c.Fields)
			line += ": " + strings.Join(c.Fields, " ")
		}
		if c.Title != nil {
			line += ", titled " + c.Title[0].Value
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

func TestSince(t *testing.T) {
	for name, tt := range map[string]struct {
		log   *changelog.Log
		since int64
		want  []string
	}{
		"nothing":             {logOf([]string{"a A"}, []string{"a A"}), 1, nil},
		"the last revision":   {logOf([]string{"a A"}, []string{"a B"}), 2, nil},
		"added":               {logOf([]string{"a A"}, []string{"a A", "b B"}), 1, []string{"b added in 2"}},
		"changed":             {logOf([]string{"a A"}, []string{"a B"}, []string{"a B"}), 1, []string{"a changed in 2: name"}},
		"removed":             {logOf([]string{"a A", "b B"}, []string{"b B"}), 1, []string{"a removed in 2, titled A"}},
		"undone":              {logOf([]string{"a A"}, []string{"a B"}, []string{"a A"}), 1, nil},
		"undone in part":      {logOf([]string{"a A"}, []string{"a B"}, []string{"a A"}), 2, []string{"a changed in 3: name"}},
		"removed and back":    {logOf([]string{"a A"}, nil, []string{"a A"}), 1, nil},
		"back with a change":  {logOf([]string{"a A"}, nil, []string{"a B"}), 1, []string{"a changed in 3: name"}},
		"added and removed":   {logOf([]string{"b B"}, []string{"a A", "b B"}, []string{"b B"}), 1, nil},
		"renamed":             {logOf([]string{"a A"}, []string{"b A a"}), 1, []string{"b changed in 2, was a: former id slug"}},
		"renamed twice":       {logOf([]string{"a A"}, []string{"b A a"}, []string{"c A a b"}), 1, []string{"c changed in 3, was a: former id slug"}},
		"renamed back":        {logOf([]string{"a A"}, []string{"b A a"}, []string{"a A b"}), 1, []string{"a changed in 3: former"}},
		"renamed and removed": {logOf([]string{"a A", "z Z"}, []string{"b A a", "z Z"}, []string{"z Z"}), 1, []string{"a removed in 3, titled A"}},
		"the key is reused": {
			logOf([]string{"a A"}, []string{"b A a"}, []string{"a New", "b A"}), 1,
			[]string{"a added in 3", "b changed in 3, was a: id slug"},
		},
		"renamed to a removed key": {logOf([]string{"a A", "b B"}, []string{"a A"}, []string{"b A a"}), 1, []string{"b changed in 3, was a: former id slug"}},
	} {
		all := func(domain.Kind, string) bool { return true }
		if diff := gocmp.Diff(tt.want, outline(tt.log.Since(tt.since, all))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestHiddenFields checks that a change of fields that readers do not see is none.
func TestHiddenFields(t *testing.T) {
	log := logOf([]string{"a A"}, []string{"a B c"})
	for field, want := range map[string][]string{"former": {"a changed in 2: former"}, "logo": nil} {
		got := outline(log.Since(1, func(_ domain.Kind, f string) bool { return f == field }))
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("only %s is visible (-want +got):\n%s", field, diff)
		}
	}
}

// TestSameForReaders checks that other forms of a value, and values that responses of the kind do not
// have, are no changes.
func TestSameForReaders(t *testing.T) {
	name := domain.Text{{Locale: "en", Value: "A"}}
	named, kept := chain("a A"), chain("b A a")
	named.ID, kept.ID = named.StableID(), named.StableID()
	menu := func(card domain.Card) *domain.Catalog {
		items := []domain.Item{{Slug: "i", Name: name, Cards: []domain.Card{card}}}
		return &domain.Catalog{Menus: []domain.Menu{{PathSlug: "m", Title: name, Standalone: items, Groups: []domain.MenuGroup{{Slug: "g", Name: name, Items: items}}}}}
	}
	category := func(scopes []domain.Module, groups ...domain.ModuleGroups) *domain.Catalog {
		return &domain.Catalog{Categories: []domain.Category{{Key: "c", Name: name, Scopes: scopes, Groups: groups}}}
	}
	chains := func(c domain.Chain) *domain.Catalog { return &domain.Catalog{Chains: []domain.Chain{c}} }
	onChain, onItem := domain.ModuleGroups{Module: "chain", Keys: []string{"x"}}, domain.ModuleGroups{Module: "item", Keys: []string{"y"}}
	for what, tt := range map[string]struct {
		old, new *domain.Catalog
		want     []string
	}{
		"a derived id is written": {chains(chain("a A")), chains(named), nil},
		"an id survives a rename": {chains(chain("a A")), chains(kept), []string{"b changed in 2, was a: former slug"}},
		"a card gets a chain":     {menu(domain.Card{Title: name}), menu(domain.Card{Title: name, Chains: []string{"a"}, Extra: "{}"}), nil},
		"a card gets a picture":   {menu(domain.Card{Title: name}), menu(domain.Card{Title: name, Image: "/a"}), []string{"m changed in 2: groups standalone"}},
		"another order of scopes": {
			category([]domain.Module{"chain", "item"}, onChain, onItem), category([]domain.Module{"item", "chain"}, onItem, onChain), nil,
		},
	} {
		log := changelog.New(changelog.Revision{Number: 1}).Append(changelog.Revision{Number: 2, Entries: changelog.Compare(2, tt.old, tt.new)})
		if diff := gocmp.Diff(tt.want, outline(log.Since(1, func(domain.Kind, string) bool { return true }))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
}

// TestHeldBackAccounts checks that an account appears with its first follower count.
func TestHeldBackAccounts(t *testing.T) {
	held := &domain.Catalog{Accounts: []*domain.Account{{Handle: "Name", Name: "N"}}}
	shown := &domain.Catalog{Accounts: []*domain.Account{{Handle: "Name", Name: "N", Followers: &domain.Figure{Value: 1}}}}
	for _, tt := range []struct {
		old, new *domain.Catalog
		want     domain.Op
	}{{held, shown, domain.Added}, {shown, held, domain.Removed}} {
		entries := changelog.Compare(2, tt.old, tt.new)
		if len(entries) != 1 || entries[0].Op != tt.want {
			t.Errorf("entries %+v, want one %s", entries, tt.want)
		}
	}
	if entries := changelog.Compare(2, held, held); entries != nil {
		t.Errorf("entries %+v of an account that is held back, want none", entries)
	}
}

func TestPurgeForgetsTheRecord(t *testing.T) {
	log := logOf([]string{"a A", "b B"}, []string{"b B"}, []string{"a Secret", "b B"})
	log = log.Append(changelog.Revision{Number: 4, PublishedAt: start, Entries: []changelog.Entry{changelog.Purged(4, domain.KindChain, "a")}})
	for since, want := range map[int64][]string{1: {"a removed in 4"}, 2: {"a removed in 4"}, 3: {"a removed in 4"}, 4: nil} {
		got := outline(log.Since(since, func(domain.Kind, string) bool { return true }))
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("since %d (-want +got):\n%s", since, diff)
		}
	}
}

func TestCurrent(t *testing.T) {
	log := logOf(nil, nil, nil)
	for at, want := range map[time.Time]int64{
		start: 1, start.Add(time.Hour): 1, start.AddDate(0, 0, 1): 2, start.AddDate(0, 0, 2).Add(-1): 2, start.AddDate(9, 0, 0): 3,
	} {
		if got, ok := log.Current(at); got != want || !ok {
			t.Errorf("Current(%v) = %d, %v, want %d", at, got, ok, want)
		}
	}
	if got, ok := log.Current(start.Add(-1)); ok {
		t.Errorf("revision %d was current before the first one", got)
	}
}

func TestBounds(t *testing.T) {
	many := make([]changelog.Entry, changelog.MaxEntries/2)
	log := changelog.New(changelog.Revision{Number: 1}).Append(
		changelog.Revision{Number: 2, Entries: many}, changelog.Revision{Number: 3, Entries: many}, changelog.Revision{Number: 4, Entries: many[:1]},
	)
	if got := log.Oldest().Number; got != 2 {
		t.Errorf("with too many entries, the log begins with %d, want 2", got)
	}
	if got := log.Append(changelog.Revision{Number: 5, Entries: slices.Concat(many, many, many)}).Oldest().Number; got != 5 {
		t.Errorf("with too many entries of one revision, the log begins with %d, want 5", got)
	}
	for number := range int64(changelog.MaxRevisions) {
		log = log.Append(changelog.Revision{Number: 5 + number})
	}
	if got := log.Newest().Number - log.Oldest().Number + 1; got != changelog.MaxRevisions {
		t.Errorf("the log has %d revisions, want %d", got, changelog.MaxRevisions)
	}
}

func TestPicturesAreNoChanges(t *testing.T) {
	with := &domain.Catalog{Assets: []domain.Asset{{File: "a.svg", Content: "<svg/>"}}}
	for _, tt := range []struct{ old, new *domain.Catalog }{{with, &domain.Catalog{}}, {&domain.Catalog{}, with}} {
		if got := changelog.Compare(2, tt.old, tt.new); len(got) > 0 {
			t.Errorf("Compare has %d entries for a picture: %+v", len(got), got)
		}
	}
}
