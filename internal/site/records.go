package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// recordMain is the data of the page of a chain, an app, an account or a channel.
type recordMain struct {
	Name, Description string
	Logo              *logo        // of a chain or an app
	State             *recordState // nil for a live record
	List              named        // of such records
	Handle, ID        string       // @ and handle of an account; ID of a chain or channel
	Outside           string       // address of an account or channel where it lives
	Aliases           []string
	Image             string // address of the picture of a chain or an app
	Website           string
	Compare           string // address of a comparison with others, "" for none
	Facts             []fact
	Sections          []string // below the facts; their words begin with "section."
	Figures           []figureItem
	Scale             string // what bars are relative to
	Links             []fact // by type
	Sources           []fact // of fields
	Left              int    // links and the like that the page omits
	Extra             string // indented JSON
	Chain             *chainMain
}

// chainMain is the data of the page of a chain beside recordMain.
type chainMain struct {
	*snapshot.Chain
	FirstRPC *snapshot.Endpoint // of a chain that is not retired, nil for none
	OtherRPC []snapshot.Endpoint
	Wallet   string // JSON for wallets, "" for none
	Apps     []entry
	AllApps  int     // of the chain
	AppList  string  // address of the list of all apps
	Children []named // the first
	More     []named // the other children
	Unnamed  int     // children that the page omits
}

// recordState says that a record is not live.
type recordState struct {
	Status      domain.Status
	Since, Note string // "" for none
	Successor   *named
}

// stateFor returns the state of a record with a status, nil for live.
func (v *view) stateFor(status domain.Status, since domain.Date, note string, successor *named) *recordState {
	if status == domain.StatusLive {
		return nil
	}
	return &recordState{status, v.Date(string(since)), note, successor}
}

// recordPage defines where the pages of a kind show the fields of its records. Fields that it
// does not name are facts as well, below those that it names.
type recordPage struct {
	section
	kind      domain.Kind
	shape     *domain.Shape
	facts     []string // in the order of the page
	elsewhere []string // that are not facts: in other sections, or not on the page
}

// notFacts are the fields of any kind that are not facts.
var notFacts = []string{
	"id", "slug", "key", "name", "title", "logo", "image", "description", "status", "status_since", "status_note", "links", "former", "sources", "extra",
}

var (
	chainRecord = newRecordPage(chains, domain.KindChain,
		[]string{"chain_id", "categories", "parent", "successor", "native_currency", "launched", "aliases", "website"}, "rpc")
	appRecord     = newRecordPage(apps, domain.KindApp, []string{"link", "categories", "chains", "platforms", "launched", "aliases"}, "successor")
	accountRecord = newRecordPage(accounts, domain.KindAccount, []string{"handle", "categories", "website"})
	channelRecord = newRecordPage(channels, domain.KindChannel, []string{"channel_id", "categories", "website"})
)

func newRecordPage(of section, kind domain.Kind, facts []string, elsewhere ...string) recordPage {
	return recordPage{of, kind, domain.Describe(kind).Shape, facts, append(elsewhere, notFacts...)}
}

// recordSections are the sections below the facts, in the order of the page.
var recordSections = []string{"links", "apps", "children", "sources", "extra"}

// sections returns the sections that have content.
func (m *recordMain) sections() []string {
	has := map[string]bool{"links": len(m.Links) > 0, "sources": len(m.Sources) > 0, "extra": m.Extra != ""}
	if m.Chain != nil {
		has["apps"], has["children"] = len(m.Chain.Apps) > 0, len(m.Chain.Children) > 0
	}
	return slices.DeleteFunc(slices.Clone(recordSections), func(name string) bool { return !has[name] })
}

// chainID is a form of the ID of a chain.
type chainID struct{ Form, Value string }

// named is something with a name and a page.
type named struct{ Name, Path string }

// Bounds of the page of a chain.
const (
	appsOfChain   = 24
	childrenFirst = 24 // that are visible at first
	childrenMost  = 500
)

// recordOf returns the view of the record that the path of this page names. Detail says that
// there is none.
func recordOf[V any](v *view, kind query.Kind, detail string) (*V, error) {
	_, record, err := v.record(kind, detail)
	if err != nil {
		return nil, err
	}
	return record.(*V), nil
}

