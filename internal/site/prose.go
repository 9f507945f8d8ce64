package site

import (
	"bytes"
	"html/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// prose renders the Markdown of the program: the guides and the descriptions of the OpenAPI
// document. It omits HTML. No text of a catalogue is rendered by it.
type prose struct{ goldmark.Markdown }

func newProse() *prose {
	return &prose{goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(snippets{}, 100))),
	)}
}

// html renders Markdown whose headings are moved down by some levels.
func (p *prose) html(source string, down int) template.HTML {
	raw := []byte(source)
	root := p.Parser().Parse(text.NewReader(raw))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if heading, ok := n.(*ast.Heading); ok && entering {
			heading.Level = min(6, heading.Level+down)
		}
		return ast.WalkContinue, nil
	})
	var out bytes.Buffer
	_ = p.Renderer().Render(&out, raw, root) // a buffer accepts all writes
	return template.HTML(out.String())
}

// snippets renders code. Examples in a language unfold; the first one is open.
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
		_, _ = w.WriteString("<pre tabindex=\"0\"><code>") // a buffer accepts all writes
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
