package mcp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vitrine/internal/logtest"
	"vitrine/internal/mcp"
	"vitrine/internal/snapshot"
)

// calls has successful calls of every tool on the bundled catalogue.
var calls = []struct {
	tool      string
	arguments map[string]any
}{
	{"about", nil},
	{"about", map[string]any{"locale": "zh-CN"}},
	{"search", map[string]any{"q": "base"}},
	{"search", map[string]any{"q": "a", "limit": 100}},
	{"search", map[string]any{"q": "uniswp", "kind": []string{"chain", "card"}}},
	{"get_chain", map[string]any{"chain": "8453"}},
	{"get_chain", map[string]any{"chain": "ethereum-mainnet", "locale": "ja"}},
	{"list_chains", nil},
	{"list_chains", map[string]any{"limit": 100, "facets": true}},
	{"list_chains", map[string]any{"tag": []string{"layer-2", "mainnet"}, "match": "groups", "sort": "name", "sortDir": "asc"}},
	{"list_accounts", map[string]any{"facets": true}},
	{"list_accounts", map[string]any{"platform": "youtube", "limit": 100}},
	{"list_cards", map[string]any{"q": "swap", "sort": "relevance"}},
	{"list_cards", map[string]any{"limit": 100}},
	{"list_cards", map[string]any{"kind": "app", "chain": "Base", "platform": "web", "facets": true}},
	{"list_cards", map[string]any{"kind": "app", "limit": 100, "locale": "ja"}},
	{"list_cards", map[string]any{"app": "Uniswap", "locale": "zh-CN"}},
	{"get_menu", nil},
	{"list_changes", map[string]any{"since": "1"}},
	{"list_changes", map[string]any{"since": "2026-01-01", "kind": []string{"app", "menu"}, "limit": 3, "locale": "ja"}},
	{"list_categories", nil},
	{"list_categories", map[string]any{"scope": "chain", "limit": 3, "offset": 2}},
}

func TestEveryTool(t *testing.T) {
	door := serving(bundledCatalogue(t))
	clientSide, serverSide := io.Pipe()
	serverIn, clientOut := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- door.Serve(t.Context(), serverIn, serverSide) }()
	overPipe, err := newClient().Connect(t.Context(), &sdk.IOTransport{Reader: clientSide, Writer: clientOut}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, session := range map[string]*sdk.ClientSession{"http": client(t, door), "stream": overPipe} {
		t.Run(name, func(t *testing.T) {
			c := newChecked(t, session)
			if len(c.schemas) > 9 {
				t.Errorf("%d tools, at most nine are promised", len(c.schemas))
			}
			called := map[string]bool{}
			for _, call := range calls {
				got := c.call(t, call.tool, call.arguments)
				if got.Revision != 42 || got.PublishedAt != "2026-01-02T03:04:05Z" || got.Locale == "" {
					t.Errorf("%s: revision %d of %q in %q", call.tool, got.Revision, got.PublishedAt, got.Locale)
				}
				called[call.tool] = true
			}
			if len(called) != len(c.schemas) {
				t.Errorf("%d of %d tools were called", len(called), len(c.schemas))
			}
		})
	}
	if err := overPipe.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Errorf("the stream ended with %v", err)
	}
}

// TestToolsAreShort checks the size of the declarations, which agents read before their first
// call.
func TestToolsAreShort(t *testing.T) {
	listed, err := client(t, serving(bundledCatalogue(t))).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	document, err := json.Marshal(listed)
	if err != nil {
		t.Fatal(err)
	}
	if tokens := len(document) / 4; tokens > 4000 {
		t.Errorf("the declarations have %d tokens, want at most 4000", tokens)
	}
	if listed.TTLMs <= 0 {
		t.Error("the list of tools has no time to live")
	}
	for _, tool := range listed.Tools {
		compileSchema(t, tool.InputSchema)
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || !a.IdempotentHint || a.OpenWorldHint == nil || *a.OpenWorldHint || *a.DestructiveHint {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		for name, p := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
			switch p := p.(map[string]any); {
			case p["enum"] != nil, p["maxLength"] != nil, p["maximum"] != nil, p["maxItems"] != nil, p["type"] == "boolean":
			default:
				t.Errorf("%s: %s has no bound", tool.Name, name)
			}
		}
	}
}

