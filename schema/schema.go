// Package schema holds the JSON Schemas (draft 2020-12) of a catalogue directory, for
// completion, hints and early errors in editors. There is one of each file, and one of each
// record of a long list, which is a line of NDJSON. Package reference generates them.
//
// It must not know any other package. What it exports is read only.
package schema

import (
	"embed"
	"strings"
)

// FS holds the schemas as <name>.json. They refer to one another by file name.
//
//go:embed *.json
var FS embed.FS

// Names returns the names of the schemas, without the extension, sorted.
func Names() []string {
	files, _ := FS.ReadDir(".") // an embedded folder is readable
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".json")
	}
	return names
}
