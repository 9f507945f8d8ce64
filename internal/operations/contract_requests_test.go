package operations_test

import (
	"strings"
	"testing"
)

// operationCases are the requests with which an operation of the document is
// exercised. Targets are relative to /api/open/.
type operationCases struct {
	found   []string // 200, and right by the document
	bad     []string // 400
	missing []string // 404
}

func exercises() map[string]operationCases {
	return map[string]operationCases{
		"getCategories": {
			found: []string{
				"categories", "categories?locale=zh-CN", "categories?scope=chain", "categories?includeI18n=1", "categories?scope=item",
				"categories?includeI18n=true&scope=chain", "categories?includeI18n=0",
			},
			bad: []string{
				"categories?scope=chains", "categories?includeI18n=yes", "categories?locale=en&locale=de", "categories?scope=chain&scope=chain",
				"categories?locale=%zz", "categories?scope=%00",
			},
		},
		"listTwitterUsers": {
			found: []string{
				"twitter/users", "twitter/users?q=ethereum&locale=zh-hans", "twitter/users?tag=layer-1,ai", "twitter/users?q=nobody",
				"twitter/users?limit=1", "twitter/users?limit=1&offset=1", "twitter/users?offset=99", "twitter/users?sort=relevance&q=ethereum",
				"twitter/users?facets=1&match=groups&tag=ai&locale=zh-hans", "twitter/users?status=retired",
			},
			bad: []string{
				"twitter/users?limit=0", "twitter/users?limit=1001", "twitter/users?offset=-1", "twitter/users?q=a&q=b",
				"twitter/users?q=" + strings.Repeat("a", 201), "twitter/users?tag=%ff", "twitter/users?sort=name", "twitter/users?match=some",
				"twitter/users?status=dead", "twitter/users?facets=yes", "twitter/users?sort=relevance&sort=relevance",
			},
		},
		"listChains": {
			found: []string{
				"chains", "chains?q=AI", "chains?tag=layer-2&sort=name&sortDir=asc&locale=zh-hans", "chains?sort=chainId",
				"chains?sort=platforms&limit=2&offset=2", "chains?q=nothing", "chains?locale=xx", "chains?sort=relevance&sortDir=asc&q=e&limit=2",
				"chains?status=retired", "chains?status=upcoming", "chains?status=all&facets=true", "chains?match=all&tag=layer-1&facets=0", "chains?status=live&match=any&tag=rollup",
				"chains?match=groups&tag=layer-1,layer-2,nothing&facets=1&limit=1&locale=zh-hans",
			},
			bad: []string{
				"chains?sort=slug", "chains?sortDir=up", "chains?sort=tvl&sort=tvl", "chains?limit=x", "chains?locale=%C2%80",
				"chains?match=ANY", "chains?status=ended", "chains?facets=2", "chains?match=all&match=all", "chains?status=%00",
			},
		},
		"getChain": {
			found: []string{
				"chains/ethereum", "chains/ethereum?locale=zh-hans", "chains/0x1", "chains/eip155:8453", "chains/eip155%3A8453?locale=xx",
				"chains/ETH", "chains/before", "chains/ended?locale=pt", "chains/soon", "chains/bip122:000000000019d6689c085ae165831e93",
			},
			bad:     []string{"chains/ethereum?locale=en&locale=en", "chains/nothing?locale=%ff"},
			missing: []string{"chains/etherium", "chains/2", "chains/eip155%3A2", "chains/x"},
		},
		"getTwitterUser": {
			found:   []string{"twitter/users/ethereum", "twitter/users/BITCOIN?locale=zh-hans", "twitter/users/@ethereum", "twitter/users/held_back"},
			bad:     []string{"twitter/users/ethereum?locale=%0a"},
			missing: []string{"twitter/users/etherium", "twitter/users/nobody"},
		},
		"getYouTubeChannel": {
			found:   []string{"youtube/channels/UCh1ob28ceGdqohUnR7vBACA", "youtube/channels/UCNOfzGXD_C9YMYmnefmPH0g?locale=pt-BR"},
			bad:     []string{"youtube/channels/UCh1ob28ceGdqohUnR7vBACA?locale=%"},
			missing: []string{"youtube/channels/uch1ob28cegdqohunr7vbaca", "youtube/channels/Finematiks"},
		},
		"listCards": {
			found: []string{
				"nav/cards", "nav/cards?locale=zh-hans", "nav/cards?q=hub", "nav/cards?sort=title&limit=1&offset=1", "nav/cards?sort=relevance&q=wallet",
				"nav/cards?tag=tool&match=all", "nav/cards?facets=1&tag=tool,nothing&match=groups", "nav/cards?menu=ai-tools", "nav/cards?menu=assistants",
				"nav/cards?chain=base", "nav/cards?chain=before", "nav/cards?chain=nothing", "nav/cards?status=retired", "nav/cards?status=all&menu=design",
			},
			bad: []string{
				"nav/cards?sort=name", "nav/cards?menu=a&menu=b", "nav/cards?chain=a&chain=b", "nav/cards?chain=%ff", "nav/cards?limit=1001",
				"nav/cards?match=x", "nav/cards?status=x", "nav/cards?facets=x",
			},
		},
		"listApps": {
			found: []string{
				"apps", "apps?locale=zh-hans", "apps?q=wallet", "apps?sort=title&limit=1&offset=1", "apps?sort=relevance&q=wallet", "apps?tag=tool&match=all",
				"apps?facets=1&tag=tool,nothing&match=groups", "apps?chain=base", "apps?chain=before", "apps?chain=nothing", "apps?platform=cli",
				"apps?status=retired", "apps?status=all&platform=web&chain=ethereum",
			},
			bad: []string{
				"apps?sort=menu", "apps?sort=name", "apps?platform=windows", "apps?platform=Web", "apps?platform=web&platform=web", "apps?chain=a&chain=b", "apps?limit=1001",
				"apps?match=x", "apps?status=x", "apps?facets=x", "apps?q=%ff",
			},
		},
		"getApp": {
			found:   []string{"apps/wallet", "apps/WALLET?locale=zh-hans", "apps/gone", "apps/was", "apps/alone"},
			bad:     []string{"apps/wallet?locale=en&locale=en"},
			missing: []string{"apps/walet", "apps/nothing", "apps/x"},
		},
		"search": {
			found: []string{
				"search?q=wallet", "search?q=wallet&kind=app,card", "search?q=wallet&kind=card", "search?q=alone&kind=app", "search?q=held",
				"search?q=ethereum", "search?q=wallet&locale=zh-hans", "search?q=e&limit=2&offset=1", "search?q=8453&kind=chain", "search?q=etherium",
				"search?q=ended&kind=category,chain", "search?q=ai&kind=card,menu,user,channel", "search?q=@", "search?q=a&offset=99",
			},
			bad: []string{
				"search", "search?q=", "search?q=a&q=b", "search?q=" + strings.Repeat("a", 201), "search?q=a&kind=apps", "search?q=a&kind=chain&kind=user",
				"search?q=a&limit=0", "search?q=a&limit=101", "search?q=a&offset=x", "search?q=a&locale=%00",
			},
		},
		"listYouTubeChannels": {
			found: []string{
				"youtube/channels", "youtube/channels?q=education&locale=pt-BR", "youtube/channels?tag=ai&limit=1",
				"youtube/channels?sort=relevance&q=education", "youtube/channels?facets=1&tag=ai&match=all&status=all&locale=zh-hans",
			},
			bad: []string{
				"youtube/channels?limit=1.5", "youtube/channels?q=%e4%b8", "youtube/channels?sort=title", "youtube/channels?match=or",
				"youtube/channels?status=gone", "youtube/channels?facets=on",
			},
		},
		"listNavGroups": {
			found: []string{"nav/groups", "nav/groups?locale=zh-hans"},
			bad:   []string{"nav/groups?locale=%0a"},
		},
		"getNavGroup": {
			found:   []string{"nav/groups/build", "nav/groups/web3?locale=zh-hans", "nav/groups/make"},
			bad:     []string{"nav/groups/build?locale=en&locale=en"},
			missing: []string{"nav/groups/nobody", "nav/groups/key-of-web3"},
		},
		"getNavMenu": {
			found:   []string{"nav/menus/ai-tools", "nav/menus/ai-tools?locale=zh-hans", "nav/menus/unlisted", "nav/menus/assistants"},
			bad:     []string{"nav/menus/ai-tools?locale=%"},
			missing: []string{"nav/menus/nothing"},
		},
		"getCategoryGroups": {
			found: []string{"category-groups?module=chain", "category-groups?module=item&locale=zh-hans", "category-groups?module=youtube"},
			bad:   []string{"category-groups", "category-groups?module=", "category-groups?module=chains", "category-groups?module=chain&module=chain"},
		},
		"getMeta": {
			found: []string{"meta", "meta?locale=zh-hans"},
			bad:   []string{"meta?locale=en&locale=de"},
		},
		"getIndex": {
			found: []string{"", "?locale=zh-hans"},
			bad:   []string{"?locale=en&locale=de"},
		},
		"getSpec": {
			found: []string{"spec"},
		},
	}
}

