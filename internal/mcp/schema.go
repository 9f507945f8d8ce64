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

func figures() object {
	return listOf(record(object{"figure": aString, "source": aString, "records": anInt, "oldest": aString, "newest": aString}, "figure", "source"))
}

func aboutData() object {
	return record(object{"title": aString, "defaultLocale": aString, "locales": aStrings, "counts": anObject, "figures": figures()},
		"title", "defaultLocale", "locales", "counts")
}

// listData is of a list with records of one kind.
func listData(name string, row object, searched bool) object {
	fields := object{name: listOf(row)}
	if searched {
		fields["figures"], fields["facets"], fields["didYouMean"] = listOf(anObject), listOf(anObject), aStrings
	}
	return record(fields, name)
}

func searchData() object {
	row := record(object{"kind": aString, "key": aString, "title": aString, "description": aString, "url": aString, "href": aString, "matched": aString},
		"kind", "key", "title", "href")
	return record(object{"results": listOf(row), "totals": anObject, "didYouMean": aStrings, "corrected": aString, "relaxed": aStrings}, "results", "totals")
}

func changesData() object {
	row := record(object{"kind": aString, "key": aString, "was": aString, "change": aString, "fields": aStrings, "title": aString}, "kind", "key", "change")
	return record(object{"from": anInt, "to": anInt, "changes": listOf(row)}, "from", "to")
}

func chainRow() object {
	return record(object{"slug": aString, "name": aString, "chain_id": aString, "categorySlugs": aStrings, "llama_tvl": aFigure},
		"slug", "name", "chain_id")
}

func chainData() object {
	return record(object{
		"slug": aString, "name": aString, "chain_id": aString, "categorySlugs": aStrings, "llama_tvl": aFigure, "description": aString,
		"status": object{"enum": []string{"live", "upcoming", "retired"}}, "website": aString, "links": listOf(anObject), "rpc": listOf(anObject),
		"nativeCurrency": anObject, "parent": aString, "successor": aString, "figures": anObject,
	}, "slug", "name", "chain_id", "status")
}

func accountsData() object {
	row := object{"handle": aString, "name": aString, "description": aString, "categorySlugs": aStrings, "followers_count": aFigure}
	return record(object{ // with one of the first two
		"users": listOf(record(row, "handle", "name")), "channels": listOf(record(object{"channelId": aString}, "channelId", "name")),
		"figures": listOf(anObject), "facets": listOf(anObject), "didYouMean": aStrings,
	})
}

func cardsData() object {
	card := object{"id": aString, "title": aString, "description": aString, "link": aString, "menu": aString, "item": aString, "categorySlugs": aStrings, "chains": aStrings}
	app := object{"key": aString, "status": aString, "platforms": aStrings} // and title, link and so on as cards have them
	return record(object{                                                   // with one of the first two
		"cards": listOf(record(card, "id", "title", "link", "menu", "item")), "apps": listOf(record(app, "key", "title", "link", "status")),
		"facets": listOf(anObject), "didYouMean": aStrings,
	})
}

func menuData() object {
	return record(object{"menuSlug": aString, "title": aString, "description": aString, "groups": listOf(anObject), "standalone": listOf(anObject), "totalMenus": anInt})
}

func categoryRow() object {
	return record(object{"key": aString, "name": aString, "parent": object{"type": []string{"string", "null"}}, "priority": aFigure, "scopes": aStrings}, "key", "name")
}
