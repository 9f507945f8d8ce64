package bundle

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"vitrine/internal/domain"
	"vitrine/schema"
)

//go:embed starter
var starter embed.FS

// editorSettings maps JSON files to their schemas for Visual Studio Code. YAML files name theirs
// in the first line.
func editorSettings() []byte {
	var b bytes.Buffer
	b.WriteString("{\n  \"json.schemas\": [")
	comma := ""
	for _, name := range tops() {
		patterns := fmt.Sprintf("%q", "/"+name+".json")
		if kindOf(name).Long {
			patterns += fmt.Sprintf(", %q", "/"+name+"/**/*.json")
		}
		fmt.Fprintf(&b, "%s\n    {\"fileMatch\": [%s], \"url\": \"./.vitrine/schema/%s.json\"}", comma, patterns, name)
		comma = ","
	}
	for _, d := range domain.Descriptions() {
		if d.Folder != "" && !d.Raw {
			fmt.Fprintf(&b, ",\n    {\"fileMatch\": [%q], \"url\": \"./.vitrine/schema/%s.json\"}", "/"+d.Folder+"/*.json", d.Names[0])
		}
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes()
}

// Init writes a small, commented starter catalogue into dir, which must be empty or missing, with
// the schemas and the settings for completion and checks in editors.
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
		return writeFile(root, ".vscode/settings.json", editorSettings())
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
