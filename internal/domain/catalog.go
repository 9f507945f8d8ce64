// Package domain defines catalogues: their records, which catalogues are valid ([Check]), how two
// of them differ ([Diff]), and how the editors' layer and the observed figures are merged
// ([Merge]).
//
// It must not know how a catalogue is written (package bundle), stored (package store) or served
// (package snapshot): it has no struct tags, no file positions and no I/O.
//
// A *Catalog is immutable once it is complete, and safe to share.
package domain

// Module is a domain that categories classify. It is also the value of the parameters `scope` and
// `module`.
type Module string

// The modules, as docs/api.md#categories names them.
const (
	ModuleChain   Module = "chain"
	ModuleTwitter Module = "twitter"
	ModuleYouTube Module = "youtube"
	ModuleItem    Module = "item"
)

// Modules returns all modules in the order of responses.
func Modules() []Module {
	return []Module{ModuleChain, ModuleTwitter, ModuleYouTube, ModuleItem}
}

// Catalog is a complete catalogue. Every slice has the order of the editors; package snapshot
// sorts the lists that responses sort.
type Catalog struct {
	Title         Text
	DefaultLocale string
	Locales       []string // as spelled by the editors; includes DefaultLocale
	Licences      []Licence
	Sources       []Source
	EditURL       string   // template of addresses for editing records, "" for none (see [EditLink])
	LinkSchemes   []string // allowed URL schemes of links in addition to http(s), lower case
	Search        *SearchRules
	Roles         *Roles // nil for none
	Site          *Site  // nil for the defaults
	MaxAge        *MaxAges
	Accept        []Acceptance
	Gate          *GateSettings // nil for the defaults
	Expect        []Expectation
	PastIDs       []PastID // oldest first; publishing maintains them (see [KeepIDs])

	Groups     []Group
	Categories []Category
	Chains     []Chain
	Apps       []App
	Accounts   []*Account
	Channels   []Channel
	NavGroups  []NavGroup
	Menus      []Menu // in the order of PathSlug
	Assets     []Asset
}

// Kind is the name of a list of records of a catalogue.
type Kind string

// The kinds of records. KindCatalog has the catalogue's own fields (title, locales) and one
// record, at index 0.
const (
	KindCatalog  Kind = "catalog"
	KindGroup    Kind = "groups" // dimension groups
	KindCategory Kind = "categories"
	KindChain    Kind = "chains"
	KindApp      Kind = "apps"
	KindAccount  Kind = "twitter"
	KindChannel  Kind = "youtube"
	KindNavGroup Kind = "nav"
	KindMenu     Kind = "menus"
	KindAsset    Kind = "assets"
)

// lists describes the kinds with a list in Catalog, in the order of its fields. kindRules has the
// rules that fields do not describe.
var lists = []*Description{
	listed(KindGroup, groupShape, func(c *Catalog) *[]Group { return &c.Groups }).named("dimension groups", "group").
		inFile("categories", "groups").keyed(func(g any) string { return string(g.(*Group).Module) + "/" + g.(*Group).Key }),
	listed(KindCategory, categoryShape, func(c *Catalog) *[]Category { return &c.Categories }).named("categories", "category").
		inFile("categories", "categories"),
	listed(KindChain, chainShape, func(c *Catalog) *[]Chain { return &c.Chains }).named("chains", "chain").
		longList().identified(func(c any) string { return c.(*Chain).StableID() }),
	listed(KindApp, appShape, func(c *Catalog) *[]App { return &c.Apps }).named("apps", "app").longList(),
	listedShared(KindAccount, accountShape, func(c *Catalog) *[]*Account { return &c.Accounts }).
		named("accounts", "account", "accounts", "user", "users").longList().foldingKeys(),
	listed(KindChannel, channelShape, func(c *Catalog) *[]Channel { return &c.Channels }).named("channels", "channel", "channels").
		longList().caseSensitive(),
	listed(KindNavGroup, navGroupShape, func(c *Catalog) *[]NavGroup { return &c.NavGroups }).named("nav groups", "nav-group", "nav-groups").
		inFile("nav", "groups").ordered().addressed("slug"),
	withIDs(listed(KindMenu, menuShape, func(c *Catalog) *[]Menu { return &c.Menus }).named("menus", "menu").inFolder("nav"), Menu.WithIDs),
	listed(KindAsset, assetShape, func(c *Catalog) *[]Asset { return &c.Assets }).named("assets", "asset").inFolder("assets").raw(),
}
