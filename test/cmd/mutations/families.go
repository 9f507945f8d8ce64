package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine/test/internal/trial"
)

// field is a field of the descriptions.
type field struct {
	Path     string // the kind and the names of the fields down to it: menus.groups.slug
	Name     string
	Searched bool
	Written  bool // in JSON
}

// lister is a program of the repository that prints all fields. A field that several
// kinds share has the path of the first.
const lister = `package main

import (
	"encoding/json"
	"os"

	"vitrine/internal/domain"
)

type field struct {
	Path, Name        string
	Searched, Written bool
}

func main() {
	var all []field
	seen := map[*domain.Field]bool{}
	var list func(path string, s *domain.Shape)
	list = func(path string, s *domain.Shape) {
		for _, f := range s.Fields {
			if seen[f] {
				continue
			}
			seen[f] = true
			all = append(all, field{path + "." + f.Name, f.Name, f.Searched, !f.InFileName})
			if f.Parts != nil && f.Type != domain.TypeTable {
				list(path+"."+f.Name, f.Parts)
			}
		}
	}
	for _, d := range domain.Descriptions() {
		list(string(d.Kind), d.Shape)
	}
	json.NewEncoder(os.Stdout).Encode(all)
}
`

// fields returns all fields of the descriptions.
func fields(root string) []field {
	dir := trial.Must(os.MkdirTemp("", "fields"))
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "main.go")
	trial.Check(os.WriteFile(program, []byte(lister), 0o644))
	overlay := filepath.Join(dir, "overlay.json")
	trial.Check(os.WriteFile(overlay, trial.Must(json.Marshal(map[string]any{
		"Replace": map[string]string{filepath.Join(root, "internal/fieldlister/main.go"): program},
	})), 0o644))
	command := exec.Command("go", "run", "-overlay", overlay, "./internal/fieldlister")
	command.Dir, command.Stderr = root, os.Stderr
	var all []field
	trial.Check(json.Unmarshal(trial.Must(command.Output()), &all))
	return all
}

// selector is a file of package domain that finds the field of the selected mutation, whose
// name has the path of the field behind the last space.
const selector = `package domain

import (
	"os"
	"strings"
)

// mutatedField is the field of the mutation, nil for none.
var mutatedField *Field

func init() {
	name := os.Getenv(%q)
	path := strings.Split(name[strings.LastIndexByte(name, ' ')+1:], ".")
	for _, d := range Descriptions() {
		if string(d.Kind) != path[0] || len(path) < 2 {
			continue
		}
		f := d.Shape.Field(path[1])
		for _, name := range path[2:] {
			f = f.Parts.Field(name)
		}
		mutatedField = f
	}
}

// Mutated reports whether f is the field of the mutation.
func (f *Field) Mutated() bool { return f == mutatedField }
`

// fieldGroup returns a group with a mutation of each field: old is new in a file.
func fieldGroup(root, class, path, old, new, pkg, tests string, of []field) group {
	g := group{
		guarded: true, pkg: pkg, tests: tests,
		files: map[string]string{
			path:                         replaced(root, path, old, new),
			"internal/domain/mutated.go": fmt.Sprintf(selector, variable),
		},
	}
	for _, f := range of {
		g.mutations = append(g.mutations, mutation{class, f.Path, f.Name})
	}
	return g
}

// derivedViews are the views whose members derive from fields, and those of their rows.
var derivedViews = []string{"Chain", "Account", "Channel", "App"}

// viewGroup returns a group with a mutation of each value in the literals of views, whose
// types a file declares, and of each other member of derivedViews: the value is not set.
func viewGroup(root, class, declared, pkg, tests string) group {
	dir := filepath.Dir(declared)
	tags := memberNames(root, declared)
	g := group{guarded: true, pkg: pkg, tests: tests, files: map[string]string{}}
	literal := map[string]bool{}
	for _, path := range goFiles(root, dir) {
		content := read(root, path)
		file, offset := parse(path, content)
		var insertions []insertion
		ast.Inspect(file, func(n ast.Node) bool {
			values, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			view, ok := values.Type.(*ast.Ident)
			if !ok {
				return true
			}
			for _, element := range values.Elts {
				pair, ok := element.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				field, ok := pair.Key.(*ast.Ident)
				if !ok {
					continue
				}
				name := view.Name + "." + field.Name
				word := tags[name]
				if word == "" || word == "-" {
					continue
				}
				insertions = append(insertions,
					insertion{offset(pair.Value.Pos()), "unlessMutated(" + strconv.Quote(name) + ", "}, insertion{offset(pair.Value.End()), ")"})
				g.mutations = append(g.mutations, mutation{class, name, word})
				literal[name] = true
			}
			return true
		})
		if len(insertions) > 0 {
			g.files[path] = parsed(path, inserted(content, insertions))
		}
	}
	const setting, set = "internal/snapshot/members.go", "if set != nil {\n\t\t\tall = append(all, func(to"
	g.files[setting] = replaced(root, setting, set, strings.Replace(set, " {", " && (member.Anonymous || !mutated(view.Name()+\".\"+member.Name)) {", 1))
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		view, _, _ := strings.Cut(name, ".")
		if slices.Contains(derivedViews, strings.TrimSuffix(view, "Row")) && !literal[name] {
			g.mutations = append(g.mutations, mutation{class, name, tags[name]})
		}
	}
	path, content := guards(dir)
	g.files[path] = content
	return g
}