// What stands behind a list follows nothing else that is asked for.
func TestFacetsAreLast(t *testing.T) {
	h := serving(t, compile(t, smallCatalog(), servedRevision))
	for _, list := range []string{"twitter/users", "chains", "youtube/channels", "nav/cards", "apps"} {
		without := fetch(t, h, "/api/open/"+list+"?limit=1").body
		with := fetch(t, h, "/api/open/"+list+"?limit=1&facets=1").body
		if start := strings.TrimSuffix(without, "}") + `,"facets":[{"group":`; !strings.HasPrefix(with, start) || !strings.Contains(with, `"count":`) {
			t.Errorf("%s with facets:\n%s\nwant it to begin with\n%s\nand to have counts", list, with, start)
		}
	}
}

// Who misspelt a name is told of what there is.
func TestCandidates(t *testing.T) {
	h := serving(t, compile(t, smallCatalog(), servedRevision))
	for target, want := range map[string]string{
		"chains/etherium":              `"candidates":["ethereum"]`,
		"twitter/users/etherium":       `"candidates":["ethereum"]`,
		"apps/walet":                   `"candidates":["wallet"]`,
		"youtube/channels/finematicks": `"candidates":["UCh1ob28ceGdqohUnR7vBACA"]`,
	} {
		if got := fetch(t, h, "/api/open/"+target); got.status != 404 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %s, want %s", target, got.status, got.body, want)
		}
	}
}
