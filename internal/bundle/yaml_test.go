package bundle

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// show formats a document as JSON with aliases expanded: null is ~.
func show(n *node) string {
	var b strings.Builder
	switch n.kind {
	case null:
		return "~"
	case text:
		return fmt.Sprintf("%q", n.text)
	case list, object:
		for i, item := range n.items {
			if i > 0 {
				b.WriteString(" ")
			}
			if n.kind == object {
				fmt.Fprintf(&b, "%q:", n.keys[i].text)
			}
			b.WriteString(show(item))
		}
		if n.kind == list {
			return "[" + b.String() + "]"
		}
		return "{" + b.String() + "}"
	}
	return n.text
}

// TestYAML checks documents against YAML 1.2.
func TestYAML(t *testing.T) {
	for data, want := range map[string]string{
		"":                                   "~",
		"# only\n\n":                         "~",
		"---\n":                              "~",
		"--- # a\n...\n":                     "~",
		"---\na\n...\n# b\n":                 `"a"`,
		"{aliases: [eip155:1], b: c:d}":      `{"aliases":["eip155:1"] "b":"c:d"}`,
		"{a: one\n  two,\n b: https://x/#y}": `{"a":"one two" "b":"https://x/#y"}`,
		"a: one\ttwo\n":                      `{"a":"one\ttwo"}`,
		"- a: Trade\n    -30% # note\n":      `[{"a":"Trade -30%"}]`,
		"- \n- a:\n  b: c\n-\n":              `[~ {"a":~ "b":"c"} ~]`,
		"a:\n- b\nc: d\n":                    `{"a":["b"] "c":"d"}`,
		"a: |\n  b\n   c\n\nd: >-\n  e\n  f\n\n  g\n":      `{"a":"b\n c\n" "d":"e f\ng"}`,
		"a: |2+\n   b\n\n":                                 `{"a":" b\n\n"}`,
		"a: 'it''s'\nb: \"\\u65e5\\t\\\n  x\"\n":           `{"a":"it's" "b":"日\tx"}`,
		"a: \"\\L\\N\"\n":                                  `{"a":"\u2028\u0085"}`,
		"a: b\rc: d\r\ne: |\r\n  f\r\n  g\r\n":             `{"a":"b" "c":"d" "e":"f\ng\n"}`,
		"? a\n: b\n? c\n":                                  `{"a":"b" "c":~}`,
		"{a, b: , ? c : d}":                                `{"a":~ "b":~ "c":"d"}`,
		"[a: b, {c: d}]":                                   `[{"a":"b"} {"c":"d"}]`,
		"1: a\n~: b\ntrue: c\n\"<<\": d\n":                 `{"1":"a" "":"b" "true":"c" "<<":"d"}`,
		"- !!str 1\n- ! 2\n- !!map {a: !!seq [b]}\n- <<\n": `["1" "2" {"a":["b"]} "<<"]`,
		"- !<tag:yaml.org,2002:str> ~\n":                   `["~"]`,
		"- &a x\n- *a\n- &a y\n- *a\n":                     `["x" "x" "y" "y"]`,
		"- &a {k: &b [1]}\n- *a\n- *b\n- *b : c\n":         "",
		"- &a k\n- *a : c\n":                               `["k" {"k":"c"}]`,
		"a: &x\nb: *x\n":                                   `{"a":~ "b":~}`,
		"[yes, No, on, ~, null, NULL, nULL, true, FALSE, 2025-01-02, 1:30, .5, +1, 0x1F, 0o7, 1_000, .nan, -.INF, +12e03]": `["yes" "No" "on" ~ ~ ~ "nULL" true FALSE "2025-01-02" "1:30" .5 +1 0x1F 0o7 1_000 .nan -.INF +12e03]`,
		"a: b#c\nd: e #f\n":   `{"a":"b#c" "d":"e"}`,
		"\"a\" : b\n":         `{"a":"b"}`,
		"a: -1\nb: - c\n":     "",
		"a: b: c\n":           "",
		"a\n---\nb\n":         "",
		"a\n---\n":            "",
		"a: *b\n":             "",
		"&a {b: *a}\n":        "",
		"a: 'b' c\n":          "",
		"a: @b\n":             "",
		"a:\n\tb: c\n":        "",
		"%TAG ! x:\n---\na\n": "",
	} {
		got := ""
		if n, err := parseYAML([]byte(data)); err == nil {
			got = show(n)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", data, got, want)
		}
	}
}