// recordGroup is [viewGroup] for the views of some kinds, including rows. Tests name the fields
// of members. unless has the members, and views with members, that no single field determines.
func recordGroup(root, class, declared, pkg, tests string, kinds, unless []string) group {
	g := viewGroup(root, class, declared, pkg, tests)
	g.mutations = slices.DeleteFunc(g.mutations, func(m mutation) bool {
		view, _, _ := strings.Cut(m.name, ".")
		return !slices.Contains(kinds, strings.TrimSuffix(view, "Row")) || slices.Contains(unless, m.word) || slices.Contains(unless, m.name)
	})
	fieldOf := map[string]string{
		"_id": "id", "categorySlugs": "categories", "statusSince": "status_since", "statusNote": "status_note", "nativeCurrency": "native_currency",
	}
	for i, m := range g.mutations {
		g.mutations[i].word = cmp.Or(fieldOf[m.word], m.word)
	}
	return g
}

// memberNames returns the JSON names of the members of the structs in a file, by
// struct and field.
func memberNames(root, path string) map[string]string {
	names := map[string]string{}
	file, _ := parse(path, read(root, path))
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		view, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range view.Fields.List {
			if field.Tag == nil || len(field.Names) == 0 {
				continue
			}
			tag := reflect.StructTag(trial.Must(strconv.Unquote(field.Tag.Value))).Get("json")
			name, _, _ := strings.Cut(tag, ",")
			names[spec.Name.Name+"."+field.Names[0].Name] = name
		}
		return true
	})
	return names
}

// memberGroup returns a group with a mutation of each member of the views that a file
// declares: old is new in another file.
func memberGroup(root, class, declared, path, old, new, pkg, tests string) group {
	g := group{guarded: true, pkg: pkg, tests: tests, files: map[string]string{path: replaced(root, path, old, new)}}
	guardPath, content := guards(filepath.Dir(path))
	g.files[guardPath] = content
	names := memberNames(root, declared)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if word := names[name]; word != "" && word != "-" {
			g.mutations = append(g.mutations, mutation{class, name, word})
		}
	}
	return g
}

// documentGuard is a file of package openapi that removes the lines of the selected mutation,
// whose name ends with the number of the first of them.
const documentGuard = `package openapi

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

func mutatedDocument(document []byte) []byte {
	name := os.Getenv(%q)
	first, err := strconv.Atoi(name[strings.LastIndexByte(name, ' ')+1:])
	if err != nil {
		return document
	}
	lines := bytes.SplitAfter(document, []byte("\n"))
	indent := func(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }
	end := first
	for end < len(lines) && (len(bytes.TrimSpace(lines[end])) == 0 || indent(lines[end]) > indent(lines[first-1])) {
		end++
	}
	return bytes.Join(append(append([][]byte(nil), lines[:first-1]...), lines[end:]...), nil)
}
`

// entry is an operation or a property of a schema in the OpenAPI document.
type entry struct {
	schema string // "" for an operation
	name   string
	line   int
}

// documented returns the operations and properties of the OpenAPI document.
func documented(root string) []entry {
	var all []entry
	var path [5]string // keys down to the line
	key := regexp.MustCompile(`^( *)"?([^" :#][^":]*)"?:`)
	for i, line := range strings.Split(read(root, "api/openapi.yaml"), "\n") {
		match := key.FindStringSubmatch(line)
		if match == nil || len(match[1])/2 >= len(path) {
			continue
		}
		depth := len(match[1]) / 2
		path[depth] = match[2]
		switch {
		case depth == 1 && path[0] == "paths":
			all = append(all, entry{"", match[2], i + 1})
		case depth == 4 && path[0] == "components" && path[1] == "schemas" && path[3] == "properties":
			all = append(all, entry{path[2], match[2], i + 1})
		}
	}
	return all
}

