package cli

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/schema"
)

type initCmd struct {
	Dir string `arg:"" help:"Directory to write, which must be empty or not exist."`
}

func (c *initCmd) Run(to streams) error {
	if err := writeError(bundle.Init(c.Dir)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to.out, "wrote a catalogue to %[1]s; try: vitrine check %[1]s && vitrine serve --catalog %[1]s\n", c.Dir)
	return err
}

type schemaCmd struct {
	Name string `arg:"" optional:"" help:"Name of the schema (default: print all names)."`
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
