package domain

// Constructors of fields that several shapes share, and their properties.

// line is a line with a form, nil for any text.
func line[R any](name string, at func(*R) *string) *Field { return lineField(TypeLine, name, at) }

func writtenID[R any](at func(*R) *string) *Field {
	return lineField(TypeLine, idField, at).about("Stable internal id; derived if omitted")
}

// plainName is a name without translations.
func plainName[R any](at func(*R) *string) *Field {
	return lineField(TypeLine, "name", at).required()
}

// link is the URL of a page.
func link[R any](name string, at func(*R) *string) *Field { return lineField(TypeLink, name, at) }

// image is the URL of an image.
func image[R any](name string, at func(*R) *string) *Field { return link(name, at).usedFor(imageUse) }

// endpoint is an address that programs call.
func endpoint[R any](name string, at func(*R) *string) *Field {
	return link(name, at).usedFor(endpointUse)
}

// title is a text that is a label of the record.
func title[R any](name string, at func(*R) *Text) *Field {
	f := textField(name, at).required()
	f.label = true
	return f
}

// former is the field with former keys.
func former[R any](at func(*R) *[]string) *Field {
	return linesField(formerField, at).checksWithRecord().form(formKey).about("Previous keys or slugs, which still resolve to it", `["old-name"]`)
}

func statusField[R any](at func(*R) *Status) *Field {
	f := line("status", func(r *R) *string { return (*string)(at(r)) }).form(formStatus)
	f.Implied = string(StatusLive)
	return f.about("live (default), upcoming or retired; lists omit retired records unless requested", `"retired"`)
}

func olderField[R any](at func(*R) *Older) *Field {
	f := line("older", func(r *R) *string { return (*string)(at(r)) }).form(formOlder)
	f.Implied = string(OlderHold)
	return f.about("Effect on older figures: hold (default) omits them from lists, mark only warns", `"mark"`)
}

// website is the official website.
func website[R any](at func(*R) *string) *Field {
	return link("website", at).about("Official website", `"https://ethereum.org/"`)
}

func links[R any](at func(*R) *[]Link) *Field {
	return partsField(TypeParts, "links", linkShape, at).about("External links besides the website", `[{"type": "docs", "url": "https://docs.example.org/"}]`)
}

// platformNames is the field with the platforms of an app.
func platformNames[R any](at func(*R) *[]Platform) *Field {
	return wordsField("platforms", at).form(formPlatform).about("web, ios, android, desktop, extension or cli", `["web", "ios"]`)
}

// chainSlugs is a list of references to chains.
func chainSlugs[R any](at func(*R) *[]string) *Field {
	return linesField("chains", at).refersTo(KindChain).about("Slugs of the supported chains", `["ethereum", "base"]`)
}

func description[R any](name string, at func(*R) *Text) *Field {
	f := textField(name, at)
	f.multiline = true
	return f
}

// aliases is the field with the aliases of a record.
func aliases[R any](at func(*R) *[]string) *Field { return linesField("aliases", at).calls() }

// categoryKeys is the list of categories of a record of a module, with an example.
func categoryKeys[R any](module Module, example string, at func(*R) *[]string) *Field {
	return linesField("categories", at).refersTo(KindCategory).ofScope(module).
		about("Keys of categories with the scope "+string(module), example)
}

func (f *Field) checksWithRecord() *Field { f.checkedWithRecord = true; return f }
func (f *Field) usedFor(u linkUse) *Field { f.use = u; return f }
func (f *Field) refersTo(k Kind) *Field   { f.Refers, f.Form = k, formKey; return f }
func (f *Field) ofScope(m Module) *Field  { f.Scope = m; return f }
func (f *Field) required() *Field         { f.Required = true; return f }
func (f *Field) searched() *Field         { f.Searched = true; return f }
func (f *Field) calls() *Field            { f.Searched, f.Names = true, true; return f }
func (f *Field) formerLine() *Field       { f.wasLine = true; return f }
func (f *Field) counts() *Field           { f.Count = true; return f }
func (f *Field) atLeast(n float64) *Field { f.Min = n; return f }
func (f *Field) atMost(n float64) *Field  { f.Max = n; return f }
func (f *Field) names() *Field            { f.key, f.Required = true, true; return f }
func (f *Field) form(form *Form) *Field   { f.Form = form; return f }
func (f *Field) fromFileName() *Field     { f.InFileName = true; return f }
func (f *Field) requiredUnless(other string) *Field {
	f.Required, f.RequiredUnless = false, other
	return f
}
func (f *Field) about(what string, examples ...string) *Field {
	f.About, f.Examples = what, examples
	return f
}

// orElse sets the default of a line.
func orElse[R any](f *Field, standard func(*R) string) *Field {
	f.standard = func(r any) string { return standard(r.(*R)) }
	return f
}
