// Package large generates large catalogues for measurements: accounts with descriptions in five
// languages, which differ as real ones do, and the bundled chains. The accounts are fictitious.
//
// It must not know the measurements. The same arguments give the same bytes on every machine.
package large

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/domain"
)

// Bounds of a description, in code points.
const (
	MinDescription = 60
	MaxDescription = 160
)

const topicGroup = "bench_topic"

// Catalog returns n accounts, and the chains of the bundled catalogue. The first changed accounts
// have other names than with changed 0.
func Catalog(ctx context.Context, n, changed int) (*domain.Catalog, error) {
	c, err := withoutAccounts(ctx)
	if err != nil {
		return nil, err
	}
	c.Accounts = make([]*domain.Account, n)
	for i := range c.Accounts {
		c.Accounts[i] = account(i, i < changed)
	}
	return c, nil
}

// Write writes the same catalogue to a directory, which must be empty or missing. It returns the
// size of its NDJSON files in bytes. It has at most one account in memory.
func Write(ctx context.Context, dir string, n, changed int) (int64, error) {
	c, err := withoutAccounts(ctx)
	if err != nil {
		return 0, err
	}
	if err := bundle.Write(c, dir); err != nil {
		return 0, err
	}
	if err := writeAccounts(filepath.Join(dir, "twitter.ndjson"), n, changed); err != nil {
		return 0, err
	}
	return size(dir)
}

// withoutAccounts returns the chains of the bundled catalogue, and the records that they and the
// accounts refer to.
func withoutAccounts(ctx context.Context) (*domain.Catalog, error) {
	dir, err := bundle.Read(ctx, bundled.FS, bundle.Options{})
	if err != nil {
		return nil, err
	}
	if dir.Errors() > 0 {
		return nil, fmt.Errorf("the bundled catalogue has %d errors", dir.Errors())
	}
	from := dir.Catalog
	c := &domain.Catalog{
		Title:         domain.Text{{Locale: "en", Value: "Large"}},
		DefaultLocale: locales[0],
		Locales:       locales,
		LinkSchemes:   from.LinkSchemes,
		Groups:        slices.Clone(from.Groups),
		Categories:    slices.Clone(from.Categories),
		Chains:        slices.Clone(from.Chains),
		Assets:        from.Assets,
	}
	keepLocales(c)
	c.Groups = append(c.Groups, domain.Group{
		Key: topicGroup, Module: domain.ModuleTwitter, Name: domain.Text{{Locale: "en", Value: "Topic"}},
	})
	for _, t := range topics {
		c.Categories = append(c.Categories, domain.Category{
			Key: category(t.slug), Name: text(t.name), Scopes: []domain.Module{domain.ModuleTwitter},
			Groups: []domain.ModuleGroups{{Module: domain.ModuleTwitter, Keys: []string{topicGroup}}},
		})
	}
	return c, nil
}

// keepLocales removes the texts in languages that the accounts lack.
func keepLocales(c *domain.Catalog) {
	for i := range c.Groups {
		c.Groups[i].Name = kept(c.Groups[i].Name)
	}
	for i := range c.Categories {
		c.Categories[i].Name = kept(c.Categories[i].Name)
		c.Categories[i].Description = kept(c.Categories[i].Description)
	}
	for i := range c.Chains {
		chain := &c.Chains[i]
		chain.Name, chain.Description, chain.StatusNote = kept(chain.Name), kept(chain.Description), kept(chain.StatusNote)
	}
}

func kept(t domain.Text) domain.Text {
	var out domain.Text
	for _, translation := range t {
		if slices.Contains(locales, translation.Locale) {
			out = append(out, translation)
		}
	}
	return out
}

// Slugs returns at most n categories of the accounts.
func Slugs(n int) []string {
	var slugs []string
	for _, t := range topics[:min(n, len(topics))] {
		slugs = append(slugs, category(t.slug))
	}
	return slugs
}

func category(slug string) string { return "bench-" + slug }

func text(w word) domain.Text {
	t := make(domain.Text, len(locales))
	for i, l := range locales {
		t[i] = domain.Translation{Locale: l, Value: w[i]}
	}
	return t
}

// account returns the account with a number. It depends only on the arguments.
func account(number int, changed bool) *domain.Account {
	r := rand.New(rand.NewPCG(uint64(number), 0x76697472696e65))
	name := projectName(r)
	a := &domain.Account{
		Handle:    strings.ReplaceAll(name, " ", "_") + "_" + strconv.FormatInt(int64(number), 36),
		Name:      name,
		Followers: &domain.Figure{Value: float64(followers(r))},
	}
	if changed {
		a.Name += " (changed)"
	}
	of := distinctTopics(r)
	for _, t := range of {
		a.Categories = append(a.Categories, category(topics[t].slug))
	}
	a.Description = descriptions(r, of)
	return a
}

