package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

var (
	// mentioned matches a command line of vitrine within a line of code.
	mentioned = regexp.MustCompile(`(?:^\s*|\$ |&& |\| |: |-u vitrine )(?:\./|bin/|/usr/local/bin/)?vitrine ((?:--)?[a-z][^\n|&;#>]*)`)
	codeSpan  = regexp.MustCompile("`[^`\\n]+`")
	flagName  = regexp.MustCompile(`(?:^|\s)--([a-z][a-z-]*)`)
	// advised is one in a message of the program.
	advised   = regexp.MustCompile(`(?:[Rr]un|[Tt]ry:?|see|&&) vitrine ((?:--)?[a-z][^\n|&;#>"]*)`)
	flagAlone = regexp.MustCompile("`--([a-z][a-z-]*)[^`]*`")
)

// TestDocumentsNameExistingCommands checks that documents and messages name only existing
// commands and flags.
func TestDocumentsNameExistingCommands(t *testing.T) {
	parser, err := newParser(t.Context(), new(root), streams{})
	must(t, err)
	lines, all := 0, allFlags(parser.Model.Node)
	for _, page := range readersPages(t) {
		text, err := os.ReadFile(page)
		must(t, err)
		for _, line := range commandLines(page, string(text)) {
			lines++
			if problem := unknownIn(parser.Model, line); problem != "" {
				t.Errorf("%s: vitrine %s: %s", page, line, problem)
			}
		}
		if namesOtherFlags(page) {
			continue
		}
		for _, found := range flagAlone.FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(all, found[1]) {
				t.Errorf("%s: no command has a flag --%s", page, found[1])
			}
		}
	}
	if lines < 80 {
		t.Errorf("%d command lines: the test looks in the wrong place", lines)
	}
}

func TestUnknownIn(t *testing.T) {
	parser, err := newParser(t.Context(), new(root), streams{})
	must(t, err)
	for line, want := range map[string]string{
		"serve --catalog DIR --demo":         "",
		"--help":                             "",
		"keys add ci --expires 90d":          "",
		"keys NAME":                          "",
		"export DIR, then more":              "",
		"publish":                            "there is no such command",
		"sync chains --from defillama":       "there is no such command",
		"keys renew ci":                      "there is no such command",
		"serve --store x --read-only":        "it has no flag --read-only",
		"import DIR --expires 90d":           "it has no flag --expires",
		"convert coingecko chains.json":      "there is no such command",
		"convert defillama --overlay-all x ": "it has no flag --overlay-all",
	} {
		if got := unknownIn(parser.Model, line); got != want {
			t.Errorf("vitrine %s: %q, want %q", line, got, want)
		}
	}
}

// namesOtherFlags reports whether a page may name other flags: those of tools, or rejected ones.
// The test of catalogtool checks its own page.
func namesOtherFlags(page string) bool {
	return slices.Contains([]string{"test", "bench", "decisions"}, filepath.Base(filepath.Dir(page))) ||
		filepath.Base(page) == "chains-import.md" || filepath.Ext(page) == ".go"
}

// readersPages returns the documents that name commands, and the sources, whose messages name
// some.
func readersPages(t *testing.T) []string {
	t.Helper()
	top := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(top, "*.md"))
	must(t, err)
	for _, folder := range []string{"docs", "deploy", "schema", "api", "catalog", "test", "bench", "internal"} {
		err := filepath.WalkDir(filepath.Join(top, folder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if err == nil && slices.Contains([]string{".md", ".yaml", ".json", ".service", ".go"}, filepath.Ext(path)) &&
				!strings.Contains(path, "node_modules") && !strings.HasSuffix(path, "_test.go") {
				pages = append(pages, path)
			}
			return err
		})
		must(t, err)
	}
	return pages
}

// commandLines returns the text after "vitrine" for each command in a text: in code of Markdown,
// between backquotes in comments of other files, and in messages that say to run one.
func commandLines(page, text string) (lines []string) {
	take := func(code string) {
		for _, found := range mentioned.FindAllStringSubmatch(code, -1) {
			lines = append(lines, found[1])
		}
	}
	fenced := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		switch {
		case filepath.Ext(page) == ".go":
			for _, found := range advised.FindAllStringSubmatch(line, -1) {
				lines = append(lines, found[1])
			}
		case filepath.Ext(page) == ".md" && strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
		case fenced && !strings.HasPrefix(line, "vitrine:"):
			take(line)
		default:
			for _, span := range codeSpan.FindAllString(line, -1) {
				take(strings.Trim(span, "`"))
			}
		}
	}
	return lines
}

// unknownIn returns the unknown part of a command line, "" for none. A word in capitals is a
// placeholder, and ends the name of the command.
func unknownIn(program *kong.Application, line string) string {
	node := program.Node
	for word := range strings.FieldsSeq(line) {
		if len(node.Children) == 0 || word != strings.ToLower(word) || strings.HasPrefix(word, "-") {
			break
		}
		i := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == strings.Trim(word, ",.:") })
		if i < 0 {
			return "there is no such command"
		}
		node = node.Children[i]
	}
	known := flagsOf(node)
	for _, found := range flagName.FindAllStringSubmatch(line, -1) {
		if !slices.Contains(known, found[1]) {
			return "it has no flag --" + found[1]
		}
	}
	return ""
}

// flagsOf returns the names of the flags of a command, including those of all commands.
func flagsOf(node *kong.Node) (names []string) {
	for _, group := range node.AllFlags(false) {
		for _, flag := range group {
			names = append(names, flag.Name)
		}
	}
	return names
}

// allFlags returns the names of the flags of a command and of its subcommands.
func allFlags(node *kong.Node) []string {
	names := flagsOf(node)
	for _, child := range node.Children {
		names = append(names, allFlags(child)...)
	}
	return names
}
