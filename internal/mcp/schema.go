package mcp

// Schemas of the results of tools. Records may have more fields than those named here: see
// docs/api.md.

var (
	aString  = object{"type": "string"}
	anInt    = object{"type": "integer"}
	aFigure  = object{"type": "number"}
	aStrings = object{"type": "array", "items": aString}
	anObject = object{"type": "object"}
)

// record returns the schema of an object with fields, some of them required.
func record(fields object, required ...string) object {
	s := object{"type": "object", "properties": fields}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func listOf(items object) object { return object{"type": "array", "items": items} }

// outputSchema returns the JSON Schema of the structured content of the tool. Only lists
// have a total, and only tools with filters report unknown arguments.
func (t tool) outputSchema() object {
	fields := object{
		"revision": anInt, "publishedAt": aString, "locale": aString, "data": t.data,
		"left_out": anObject,
	}
	required := []string{"revision", "publishedAt", "locale", "data"}
	if t.takes(offsetParam) {
		fields["total"], fields["offset"] = anInt, anInt
		required = append(required, "total", "offset")
	}
	if t.takes(tagParam) {
		fields["unknown"] = listOf(anObject)
	}
	return record(fields, required...)
}

// listData is of a list with records of one kind.
func listData(name string, row object, searched bool) object {
	fields := object{name: listOf(row)}
	if searched {
		fields["figures"], fields["facets"], fields["didYouMean"] = listOf(anObject), listOf(anObject), aStrings
	}
	return record(fields, name)
}

// The schemas of the data of tools, and of rows.
var (
	aboutData = record(object{"title": aString, "defaultLocale": aString, "locales": aStrings, "counts": anObject, "figures": listOf(figureAge)},
		"title", "defaultLocale", "locales", "counts")
	figureAge = record(object{"figure": aString, "source": aString, "records": anInt, "oldest": aString, "newest": aString}, "figure", "source")

	searchData = record(object{"results": listOf(searchRow), "totals": anObject, "didYouMean": aStrings, "corrected": aString, "relaxed": aStrings}, "results", "totals")
	searchRow  = record(object{"kind": aString, "key": aString, "title": aString, "description": aString, "url": aString, "href": aString, "matched": aString},
		"kind", "key", "title", "href")

	changesData = record(object{"from": anInt, "to": anInt, "changes": listOf(changeRow)}, "from", "to")
	changeRow   = record(object{"kind": aString, "key": aString, "was": aString, "change": aString, "fields": aStrings, "title": aString}, "kind", "key", "change")

	chainRow  = record(object{"slug": aString, "name": aString, "chain_id": aString, "categorySlugs": aStrings, "llama_tvl": aFigure}, "slug", "name", "chain_id")
	chainData = record(object{
		"slug": aString, "name": aString, "chain_id": aString, "categorySlugs": aStrings, "llama_tvl": aFigure, "description": aString,
		"status": object{"enum": []string{"live", "upcoming", "retired"}}, "website": aString, "links": listOf(anObject), "rpc": listOf(anObject),
		"nativeCurrency": anObject, "parent": aString, "successor": aString, "figures": anObject,
	}, "slug", "name", "chain_id", "status")

	accountsData = record(object{ // with one of the first two
		"users": listOf(accountRow), "channels": listOf(record(object{"channelId": aString}, "channelId", "name")),
		"figures": listOf(anObject), "facets": listOf(anObject), "didYouMean": aStrings,
	})
	accountRow = record(object{"handle": aString, "name": aString, "description": aString, "categorySlugs": aStrings, "followers_count": aFigure}, "handle", "name")

	cardsData = record(object{ // with one of the first two
		"cards": listOf(cardRow), "apps": listOf(appRow), "facets": listOf(anObject), "didYouMean": aStrings,
	})
	cardRow = record(object{
		"id": aString, "title": aString, "description": aString, "link": aString, "menu": aString, "item": aString, "categorySlugs": aStrings, "chains": aStrings,
	}, "id", "title", "link", "menu", "item")
	appRow = record(object{"key": aString, "status": aString, "platforms": aStrings}, "key", "title", "link", "status") // and title, link and so on as cards have them

	menuData    = record(object{"menuSlug": aString, "title": aString, "description": aString, "groups": listOf(anObject), "standalone": listOf(anObject), "totalMenus": anInt})
	categoryRow = record(object{"key": aString, "name": aString, "parent": object{"type": []string{"string", "null"}}, "priority": aFigure, "scopes": aStrings}, "key", "name")
)
