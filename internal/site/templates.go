package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	html "html/template"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	text "text/template"
	"text/template/parse"
)

//go:embed templates
var templateFiles embed.FS

// layout is the HTML template of all pages. It contains the template "main", which every
// file but the shared ones defines.
const layout = "layout.html"

var sharedTemplates = []string{layout, "parts.html"}

// templates are the parsed templates of all pages and files.
type templates struct {
	html map[string]*html.Template // by page
	text *text.Template            // Markdown versions and files, by file name
}

// parseTemplates parses and checks all templates, which may only use words of the
// dictionary. Files of the directory overrides replace those of the same name.
func parseTemplates(overrides string, words *dictionary) (*templates, error) {
	sources, err := readTemplates(overrides)
	if err != nil {
		return nil, err
	}
	t := &templates{html: map[string]*html.Template{}, text: text.New("text").Funcs(markdownFuncs).Funcs(escapers)}
	base := html.New("pages")
	for name, source := range sources {
		if err := checkWords(source, words); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if slices.Contains(sharedTemplates, name) {
			_, err = base.New(name).Parse(source)
		} else if path.Ext(name) != ".html" {
			err = t.parseText(name, source)
		}
		if err != nil {
			return nil, err
		}
	}
	for name, source := range sources {
		if path.Ext(name) != ".html" || slices.Contains(sharedTemplates, name) {
			continue
		}
		page := html.Must(base.Clone())
		if _, err := page.New(name).Parse(source); err != nil {
			return nil, err
		}
		// Executing a template for the first time escapes it, which fails for unsafe places.
		var unsafe *html.Error
		if err := page.ExecuteTemplate(io.Discard, layout, nil); errors.As(err, &unsafe) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		t.html[strings.TrimSuffix(name, ".html")] = page
	}
	return t, nil
}

// readTemplates returns the sources of all templates by file name.
func readTemplates(overrides string) (map[string]string, error) {
	if info, err := os.Stat(overrides); overrides != "" && err != nil {
		return nil, err
	} else if overrides != "" && !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", overrides)
	}
	entries, err := templateFiles.ReadDir("templates")
	if err != nil {
		return nil, err
	}
	sources := map[string]string{}
	for _, entry := range entries {
		name := entry.Name()
		source, err := os.ReadFile(path.Join(overrides, name))
		if overrides == "" || errors.Is(err, fs.ErrNotExist) {
			source, err = templateFiles.ReadFile("templates/" + name)
		}
		if err != nil {
			return nil, err
		}
		sources[name] = string(source)
	}
	return sources, nil
}

// wordUse matches a key of words in a template, or the beginning of a composed key.
var wordUse = regexp.MustCompile(`\bT \(?(?:print )?"([^"]+)"`)

// checkWords returns an error for the first word of a template that the dictionary lacks.
func checkWords(source string, words *dictionary) error {
	for _, use := range wordUse.FindAllStringSubmatch(source, -1) {
		if !words.has(use[1]) && !(strings.HasSuffix(use[1], ".") && words.hasPrefix(use[1])) {
			return fmt.Errorf("the words of %s have no %q", fallbackWords, use[1])
		}
	}
	return nil
}

// escapers are the functions that escape inserted values, by extension of the template's file.
var escapers = text.FuncMap{
	"md":  escapeMarkdown,
	"txt": fmt.Sprint,
	"xml": func(value any) string {
		var out bytes.Buffer
		_ = xml.EscapeText(&out, []byte(fmt.Sprint(value))) // a buffer accepts all writes
		return out.String()
	},
	"json": func(value any) string {
		quoted, _ := json.Marshal(fmt.Sprint(value)) // strings have a JSON form
		return string(quoted)
	},
}

// parseText adds a file of text templates, in which every action escapes what it inserts.
func (t *templates) parseText(name, source string) error {
	trees, err := parse.Parse(name, source, "", "", builtins, markdownFuncs)
	if err != nil {
		return err
	}
	for _, tree := range trees {
		escapeActions(tree.Root, strings.TrimPrefix(path.Ext(name), "."))
		if _, err := t.text.AddParseTree(tree.Name, tree); err != nil {
			return err
		}
	}
	return nil
}

// builtins are the predeclared functions of package text/template that templates use. The
// parser only needs their names.
var builtins = text.FuncMap{"and": true, "or": true, "not": true, "eq": true, "ne": true, "lt": true, "gt": true, "len": true, "print": true, "index": true}

// escapeActions appends an escaper to every action below a node that inserts a value.
func escapeActions(node parse.Node, escaper string) {
	below := func(lists ...*parse.ListNode) {
		for _, list := range lists {
			if list == nil {
				continue
			}
			for _, node := range list.Nodes {
				escapeActions(node, escaper)
			}
		}
	}
	switch n := node.(type) {
	case *parse.ListNode:
		below(n)
	case *parse.IfNode:
		below(n.List, n.ElseList)
	case *parse.RangeNode:
		below(n.List, n.ElseList)
	case *parse.WithNode:
		below(n.List, n.ElseList)
	case *parse.ActionNode:
		if len(n.Pipe.Decl) == 0 {
			escape := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{parse.NewIdentifier(escaper).SetPos(n.Pos)}}
			n.Pipe.Cmds = append(n.Pipe.Cmds, escape)
		}
	}
}

// markdown writes the Markdown version of a page.
func (t *templates) markdown(out *bytes.Buffer, name string, v *view) error {
	var text bytes.Buffer
	for _, part := range []string{"head.md", name + ".md", "foot.md"} {
		if err := t.text.ExecuteTemplate(&text, part, v); err != nil {
			return err
		}
	}
	joinBlocks(out, text.Bytes())
	return nil
}

// joinBlocks writes lines without leading and repeated empty ones.
func joinBlocks(out *bytes.Buffer, text []byte) {
	for line := range bytes.Lines(text) {
		isEmpty := len(bytes.TrimSpace(line)) == 0
		if isEmpty && (out.Len() == 0 || bytes.HasSuffix(out.Bytes(), []byte("\n\n"))) {
			continue
		}
		if isEmpty {
			line = []byte("\n")
		}
		out.Write(line)
	}
}
