package catalog

// Severity says whether a problem keeps a catalogue from being published.
type Severity string

// The severities, as `vitrine check` prints them.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Kind names a list of records of a catalogue.
type Kind string

// The kinds of records. KindCatalog has the catalogue's own fields (title,
// locales) and one record, at index 0.
const (
	KindCatalog  Kind = "catalog"
	KindGroup    Kind = "groups"     // dimension groups
	KindCategory Kind = "categories" //
	KindChain    Kind = "chains"
	KindAccount  Kind = "twitter"
	KindChannel  Kind = "youtube"
	KindNavGroup Kind = "nav"
	KindMenu     Kind = "menus"
)

// Ref points into a catalogue: a record and, within it, a field. Path has the
// names that the editors write (`name`, `zh-hans`, `categories`) and decimal
// indices, from the record down; empty means the record as a whole.
type Ref struct {
	Kind  Kind
	Index int // in the catalogue's slice of that kind
	Path  []string
}

// Problem is one thing that is wrong or doubtful, in words for an editor:
// Message says what is wrong, Remedy what to do about it. Rule is one of the
// names in [Rules]; the severity is the rule's.
type Problem struct {
	At      Ref
	Rule    Rule
	Message string
	Remedy  string
}
