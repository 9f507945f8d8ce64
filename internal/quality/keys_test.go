package quality_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sameWord are literals of the program that are also keys of the bundled catalogue.
var sameWord = map[string]string{
	"event":    "a parameter of the news",
	"explorer": "a type of links",
	"news":     "a page of the site",
	"wallet":   "a class of the site's stylesheet",
}

// quotedWord matches words that scripts and templates may compare keys with.
var quotedWord = regexp.MustCompile(`["'` + "`" + `]([a-z0-9_-][a-z0-9._-]*)["'` + "`" + `]`)

// The code that serves catalogues knows no category or group by its key, nor by a prefix
// or suffix of it: roles declare the special ones.
func TestServingKnowsNoKeys(t *testing.T) {
	keys := map[string]bool{}
	var groups []string
	c := readBundled(t).Catalog
	for _, category := range c.Categories {
		keys[category.Key] = true
	}
	for _, group := range c.Groups {
		keys[group.Key] = true
		groups = append(groups, group.Key)
	}
	knows := func(literal string) bool {
		if sameWord[literal] != "" {
			return false
		}
		for _, key := range groups {
			part := strings.HasPrefix(literal, "_") && strings.HasSuffix(key, literal) || strings.HasSuffix(literal, "_") && strings.HasPrefix(key, literal)
			if part && len(literal) > 2 {
				return true
			}
		}
		return keys[literal]
	}
	files := 0
	for _, dir := range []string{"snapshot", "site", "mcp", "operations", "query", "search", "response", "server", "publish", "follow"} {
		err := filepath.WalkDir(filepath.Join("..", dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			var literals []string
			switch filepath.Ext(path) {
			case ".go":
				literals, err = stringLiterals(path)
			case ".js", ".html":
				var text []byte
				text, err = os.ReadFile(path)
				for _, match := range quotedWord.FindAllSubmatch(text, -1) {
					literals = append(literals, string(match[1]))
				}
			default:
				return nil
			}
			files++
			for _, literal := range literals {
				if knows(literal) {
					t.Errorf("%s knows the key %q: declare a role in catalog.yaml", path, literal)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 50 {
		t.Errorf("%d files were read", files)
	}
}

// stringLiterals returns the string literals of a Go file.
func stringLiterals(path string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return nil, err
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if value, err := strconv.Unquote(literal.Value); err == nil {
				out = append(out, value)
			}
		}
		return true
	})
	return out, nil
}