// TestPages checks that the size of a page is the requested one, or as much as fits, and that the
// pages together are the whole list.
func TestPages(t *testing.T) {
	c := newChecked(t, client(t, serving(bundledCatalogue(t))))
	for _, list := range []struct {
		tool, rows, key string
		arguments       map[string]any
	}{
		{"list_categories", "categories", "key", map[string]any{}},
		{"list_cards", "cards", "id", map[string]any{"limit": 100}},
		{"list_cards", "apps", "key", map[string]any{"kind": "app", "limit": 100}},
		{"search", "results", "href", map[string]any{"q": "ethereum", "limit": 100}},
		{"list_accounts", "users", "handle", map[string]any{"limit": 7}},
	} {
		var seen []string
		for offset, pages := 0, 0; ; pages++ {
			list.arguments["offset"] = offset
			got := c.call(t, list.tool, list.arguments)
			rows := got.Data[list.rows].([]any)
			for _, row := range rows {
				seen = append(seen, fmt.Sprint(row.(map[string]any)[list.key], row.(map[string]any)["menu"], row.(map[string]any)["key"]))
			}
			if got.LeftOut == nil {
				if len(seen) != got.Total {
					t.Errorf("%s: %d records in %d pages, want %d", list.tool, len(seen), pages+1, got.Total)
				}
				break
			}
			if got.LeftOut.NextOffset != offset+len(rows) || got.LeftOut.Records != got.Total-got.LeftOut.NextOffset ||
				!strings.Contains(got.LeftOut.How, fmt.Sprintf("offset %d", got.LeftOut.NextOffset)) || len(rows) == 0 {
				t.Fatalf("%s at %d: %d records and left out %+v", list.tool, offset, len(rows), got.LeftOut)
			}
			offset = got.LeftOut.NextOffset
		}
		slices.Sort(seen)
		if unique := slices.Compact(slices.Clone(seen)); len(unique) != len(seen) {
			t.Errorf("%s: %d records, %d of them different", list.tool, len(seen), len(unique))
		}
	}
}

// TestFacetsWithFewRecords checks that large facets are included if the records leave room for
// them.
func TestFacetsWithFewRecords(t *testing.T) {
	c := newChecked(t, client(t, serving(bundledCatalogue(t))))
	for rows, arguments := range map[string]map[string]any{
		"cards": {"q": "e", "chain": "ethereum-mainnet"}, "apps": {"kind": "app", "status": "live", "platform": "web"}, "chains": {},
	} {
		tool := "list_cards"
		if rows == "chains" {
			tool = "list_chains"
		}
		arguments["facets"], arguments["limit"] = true, 1
		if got := c.call(t, tool, arguments); got.Data["facets"] == nil || len(got.Data[rows].([]any)) != 1 {
			t.Errorf("%s %v: no facets, or no record: %+v", tool, arguments, got)
		}
	}
}

