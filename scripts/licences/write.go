package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

const heading = `# Software of others in the binary

Made by ` + "`make licences`" + `, and held against the code by a test of ` + "`scripts/licences`" + `. These are the modules that are
linked into ` + "`vitrine`" + ` for Linux, with the licences that their files name. Pass this file on with the binary. What is used for
tests and tools only is not part of it; [NOTICE](NOTICE) has the sources of the bundled catalogue.

| Module | Version | Licences |
|---|---|---|
`

// write writes the list, and each distinct text once.
func write(to io.Writer, modules []module) error {
	w := bufio.NewWriter(to)
	fmt.Fprint(w, heading)
	for _, m := range modules {
		fmt.Fprintf(w, "| %s | %s | %s |\n", m.path, m.version, strings.Join(m.licences, ", "))
	}
	var order []string // of the texts, by first use
	users := map[string][]string{}
	for _, m := range modules {
		for _, t := range m.texts {
			if users[t.content] == nil {
				order = append(order, t.content)
			}
			users[t.content] = append(users[t.content], m.path+", "+t.name)
		}
	}
	for _, content := range order {
		fmt.Fprintf(w, "\n## %s\n\n", strings.Join(users[content], "; "))
		for line := range strings.Lines(content) {
			fmt.Fprintln(w, strings.TrimRight("    "+strings.TrimRight(line, "\n"), " \t"))
		}
	}
	return w.Flush()
}