// AddCards adds n cards to menus without a group.
func AddCards(c *domain.Catalog, n int) {
	const menus, items = 20, 10
	for m := range menus {
		menu := domain.Menu{PathSlug: "bench-" + strconv.Itoa(m), Title: text(topics[m%len(topics)].name)}
		for i := range items {
			menu.Standalone = append(menu.Standalone, domain.Item{
				Slug: "item-" + strconv.Itoa(i), Name: text(topics[i%len(topics)].name), Type: domain.ItemCategory,
			})
		}
		c.Menus = append(c.Menus, menu)
	}
	added := c.Menus[len(c.Menus)-menus:]
	for number := range n {
		item := &added[number%menus].Standalone[number/menus%items]
		item.Cards = append(item.Cards, card(number))
	}
}

// card returns the card with a number, on which alone it depends.
func card(number int) domain.Card {
	r := rand.New(rand.NewPCG(uint64(number), 0x63617264))
	name := projectName(r)
	return domain.Card{
		Title: text(word{name, name, name, name, name}), Description: descriptions(r, distinctTopics(r)),
		Link: "https://" + strings.ToLower(strings.ReplaceAll(name, " ", "-")) + "-" + strconv.FormatInt(int64(number), 36) + ".example/",
	}
}

// projectName returns two to four syllables and a kind.
func projectName(r *rand.Rand) string {
	var b strings.Builder
	for range 2 + r.IntN(3) {
		b.WriteString(pick(r, syllables))
	}
	made := b.String()
	return strings.ToUpper(made[:1]) + made[1:] + " " + pick(r, kinds)
}

// followers is log-uniform: each power of two up to a million is equally likely.
func followers(r *rand.Rand) int {
	scale := 16 << r.IntN(17)
	return scale + r.IntN(scale)
}

// distinctTopics returns one to three topics. The first ones are more frequent.
func distinctTopics(r *rand.Rand) []int {
	var of []int
	for range 1 + r.IntN(3) {
		t := min(r.IntN(len(topics)), r.IntN(len(topics)))
		if !slices.Contains(of, t) {
			of = append(of, t)
		}
	}
	return of
}

// descriptions returns a description with the same meaning in all languages.
func descriptions(r *rand.Rand, of []int) domain.Text {
	role, place, thing := pick(r, roles), pick(r, places), pick(r, things)
	first, also := topics[of[0]].name, topics[r.IntN(len(topics))].name
	name, year := projectName(r), strconv.Itoa(1990+r.IntN(35))
	opening, least := r.IntN(len(openings[0])), MinDescription+r.IntN(40)
	order := r.Perm(len(sentences[0]))

	t := make(domain.Text, len(locales))
	for l, locale := range locales {
		fill := strings.NewReplacer("{role}", role[l], "{topic}", first[l], "{also}", also[l], "{place}", place[l],
			"{thing}", thing[l], "{name}", name, "{year}", year)
		t[l] = domain.Translation{Locale: locale, Value: describe(l, fill, opening, order, least)}
	}
	return t
}

// describe joins sentences up to the requested number of code points. All sentences together
// suffice for any number up to 100.
func describe(l int, fill *strings.Replacer, opening int, order []int, least int) string {
	said := fill.Replace(openings[l][opening])
	for _, i := range order {
		if utf8.RuneCountInString(said) >= least {
			break
		}
		if locales[l] != "ja" && locales[l] != "zh-hans" {
			said += " "
		}
		said += fill.Replace(sentences[l][i])
	}
	return said
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// line is an account in its written form.
type line struct {
	Handle      string            `json:"handle"`
	Name        string            `json:"name"`
	Description map[string]string `json:"description"`
	Categories  []string          `json:"categories"`
	Followers   float64           `json:"followers_count"`
}

func writeAccounts(path string, n, changed int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	buffered := bufio.NewWriterSize(f, 1<<20)
	lines := json.NewEncoder(buffered)
	lines.SetEscapeHTML(false)
	for i := range n {
		a := account(i, i < changed)
		l := line{a.Handle, a.Name, map[string]string{}, a.Categories, a.Followers.Value}
		for _, t := range a.Description {
			l.Description[t.Locale] = t.Value
		}
		if err := lines.Encode(l); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// size returns the total size of the NDJSON files in dir, in bytes.
func size(dir string) (int64, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.ndjson"))
	var sum int64
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return 0, err
		}
		sum += info.Size()
	}
	return sum, err
}
