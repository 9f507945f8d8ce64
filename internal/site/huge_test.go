package site

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/response"
)

// sayings are the words of the texts of the huge catalogue. They are as hard to compress as
// natural texts.
var sayings = strings.Fields(`a ledger that settles transfers between banks and exchanges in seconds while wallets keep keys on the device
lending pools with variable rates where depositors earn from borrowers who post collateral above what they owe
bridge for assets from one network to another by proofs instead of custody watched over by independent operators
games items traded on markets with royalties for their makers and rented out by guilds to players without them
stable value tokens backed by treasury bills cash gold or by a basket of volatile coins held in audited vaults
block explorers that decode calls show internal messages label addresses and verify source code of contracts
prediction derivatives insurance payroll identity messaging storage computing oracles analytics tax privacy mixers`)

// wordy returns n words, in a sequence that depends on the seed.
func wordy(seed, n int) string {
	x := uint64(seed)*2862933555777941757 + 3037000493
	said := make([]string, n)
	for i := range said {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		said[i] = sayings[x%uint64(len(sayings))]
	}
	return strings.Join(said, " ")
}

// huge is the number of records of most lists of the huge catalogue.
const huge = 2400

// hugeCatalogue returns a catalogue with many records of everything that pages list.
func hugeCatalogue() *domain.Catalog {
	locales := []string{"en"}
	for i := range 30 {
		locales = append(locales, "en-x-l"+strconv.Itoa(i))
	}
	text := func(seed, n int) domain.Text { return domain.Text{{Locale: "en", Value: wordy(seed, n)}} }
	c := &domain.Catalog{Title: text(1, 3), DefaultLocale: "en", Locales: locales}
	const dimensions, categories = 100, 1500
	for _, module := range domain.Modules() {
		for i := range dimensions {
			c.Groups = append(c.Groups, domain.Group{Key: "g" + strconv.Itoa(i), Module: module, Name: text(i, 3)})
		}
	}
	for i := range categories {
		one := domain.Category{Key: "c" + strconv.Itoa(i), Name: text(i, 3), Description: text(i, 300), Scopes: domain.Modules()}
		for _, module := range domain.Modules() {
			one.Groups = append(one.Groups, domain.ModuleGroups{Module: module, Keys: []string{"g" + strconv.Itoa(i%dimensions)}})
		}
		if i >= 2*dimensions {
			one.Parent = "c" + strconv.Itoa(i-dimensions)
		}
		c.Categories = append(c.Categories, one)
	}
	figure := func(i int) *domain.Figure {
		return &domain.Figure{Value: float64(1000 * i), Source: "source " + strconv.Itoa(i%2000), AsOf: "2025-08-17"}
	}
	of := func(i int) []string { return []string{"c" + strconv.Itoa(i%categories)} }
	var links []domain.Link
	var endpoints []domain.Endpoint
	var many []string
	for i := range 1000 {
		kind := domain.LinkTypes()[i%len(domain.LinkTypes())]
		links = append(links, domain.Link{Type: kind, Name: wordy(i, 3), URL: fmt.Sprintf("https://%s.example/%d", strings.ReplaceAll(wordy(i, 2), " ", "-"), i)})
		endpoints = append(endpoints, domain.Endpoint{URL: fmt.Sprintf("https://%s.example.org/rpc/%d", strings.ReplaceAll(wordy(i, 2), " ", "-"), i), Note: wordy(i, 4)})
		many = append(many, "c"+strconv.Itoa(i))
	}
	for i := range huge {
		chain := domain.Chain{
			Slug: "chain-" + strconv.Itoa(i), Name: text(i, 2), ChainID: strconv.Itoa(i + 1), Categories: of(i), Description: text(i, 300), TVL: figure(i), Platforms: figure(i),
			Launched: domain.Date(fmt.Sprintf("2025-%02d-%02d", i%12+1, i%28+1)), Logo: fmt.Sprintf("https://%s.example/%d.png", strings.ReplaceAll(wordy(i, 2), " ", "-"), i),
		}
		if i == 0 {
			chain.Links, chain.RPC, chain.Categories = links, endpoints, append([]string{"evm"}, many...)
			chain.Currency = &domain.Currency{Name: "Coin", Symbol: "C", Decimals: 18}
			for n := range 1000 {
				chain.Aliases = append(chain.Aliases, wordy(n, 3)+strconv.Itoa(n))
			}
		} else {
			chain.Parent = "chain-0"
		}
		c.Chains = append(c.Chains, chain)
		account := &domain.Account{Handle: "account" + strconv.Itoa(i), Name: wordy(i, 3), Description: text(i, 300), Categories: of(i), Followers: figure(i)}
		channel := domain.Channel{ChannelID: fmt.Sprintf("UC%022d", i), Name: wordy(i, 3), Description: text(i, 300), Categories: of(i)}
		if i == 0 {
			account.Links, channel.Links, account.Categories, channel.Categories = links, links, many, many
		}
		c.Accounts, c.Channels = append(c.Accounts, account), append(c.Channels, channel)
	}
	c.Categories = append(c.Categories, domain.Category{Key: "evm", Name: text(1, 1), Scopes: []domain.Module{domain.ModuleChain}, Groups: []domain.ModuleGroups{{Module: domain.ModuleChain, Keys: []string{"g0"}}}})
	card := func(i int) domain.Card {
		return domain.Card{
			Title: text(i, 2), Description: text(i, 300), Link: fmt.Sprintf("https://%s.example/app/%d", strings.ReplaceAll(wordy(i, 2), " ", "-"), i),
			Image: fmt.Sprintf("https://%s.example/%d.png", strings.ReplaceAll(wordy(i+1, 2), " ", "-"), i), Chains: []string{"chain-" + strconv.Itoa(i)}, Categories: of(i),
		}
	}
	large := domain.Menu{PathSlug: "large", Title: text(1, 2), Description: text(1, 10)}
	for group := range huge / 200 {
		g := domain.MenuGroup{Slug: "g" + strconv.Itoa(group), Name: text(group, 3)}
		for n := range 10 {
			i := domain.Item{Slug: fmt.Sprintf("i%d-%d", group, n), Name: text(n, 2), Type: domain.ItemCategory, Description: text(n, 300)}
			for k := range 20 {
				i.Cards = append(i.Cards, card(group*200+n*20+k))
			}
			g.Items = append(g.Items, i)
		}
		large.Groups = append(large.Groups, g)
	}
	c.Menus = []domain.Menu{large}
	for i := range 1500 {
		name := "menu-" + strconv.Itoa(i)
		c.Menus = append(c.Menus, domain.Menu{PathSlug: name, Title: text(i, 2), Description: text(i, 300), Standalone: []domain.Item{
			{Slug: "all", Name: text(i, 2), Type: domain.ItemCategory, Cards: []domain.Card{card(i)}},
		}})
		if i%10 == 0 {
			c.NavGroups = append(c.NavGroups, domain.NavGroup{Key: "n" + strconv.Itoa(i), Slug: "n" + strconv.Itoa(i), Name: text(i, 2), Description: text(i, 300)})
		}
		group := &c.NavGroups[len(c.NavGroups)-1]
		group.Menus = append(group.Menus, name)
	}
	c.NavGroups[0].Menus = append(c.NavGroups[0].Menus, "large")
	return c
}