// record is [recordOf] for any kind, with the summary of the record.
func (v *view) record(kind query.Kind, detail string) (of snapshot.Summary, record any, err error) {
	name, err := url.PathUnescape(v.segment)
	if err != nil {
		return of, nil, errUnknown
	}
	of, record, ok := v.snapshot.Whole(kind, name, v.localized())
	if !ok {
		return of, nil, &response.Problem{Code: response.NotFound, Detail: detail, Candidates: v.snapshot.Candidates(kind, query.ForName(name, v.locale))}
	}
	return of, record, nil
}

// memberOf returns a member of a view, the zero value for none.
func memberOf[T any](values snapshot.Object[any], name string) T {
	value, _ := values.Get(name)
	of, _ := value.(T)
	return of
}

// show sets the data of the page of a record, given its view and its key, which is its
// canonical name. Own has the facts of the fields that have no facts by their types; the facts of m
// follow.
func (p recordPage) show(v *view, key string, m recordMain, record any, own map[string][]fact) {
	own["website"] = []fact{textFact(v.T("link.website"), v.out("", m.Website))}
	own["link"] = own["website"]
	values := snapshot.Values(record)
	facts, left := p.factsOf(v, values, own)
	facts = append(facts, m.Facts...)
	links, omitted := most(memberOf[[]snapshot.Link](values, "links"), partsOfRecord)
	m.Facts, m.Links, m.Left = facts, v.linksByType(links), m.Left+left+omitted
	m.Sources, m.Extra = p.sourcesOf(v, memberOf[domain.JSON](values, "sources")), indented([]byte(memberOf[domain.JSON](values, "extra")))
	m.List, m.Sections = named{v.T("nav." + p.nav), v.At(p.path)}, m.sections()
	v.address.path = p.records + "/" + key
	v.Title, v.JSON, v.Main = m.Name, p.api+"/"+key+"?"+v.asked(), m
	v.Edit = v.snapshot.EditURL(p.kind, key)
	if m.Description != "" {
		v.Description = cutShort(m.Description)
	}
	v.link(v.linkedRecord(m, links), p.section)
}

// plainRecord returns the function of the pages of records that show fields by their types.
func plainRecord(of snapshot.ListedKind, on section) func(*view) error {
	p := newRecordPage(on, of.Description.Kind, nil)
	return func(v *view) error {
		summary, record, err := v.record(of.Kind, "there is no "+string(of.Kind)+" with this name")
		if err != nil {
			return err
		}
		m := recordMain{Name: summary.Title, Description: summary.Description, Website: summary.URL, Image: summary.Image}
		m.Figures = v.figures(memberOf[snapshot.Object[snapshot.Figure]](snapshot.Values(record), "figures"), nil)
		if m.Image != "" {
			pic := v.Logo(m.Name, m.Image)
			m.Logo = &pic
		}
		v.Description = m.Name
		p.show(v, summary.Key, m, record, map[string][]fact{})
		return nil
	}
}

// sourcesOf returns the sources of fields, given those of the record's view.
func (p recordPage) sourcesOf(v *view, sources domain.JSON) []fact {
	var facts []fact
	for name, source := range sources.Strings() {
		i := slices.IndexFunc(p.shape.Fields, func(f *domain.Field) bool { return snapshot.MemberName(f) == name })
		if i < 0 {
			continue
		}
		of := value{Text: source}
		if isWeb(source) {
			of = v.out("", source)
		}
		field := p.shape.Fields[i].Name
		word := "source." + field
		for _, key := range []string{"fact." + field, "section." + field, "figure." + field} {
			if !v.words.has(word) {
				word = key
			}
		}
		facts = append(facts, textFact(v.label(word, field), of))
	}
	return facts
}

func chainPage(v *view) error {
	chain, err := recordOf[snapshot.Chain](v, query.KindChain, "there is no chain with this slug or id")
	if err != nil {
		return err
	}
	pic := v.Logo(chain.Name, chain.Logo)
	m := recordMain{
		Name: chain.Name, Description: chain.Description, Website: chain.Website, Scale: v.T("figures.scale"),
		Figures: v.figures(chain.Figures, v.largestFigures()), Logo: &pic, ID: chain.ChainID, Aliases: chain.Aliases, Image: chain.Logo,
		State: v.stateFor(chain.Status, chain.StatusSince, chain.StatusNote, v.chainNamed(chain.Successor)),
	}
	evm := v.snapshot.Roles().EVM
	m.Chain = &chainMain{Chain: chain}
	chain.RPC, m.Left = most(chain.RPC, partsOfRecord)
	m.Chain.divideRPC()
	if !chain.Status.Retired() {
		m.Chain.Wallet = wallet(chain, evm, v.imageAddress(chain.Logo))
	}
	m.Compare = v.comparison(comparedChains.parameter, []string{chain.Slug})
	m.Chain.addChildren(v)
	var list section
	m.Chain.Apps, m.Chain.AllApps, list = v.appsOf(chain.Slug)
	m.Chain.AppList = withQuery(v.At(list.path), url.Values{"chain": {chain.Slug}}.Encode())
	v.Description = v.T("chain.description", "name", chain.Name, "id", chain.ChainID)
	chainRecord.show(v, chain.Slug, m, chain, v.factsOfChain(chain))
	return nil
}

