// Package schema holds the JSON Schemas (draft 2020-12) of a catalogue
// directory, for the programs in which editors write it: completion, hints and
// early errors. They describe shapes; what they say of a document, package
// bundle says too, and a test there holds the two together. Validity is
// domain.Check's to judge.
//
// It must not know any other package. What it exports is read only.
package schema

import "embed"

// FS holds the schemas as <name>.json. They refer to one another by file name,
// so they must lie in one folder.
//
//go:embed *.json
var FS embed.FS

// Names returns the names of the schemas, without the ending: those of files
// first, then those of one record of a long list, which a line of NDJSON is.
func Names() []string {
	return []string{
		"catalog", "categories", "chains", "apps", "twitter", "youtube", "nav", "menu",
		"chain", "app", "account", "channel",
	}
}