// maxHTML is the maximum compressed size of a page for any catalogue.
const maxHTML = 50_000

// compressed returns the number of bytes that a client receives with an encoding.
func compressed(t testing.TB, packer *response.Packer, found response.Document, encoding string) int {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept-Encoding", encoding)
	sent, err := response.Select(r, packer.Body(found.Body, found.Effort))
	if err != nil {
		t.Fatal(err)
	}
	return sent.Length(r)
}

// Pages of a huge catalogue stay small.
func TestPagesOfAHugeCatalogue(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a huge catalogue, in one goroutine")
	}
	catalogue := hugeCatalogue()
	for _, problem := range domain.Check(catalogue, domain.Reading{}).Problems {
		if problem.Rule.Severity() == domain.Error {
			t.Fatal(problem)
		}
	}
	s, of, packer := siteOf(t, Config{PublicURL: public}), compile(t, catalogue), response.NewPacker()
	for _, address := range []string{
		"/", "/nav", "/nav?offset=500", "/nav/large", "/nav/large?offset=1000", "/nav/menu-7", "/cards", "/cards?q=banks", "/categories", "/categories?offset=1000", "/news", "/chains", "/chains?q=banks", "/chains?tag=c1,c2,c3",
		"/chains/chain-0", "/chains/chain-1", "/twitter", "/twitter/account0", "/youtube", "/youtube/UC0000000000000000000000", "/search?q=banks", "/search?q=c", "/docs",
	} {
		path, raw, _ := strings.Cut("/en"+address, "?")
		path, raw, _ = s.Canonical(of, path, raw, nil)
		for _, path := range []string{path, withMarkdown(path)} {
			found, err := s.Page(of, path, raw)
			if err != nil {
				if path != "/en/docs.md" {
					t.Errorf("%s: %v", path, err)
				}
				continue
			}
			for _, encoding := range []string{"br", "gzip, deflate, br, zstd"} { // br, then as browsers request
				if n := compressed(t, packer, found, encoding); n > maxHTML {
					t.Errorf("%s?%s has %d bytes, %d compressed (%s)", path, raw, len(found.Body), n, encoding)
				}
			}
		}
	}
}
