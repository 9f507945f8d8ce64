package operations_test

// A naive second implementation of the operations, written from docs/api.md
// alone: plain structs, linear scans, encoding/json. The
// served bytes are compared with its own.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"vitrine/internal/domain"
)

// oracle knows what a catalogue's responses are.
type oracle struct {
	catalog     *domain.Catalog
	revision    int64
	publishedAt time.Time
}

// answer is what a request must get.
type answer struct {
	status   int
	body     string   // of a 200
	language string   // Content-Language, "" for none
	at       []string // of a 400: the parameters at fault, any of which may be named
	page     *page    // of a list
}

// page is what Total-Count and Link tell.
type page struct {
	on                   bool // limit or offset is given
	offset, limit, total int
}

type labels struct {
	Names []string
	Slugs []string
}

type twitterUser struct {
	Handle          string   `json:"handle"`
	Name            string   `json:"name"`
	Description     string   `json:"description,omitempty"`
	TwitterCategory []string `json:"twitterCategory"`
	CategorySlugs   []string `json:"categorySlugs"`
	FollowersCount  float64  `json:"followers_count"`
}

type chainSlim struct {
	ID            string   `json:"_id"`
	Slug          string   `json:"slug"`
	Name          string   `json:"name"`
	Logo          string   `json:"logo,omitempty"`
	ChainID       string   `json:"chain_id"`
	CategorySlugs []string `json:"categorySlugs,omitempty"`
	LlamaTVL      *float64 `json:"llama_tvl,omitempty"`
}

type youTubeChannel struct {
	ChannelID       string   `json:"channelId"`
	Name            string   `json:"name"`
	Description     string   `json:"description,omitempty"`
	YouTubeCategory []string `json:"youtubeCategory"`
	CategorySlugs   []string `json:"categorySlugs"`
}

// answer returns what GET path?rawQuery gives, for the paths of docs/api.md#the-operations.
func (o oracle) answer(path, rawQuery string) answer {
	switch path {
	case "/", "/api/open", "/api/open/":
		return o.index(parseQuery(rawQuery, "locale"))
	}
	operation := strings.TrimPrefix(path, "/api/open/")
	if slug, ok := strings.CutPrefix(operation, "nav/groups/"); ok {
		return o.navGroup(slug, parseQuery(rawQuery, "locale"))
	}
	if slug, ok := strings.CutPrefix(operation, "nav/menus/"); ok {
		return o.navMenu(slug, parseQuery(rawQuery, "locale"))
	}
	switch operation {
	case "categories":
		return o.categories(parseQuery(rawQuery, "locale", "scope", "includeI18n"))
	case "category-groups":
		return o.categoryGroups(parseQuery(rawQuery, "locale", "module"))
	case "twitter/users":
		return o.users(parseQuery(rawQuery, "locale", "q", "tag", "limit", "offset"))
	case "chains":
		return o.chains(parseQuery(rawQuery, "locale", "q", "tag", "sort", "sortDir", "limit", "offset"))
	case "youtube/channels":
		return o.channels(parseQuery(rawQuery, "locale", "q", "tag", "limit", "offset"))
	case "nav/groups":
		return o.navGroups(parseQuery(rawQuery, "locale"))
	case "meta":
		return o.meta(parseQuery(rawQuery, "locale"))
	}
	return answer{status: 404}
}

func (o oracle) users(query oracleQuery) answer {
	locale := resolveLocale(o.catalog, query.value("locale"))
	accounts := slices.Clone(o.catalog.Accounts)
	accounts = slices.DeleteFunc(accounts, func(a domain.Account) bool { return a.Followers == nil })
	slices.SortFunc(accounts, func(a, b domain.Account) int {
		return cmp.Or(
			cmp.Compare(b.Followers.Value, a.Followers.Value),
			cmp.Compare(folded(a.Handle), folded(b.Handle)))
	})
	users := []twitterUser{}
	for _, a := range accounts {
		if !query.finds(a.Categories, append(values(a.Description), a.Handle, a.Name)) {
			continue
		}
		labels := o.labels(a.Categories, locale)
		users = append(users, twitterUser{
			Handle:          a.Handle,
			Name:            a.Name,
			Description:     inLocale(o.catalog, a.Description, locale),
			TwitterCategory: labels.Names,
			CategorySlugs:   labels.Slugs,
			FollowersCount:  a.Followers.Value,
		})
	}
	return list(query, "users", users, locale)
}