// TestYAMLMistakes checks the messages of the most frequent mistakes.
func TestYAMLMistakes(t *testing.T) {
	for data, want := range map[string]string{
		"a: b: c\n":          "1:5 there cannot be a `: ` here",
		"a:\n\tb: c\n":       "2:1 nothing can begin with this character",
		"a: @b\n":            "1:4 nothing can begin with this character",
		"a: b\nc\nd: e\n":    "2:1 there is no `: ` after the name of this field",
		"a: \"b\nc: d\n":     "1:4 the quotes that begin here are not closed",
		"a: *b\n":            `1:4 there is no anchor "&b" before this alias`,
		"- &a [*a]\n":        "1:7 the alias stands within the value that it stands for",
		"[a]\nb\n":           "2:1 " + errTrailing.Error(),
		"<<: {a: b}\n":       "1:1 merge keys (<<) are not supported",
		"? {a: b}\n":         "1:3 the name of this field is a map",
		"a: !date 1\n":       `1:4 tags such as "!date" are not supported here`,
		"# a\n\n%YAML 1.2\n": "3:1 YAML directives are not supported",
		"a\n---\nb\n":        "2:1 a second YAML document begins here",
	} {
		_, err := parseYAML([]byte(data))
		var f *fault
		if !errors.As(err, &f) {
			t.Errorf("%q: %v", data, err)
			continue
		}
		if diff := cmp.Diff(want, fmt.Sprintf("%d:%d %s", f.line, f.column, f.message)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", data, diff)
		}
	}
}

// TestHostileYAML checks that YAML that would exhaust the stack or the memory is rejected.
func TestHostileYAML(t *testing.T) {
	const n = maxYAMLMarks + 1
	for name, data := range map[string]string{
		"brackets":        strings.Repeat("[", n/4),
		"braces":          strings.Repeat("{a: ", n/4),
		"dashes":          strings.Repeat("- ", n/4),
		"questions":       strings.Repeat("? ", n/4),
		"colons":          strings.Repeat("a: ", n/4),
		"deep indents":    deep(maxDepth+1, func(i int) string { return strings.Repeat(" ", i) + "a:\n" }),
		"deep lists":      deep(maxDepth+1, func(i int) string { return strings.Repeat("  ", i) + "a:\n" + strings.Repeat("  ", i) + "- \n" }),
		"keys":            strings.Repeat("a:\n", n),
		"empty items":     strings.Repeat("-\n", n),
		"empty in a map":  "{" + strings.Repeat("a,", n) + "}",
		"nothing at all":  "[" + strings.Repeat(":,", n) + "]",
		"documents":       strings.Repeat("---\na: 1\n", n/4),
		"anchors":         strings.Repeat("&a\n", n/4),
		"quotes":          "[" + strings.Repeat("''\n", n),
		"aliases":         "a: &a [" + strings.Repeat("1,", 1000) + "]\nb: [" + strings.Repeat("*a, ", 1000) + "]",
		"billions":        billionLaughs(),
		"a long unclosed": "\"" + strings.Repeat("a", 4*n),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseYAML([]byte(data))
			var f *fault
			if !errors.As(err, &f) || f.rule != domain.RuleSyntax || f.line < 1 || f.column < 1 || f.remedy == "" || len(f.message) > 200 {
				t.Errorf("parsed: %v", err)
			}
		})
	}
}

func deep(n int, level func(int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(level(i))
	}
	return b.String()
}

// TestLongYAMLList checks that realistic lists and maps are far below the bounds, with shared
// values, too.
func TestLongYAMLList(t *testing.T) {
	const n = 20_000
	shared := "- &first\n  slug: x\n  categories: &l [a, b, c, d, e, f, g, h]\n"
	data := shared + strings.Repeat("- slug: x\n  name: {en: X, zh-hans: 日}\n  logo:\n  chain_id: 1\n  categories: *l\n", n)
	root, err := parseYAML([]byte(data))
	if err != nil || len(root.items) != n+1 {
		t.Fatal(err)
	}
	data = deep(maxDepth, func(i int) string { return strings.Repeat(" ", i) + "a:\n" })
	if _, err := parseYAML([]byte(data)); err != nil {
		t.Error(err)
	}
}
