package mcp_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// question is a request that both the API and a tool can answer.
type question struct {
	path   string // of the API
	tool   string
	values map[string]any
	rows   string // the list in both answers, "" for one record
	one    string // the list in the tool's answer with the record of the API, "" for none
	params url.Values
}

// TestSameAsTheAPI compares 300 answers of tools and of the API: a tool returns the same data, as
// far as it fits.
func TestSameAsTheAPI(t *testing.T) {
	s := bundledCatalogue(t)
	h := withAPI(t, s, 1_000_000, nil)
	c := newChecked(t, client(t, h))
	ask := func(target string) map[string]json.RawMessage {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		var body map[string]json.RawMessage
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d %s", target, w.Code, w.Body)
		}
		body["Total-Count"] = json.RawMessage(w.Header().Get("Total-Count"))
		return body
	}
	random := newQuestions(t, ask)
	asked := map[string]int{}
	for range 300 {
		q := random.next()
		api := ask(q.path + "?" + q.params.Encode())
		got := c.call(t, q.tool, q.values)
		asked[q.tool]++
		where := fmt.Sprintf("%s?%s and %s %v", q.path, q.params.Encode(), q.tool, q.values)
		if q.one != "" {
			rows := got.Data[q.one].([]any)
			if len(rows) != 1 || got.Total != 1 {
				t.Fatalf("%s: %d of %d records, want one", where, len(rows), got.Total)
			}
			got.Data = rows[0].(map[string]any)
		}
		if q.rows == "" {
			sameMembers(t, where, api, got)
			continue
		}
		var rows []json.RawMessage
		if err := json.Unmarshal(api[q.rows], &rows); err != nil {
			t.Fatal(err)
		}
		total := len(rows)
		if count := string(api["Total-Count"]); count != "" {
			if n, err := strconv.Atoi(count); err == nil {
				total = n
			}
		}
		mine := got.Data[q.rows].([]any)
		if got.Total != total || len(mine) > len(rows) || len(mine) == 0 && len(rows) > 0 {
			t.Errorf("%s: %d of %d records, the API has %d of %d", where, len(mine), got.Total, len(rows), total)
			continue
		}
		if whole := got.Offset+len(mine) >= total; len(mine) < len(rows) && (whole || got.LeftOut == nil) {
			t.Errorf("%s: %d records instead of %d, without a notice", where, len(mine), len(rows))
		}
		for i, row := range mine {
			if !equalJSON(t, encoded(t, row), rows[i]) {
				t.Errorf("%s: record %d is %s, the API has %s", where, i, encoded(t, row), rows[i])
			}
		}
		if left := got.LeftOut; left != nil && slices.Contains(left.Members, "facets") {
			continue
		}
		if api["facets"] != nil && !equalJSON(t, encoded(t, got.Data["facets"]), api["facets"]) {
			t.Errorf("%s: facets differ", where)
		}
	}
	if len(asked) != 8 {
		t.Errorf("only these tools were asked: %v", asked)
	}
}

func encoded(t testing.TB, value any) []byte {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sameMembers fails unless an answer has the members of the API, except cards and the members
// that it reports as omitted.
func sameMembers(t *testing.T, where string, api map[string]json.RawMessage, got content) {
	t.Helper()
	delete(api, "Total-Count")
	for name, want := range api {
		if left := got.LeftOut; left != nil && (strings.Contains(strings.Join(left.Members, " "), name) || left.Records > 0) {
			continue
		}
		if mine, ok := got.Data[name]; !ok || !equalJSON(t, encoded(t, mine), want) {
			t.Errorf("%s: %s is %v, the API has %s", where, name, mine, want)
		}
	}
	for name := range got.Data {
		if api[name] == nil {
			t.Errorf("%s: %s is not of the API", where, name)
		}
	}
}

// questions generates random requests from the data of the catalogue.
type questions struct {
	random                             *rand.Rand
	chains, menus, tags, handles, apps []string
	words                              []string
}

func newQuestions(t *testing.T, ask func(string) map[string]json.RawMessage) *questions {
	t.Helper()
	q := &questions{random: rand.New(rand.NewPCG(1, 2)), words: []string{"eth", "AI", "swap", "链", "op", "nothing-is-called-so", "base goerli", "0x1"}}
	collect := func(path, list string, fields ...string) (all []string) {
		var rows []map[string]any
		if err := json.Unmarshal(ask(path)[list], &rows); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, field := range fields {
				all = append(all, fmt.Sprint(row[field]))
			}
		}
		return all
	}
	q.chains = collect("/api/open/chains?limit=1000", "chains", "slug", "chain_id", "_id")
	q.words = append(q.words, collect("/api/open/chains?limit=100&sort=name", "chains", "name")...)
	q.tags = collect("/api/open/categories", "categories", "key")
	q.handles = collect("/api/open/twitter/users", "users", "handle")
	q.apps = collect("/api/open/apps?status=all", "apps", "key")
	for _, href := range collect("/api/open/search?q=a&kind=menu&limit=100", "results", "key") {
		q.menus = append(q.menus, strings.TrimPrefix(href, "/nav/"))
	}
	if len(q.menus) == 0 || len(q.chains) == 0 || len(q.tags) == 0 || len(q.handles) == 0 || len(q.apps) == 0 {
		t.Fatal("the catalogue has no records")
	}
	return q
}

