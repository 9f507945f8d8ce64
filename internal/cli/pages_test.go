package cli

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPagesAgreeWithTheAPI compares 200 pages with operations: a page shows the data of the
// operation in the same order. (Package mcp compares the tools of agents with operations.)
func TestPagesAgreeWithTheAPI(t *testing.T) {
	asker := asker{t: t, served: serveBundled(t), random: rand.New(rand.NewPCG(3, 4))}
	asker.collect()
	asked := map[string]int{}
	for range 200 {
		kind := asker.ask()
		asked[kind]++
	}
	if len(asked) != 8 {
		t.Errorf("only these were asked: %v", asked)
	}
}

// asker generates random requests from the data of the catalogue.
type asker struct {
	t      *testing.T
	served string
	random *rand.Rand

	chains, handles, menus, tags, words []string // values for requests
}

func (a asker) get(path string) (string, http.Header) {
	a.t.Helper()
	answer, err := http.Get(a.served + path)
	must(a.t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(a.t, err)
	if answer.StatusCode != http.StatusOK {
		a.t.Fatalf("%s: %d %s", path, answer.StatusCode, body)
	}
	return string(body), answer.Header
}

// list requests an operation, and returns the records under a name and their total.
func (a asker) list(path, name string) ([]map[string]any, int) {
	a.t.Helper()
	body, header := a.get(path)
	var all map[string]json.RawMessage
	must(a.t, json.Unmarshal([]byte(body), &all))
	var rows []map[string]any
	must(a.t, json.Unmarshal(all[name], &rows))
	total, err := strconv.Atoi(header.Get("Total-Count"))
	if err != nil {
		total = len(rows)
	}
	return rows, total
}

func (a *asker) collect() {
	column := func(path, name, field string) (all []string) {
		rows, _ := a.list(path, name)
		for _, row := range rows {
			all = append(all, fmt.Sprint(row[field]))
		}
		return all
	}
	a.chains = column("/api/open/chains?status=all", "chains", "slug")
	a.handles = column("/api/open/twitter/users?followers=any", "users", "handle")
	a.menus = column("/api/open/search?q=a&kind=menu&limit=100", "results", "key")
	a.tags = column("/api/open/categories", "categories", "key")
	a.words = append(column("/api/open/chains?limit=60", "chains", "name"), "AI", "eth", "swap", "链", "nothing-is-called-so", "0x1")
}

func (a asker) of(from []string) string { return from[a.random.IntN(len(from))] }

// ask compares one page with an operation, and returns its subject.
func (a asker) ask() string {
	a.t.Helper()
	locale := a.of([]string{"en", "zh-hans", "zh-hant", "ja", "es"})
	kinds := []struct {
		kind, page, operation, rows, key string
		row                              string // matches the rows of the page
	}{
		{"chains", "/chains", "chains", "chains", "slug", `class="c-name"><div>.*?href="/[a-z-]+/chains/([^"?]+)"`},
		{"accounts", "/twitter", "twitter/users", "users", "handle", `class="c-name"><a href="/[a-z-]+/twitter/([^"?]+)"`},
		{"channels", "/youtube", "youtube/channels", "channels", "channelId", `class="bare" href="/[a-z-]+/youtube/([^"?]+)"`},
		{"cards", "/cards", "nav/cards", "cards", "title", `(?s)class="entry">.*?<strong>(.*?)</strong>`},
		{"search", "/search", "search", "results", "title", `(?s)class="entry[^"]*">.*?<strong>(.*?)</strong>`},
	}
	if n := a.random.IntN(len(kinds) + 3); n < len(kinds) {
		k := kinds[n]
		query := a.query(k.kind)
		page, _ := a.get("/" + locale + k.page + "?" + query.Encode())
		query.Set("locale", locale)
		if k.kind != "search" {
			query.Set("limit", "50")
			query.Set("match", "groups")
		} else {
			query.Set("limit", strconv.Itoa(searchSize))
		}
		if k.kind == "accounts" {
			query.Set("followers", "any") // the page has accounts without known followers
		}
		path := "/api/open/" + k.operation + "?" + query.Encode()
		rows, total := a.list(path, k.rows)
		a.sameRows(path, page, k.row, k.key, rows, total)
		return k.kind
	}
	switch a.random.IntN(3) {
	case 0:
		a.sameChain(locale, a.of(a.chains))
		return "chain"
	case 1:
		a.sameAccount(locale, a.of(a.handles))
		return "account"
	default:
		a.sameMenu(locale, a.of(a.menus))
		return "menu"
	}
}

// searchSize is the number of results on a page of the search.
const searchSize = 30

// query returns a random query of a page of a list.
func (a asker) query(kind string) url.Values {
	query := url.Values{}
	if kind == "search" || a.random.IntN(2) == 0 {
		query.Set("q", a.of(a.words))
	}
	if a.random.IntN(3) == 0 {
		query.Set("offset", strconv.Itoa(50*a.random.IntN(2)))
	}
	if kind == "search" {
		return query
	}
	if a.random.IntN(3) == 0 {
		query.Set("tag", a.of(a.tags)+","+a.of(a.tags))
	}
	if kind == "chains" && a.random.IntN(2) == 0 {
		query.Set("sort", a.of([]string{"tvl", "name", "chainId", "platforms"}))
		query.Set("sortDir", a.of([]string{"asc", "desc"}))
		query.Set("status", a.of([]string{"live", "upcoming", "retired", "all"}))
	}
	return query
}

func (a asker) sameRows(path, page, row, key string, rows []map[string]any, total int) {
	a.t.Helper()
	var got []string
	for _, match := range regexp.MustCompile(row).FindAllStringSubmatch(page, -1) {
		got = append(got, html.UnescapeString(match[1]))
	}
	var want []string
	for _, r := range rows {
		want = append(want, fmt.Sprint(r[key]))
	}
	if !slices.Equal(got, want) {
		a.t.Errorf("%s has %q; the page has %q", path, want, got)
	}
	if digits := regexp.MustCompile(`[.,\x{a0}\x{202f}]`).ReplaceAllString(saidCount.FindString(page), ""); total > 0 && !strings.Contains(digits, strconv.Itoa(total)) {
		a.t.Errorf("%s has %d matches; the page has %q", path, total, saidCount.FindString(page))
	}
}

// saidCount matches the line of a page with the number of matches.
var saidCount = regexp.MustCompile(`<p class="count"[^>]*>[^<]*`)

// sameChain compares the page of a chain with its record: the page has every text of the record.
func (a asker) sameChain(locale, slug string) {
	a.t.Helper()
	page, _ := a.get("/" + locale + "/chains/" + slug)
	body, _ := a.get("/api/open/chains/" + slug + "?locale=" + locale)
	var record struct {
		Name, Description, StatusNote, Successor, Parent string
		ChainID                                          string `json:"chain_id"`
		Website                                          string
		Aliases                                          []string
		RPC                                              []struct{ URL string }
		Links                                            []struct{ URL string }
		NativeCurrency                                   struct{ Name, Symbol string }
		CategorySlugs                                    []string
	}
	must(a.t, json.Unmarshal([]byte(body), &record))
	said := []string{record.Name, record.Description, record.StatusNote, record.ChainID, record.Website, record.NativeCurrency.Symbol}
	said = append(said, record.Aliases...)
	for _, e := range record.RPC {
		said = append(said, e.URL)
	}
	for _, l := range record.Links {
		said = append(said, l.URL)
	}
	for _, tag := range record.CategorySlugs {
		said = append(said, "tag="+tag)
	}
	for _, other := range []string{record.Successor, record.Parent} {
		if other != "" {
			said = append(said, "/"+locale+"/chains/"+other)
		}
	}
	a.says(page, "chain "+slug+" in "+locale, said)
}

func (a asker) sameAccount(locale, handle string) {
	a.t.Helper()
	page, _ := a.get("/" + locale + "/twitter/" + handle)
	body, _ := a.get("/api/open/twitter/users/" + handle + "?locale=" + locale)
	var record struct {
		Handle, Name, Description, Website string
		TwitterCategory                    []string
	}
	must(a.t, json.Unmarshal([]byte(body), &record))
	a.says(page, "account "+handle+" in "+locale, append([]string{record.Handle, record.Name, record.Description, record.Website}, record.TwitterCategory...))
}

// sameMenu compares the page of a menu with its record: its title, all items and all cards.
func (a asker) sameMenu(locale, slug string) {
	a.t.Helper()
	type card struct{ Title, Description, Link string }
	type item struct {
		Name, Description string
		Cards             []card
	}
	page, _ := a.get("/" + locale + "/nav/" + slug)
	body, _ := a.get("/api/open/nav/menus/" + slug + "?locale=" + locale)
	var menu struct {
		Title, Description string
		Groups             []struct {
			Name  string
			Items []item
		}
		StandaloneItems []item
	}
	must(a.t, json.Unmarshal([]byte(body), &menu))
	said := []string{menu.Title, menu.Description}
	items := menu.StandaloneItems
	for _, group := range menu.Groups {
		said = append(said, group.Name)
		items = append(items, group.Items...)
	}
	for _, i := range items {
		said = append(said, i.Name, i.Description)
		for _, c := range i.Cards {
			said = append(said, c.Title, c.Description, c.Link)
		}
	}
	a.says(page, "menu "+slug+" in "+locale, said)
}

// says fails for every text that a page lacks.
func (a asker) says(page, what string, texts []string) {
	a.t.Helper()
	page = html.UnescapeString(page)
	for _, text := range texts {
		if text != "" && !strings.Contains(page, text) {
			a.t.Errorf("the page of %s does not say %q", what, text)
		}
	}
}
