package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// tool is one of the tools.
type tool struct {
	name, title, about string
	params             []param
	data               object // the schema of its data
	query              func(s *snapshot.Snapshot, a arguments) (result, error)
}

// Parameters that several tools have.
var (
	localeParam = param{name: "locale", is: aText, most: 64, about: "language of texts, BCP 47; see about"}
	offsetParam = param{name: "offset", is: aNumber, most: 1_000_000_000}
	searchParam = param{name: "q", is: aText, most: query.MaxSearch, about: "words that must all match"}
	tagParam    = param{name: "tag", is: aList, most: 20, about: "category keys, see list_categories"}
	matchParam  = param{name: "match", is: aText, enum: query.ListParameters(query.KindChain).Find("match").Allowed, about: "any is the default; groups: any within a group, all groups"}
	statusParam = param{name: "status", is: aText, enum: domain.Convert[string](query.Statuses()), about: "by default all but retired"}
	idParam     = param{name: "id", is: aList, most: query.MaxNames, about: "only these, by name"}
	facetsParam = param{name: "facets", is: aSwitch, about: "also count categories, each group as if it had no tag"}
	briefParam  = param{name: "brief", is: aSwitch, about: "ids and names only, so that more fit"}
	limitParam  = param{name: "limit", is: aNumber, least: 1, most: listMost, about: "20 by default"}
)

// Records of an answer.
const (
	listUsual = "20"
	listMost  = 100
)

// tools returns all, in the order of their use.
func tools() []tool {
	return []tool{
		{
			name: "about", title: "About the catalogue",
			about:  "Title, languages and counts of the catalogue, and the dates of each figure (older: values that comparisons omit or mark).",
			params: []param{localeParam}, data: aboutData, query: queryAbout,
		},
		{
			name: "search", title: "Search everything",
			about: "Records of all kinds by name or words, best first. Pass the key of a result to get_chain, list_accounts (handle), list_cards (app), get_menu or tag. Check corrected and relaxed.",
			params: []param{
				{name: "q", is: aText, most: query.MaxSearch, required: true, about: "the words to search for"},
				{name: "kind", is: aList, most: 7, enum: domain.Convert[string](query.Kinds()), about: "all by default"},
				limitParam, offsetParam, localeParam,
			},
			data: searchData, query: queryEverything,
		},
		{
			name: "get_chain", title: "One chain",
			about: "One chain in full: status, links, RPC endpoints, currency, parent (what it settles on), figures with source and date (llama_tvl is TVL in US dollars).",
			params: []param{
				{name: "chain", is: aText, most: 200, required: true, about: "slug, chain id (8453, 0x2105, eip155:8453), _id, name or alias"},
				localeParam,
			},
			data: chainData, query: queryChain,
		},
		{
			name: "list_chains", title: "Chains",
			about: "Chains, filtered by words, categories and status, and sorted.",
			params: []param{
				idParam, searchParam, tagParam, matchParam, statusParam, facetsParam,
				{name: "sort", is: aText, enum: query.ListParameters(query.KindChain).Find("sort").Allowed, about: "tvl is the default"},
				{name: "sortDir", is: aText, enum: query.ListParameters(query.KindChain).Find("sortDir").Allowed, about: "desc by default"},
				briefParam, limitParam, offsetParam, localeParam,
			},
			data: listData("chains", chainRow, true), query: queryChains,
		},
		{
			name: "list_accounts", title: "Accounts and channels",
			about: "Twitter accounts by followers, or YouTube channels by name. With handle: this account or channel in full.",
			params: []param{
				{name: "platform", is: aText, enum: []string{platformTwitter, platformYouTube}, about: "twitter is the default"},
				{name: "handle", is: aText, most: maxItem, about: "handle of an account, or channelId of a channel"},
				searchParam, tagParam, matchParam, facetsParam,
				{name: "sort", is: aText, enum: []string{"relevance"}},
				limitParam, offsetParam, localeParam,
			},
			data: accountsData, query: queryAccounts,
		},
		{
			name: "list_cards", title: "Apps and their cards",
			about: "App cards (title, link) of all menus. An app may have several cards: kind app lists each app once. With app: this app in full.",
			params: []param{
				{name: "kind", is: aText, enum: []string{string(query.KindCard), string(query.KindApp)}, about: "card is the default"},
				{name: "app", is: aText, most: maxItem, about: "key, title or alias of an app"},
				searchParam, tagParam, matchParam, statusParam, facetsParam,
				{name: "menu", is: aText, most: maxItem, about: "pathSlug of a menu"},
				{name: "chain", is: aText, most: maxItem, about: "a chain, as in get_chain"},
				{name: "platform", is: aText, enum: domain.Convert[string](domain.Platforms()), about: "of apps"},
				{name: "sort", is: aText, enum: query.ListParameters(query.KindCard).Find("sort").Allowed, about: "menu is the default, of apps title"},
				briefParam, limitParam, offsetParam, localeParam,
			},
			data: cardsData, query: queryCards,
		},
		{
			name: "list_changes", title: "Changes",
			about: "Records added, changed (fields; was: the former key) or removed since a revision or time, newest first.",
			params: []param{
				{name: "since", is: aText, most: 40, required: true, about: "revision, RFC 3339 time or date"},
				{name: "kind", is: aList, most: 9, enum: domain.Convert[string](query.ChangeKinds()), about: "all by default"},
				limitParam, offsetParam, localeParam,
			},
			data: changesData, query: queryChanges,
		},
		{
			name: "get_menu", title: "One menu",
			about:  "One menu with its groups, items and cards; without menu, the list of all menus (href is /nav/ and the pathSlug).",
			params: []param{{name: "menu", is: aText, most: maxItem, about: "pathSlug of a menu"}, localeParam},
			data:   menuData, query: queryMenu,
		},
		{
			name: "list_categories", title: "Categories",
			about: "Categories. Their keys are values of tag in lists.",
			params: []param{
				{name: "scope", is: aText, enum: domain.Convert[string](domain.Modules()), about: "what the category classifies: chains, accounts, channels, or apps and cards (item); all by default"},
				{name: "limit", is: aNumber, least: 1, most: query.MaxLimit, about: "as many as fit by default"},
				offsetParam, localeParam,
			},
			data: listData("categories", categoryRow, false), query: queryCategories,
		},
	}
}