// documentGroup returns a group with a mutation of each entry of the OpenAPI document: it is
// removed.
func documentGroup(root, class, pkg, tests string, entries []entry) group {
	const source = "api/openapi.go"
	g := group{guarded: true, pkg: pkg, tests: tests, files: map[string]string{
		source:           replaced(root, source, "err := toJSON(YAML)", "err := toJSON(mutatedDocument(YAML))"),
		"api/mutated.go": fmt.Sprintf(documentGuard, variable),
	}}
	for _, e := range entries {
		g.mutations = append(g.mutations, mutation{class, fmt.Sprintf("%s %s, line %d", e.schema, e.name, e.line), e.name})
	}
	return g
}

// operationNames returns the names in the table of operations.
func operationNames(root string) []string {
	var names []string
	row := regexp.MustCompile(`(?:\{name: |Operation\()"(\w+)"`)
	for _, match := range row.FindAllStringSubmatch(read(root, "internal/operations/routes.go"), -1) {
		names = append(names, match[1])
	}
	return names
}

func isIdent(e ast.Expr, name string) bool {
	ident, ok := e.(*ast.Ident)
	return ok && ident.Name == name
}

// conjunctGroup returns a group with a mutation of each operand of the conjunction in a file
// that begins with start: the operand is always true.
func conjunctGroup(root, class, path, start, pkg, tests string) group {
	content := read(root, path)
	file, offset := parse(path, content)
	g := group{guarded: true, pkg: pkg, tests: tests, files: map[string]string{}}
	var insertions []insertion
	ast.Inspect(file, func(n ast.Node) bool {
		e, ok := n.(*ast.BinaryExpr)
		if !ok || e.Op != token.LAND || !strings.HasPrefix(content[offset(e.Pos()):], start) {
			return true
		}
		for _, operand := range operands(e) {
			text := content[offset(operand.Pos()):offset(operand.End())]
			g.mutations = append(g.mutations, mutation{class, text, lastSelector(operand)})
			insertions = append(insertions,
				insertion{offset(operand.Pos()), "(mutated(" + strconv.Quote(text) + ") || "}, insertion{offset(operand.End()), ")"})
		}
		return false
	})
	if len(insertions) == 0 {
		trial.Failf("%s has no conjunction %s", path, start)
	}
	g.files[path] = parsed(path, inserted(content, insertions))
	guardPath, guardContent := guards(filepath.Dir(path))
	g.files[guardPath] = guardContent
	return g
}

func operands(e ast.Expr) []ast.Expr {
	if and, ok := e.(*ast.BinaryExpr); ok && and.Op == token.LAND {
		return append(operands(and.X), operands(and.Y)...)
	}
	return []ast.Expr{e}
}

// lastSelector returns the name of the last field that an expression reads.
func lastSelector(e ast.Expr) string {
	name := ""
	ast.Inspect(e, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			name = s.Sel.Name
			return true
		}
		return true
	})
	return name
}

// rules returns the rules of problems: those of reading files, and those of records.
func rules(root string) (reading, checking []string) {
	const path = "internal/domain/rules.go"
	file, _ := parse(path, read(root, path))
	to := &reading
	for _, decl := range file.Decls {
		constants, ok := decl.(*ast.GenDecl)
		if !ok || constants.Tok != token.CONST {
			continue
		}
		for _, spec := range constants.Specs {
			value := spec.(*ast.ValueSpec)
			if isIdent(value.Type, "Rule") {
				*to = append(*to, trial.Must(strconv.Unquote(value.Values[0].(*ast.BasicLit).Value)))
			}
		}
		to = &checking // the first declaration has the rules of reading
	}
	return reading, checking
}

// namedGroup returns a group with a mutation of each name: old is new in a file, which calls
// mutated with the name.
func namedGroup(root, class, path, old, new, pkg, tests string, names []string) group {
	g := group{guarded: true, pkg: pkg, tests: tests, files: map[string]string{path: replaced(root, path, old, new)}}
	guardPath, content := guards(filepath.Dir(path))
	g.files[guardPath] = content
	for _, name := range names {
		g.mutations = append(g.mutations, mutation{class, name, name})
	}
	return g
}