func TestErrors(t *testing.T) {
	c := newChecked(t, client(t, serving(bundledCatalogue(t))))
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
		want      problem // for lists, a required element
	}{
		{"list_chains", map[string]any{"sort": "TVL"}, problem{Code: "invalid_parameter", Parameter: "sort", DidYouMean: "tvl", Allowed: []string{"tvl", "name"}}},
		{"list_chains", map[string]any{"sort": "zzzzzzzz"}, problem{Code: "invalid_parameter", Parameter: "sort", Allowed: []string{"tvl"}}},
		{"list_chains", map[string]any{"limitt": 5}, problem{Code: "invalid_parameter", Parameter: "limitt", DidYouMean: "limit", Allowed: []string{"limit"}}},
		{"list_chains", map[string]any{"limit": 0}, problem{Code: "invalid_parameter", Parameter: "limit"}},
		{"list_chains", map[string]any{"limit": 101}, problem{Code: "invalid_parameter", Parameter: "limit"}},
		{"list_chains", map[string]any{"limit": 1.5}, problem{Code: "invalid_parameter", Parameter: "limit"}},
		{"list_chains", map[string]any{"limit": "5"}, problem{Code: "invalid_parameter", Parameter: "limit"}},
		{"list_chains", map[string]any{"offset": -1}, problem{Code: "invalid_parameter", Parameter: "offset"}},
		{"list_chains", map[string]any{"tag": "layer-2"}, problem{Code: "invalid_parameter", Parameter: "tag"}},
		{"list_chains", map[string]any{"facets": "yes"}, problem{Code: "invalid_parameter", Parameter: "facets"}},
		{"list_chains", map[string]any{"q": strings.Repeat("a", 201)}, problem{Code: "invalid_parameter", Parameter: "q"}},
		{"list_chains", map[string]any{"q": "a\x00b"}, problem{Code: "invalid_parameter", Parameter: "q"}},
		{"list_chains", map[string]any{"q": 5}, problem{Code: "invalid_parameter", Parameter: "q"}},
		{"search", map[string]any{}, problem{Code: "invalid_parameter", Parameter: "q"}},
		{"search", map[string]any{"q": ""}, problem{Code: "invalid_parameter", Parameter: "q"}},
		{"search", map[string]any{"q": "a", "kind": []string{"chains"}}, problem{Code: "invalid_parameter", Parameter: "kind", DidYouMean: "chain", Allowed: []string{"chain", "card"}}},
		{"get_chain", map[string]any{"chain": "ethereum-mainet"}, problem{Code: "not_found", Parameter: "chain", Candidates: []string{"ethereum-mainnet"}}},
		{"get_menu", map[string]any{"menu": "no-such-menu-at-all"}, problem{Code: "not_found", Parameter: "menu"}},
		{"list_accounts", map[string]any{"handle": "nobody_has_this"}, problem{Code: "not_found", Parameter: "handle"}},
		{"list_cards", map[string]any{"app": "uniswpa"}, problem{Code: "not_found", Parameter: "app", Candidates: []string{"uniswap"}}},
		{"list_cards", map[string]any{"kind": "apps"}, problem{Code: "invalid_parameter", Parameter: "kind", DidYouMean: "app", Allowed: []string{"card", "app"}}},
		{"list_cards", map[string]any{"kind": "app", "menu": "wallets"}, problem{Code: "invalid_parameter", Parameter: "menu"}},
		{"list_cards", map[string]any{"kind": "app", "sort": "menu"}, problem{Code: "invalid_parameter", Parameter: "sort", Allowed: []string{"title", "relevance"}}},
		{"list_cards", map[string]any{"platform": "ios"}, problem{Code: "invalid_parameter", Parameter: "platform"}},
		{"list_categories", map[string]any{"scope": "chains"}, problem{Code: "invalid_parameter", Parameter: "scope", DidYouMean: "chain", Allowed: []string{"chain"}}},
	} {
		got := c.fails(t, tt.tool, tt.arguments)
		if got.Code != tt.want.Code || got.Parameter != tt.want.Parameter || got.DidYouMean != tt.want.DidYouMean || got.Detail == "" {
			t.Errorf("%s %v: %+v, want %+v", tt.tool, tt.arguments, got, tt.want)
		}
		for _, lists := range [][2][]string{{got.Allowed, tt.want.Allowed}, {got.Candidates, tt.want.Candidates}} {
			for _, word := range lists[1] {
				if !slices.Contains(lists[0], word) {
					t.Errorf("%s %v: %q does not have %q", tt.tool, tt.arguments, lists[0], word)
				}
			}
		}
	}
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "drop_tables"}); err == nil {
		t.Error("an unknown tool returns a result")
	}
}

// TestNearMisses checks that a list reports its arguments without a match.
func TestNearMisses(t *testing.T) {
	c := newChecked(t, client(t, serving(bundledCatalogue(t))))
	got := c.call(t, "list_chains", map[string]any{"tag": []string{"layr-2"}})
	if got.Total != 0 || len(got.Unknown) != 1 || got.Unknown[0].Parameter != "tag" || !slices.Contains(got.Unknown[0].Candidates, "layer-2") {
		t.Errorf("an unknown tag: %+v", got)
	}
	got = c.call(t, "list_chains", map[string]any{"tag": []string{"layer-2", "bridge"}}) // a tag of another scope, in a list with matches
	if got.Total == 0 || len(got.Unknown) != 1 || got.Unknown[0].Value != "bridge" {
		t.Errorf("a tag of a different scope: %d, %+v", got.Total, got.Unknown)
	}
	got = c.call(t, "list_chains", map[string]any{"q": "etherum"})
	if got.Total != 0 || got.Data["didYouMean"] == nil {
		t.Errorf("a misspelt word: %+v", got)
	}
	got = c.call(t, "list_cards", map[string]any{"menu": "nothing", "chain": "ethereum-mainet"})
	if len(got.Unknown) != 2 {
		t.Errorf("an unknown menu and chain: %+v", got)
	}
	got = c.call(t, "list_cards", map[string]any{"kind": "app", "tag": []string{"layer-2"}, "chain": "ethereum-mainet"})
	if got.Total != 0 || len(got.Unknown) != 2 || !slices.Contains(got.Unknown[1].Candidates, "ethereum-mainnet") && !slices.Contains(got.Unknown[0].Candidates, "ethereum-mainnet") {
		t.Errorf("apps by a tag of another scope and an unknown chain: %+v", got)
	}
	got = c.call(t, "list_cards", map[string]any{"kind": "app", "q": "uniswpa"})
	if got.Total != 0 || got.Data["didYouMean"] == nil {
		t.Errorf("a misspelt app: %+v", got)
	}
}

