package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"vitrine/test/internal/trial"
)

// edits are mutations of one snippet that occurs once in a file.
var edits = []struct {
	class, name, path, old, new, pkg, tests, word string
}{
	{"response", "a member that is not documented", "internal/snapshot/views.go", "type ChainRow struct {\n", "type ChainRow struct {\n\tColour string `json:\"colour\"`\n",
		"internal/snapshot", "^TestSchemasAreTheViews$", "colour"},
	{"operation", "an operation that is not documented", "internal/operations/routes.go",
		"\t\tlistOperation(\"listCards\"", "\t\tlistOperation(\"listBridges\", \"/api/open/bridges\", query.KindCard),\n\t\tlistOperation(\"listCards\"",
		"internal/operations", "^TestTableIsTheDocument$", "listBridges"},
	{"operation", "a template with two parameters", "internal/operations/routes.go", "\"/api/open/apps/{app}\"", "\"/api/open/apps/{app}/{card}\"",
		"internal/operations", "^TestOptions$", "getApp"},
	{"view", "cards without the status of their app", "internal/snapshot/cards.go", "one.status, one.links = app.Status, app.Links", "one.links = app.Links",
		"internal/operations", "^TestResponsesEqualTheOracle$", "status"},
	{"view", "cards without the links of their app", "internal/snapshot/cards.go", "one.status, one.links = app.Status, app.Links", "one.status = app.Status",
		"internal/operations", "^TestResponsesEqualTheOracle$", "links"},
	{"facets", "a list without a module", "internal/snapshot/cards.go", "\t\tmodule:    domain.ModuleItem,\n", "",
		"internal/operations", "^TestResponsesEqualTheOracle$", "facets"},
	{"list", "a list without a source", "internal/snapshot/source.go", "c.channelSource(), ", "", "internal/snapshot", "^TestSourcesAreTheParameters$", "channel"},
}

// editGroups has a group for each of the edits.
func editGroups(root string) []group {
	var all []group
	for _, e := range edits {
		all = append(all, group{
			files: map[string]string{e.path: replaced(root, e.path, e.old, e.new)}, pkg: e.pkg, tests: e.tests,
			mutations: []mutation{{e.class, e.name, e.word}},
		})
	}
	return all
}

// wordGroup returns a group with a mutation of each text of one language: it is missing.
func wordGroup(root string) group {
	const language, name = "ja", "\t\tname := strings.TrimSuffix(entry.Name(), \".json\")\n"
	var file struct{ Texts map[string]any }
	trial.Check(json.Unmarshal([]byte(read(root, "internal/site/words/"+language+".json")), &file))
	g := namedGroup(root, "word", "internal/site/words.go", name,
		name+"\t\tmaps.DeleteFunc(d.Texts, func(key string, _ forms) bool { return name == \""+language+"\" && mutated(key) })\n",
		"internal/site", "^Test(EveryTextInEveryLanguage|WordsOfAllLanguages)$", slices.Sorted(maps.Keys(file.Texts)))
	return g
}

// groups returns all mutations. It panics with [trial.Check] if one does not apply.
func groups(root string) []group {
	return slices.Concat(fieldGroups(root), viewGroups(root), documentGroups(root), checkGroups(root), editGroups(root), []group{wordGroup(root)})
}

// fieldGroups has mutations of the fields of records, by their descriptions.
func fieldGroups(root string) []group {
	all := fields(root)
	where := func(ok func(field) bool) []field {
		return slices.DeleteFunc(slices.Clone(all), func(f field) bool { return !ok(f) })
	}
	const everyField = "^TestEveryFieldIsComparedAndWritten$"
	return []group{
		fieldGroup(root, "equality", "internal/domain/shape.go", "if !f.Equal(a, b) {", "if !f.Mutated() && !f.Equal(a, b) {",
			"internal/domain", everyField, all),
		fieldGroup(root, "written", "internal/domain/type.go", "if !f.InFileName && !f.Type", "if !f.Mutated() && !f.InFileName && !f.Type",
			"internal/domain", everyField, where(func(f field) bool { return f.Written })),
		fieldGroup(root, "search", "internal/domain/shape.go", "case !f.Searched:", "case !f.Searched || f.Mutated():",
			"internal/domain", "^TestSearchedFieldsAreFound$", where(func(f field) bool { return f.Searched })),
		conjunctGroup(root, "equality", "internal/snapshot/cards.go", "a.item == b.item", "internal/snapshot", "^TestEveryFieldMakesRecordsDiffer$"),
	}
}

