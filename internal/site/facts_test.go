package site

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/snapshot"
)

// viewIn returns the view of a page in a language of the bundled catalogue.
func viewIn(t *testing.T, locale string) *view {
	of := theBundled(t)
	return siteOf(t, Config{}).newView(of, address{localed: true, path: "/chains", locale: of.Locales().Match(locale)}, &route{name: "chain"}, "", "")
}

// written returns facts as Markdown, one per line.
func written(v *view, facts []fact) string {
	var lines []string
	for _, f := range facts {
		lines = append(lines, f.Label+": "+string(v.Inline(f)))
	}
	return strings.Join(lines, "\n")
}

// Pages of records have these facts in this order.
func TestFactsOfRecords(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	for path, want := range map[string][]string{
		"/en/chains/base": {
			"Total value locked (TVL)", "Apps (counted by the source)", "RPC endpoints", "Chain ID", "Network type", "Layer", "Virtual machine", "Stack", "Ecosystem", "Underlying chain",
			"Parent chain", "Currency", "Launched", "Also called", "Website",
		},
		"/ja/twitter/ethereum": {"フォロワー", "X", "アカウントの種類", "トピック"},
	} {
		page := pageAt(t, s, of, path, "")
		act, rest, _ := strings.Cut(page, "</dl>")
		facts, _, _ := strings.Cut(rest, "</dl>")
		if got := captured(act+facts, `<dt(?: id="rpc")?>([^<]*)</dt>`); !slices.Equal(got, want) {
			t.Errorf("%s has the facts\n%q, want\n%q", path, got, want)
		}
	}
}

// Fields that a page does not name have facts by their types, in the order of the
// descriptions. Without words, the label is the name of the field.
func TestFactsByType(t *testing.T) {
	v, tvl := viewIn(t, "ja"), 5.0
	chain := &snapshot.Chain{
		ChainRow: snapshot.ChainRow{ID: "x", Slug: "s", Name: "N", Logo: "https://www.example.org/a.svg", ChainID: "1", Categories: []string{"layer-2"}, TVL: &tvl},
		Launched: "2015-07-30", Status: domain.StatusRetired, StatusNote: "a *note*", Parent: "ethereum-mainnet", Website: "javascript:x", RPC: []snapshot.Endpoint{{URL: "https://rpc.example.org/"}}, Aliases: []string{"one", "two"},
	}
	all := chainRecord
	all.facts, all.elsewhere = []string{"website", "aliases"}, []string{"slug", "id"}
	facts, left := all.factsOf(v, snapshot.Values(chain), map[string][]fact{"chain_id": {{Label: "own", Values: []value{{Text: "1", IsCode: true}}}}})
	want := strings.Join([]string{
		"Website: javascript:x", "別名: one, two", "Name: N", "own: `1`", "Logo: [example.org](https://www.example.org/a.svg)",
		"レイヤー: [レイヤー2](/ja/chains.md?tag=layer-2)", "公開: 2015年7月30日", "Status: retired", `Status note: a \*note\*`,
		"親チェーン: [イーサリアムメインネット](/ja/chains/ethereum-mainnet.md)",
	}, "\n")
	if diff := cmp.Diff(want, written(v, facts)); diff != "" || left != 0 {
		t.Errorf("left %d\n%s", left, diff)
	}
}

// Pages name existing fields, and each only once.
func TestRecordPagesNameFields(t *testing.T) {
	for _, page := range []recordPage{chainRecord, appRecord, accountRecord, channelRecord} {
		seen := map[string]bool{}
		for _, name := range slices.Concat(page.facts, page.elsewhere) {
			if page.shape.Field(name) == nil && !slices.Contains(notFacts, name) || seen[name] {
				t.Errorf("%s: %q is no field of %s, or is named twice", page.name, name, page.shape.Name)
			}
			seen[name] = true
		}
		for _, f := range page.shape.Fields {
			if isShown := seen[f.Name] || f.Parts == nil || f.Type == domain.TypeFigure; !isShown {
				t.Errorf("%s: the page does not show %s, which has no facts by its type", page.name, f.Name)
			}
		}
	}
}

// Wallets get no endpoint that is down.
func TestWalletEndpoints(t *testing.T) {
	chain := &snapshot.Chain{
		ChainRow: snapshot.ChainRow{Name: "N", ChainID: "1", Categories: []string{"evm"}}, Currency: &snapshot.Currency{Name: "E", Symbol: "E", Decimals: 18},
		RPC: []snapshot.Endpoint{{URL: "https://down.example/", State: "down"}, {URL: "https://up.example/", State: "up"}, {URL: "https://unknown.example/"}},
	}
	got := wallet(chain, []string{"evm"}, chain.Logo)
	if strings.Contains(got, "down.example") || !strings.Contains(got, "up.example") || !strings.Contains(got, "unknown.example") {
		t.Errorf("wallets get %s", got)
	}
	chain.RPC = chain.RPC[:1]
	if got := wallet(chain, []string{"evm"}, chain.Logo); got != "" {
		t.Errorf("without a usable endpoint, wallets get %s", got)
	}
}

// A chain page begins with figures and an endpoint that is up; that none is known is stated.
func TestChainsBeginWithWhatPeopleUse(t *testing.T) {
	chain := func(slug string, status domain.Status, rpc ...domain.Endpoint) domain.Chain {
		return domain.Chain{Slug: slug, Name: domain.Text{{Locale: "en", Value: slug}}, ChainID: slug, Status: status, RPC: rpc, TVL: &domain.Figure{Value: 7}}
	}
	down := domain.Endpoint{URL: "https://down.example.org/", Reached: domain.Reached{Reach: domain.ReachDown, Since: "2026-01-01"}}
	up := domain.Endpoint{URL: "https://up.example.org/"}
	of, s := compile(t, &domain.Catalog{
		Title: domain.Text{{Locale: "en", Value: "T"}}, DefaultLocale: "en", Locales: []string{"en"},
		Chains: []domain.Chain{chain("two", "", down, up), chain("none", domain.StatusUpcoming), chain("gone", domain.StatusRetired), chain("former", domain.StatusRetired, up)},
	}), siteOf(t, Config{})
	for path, want := range map[string]string{
		"/en/chains/two":     `<p class="endpoint"><code>https://up.example.org/</code>`,
		"/en/chains/none":    "No public endpoint known.",
		"/en/chains/none.md": "- **RPC endpoints:** No public endpoint known.",
		"/en/chains/former":  "Former endpoints",
	} {
		page := pageAt(t, s, of, path, "")
		figure, endpoint := strings.Index(page, "$7"), strings.Index(page, want)
		id := max(strings.Index(page, `<dt>Chain ID`), strings.Index(page, "**Chain ID:**"))
		if figure < 0 || endpoint < figure || id < endpoint {
			t.Errorf("%s: the figure is at %d, %q at %d, the facts at %d", path, figure, want, endpoint, id)
		}
	}
	if page := pageAt(t, s, of, "/en/chains/two", ""); !strings.Contains(page, "1 more endpoint<") || strings.Index(page, "down.example.org") < strings.Index(page, "up.example.org") {
		t.Error("the endpoint that is down is not behind the other")
	}
	if page := pageAt(t, s, of, "/en/chains/gone", ""); strings.Contains(page, "RPC endpoints") {
		t.Error("a retired chain without endpoints has the section")
	}
}
