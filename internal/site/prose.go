package site

import (
	"bytes"
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// prose makes HTML of the Markdown that comes with this program: the descriptions of
// the OpenAPI document and the guides. HTML in it is left out. Nothing of a catalogue
// goes through it.
type prose struct{ goldmark.Markdown }

func newProse() *prose {
	return &prose{goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(snippets{}, 100))),
	)}
}

// html renders Markdown whose headings are moved down by so many levels.
func (p *prose) html(source string, down int) (template.HTML, error) {
	raw := []byte(source)
	root := p.Parser().Parse(text.NewReader(raw))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if heading, ok := n.(*ast.Heading); ok && entering {
			heading.Level = min(6, heading.Level+down)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := p.Renderer().Render(&out, raw, root); err != nil {
		return "", err
	}
	return template.HTML(out.String()), nil
}

// snippets renders code: of a language each in a part that unfolds, the first unfolded.
type snippets struct{}

var languages = map[string]string{"sh": "curl", "js": "JavaScript", "python": "Python", "go": "Go"}

func (snippets) RegisterFuncs(to renderer.NodeRendererFuncRegisterer) {
	to.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.FencedCodeBlock)
		name, isCode := languages[string(block.Language(source))]
		if isCode {
			open := ""
			if previous, ok := n.PreviousSibling().(*ast.FencedCodeBlock); !ok || languages[string(previous.Language(source))] == "" {
				open = " open"
			}
			_, _ = w.WriteString("<details class=\"code\"" + open + "><summary>" + name + "</summary>")
		}
		_, _ = w.WriteString("<pre tabindex=\"0\"><code>") // a buffer takes all writes
		lines := block.Lines()
		for i := range lines.Len() {
			line := lines.At(i)
			html.DefaultWriter.RawWrite(w, line.Value(source))
		}
		_, _ = w.WriteString("</code></pre>")
		if isCode {
			_, _ = w.WriteString("</details>")
		}
		return ast.WalkSkipChildren, nil
	})
}

// title returns the first heading of a Markdown text, and what follows it.
func title(source string) (string, string) {
	first, rest, _ := strings.Cut(source, "\n")
	return strings.TrimPrefix(first, "# "), strings.TrimLeft(rest, "\n")
}