// viewGroups has mutations of views: a value that is not set, on pages and in tools too, and a
// member that is not encoded.
func viewGroups(root string) []group {
	const views = "internal/snapshot/views.go"
	derived := []string{ // keys, and members that come from several fields or whose field has two members
		"slug", "handle", "channelId", "key", "twitterCategory", "youtubeCategory", "chain_id", "llama_tvl", "platforms", "followers_count",
		"figures", "children", "sameId", "menus",
	}
	return []group{
		viewGroup(root, "view", views, "internal/operations", "^(TestResponsesEqualTheOracle|TestMembersAreTheDocument|TestGolden)$"),
		recordGroup(root, "page", views, "internal/site", "^TestRecordPagesShowEveryField$",
			[]string{"Chain", "Account", "Channel"}, append(slices.Clip(derived), "_id", "former", "logo")),
		recordGroup(root, "tool", views, "internal/mcp", "^TestToolsShowEveryField$",
			[]string{"Chain", "Account", "Channel", "App"}, append(slices.Clip(derived), "AccountRow.Categories", "ChannelRow.Categories")),
		memberGroup(root, "response", views, "internal/snapshot/encode.go",
			"t.Field(i)); ok {", "t.Field(i)); ok && !mutated(t.Name()+\".\"+t.Field(i).Name) {",
			"internal/snapshot", "^Test(EncodeWritesEveryField|SchemasAreTheViews)$"),
	}
}

// documentGroups has mutations of the OpenAPI document and of the table of operations.
func documentGroups(root string) []group {
	var operations, views, bulk, others []entry
	for _, e := range documented(root) {
		if strings.HasPrefix(e.schema, "Bulk") && e.schema != "Bulk" { // Bulk is a view
			bulk = append(bulk, e)
			continue
		}
		switch e.schema {
		case "":
			operations = append(operations, e)
		case "ChainsResponse", "TwitterUsersResponse", "YouTubeChannelsResponse", "CardsResponse", "AppsResponse",
			"Index", "IndexEntry", "Problem", "SearchTotals", "Figures": // no views
			others = append(others, e)
		case "OpenAPIDocument": // which may have any member
		case "TwitterUserList", "TwitterUserDetailsList", "ChainList", "ChainDetailsList", "YouTubeChannelList", "YouTubeChannelDetailsList",
			"AppList", "AppDetailsList": // forms of the lists above
			others = append(others, e)
		default:
			views = append(views, e)
		}
	}
	const routes, table = "internal/operations/routes.go", "func operations() []operation {\n"
	const filtered = table + "\treturn slices.DeleteFunc(allOperations(), func(op operation) bool { return mutated(op.name) })\n}\n\nfunc allOperations() []operation {\n"
	return []group{
		namedGroup(root, "operation", routes, table, filtered, "internal/operations", "^TestTableIsTheDocument$", operationNames(root)),
		documentGroup(root, "document", "internal/operations", "^TestTableIsTheDocument$", operations),
		documentGroup(root, "document", "internal/snapshot", "^TestSchemasAreTheViews$", views),
		documentGroup(root, "document", "internal/distribution", "^TestSchemasAreThePointer$", bulk),
		documentGroup(root, "document", "internal/operations", "^Test(EveryResponseKeepsTheContract|ListsHaveTheirRecords)$", others),
	}
}

// checkGroups has mutations of checks: the problems of a rule are not reported.
func checkGroups(root string) []group {
	const problems, keep = "internal/domain/problem.go", "\tc[r]++\n"
	const dropped = "\tif mutated(string(r)) {\n\t\treturn false\n\t}\n" + keep
	reading, checking := rules(root)
	return []group{
		namedGroup(root, "check", problems, keep, dropped, "internal/domain",
			"^Test(Check(Catalog|Texts|Registry|Lists|Nav|Details|Status|Links|FindsNameCollisions)|Acceptances|OldFigures|ConfusableNames|FiguresOfTheFuture)$", checking),
		namedGroup(root, "check", problems, keep, dropped, "internal/bundle",
			"^Test(Faults|Places|ForeignContent|Unreadable|CausesOfBroken.*|InterruptedWritesAreNoCatalogue)$", reading),
	}
}