// TestChainByName checks that a chain is also found by labels that paths do not accept.
func TestChainByName(t *testing.T) {
	c := newChecked(t, client(t, serving(bundledCatalogue(t))))
	for name, slug := range map[string]string{"Ethereum": "ethereum-mainnet", "polygon": "polygon-mainnet", "以太坊": "ethereum-mainnet"} {
		if got := c.call(t, "get_chain", map[string]any{"chain": name}); got.Data["slug"] != slug {
			t.Errorf("%s: %v, want %s", name, got.Data["slug"], slug)
		}
	}
}

// TestMenuInAnyCase checks that both tools for menus accept the same names.
func TestMenuInAnyCase(t *testing.T) {
	c := newChecked(t, client(t, serving(bundledCatalogue(t))))
	for _, name := range []string{"wallets", "Wallets", " WALLETS "} {
		if got := c.call(t, "get_menu", map[string]any{"menu": name}); got.Data["menuSlug"] != "wallets" {
			t.Errorf("get_menu %q: %v", name, got.Data["menuSlug"])
		}
		if got := c.call(t, "list_cards", map[string]any{"menu": name, "limit": 1}); got.Total == 0 || len(got.Unknown) > 0 {
			t.Errorf("list_cards %q: %d, %v", name, got.Total, got.Unknown)
		}
	}
}

// TestBrief checks that brief records are those of the whole list, and that more of them fit.
func TestBrief(t *testing.T) {
	c := newChecked(t, client(t, serving(bundledCatalogue(t))))
	for rows, tt := range map[string]struct {
		tool      string
		arguments map[string]any
	}{
		"cards": {"list_cards", map[string]any{"limit": 100}}, "apps": {"list_cards", map[string]any{"limit": 100, "kind": "app"}},
		"chains": {"list_chains", map[string]any{"limit": 100}},
	} {
		tool := tt.tool
		whole := c.call(t, tool, tt.arguments)
		tt.arguments["brief"] = true
		brief := c.call(t, tool, tt.arguments)
		full, short := whole.Data[rows].([]any), brief.Data[rows].([]any)
		if len(short) <= len(full) || brief.Total != whole.Total {
			t.Fatalf("%s: %d of %d records in brief, %d of %d whole", tool, len(short), brief.Total, len(full), whole.Total)
		}
		for i := range full {
			for key, value := range short[i].(map[string]any) {
				if full[i].(map[string]any)[key] != value {
					t.Errorf("%s: record %d has %s %v, whole it has %v", tool, i, key, value, full[i].(map[string]any)[key])
				}
			}
		}
	}
}

func TestNotReady(t *testing.T) {
	c := newChecked(t, client(t, serving((*snapshot.Snapshot)(nil))))
	if got := c.fails(t, "about", nil); got.Code != "not_ready" {
		t.Errorf("without a catalogue: %+v", got)
	}
}

// TestPanicIsAnInternalError checks that an internal error ends the call, not the process, and
// reveals no details.
func TestPanicIsAnInternalError(t *testing.T) {
	var log logtest.Lines
	door := mcp.New(mcp.Config{Snapshot: func() *snapshot.Snapshot { return new(snapshot.Snapshot) }, Log: log.Logger()})
	got := newChecked(t, client(t, door)).fails(t, "about", nil)
	if got.Code != "internal" || strings.Contains(got.Detail, "nil") {
		t.Errorf("a panic is reported as %+v", got)
	}
	log.Want(t, `level=ERROR msg="a call of a tool failed" tool=about error.text="panic: `)
}

// BenchmarkCall measures a call over HTTP without the network.
func BenchmarkCall(b *testing.B) {
	h := serving(bundledCatalogue(b))
	for name, call := range map[string]string{
		"get_chain":   `{"name":"get_chain","arguments":{"chain":"8453"}}`,
		"list_chains": `{"name":"list_chains","arguments":{"tag":["layer-2"],"facets":true}}`,
		"search":      `{"name":"search","arguments":{"q":"uniswap"}}`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := httptest.NewRequest("POST", "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+call+`}`))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", "application/json, text/event-stream")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				if w.Code != 200 {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