// factsOfChain returns the facts of the fields of a chain that have none by their types.
func (v *view) factsOfChain(chain *snapshot.Chain) map[string][]fact {
	own := map[string][]fact{}
	id := fact{IsList: true}
	for _, form := range chainIDs(chain, v.snapshot.Roles().EVM) {
		id.Label = cmp.Or(id.Label, v.T("id."+form.Form))
		id.Values = append(id.Values, v.copyable(form.Value))
	}
	own["chain_id"] = []fact{id}
	if chain.Currency != nil {
		own["native_currency"] = []fact{textFact(v.T("fact.currency"), value{Text: v.currency(chain.Currency)})}
	}
	return own
}

// divideRPC chooses the endpoint that the page of a chain shows first: one that is not down.
func (m *chainMain) divideRPC() {
	if m.Status.Retired() || len(m.RPC) == 0 {
		return
	}
	first := max(slices.IndexFunc(m.RPC, func(e snapshot.Endpoint) bool { return e.State != "down" }), 0)
	m.FirstRPC = &m.RPC[first]
	m.OtherRPC = slices.Delete(slices.Clone(m.RPC), first, first+1)
}

func appPage(v *view) error {
	app, err := recordOf[snapshot.App](v, query.KindApp, "there is no app with this key")
	if err != nil {
		return err
	}
	pic := v.Logo(app.Title, app.Image)
	m := recordMain{
		Name: app.Title, Description: app.Description, Website: app.Link, Logo: &pic, Aliases: app.Aliases, Image: app.Image,
		State: v.stateFor(app.Status, app.StatusSince, app.StatusNote, v.appNamed(app.Successor)),
	}
	platforms := fact{Label: v.T("fact.platforms"), IsList: true}
	for _, platform := range app.Platforms {
		platforms.Values = append(platforms.Values, value{Text: v.T("platform." + string(platform))})
	}
	m.Facts, m.Compare = v.placesOf(app), v.comparison(comparedApps.parameter, []string{app.Key})
	v.Description = v.T("app.description", "name", app.Title)
	appRecord.show(v, app.Key, m, app, map[string][]fact{"platforms": {platforms}})
	return nil
}

// appNamed returns the name and page of an app by its key, nil for none.
func (v *view) appNamed(key string) *named {
	app := snapshot.Details[snapshot.App](v.snapshot, query.KindApp, key, v.localized())
	if key == "" || app == nil {
		return nil
	}
	return &named{app.Title, v.At("/apps/" + app.Key)}
}

// placesOf returns the fact that names the menus with cards of an app, nil for none.
func (v *view) placesOf(app *snapshot.App) []fact {
	in := fact{Label: v.T("fact.menus"), IsList: true}
	for _, place := range app.Menus {
		name := place.Menu
		for _, menu := range v.cardIndex().menus {
			if menu.Value == place.Menu {
				name = menu.Name
			}
		}
		in.Values = append(in.Values, value{Text: name, Path: v.itemPath(place.Menu, place.Item)})
	}
	if in.Values == nil {
		return nil
	}
	return []fact{in}
}

// addChildren adds the names of the children of the chain.
func (m *chainMain) addChildren(v *view) {
	for i, slug := range m.Chain.Children {
		child := v.chainNamed(slug)
		switch {
		case child == nil || i >= childrenMost:
			m.Unnamed++
		case i < childrenFirst:
			m.Children = append(m.Children, *child)
		default:
			m.More = append(m.More, *child)
		}
	}
}

// chainNamed returns the name and page of a chain by its slug, nil for none.
func (v *view) chainNamed(slug string) *named {
	if slug == "" {
		return nil
	}
	chain := snapshot.Details[snapshot.Chain](v.snapshot, query.KindChain, slug, v.localized())
	if chain == nil {
		return nil
	}
	return &named{chain.Name, v.At("/chains/" + chain.Slug)}
}

