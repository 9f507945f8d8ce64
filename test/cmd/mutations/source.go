package main

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/test/internal/trial"
)

// mutation is one change of the source.
type mutation struct {
	class string
	name  string // unique in its group
	word  string // that the failing test must print
}

// group is a changed source tree and its mutations. The mutation of a group that is
// not guarded is always in effect; guards of other groups select one by its name.
type group struct {
	files     map[string]string // content by path
	guarded   bool
	pkg       string // whose tests must fail
	tests     string // a regular expression of their names
	mutations []mutation
}

// guard is the declaration of the functions that guards call, of a package.
const guard = `package %s

import "os"

var mutatedName = os.Getenv(%q)

func mutated(name string) bool { return mutatedName == name }

func unlessMutated[T any](name string, value T) T {
	if mutated(name) {
		var zero T
		return zero
	}
	return value
}
`

// guards returns the file that declares mutated in a package.
func guards(dir string) (path, content string) {
	return dir + "/mutated.go", fmt.Sprintf(guard, filepath.Base(dir), variable)
}

func read(root, path string) string {
	return string(trial.Must(os.ReadFile(filepath.Join(root, path))))
}

// replaced returns the content of a file in which old, which occurs once, is new.
func replaced(root, path, old, new string) string {
	content := read(root, path)
	if n := strings.Count(content, old); n != 1 {
		trial.Failf("%s has this %d times, want once:\n%s", path, n, old)
	}
	return parsed(path, strings.Replace(content, old, new, 1))
}

// parsed returns content. It fails if that is a Go file with a syntax error.
func parsed(path, content string) string {
	if strings.HasSuffix(path, ".go") {
		trial.Must(format.Source([]byte(content)))
	}
	return content
}

// insertion is text to insert at an offset of a file.
type insertion struct {
	at   int
	text string
}

// inserted returns content with insertions, which are given in any order. Of those at the
// same offset, the earlier stands first.
func inserted(content string, insertions []insertion) string {
	slices.SortStableFunc(insertions, func(a, b insertion) int { return a.at - b.at })
	var out strings.Builder
	from := 0
	for _, in := range insertions {
		out.WriteString(content[from:in.at])
		out.WriteString(in.text)
		from = in.at
	}
	out.WriteString(content[from:])
	return out.String()
}

// goFiles returns the files of a package without its tests.
func goFiles(root, dir string) []string {
	var paths []string
	for _, path := range trial.Must(filepath.Glob(filepath.Join(root, dir, "*.go"))) {
		if !strings.HasSuffix(path, "_test.go") {
			paths = append(paths, dir+"/"+filepath.Base(path))
		}
	}
	return paths
}

// parse returns the syntax tree of a file, and its offsets.
func parse(path, content string) (*ast.File, func(token.Pos) int) {
	set := token.NewFileSet()
	file := trial.Must(parser.ParseFile(set, path, content, parser.SkipObjectResolution))
	return file, func(pos token.Pos) int { return set.Position(pos).Offset }
}
