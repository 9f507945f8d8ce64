package bundle

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/catalog"
)

// YAML that would make the parser recurse until the stack is gone, or work for
// minutes, is refused before the parser sees it.
func TestHostileYAML(t *testing.T) {
	const n = 1 << 18
	var keys strings.Builder
	for i := range n / 8 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	for name, data := range map[string]string{
		"brackets":        strings.Repeat("[", n),
		"braces":          strings.Repeat("{a: ", n/4),
		"dashes":          strings.Repeat("- ", n/2),
		"colons":          strings.Repeat("a: ", n/3),
		"colons in a map": "{" + strings.Repeat("a: ", n/3),
		"anchors":         strings.Repeat("&a\n", n/3),
		"keys":            keys.String(),
		"keys with lists": strings.Repeat("a:\n- b\n", n/7),
		"keys alone":      strings.Repeat("a:\n", n/3),
		"empty items":     strings.Repeat("-\n", n/2),
		"empty fields":    strings.Repeat("- a:\n  b: # c\n", n/14),
		"empty in a map":  "{" + strings.Repeat("a, ", n/3) + "}",
		"documents":       strings.Repeat("---\na: 1\n", n/9),
		"aliases":         "a: &a [1, 2]\nb: [" + strings.Repeat("*a, ", n/4) + "]",
		"billions":        billionLaughs(),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseYAML([]byte(data))
			var f *fault
			if !errors.As(err, &f) || f.rule != catalog.RuleSyntax || f.line < 1 || f.column < 1 || f.remedy == "" {
				t.Errorf("parsed: %v", err)
			}
		})
	}
}

// Lists and maps that people write are far from the bounds.
func TestLongYAMLList(t *testing.T) {
	data := strings.Repeat("- slug: x\n  name: {en: X, zh-hans: 日}\n  logo:\n  chain_id: 1\n", 1500)
	n, err := parseYAML([]byte(data))
	if err != nil || len(n.items) != 1500 {
		t.Fatal(err)
	}
}
