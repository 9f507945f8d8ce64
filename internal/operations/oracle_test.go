package operations_test

// A naive second implementation of the operations, written from docs/api.md alone: plain structs,
// linear scans, encoding/json. Tests compare the served bytes with its bytes.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"vitrine/internal/domain"
	"vitrine/internal/operations"
)

// oracle derives the responses of a catalogue.
type oracle struct {
	catalog     *domain.Catalog
	revision    int64
	publishedAt time.Time
}

// answer is the expected response to a request.
type answer struct {
	status   int
	body     string   // of a 200
	language string   // Content-Language, "" for none
	at       []string // of a 400: the invalid parameters, one of which the error names
	page     *page    // of a list
	keys     []string // of a 404: possible candidates
	location string   // Content-Location, "" for none
}

// page has the values of Total-Count and Link.
type page struct {
	on                   bool // the request has limit or offset
	offset, limit, total int
	most                 int        // maximum number of records of a page
	parameters           url.Values // of links, without limit and offset
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
	FollowersCount  *float64 `json:"followers_count,omitempty"`
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

// answer returns the expected response to GET path?rawQuery, for the paths of
// docs/api.md#the-operations.
func (o oracle) answer(path, rawQuery string) answer {
	switch path {
	case "/", "/api/open", "/api/open/":
		return o.index(parseQuery(rawQuery, "locale"))
	}
	operation := strings.TrimPrefix(path, "/api/open/")
	if answer, ok := o.byName(operation, parseQuery(rawQuery, "locale")); ok {
		return answer
	}
	if answer, ok := o.rowsOfRecord(operation, rawQuery); ok {
		return answer
	}
	for _, k := range plainKinds {
		if operation+"/" == k.path() {
			return k.list(o, parseList(rawQuery, "view"))
		}
	}
	switch operation {
	case "categories":
		return o.categories(parseQuery(rawQuery, "locale", "scope", "includeI18n"))
	case "category-groups":
		return o.categoryGroups(parseQuery(rawQuery, "locale", "module"))
	case "twitter/users":
		return o.users(parseList(rawQuery, "view", "followers"))
	case "chains":
		return o.chains(parseList(rawQuery, "sortDir", "view"))
	case "youtube/channels":
		return o.channels(parseList(rawQuery, "view"))
	case "nav/cards":
		return o.cards(parseList(rawQuery, "menu", "chain"))
	case "apps":
		return o.apps(parseList(rawQuery, "chain", "platform", "view"))
	case "search":
		query := parseQuery(rawQuery, "q", "kind", "locale", "limit", "offset", "revision")
		query.whole("revision", 1, 999_999_999_999_999)
		return o.search(query)
	case "nav/groups":
		return o.navGroups(parseQuery(rawQuery, "locale"))
	case "meta":
		return o.meta(parseQuery(rawQuery, "locale"))
	}
	return answer{status: 404}
}

// byName returns the answer for one record, which the last segment of the path names.
func (o oracle) byName(operation string, query oracleQuery) (answer, bool) {
	i := strings.LastIndexByte(operation, '/') + 1
	name := operation[i:]
	if operation[:i] == "chains/" { // clients escape colons
		name = strings.NewReplacer("%3A", ":", "%3a", ":").Replace(name)
	}
	if name == "" || strings.Contains(name, "%") {
		return answer{}, false
	}
	switch operation[:i] {
	case "nav/groups/":
		return o.navGroup(name, query), true
	case "nav/menus/":
		return o.navMenu(name, query), true
	case "chains/":
		return o.chain(name, query), true
	case "twitter/users/":
		return o.user(name, query), true
	case "apps/":
		return o.app(name, query), true
	case "youtube/channels/":
		return o.channel(name, query), true
	}
	for _, k := range plainKinds {
		if operation[:i] == k.path() {
			return k.named(o, name, query), true
		}
	}
	return answer{}, false
}

// listOfMember has the lists of the records that a member names, if the list has another name.
var listOfMember = map[string]string{"children": "chains", "sameId": "chains"}

// rowsOfRecord returns the answer for the rows that a record refers to. apps/{app}/chains has the
// rows of the list chains whose keys are in the member chains of the app, in that order.
// chains/{chain}/children has those of the member children, as listOfMember says.
func (o oracle) rowsOfRecord(operation, rawQuery string) (answer, bool) {
	i := strings.LastIndexByte(operation, '/')
	if i < 0 || !slices.Contains(subLists(operation[:i]), operation[i:]) {
		return answer{}, false
	}
	member := operation[i+1:]
	list := cmp.Or(listOfMember[member], member)
	a, ok := o.byName(operation[:i], parseQuery(rawQuery, "locale"))
	if !ok {
		return answer{}, false
	}
	if a.location != "" {
		path, query, _ := strings.Cut(a.location, "?")
		a.location = strings.TrimSuffix(path+"/"+member+"?"+query, "?")
	}
	if a.status != 200 {
		return a, true
	}
	var record map[string]json.RawMessage
	var keys []string
	var all map[string][]json.RawMessage
	mustDecode(a.body, &record)
	err := json.Unmarshal([]byte(cmp.Or(string(record[member]), "[]")), &keys)
	rowsOf := o.answer("/api/open/"+list, "status=all&locale="+a.language)
	if err != nil || rowsOf.status != 200 {
		panic(fmt.Sprintf("%s: the member %s has no keys of a list %s, whose rows the oracle would return: "+
			"add the list to listOfMember, or a case to oracle.answer before rowsOfRecord", operation, member, list))
	}
	mustDecode(rowsOf.body, &all)
	rows := []json.RawMessage{}
	for _, key := range keys {
		i := slices.IndexFunc(all[list], func(row json.RawMessage) bool {
			var members map[string]any
			mustDecode(string(row), &members)
			return members["slug"] == key || members["key"] == key
		})
		rows = append(rows, all[list][i])
	}
	a.body = encode(members{{list, rows}})
	return a, true
}

func mustDecode(body string, into any) {
	if err := json.Unmarshal([]byte(body), into); err != nil {
		panic(err) // the oracle wrote it
	}
}

// subLists returns the lists below a record: /chains for apps/{app}/chains.
func subLists(record string) []string {
	var ends []string
	for _, op := range operations.Table() {
		before, end, _ := strings.Cut(strings.TrimPrefix(op.Template, "/api/open/"), "{")
		_, end, _ = strings.Cut(end, "}")
		if name, ok := strings.CutPrefix(record, before); ok && end != "" && name != "" && !strings.Contains(name, "/") {
			ends = append(ends, end)
		}
	}
	return ends
}

func (o oracle) users(query oracleQuery) answer {
	query.oneOf("sort", "relevance")
	locale := resolveLocale(o.catalog, query.value("locale"))
	all, parameters := o.userRecords(locale), url.Values{}
	if query.value("followers") == "any" {
		parameters.Set("followers", "any")
	} else if len(query.ids()) == 0 {
		all = slices.DeleteFunc(all, func(r record[twitterUser]) bool { return r.row.FollowersCount == nil })
	}
	of := listed{"users", domain.ModuleTwitter, o.accountKey, "twitter/users/", func(handle string) any { return o.wholeUser(handle, locale) }}
	return list(o, query, of, all, parameters)
}

// userRecords returns all accounts in their order, those that lists hide last.
func (o oracle) userRecords(locale string) []record[twitterUser] {
	_, accounts := o.listed()
	followers := func(a *domain.Account) float64 {
		if a.Followers == nil {
			return -1
		}
		return a.Followers.Value
	}
	slices.SortFunc(accounts, func(a, b *domain.Account) int {
		return cmp.Or(cmp.Compare(followers(b), followers(a)), cmp.Compare(folded(a.Handle), folded(b.Handle)))
	})
	var users []record[twitterUser]
	for _, a := range accounts {
		users = append(users, record[twitterUser]{
			labels: []string{a.Handle, a.Name}, texts: values(a.Description), categories: a.Categories,
			row: o.twitterUser(a, locale),
			hit: result{"user", a.Handle, a.Name, inLocale(o.catalog, a.Description, locale), "", a.Website, "/api/open/twitter/users/" + a.Handle, nil, ""},
		})
	}
	return users
}

func (o oracle) twitterUser(a *domain.Account, locale string) twitterUser {
	labels := o.labels(a.Categories, locale)
	user := twitterUser{
		Handle:          a.Handle,
		Name:            a.Name,
		Description:     inLocale(o.catalog, a.Description, locale),
		TwitterCategory: labels.Names,
		CategorySlugs:   labels.Slugs,
	}
	if a.Followers != nil {
		user.FollowersCount = &a.Followers.Value
	}
	return user
}

func (o oracle) channels(query oracleQuery) answer {
	query.oneOf("sort", "relevance")
	locale := resolveLocale(o.catalog, query.value("locale"))
	of := listed{"channels", domain.ModuleYouTube, o.channelKey, "youtube/channels/", func(id string) any { return o.wholeChannel(id, locale) }}
	return list(o, query, of, o.channelRecords(locale), url.Values{})
}

func (o oracle) channelRecords(locale string) []record[youTubeChannel] {
	collator := collate.New(language.Make(locale))
	sorted := slices.Clone(o.catalog.Channels)
	slices.SortFunc(sorted, func(a, b domain.Channel) int {
		return cmp.Or(collator.CompareString(a.Name, b.Name), cmp.Compare(a.ChannelID, b.ChannelID))
	})
	var channels []record[youTubeChannel]
	for _, c := range sorted {
		channels = append(channels, record[youTubeChannel]{
			labels: []string{c.Name}, texts: values(c.Description), categories: c.Categories,
			row: o.youTubeChannel(c, locale),
			hit: result{"channel", c.ChannelID, c.Name, inLocale(o.catalog, c.Description, locale), "", c.Website, "/api/open/youtube/channels/" + c.ChannelID, nil, ""},
		})
	}
	return channels
}

func (o oracle) youTubeChannel(c domain.Channel, locale string) youTubeChannel {
	labels := o.labels(c.Categories, locale)
	return youTubeChannel{
		ChannelID:       c.ChannelID,
		Name:            c.Name,
		Description:     inLocale(o.catalog, c.Description, locale),
		YouTubeCategory: labels.Names,
		CategorySlugs:   labels.Slugs,
	}
}

func (o oracle) chains(query oracleQuery) answer {
	query.oneOf("sort", "name", "chainId", "platforms", "tvl", "relevance")
	query.oneOf("sortDir", "asc", "desc")
	sort, direction := cmp.Or(query.value("sort"), "tvl"), cmp.Or(query.value("sortDir"), "desc")
	parameters := url.Values{"sort": {sort}, "sortDir": {direction}}
	if sort == "relevance" {
		sort, direction = "tvl", "desc"
		parameters = url.Values{"sort": {sort}, "sortDir": {direction}}
		if len(searchTerms(query.value("q"))) > 0 {
			parameters = url.Values{}
		}
	}
	locale := resolveLocale(o.catalog, query.value("locale"))
	of := listed{"chains", domain.ModuleChain, o.chainKey, "chains/", func(slug string) any { return o.wholeChain(slug, locale) }}
	return list(o, query, of, o.chainRecords(locale, sort, direction), parameters)
}

func (o oracle) chainRecords(locale, sort, sortDir string) []record[chainSlim] {
	var chains []record[chainSlim]
	for _, c := range o.sortedChains(locale, sort, sortDir) {
		name := inLocale(o.catalog, c.Name, locale)
		symbol := ""
		if c.Currency != nil {
			symbol = c.Currency.Symbol
		}
		chains = append(chains, record[chainSlim]{
			title: c.Name, symbol: symbol,
			labels: slices.Concat([]string{c.Slug}, values(c.Name), c.Aliases), ids: spellings(c.ChainID),
			categories: c.Categories, status: c.Status,
			row: o.chainSlim(c, locale),
			hit: result{"chain", c.Slug, name, inLocale(o.catalog, c.Description, locale), c.Logo, c.Website, "/api/open/chains/" + c.Slug, nil, ""},
		})
	}
	return chains
}

func (o oracle) sortedChains(locale, sort, sortDir string) []domain.Chain {
	sorted, _ := o.listed()
	order := o.chainOrder(sort, locale)
	direction := -1
	if sortDir == "asc" {
		direction = 1
	}
	slices.SortFunc(sorted, func(a, b domain.Chain) int {
		return cmp.Or(order(a, b, direction), cmp.Compare(a.Slug, b.Slug))
	})
	return sorted
}

func (o oracle) chainSlim(c domain.Chain, locale string) chainSlim {
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
	return slim
}

// spellings returns the spellings of a chain id in searches and in paths.
func spellings(id string) []string {
	if number, ok := decimal(id); ok {
		return []string{id, number.String(), "0x" + number.Text(16), "eip155:" + number.String()}
	}
	if namespace, reference, ok := strings.Cut(id, ":"); ok && reference != "" {
		if number, ok := decimal(reference); ok && strings.EqualFold(namespace, "eip155") {
			return []string{id, number.String(), "0x" + number.Text(16), "eip155:" + number.String()}
		}
		return []string{id, reference}
	}
	return []string{id}
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
		if a.TVL == nil && b.TVL == nil { // neither has a value: in both directions
			return compareFigures(a.Platforms, b.Platforms, -1)
		}
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

// decimal parses ASCII digits.
func decimal(s string) (*big.Int, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(s, 10)
}

// compareFigures sorts missing values last in both directions.
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

// encode encodes JSON as docs/api.md#the-operations requires: members in the order of the struct,
// minimal escapes, no white space.
func encode(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // the oracle's structs can be encoded
	}
	return strings.TrimSuffix(out.String(), "\n")
}
