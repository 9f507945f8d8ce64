package cli

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/schema"
)

type initCmd struct {
	Dir string `arg:"" help:"The directory to write; it must be empty or not exist yet."`
}

func (c *initCmd) Run(to streams) error {
	if err := bundle.Init(c.Dir); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to.out, "wrote a catalogue to %[1]s; try: vitrine check %[1]s && vitrine serve --catalog %[1]s\n", c.Dir)
	return err
}

type schemaCmd struct {
	Name string `arg:"" optional:"" help:"The schema's name; without it the names are printed."`
}

func (c *schemaCmd) Run(to streams) error {
	names := schema.Names()
	if c.Name == "" {
		_, err := fmt.Fprintln(to.out, strings.Join(names, "\n"))
		return err
	}
	name := strings.TrimSuffix(c.Name, ".json")
	if !slices.Contains(names, name) {
		return could{fmt.Errorf("there is no schema %q; there are: %s", c.Name, strings.Join(names, ", "))}
	}
	data, err := schema.FS.ReadFile(name + ".json")
	if err != nil {
		return err
	}
	_, err = to.out.Write(data)
	return err
}

type versionCmd struct{}

func (versionCmd) Run(to streams) error {
	_, err := fmt.Fprintln(to.out, version())
	return err
}

// version says in one line what this binary was built from, as far as the
// toolchain recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "vitrine, built without module information"
	}
	return describeBuild(info)
}

func describeBuild(info *debug.BuildInfo) string {
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	module := info.Main.Version
	if module == "" {
		module = "(devel)"
	}
	line := "vitrine " + module
	if revision := setting["vcs.revision"]; revision != "" {
		line += " revision " + revision
		if setting["vcs.modified"] == "true" {
			line += " (modified)"
		}
	}
	return fmt.Sprintf("%s %s %s/%s", line, info.GoVersion, setting["GOOS"], setting["GOARCH"])
}