// takes reports whether the tool has a parameter with this name.
func (t tool) takes(parameter param) bool {
	return slices.ContainsFunc(t.params, func(p param) bool { return p.name == parameter.name })
}

// declaration returns the declaration of a tool for clients.
func (t tool) declaration() *sdk.Tool {
	closed := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about,
		InputSchema: inputSchema(t.params), OutputSchema: t.outputSchema(),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &closed, OpenWorldHint: &closed},
	}
}

// call returns the handler of a tool. Errors of the agent and of the server are results of the
// call, because agents do not see other errors.
func (h *Handler) call(t tool) sdk.ToolHandler {
	return func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		content, err := h.answer(t, r.Params.Arguments)
		if err != nil {
			return &sdk.CallToolResult{IsError: true, Content: text(encode(h.problem(t, err)))}, nil
		}
		return &sdk.CallToolResult{
			Meta:    sdk.Meta{"ttlMs": answerTTL.Milliseconds(), "cacheScope": "public"},
			Content: text(content), StructuredContent: content,
		}, nil
	}
}

func text(document json.RawMessage) []sdk.Content {
	return []sdk.Content{&sdk.TextContent{Text: string(document)}}
}

// answer returns the structured content of the result of a call.
func (h *Handler) answer(t tool, raw json.RawMessage) (content json.RawMessage, err error) {
	defer contain.Panic(&err, func(cause string) string { return "panic: " + cause })
	s := h.config.Snapshot()
	if s == nil {
		return nil, &problem{Code: response.NotReady, Detail: "no catalogue has been published yet; retry in a moment"}
	}
	a, err := parse(raw, t.params)
	if err != nil {
		return nil, err
	}
	result, err := t.query(s, a)
	if err != nil {
		return nil, err
	}
	return fit(s, t.name, result), nil
}

// problem returns the public form of an error. Internal errors have no details.
func (h *Handler) problem(t tool, err error) *problem {
	if known, ok := errors.AsType[*problem](err); ok {
		return known
	}
	if wrong, ok := errors.AsType[*query.Error](err); ok {
		return &problem{Code: response.InvalidParameter, Detail: wrong.Detail, Parameter: wrong.Parameter, Allowed: wrong.Allowed}
	}
	h.config.Log.Error("a call of a tool failed", slog.String("tool", t.name), slog.Any("error", err))
	return &problem{Code: response.Internal, Detail: "something went wrong on our side; it is in the log"}
}
