package vitrine_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var (
	// cited matches a page of docs/ or catalog/ in a comment of Go, with an optional heading.
	cited = regexp.MustCompile(`(?:docs|catalog)/[\w./-]+\.md(?:#[\w-]+)?`)
	// linked matches the target of a link of Markdown.
	linked = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	// inCode matches code in a line of Markdown, which has no links.
	inCode = regexp.MustCompile("`[^`]*`")
)

// TestLinks: every page that a Go file cites, and every relative link of a page, exists,
// with its heading.
func TestLinks(t *testing.T) {
	links := 0
	for _, file := range texts(t) {
		for _, target := range targets(t, file) {
			links++
			if problem := broken(t, target); problem != "" {
				t.Errorf("%s: %s: %s", file, target, problem)
			}
		}
	}
	if links < 200 {
		t.Errorf("%d links: the test looks in the wrong place", links)
	}
}

func TestAnchor(t *testing.T) {
	for heading, want := range map[string]string{
		"The API, for those who call it": "the-api-for-those-who-call-it",
		"What `check` says":              "what-check-says",
		"`nav.yaml`: `groups`":           "navyaml-groups",
		"1. Begin small":                 "1-begin-small",
		"A [link](x.md) in_it":           "a-link-in_it",
	} {
		if got := anchor(heading); got != want {
			t.Errorf("%s: %s, want %s", heading, got, want)
		}
	}
}

// texts returns the Go files and pages of the repository, by slash path.
func texts(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && name != "."
		if entry.IsDir() && (hidden || entry.Name() == "testdata" || entry.Name() == "node_modules" || name == "bin" || name == "dist") {
			return fs.SkipDir
		}
		if ext := path.Ext(name); !entry.IsDir() && (ext == ".go" || ext == ".md") && name != "links_test.go" {
			files = append(files, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// targets returns the links of a file as paths from the root, with their anchors. It
// omits links to other sites.
func targets(t *testing.T, file string) (found []string) {
	t.Helper()
	if path.Ext(file) == ".go" {
		return cited.FindAllString(read(t, file), -1)
	}
	for _, line := range prose(read(t, file)) {
		for _, link := range linked.FindAllStringSubmatch(inCode.ReplaceAllString(line, "`"), -1) {
			target, heading, named := strings.Cut(link[1], "#")
			switch {
			case strings.Contains(target, ":"):
				continue
			case target == "":
				target = file
			default:
				target = path.Join(path.Dir(file), target)
			}
			if named {
				target += "#" + heading
			}
			found = append(found, target)
		}
	}
	return found
}

// broken returns why a target does not exist, or "".
func broken(t *testing.T, target string) string {
	t.Helper()
	file, heading, named := strings.Cut(target, "#")
	if _, err := os.Stat(filepath.FromSlash(file)); err != nil {
		return "there is no such file"
	}
	if named && !anchors(read(t, file))[heading] {
		return "there is no such heading"
	}
	return ""
}

// anchors returns the anchors of the headings of a page. The anchor of a repeated heading
// ends in its count.
func anchors(page string) map[string]bool {
	all, seen := map[string]bool{}, map[string]int{}
	for _, line := range prose(page) {
		title := strings.TrimLeft(line, "#")
		if level := len(line) - len(title); level < 1 || level > 6 || !strings.HasPrefix(title, " ") {
			continue
		}
		name := anchor(strings.TrimSpace(title))
		if n := seen[name]; n > 0 {
			all[name+"-"+strconv.Itoa(n)] = true
		}
		seen[name]++
		all[name] = true
	}
	return all
}

// anchor returns GitHub's anchor of a heading: lower-case letters, digits, hyphens and
// underscores, with a hyphen for each space.
func anchor(heading string) string {
	text := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(heading, "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, text)
}

// prose returns the lines of a page outside fenced code.
func prose(page string) (lines []string) {
	fenced := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if !fenced {
			lines = append(lines, strings.TrimRight(line, "\r\n"))
		}
	}
	return lines
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
