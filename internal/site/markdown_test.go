package site

import "testing"

// Texts are escaped for Markdown.
func TestMarkdownOfHostileText(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Arbitrum One", "Arbitrum One"},
		{"AT&T & co. (est. 1999)", "AT&T & co. (est. 1999)"},
		{"# no title", `\# no title`},
		{"1. no list", `1\. no list`},
		{"- no list", `\- no list`},
		{"one\n\n# two", "one # two"},
		{"a | b", `a \| b`},
		{"[click](javascript:alert(1))", `\[click\](javascript:alert(1))`},
		{"![x](https://e.example/p.png)", `!\[x\](https://e.example/p.png)`},
		{"<script>alert(1)</script>", `\<script\>alert(1)\</script\>`},
		{"&lt;b&gt; *b* _i_ `c` ~~d~~", `\&lt;b\&gt; \*b\* \_i\_ ` + "\\`c\\`" + ` \~\~d\~\~`},
		{`back\slash`, `back\\slash`},
		{"", ""},
	} {
		if got := plain(tt.text); string(got) != tt.want {
			t.Errorf("%q: %s; want %s", tt.text, got, tt.want)
		}
	}
}

func TestMarkdownLinks(t *testing.T) {
	for _, tt := range []struct{ text, address, want string }{
		{"Base", "/en/chains/base.md", "[Base](/en/chains/base.md)"},
		{"a]b", "https://e.example/x", `[a\]b](https://e.example/x)`},
		{"Wiki", "https://e.example/a_(b) c", "[Wiki](<https://e.example/a_(b)%20c>)"},
		{"out", "https://e.example/>)[x](javascript:y", "[out](<https://e.example/%3E)[x](javascript:y>)"},
		{"run", "javascript:alert(1)", "run"},
		{"run", " javascript:alert(1)", "run"},
		{"mail", "mailto:a@e.example", "mail"},
		{"other host", "//e.example/", "other host"},
		{"other host", `/\e.example/`, "other host"},
		{"line", "https://e.example/\nx", "line"},
	} {
		if got := link(tt.text, tt.address); string(got) != tt.want {
			t.Errorf("%q to %q: %s; want %s", tt.text, tt.address, got, tt.want)
		}
	}
}

func TestMarkdownCode(t *testing.T) {
	for text, want := range map[string]string{"8453": "`8453`", "eip155:1": "`eip155:1`", "a`b|c": "a\\`b\\|c", "": ""} {
		if got := code(text); string(got) != want {
			t.Errorf("%q: %s; want %s", text, got, want)
		}
	}
}