// largestFigures returns the largest value of each figure of live chains.
func (v *view) largestFigures() map[string]float64 {
	largest := map[string]float64{}
	for key, order := range map[domain.FigureName]query.Sort{domain.FigureTVL: query.SortTVL, domain.FigurePlatforms: query.SortPlatforms} {
		list := v.one(query.KindChain, "")
		list.Sort = order
		for _, row := range snapshot.Rows[snapshot.ChainRow](v.snapshot, list).Rows {
			if chain := snapshot.Details[snapshot.Chain](v.snapshot, query.KindChain, row.Slug, v.localized()); chain != nil {
				figure, _ := chain.Figures.Get(string(key))
				largest[string(key)] = figure.Value
			}
		}
	}
	return largest
}

// appsOf returns the first apps of a chain, the number of all, and their list. In a catalogue without
// apps, they are its cards, each address once.
func (v *view) appsOf(slug string) (some []entry, n int, of section) {
	if v.Has(apps.name) {
		list := v.one(query.KindApp, "")
		list.Filters, list.Page.Limit = []query.Filter{{Name: "chain", Value: slug}}, appsOfChain
		page := snapshot.Rows[snapshot.AppRow](v.snapshot, list)
		for _, app := range page.Rows {
			e := v.appEntry(app, chainIndex{})
			e.More = "" // all run on this chain
			some = append(some, e)
		}
		return some, page.Total, apps
	}
	list := v.one(query.KindCard, "")
	list.Filters, list.Page.Limit = []query.Filter{{Name: "chain", Value: slug}}, 4*appsOfChain
	page := snapshot.Rows[snapshot.CardRow](v.snapshot, list)
	var distinct []snapshot.CardRow
	for _, card := range page.Rows {
		same := func(other snapshot.CardRow) bool { return other.Link == card.Link }
		if len(some) < appsOfChain && !slices.ContainsFunc(distinct, same) {
			distinct = append(distinct, card)
			some = append(some, v.cardEntry(card.MenuCard, card.Status))
		}
	}
	return some, page.Total, cards
}