func (o oracle) channels(query oracleQuery) answer {
	locale := resolveLocale(o.catalog, query.value("locale"))
	collator := collate.New(language.Make(locale))
	sorted := slices.Clone(o.catalog.Channels)
	slices.SortFunc(sorted, func(a, b domain.Channel) int {
		return cmp.Or(collator.CompareString(a.Name, b.Name), cmp.Compare(a.ChannelID, b.ChannelID))
	})
	channels := []youTubeChannel{}
	for _, c := range sorted {
		if !query.finds(c.Categories, append(values(c.Description), c.Name)) {
			continue
		}
		labels := o.labels(c.Categories, locale)
		channels = append(channels, youTubeChannel{
			ChannelID:       c.ChannelID,
			Name:            c.Name,
			Description:     inLocale(o.catalog, c.Description, locale),
			YouTubeCategory: labels.Names,
			CategorySlugs:   labels.Slugs,
		})
	}
	return list(query, "channels", channels, locale)
}

func (o oracle) chains(query oracleQuery) answer {
	query.oneOf("sort", "name", "chainId", "platforms", "tvl")
	query.oneOf("sortDir", "asc", "desc")
	locale := resolveLocale(o.catalog, query.value("locale"))
	sorted := slices.Clone(o.catalog.Chains)
	order := o.chainOrder(query.value("sort"), locale)
	direction := -1
	if query.value("sortDir") == "asc" {
		direction = 1
	}
	slices.SortFunc(sorted, func(a, b domain.Chain) int {
		return cmp.Or(order(a, b, direction), cmp.Compare(a.Slug, b.Slug))
	})
	chains := []chainSlim{}
	for _, c := range sorted {
		texts := append(values(c.Name), c.Slug, c.ChainID)
		if !query.finds(c.Categories, append(texts, c.Aliases...)) {
			continue
		}
		slim := chainSlim{
			ID:            c.ID,
			Slug:          c.Slug,
			Name:          inLocale(o.catalog, c.Name, locale),
			Logo:          c.Logo,
			ChainID:       c.ChainID,
			CategorySlugs: c.Categories,
		}
		if c.TVL != nil {
			slim.LlamaTVL = &c.TVL.Value
		}
		chains = append(chains, slim)
	}
	return list(query, "chains", chains, locale)
}

// chainOrder returns the comparison of a sort; direction is 1 or -1.
func (o oracle) chainOrder(sort, locale string) func(a, b domain.Chain, direction int) int {
	collator := collate.New(language.Make(locale))
	switch sort {
	case "name":
		return func(a, b domain.Chain, direction int) int {
			return direction * collator.CompareString(
				inLocale(o.catalog, a.Name, locale), inLocale(o.catalog, b.Name, locale))
		}
	case "chainId":
		return func(a, b domain.Chain, direction int) int {
			return direction * compareChainIDs(a.ChainID, b.ChainID)
		}
	case "platforms":
		return func(a, b domain.Chain, direction int) int {
			return compareFigures(a.Platforms, b.Platforms, direction)
		}
	}
	return func(a, b domain.Chain, direction int) int {
		return compareFigures(a.TVL, b.TVL, direction)
	}
}

func compareChainIDs(a, b string) int {
	an, aIsNumber := decimal(a)
	bn, bIsNumber := decimal(b)
	switch {
	case aIsNumber && bIsNumber:
		return an.Cmp(bn)
	case aIsNumber:
		return -1
	case bIsNumber:
		return 1
	}
	return cmp.Compare(a, b)
}

// decimal reads ASCII digits only.
func decimal(s string) (*big.Int, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(s, 10)
}

// compareFigures puts what has no value last in both directions.
func compareFigures(a, b *domain.Figure, direction int) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return direction * cmp.Compare(a.Value, b.Value)
}

// list cuts the page out of a list and encodes it.
func list[T any](query oracleQuery, name string, records []T, locale string) answer {
	limit, hasLimit := query.whole("limit", 1, 1000)
	offset, hasOffset := query.whole("offset", 0, len(records))
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	a := answer{status: 200, language: locale, page: &page{hasLimit || hasOffset, offset, limit, len(records)}}
	if a.page.on {
		records = records[min(offset, len(records)):]
		if hasLimit {
			records = records[:min(limit, len(records))]
		}
	}
	a.body = encode(map[string][]T{name: records})
	return a
}

func (o oracle) labels(slugs []string, locale string) labels {
	l := labels{Names: []string{}, Slugs: []string{}}
	for _, slug := range slugs {
		i := slices.IndexFunc(o.catalog.Categories, func(c domain.Category) bool { return c.Key == slug })
		l.Names = append(l.Names, inLocale(o.catalog, o.catalog.Categories[i].Name, locale))
		l.Slugs = append(l.Slugs, slug)
	}
	return l
}

// values returns a text in all locales.
func values(text domain.Text) []string {
	var all []string
	for _, translation := range text {
		all = append(all, translation.Value)
	}
	return all
}

func badRequest(query oracleQuery) answer { return answer{status: 400, at: *query.bad} }

// encode writes JSON as docs/api.md#the-operations wants it: the fields in the order of the
// structs, no escapes that JSON does not need, no white space.
func encode(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // the oracle's structs can always be encoded
	}
	return strings.TrimSuffix(out.String(), "\n")
}