func (q *questions) of(values ...string) string { return values[q.random.IntN(len(values))] }
func (q *questions) maybe() bool                { return q.random.IntN(2) == 0 }

func (q *questions) next() question {
	x := question{values: map[string]any{}, params: url.Values{}}
	set := func(name, value string) { x.values[name] = value; x.params.Set(name, value) }
	number := func(name string, value int) { x.values[name] = value; x.params.Set(name, strconv.Itoa(value)) }
	if q.maybe() {
		set("locale", q.of("en", "zh-hans", "zh-TW", "ja", "es", "xx"))
	}
	list := func(sorts ...string) {
		number("limit", 1+q.random.IntN(40))
		if q.maybe() {
			number("offset", q.random.IntN(30))
		}
		if q.maybe() {
			set("q", q.of(q.words...))
		}
		if q.maybe() {
			tags := []string{q.of(q.tags...), q.of(q.tags...)}
			x.values["tag"] = tags
			x.params.Set("tag", strings.Join(tags, ","))
			set("match", q.of("any", "all", "groups"))
		}
		if q.random.IntN(4) == 0 {
			x.values["facets"] = true
			x.params.Set("facets", "1")
		}
		if q.maybe() {
			set("sort", q.of(sorts...))
		}
	}
	switch q.random.IntN(11) {
	case 0:
		x.tool, x.path, x.rows = "list_chains", "/api/open/chains", "chains"
		list("tvl", "name", "chainId", "platforms", "relevance")
		if q.maybe() {
			set("sortDir", q.of("asc", "desc"))
			set("status", q.of("live", "retired", "all"))
		}
		if q.maybe() {
			ids := []string{q.of(q.chains...), q.of(q.chains...), "nothing"}
			x.values["id"] = ids
			x.params.Set("id", strings.Join(ids, ","))
		}
	case 1:
		x.tool, x.path, x.rows = "list_accounts", "/api/open/twitter/users", "users"
		list("relevance")
	case 2:
		x.tool, x.path, x.rows = "list_accounts", "/api/open/youtube/channels", "channels"
		list("relevance")
		x.values["platform"] = "youtube"
	case 3:
		x.tool, x.path, x.rows = "list_cards", "/api/open/nav/cards", "cards"
		list("menu", "title", "relevance")
		if q.maybe() {
			set("menu", q.of(q.menus...))
		}
	case 4:
		x.tool, x.path, x.rows = "search", "/api/open/search", "results"
		set("q", q.of(q.words...))
		number("limit", 1+q.random.IntN(40))
		if q.maybe() {
			x.values["kind"] = []string{"chain", "app", "menu"}
			x.params.Set("kind", "chain,app,menu")
		}
	case 5:
		chain := q.of(q.chains...)
		x.tool, x.path, x.values["chain"] = "get_chain", "/api/open/chains/"+chain, chain
	case 6:
		menu := q.of(q.menus...)
		x.tool, x.path, x.values["menu"] = "get_menu", "/api/open/nav/menus/"+menu, menu
	case 7:
		x.tool, x.path, x.rows = "list_categories", "/api/open/categories", "categories"
		set("scope", q.of("chain", "twitter", "youtube", "item"))
	case 8:
		x.tool, x.path = "about", "/api/open/meta"
	case 9:
		x.tool, x.path, x.rows = "list_cards", "/api/open/apps", "apps"
		list("title", "relevance")
		x.values["kind"] = "app"
		if q.maybe() {
			set("chain", q.of(q.chains...))
			set("platform", q.of("web", "ios", "cli"))
		}
		if q.maybe() {
			set("status", q.of("live", "upcoming", "retired", "all"))
		}
	case 10:
		app := q.of(q.apps...)
		x.tool, x.path, x.one, x.values["app"] = "list_cards", "/api/open/apps/"+app, "apps", app
	}
	return x
}