// eip155 returns the EIP-155 ID of a chain with one of the EVM categories, to which wallets
// can connect.
func eip155(c *snapshot.Chain, evm []string) (*big.Int, bool) {
	isEVM := slices.ContainsFunc(c.Categories, func(key string) bool { return slices.Contains(evm, key) })
	if !isEVM || strings.Trim(c.ChainID, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(c.ChainID, 10)
}

// chainIDs returns all forms of the ID of a chain.
func chainIDs(c *snapshot.Chain, evm []string) []chainID {
	number, ok := eip155(c, evm)
	switch {
	case ok:
		return []chainID{{"decimal", c.ChainID}, {"hex", "0x" + number.Text(16)}, {"caip2", "eip155:" + number.String()}}
	case strings.Contains(c.ChainID, ":"):
		return []chainID{{"caip2", c.ChainID}}
	}
	return []chainID{{"plain", c.ChainID}}
}

// reach is the state of an endpoint.
type reach struct{ Text, Class string }

// Reach returns the state of an endpoint, nil for an unknown one. That it is up is no news, so its text
// is inconspicuous.
func (v *view) Reach(e snapshot.Endpoint) *reach {
	switch e.State {
	case "up":
		return &reach{v.T("rpc.up"), "facts"}
	case "down":
		return &reach{v.T("rpc.down", "date", v.Date(string(e.StateSince))), "state down"}
	}
	return nil
}

// endpointView is the data of the template "endpoint".
type endpointView struct {
	snapshot.Endpoint
	Copy  *copied
	Reach *reach
}

// Endpoint returns an endpoint with its button and state.
func (v *view) Endpoint(e snapshot.Endpoint) endpointView {
	return endpointView{e, v.Copy(e.URL, e.URL), v.Reach(e)}
}

// wallet returns the parameter of wallet_addEthereumChain (EIP-3085) for a chain, "" if its
// record does not have all that wallets need. icon is the address of its logo, "" for none.
func wallet(c *snapshot.Chain, evm []string, icon string) string {
	number, ok := eip155(c, evm)
	if !ok || c.Currency == nil {
		return ""
	}
	var parameter struct {
		ChainID   string             `json:"chainId"`
		Name      string             `json:"chainName"`
		Currency  *snapshot.Currency `json:"nativeCurrency"`
		RPC       []string           `json:"rpcUrls"`
		Explorers []string           `json:"blockExplorerUrls,omitempty"`
		Icons     []string           `json:"iconUrls,omitempty"`
	}
	isHTTPS := func(address string) bool { return strings.HasPrefix(address, "https://") } // wallets accept nothing else
	parameter.ChainID, parameter.Name, parameter.Currency = "0x"+number.Text(16), c.Name, c.Currency
	for _, e := range c.RPC {
		if isHTTPS(e.URL) && e.State != "down" {
			parameter.RPC = append(parameter.RPC, e.URL)
		}
	}
	if len(parameter.RPC) == 0 {
		return ""
	}
	for _, link := range c.Links {
		if link.Type == "explorer" && isHTTPS(link.URL) {
			parameter.Explorers = append(parameter.Explorers, link.URL)
		}
	}
	if isHTTPS(icon) {
		parameter.Icons = []string{icon}
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(parameter) // it has strings and a finite number
	return strings.TrimSpace(out.String())
}

// Addresses of accounts and channels where they live.
const (
	onX       = "https://x.com/"
	onYouTube = "https://www.youtube.com/channel/"
)

// followers is the key of the figure of accounts.
const followers = string(domain.FigureFollowers)

func accountPage(v *view) error {
	account, err := recordOf[snapshot.Account](v, query.KindUser, "there is no account with this handle")
	if err != nil {
		return err
	}
	m := recordMain{
		Name: account.Name, Description: account.Description, Website: account.Website, Scale: v.T("figures.scale.accounts"),
		Handle: "@" + account.Handle, Outside: onX + account.Handle,
		Figures: v.figures(account.Figures, map[string]float64{followers: v.mostFollowers()}),
	}
	handle := v.copyable(m.Handle)
	handle.IsCode, handle.URL, handle.Note = false, m.Outside, "x.com"
	v.Description = v.T("account.description", "name", account.Name, "handle", account.Handle)
	accountRecord.show(v, account.Handle, m, account, map[string][]fact{"handle": {textFact(v.T("fact.handle"), handle)}})
	return nil
}

func channelPage(v *view) error {
	channel, err := recordOf[snapshot.Channel](v, query.KindChannel, "there is no channel with this id")
	if err != nil {
		return err
	}
	m := recordMain{
		Name: channel.Name, Description: channel.Description, Website: channel.Website,
		ID: channel.ChannelID, Outside: onYouTube + channel.ChannelID,
		Figures: v.figures(channel.Figures, nil),
	}
	v.Description = v.T("channel.description", "name", channel.Name)
	channelRecord.show(v, channel.ChannelID, m, channel, map[string][]fact{"channel_id": {
		textFact(v.T("fact.channel"), value{Text: channel.Name, URL: m.Outside, Note: "youtube.com"}),
		textFact(v.T("id.channel"), v.copyable(channel.ChannelID)),
	}})
	return nil
}

// tagged returns the list of a section filtered by a category.
func (v *view) tagged(of section, category string) string {
	return withQuery(v.At(of.path), url.Values{"tag": {category}}.Encode())
}

// figures returns the figures of a record with their shares of the largest values.
func (v *view) figures(all snapshot.Object[snapshot.Figure], largest map[string]float64) []figureItem {
	var items []figureItem
	for _, f := range all {
		items = append(items, v.figure(f.Name, f.Value, largest))
	}
	return items
}

func (v *view) figure(name string, f snapshot.Figure, largest map[string]float64) figureItem {
	item := figureItem{Label: v.Figure(domain.FigureName(name)), Value: v.number(f.Value), Source: v.Source(f.Source), Date: v.Date(string(f.AsOf))}
	if name == string(domain.FigureTVL) {
		item.Value = v.Money(f.Value)
	}
	item.Share, item.HasBar = share(f.Value, largest[name])
	return item
}

// indented returns valid JSON with indentation, "" for none.
func indented(raw []byte) string {
	var out bytes.Buffer
	_ = json.Indent(&out, raw, "", "  ") // fails only for ""
	return out.String()
}

// cutShort returns at most 160 characters of a description. In scripts with spaces it cuts
// between words.
func cutShort(text string) string {
	const most = 160
	if len(text) <= most {
		return text
	}
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	cut := string(letters[:most-1])
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)/2 && letters[most-1] != ' ' {
		cut = cut[:space]
	}
	return strings.TrimSpace(cut) + "…"
}
