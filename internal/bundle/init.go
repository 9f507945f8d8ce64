package bundle

import (
	"embed"
	"io/fs"
	"os"
	"strings"

	"vitrine/schema"
)

//go:embed starter
var starter embed.FS

// editorSettings tell Visual Studio Code which schema a JSON file has; YAML
// files name theirs in the first line.
const editorSettings = `{
  "json.schemas": [
    {"fileMatch": ["/catalog.json"], "url": "./.vitrine/schema/catalog.json"},
    {"fileMatch": ["/categories.json"], "url": "./.vitrine/schema/categories.json"},
    {"fileMatch": ["/chains.json", "/chains/**/*.json"], "url": "./.vitrine/schema/chains.json"},
    {"fileMatch": ["/twitter.json", "/twitter/**/*.json"], "url": "./.vitrine/schema/twitter.json"},
    {"fileMatch": ["/youtube.json", "/youtube/**/*.json"], "url": "./.vitrine/schema/youtube.json"},
    {"fileMatch": ["/nav.json"], "url": "./.vitrine/schema/nav.json"},
    {"fileMatch": ["/nav/*.json"], "url": "./.vitrine/schema/menu.json"}
  ]
}
`

// Init writes a small, commented catalogue to start from into dir, which is
// made if it is missing and must be empty, with the schemas and the settings
// that make an editor's program complete and check what is written.
func Init(dir string) error {
	first, err := starter.ReadFile("starter/catalog.yaml")
	if err != nil {
		return err
	}
	return create(dir, func(root *os.Root) error {
		if err := copyFiles(root, starter, "starter", ""); err != nil {
			return err
		}
		if err := copyFiles(root, schema.FS, ".", ".vitrine/schema/"); err != nil {
			return err
		}
		return writeFile(root, ".vscode/settings.json", []byte(editorSettings))
	}, document{"catalog.yaml", first})
}

// copyFiles copies the files below a folder of an embedded file system.
func copyFiles(root *os.Root, from embed.FS, folder, to string) error {
	return fs.WalkDir(from, folder, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == "starter/catalog.yaml" {
			return err
		}
		data, err := from.ReadFile(name)
		if err != nil {
			return err
		}
		return writeFile(root, to+strings.TrimPrefix(name, folder+"/"), data)
	})
}
