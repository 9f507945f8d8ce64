package bundle

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"vitrine/internal/domain"
)

// TestForbiddenCharactersInEveryFormat checks that a forbidden character is an error in every
// format, literal or escaped.
func TestForbiddenCharactersInEveryFormat(t *testing.T) {
	for _, r := range []rune{0, 0x07, 0x7F, 0x80, 0x85, 0x9F, 0xAD, 0x200B, 0x202E, 0xFDD0, 0xFDEF, 0xFEFF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF} {
		escaped := fmt.Sprintf(`\u%04x`, r)
		if r > 0xFFFF {
			high, low := utf16.EncodeRune(r)
			escaped = fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		for file, name := range map[string]string{
			"raw.json": string(r), "raw.ndjson": string(r), "raw.yaml": string(r),
			"escaped.json": escaped, "escaped.ndjson": escaped, "escaped.yaml": fmt.Sprintf(`\U%08X`, r),
		} {
			record := `{"slug": "x", "name": "a` + name + `b", "chain_id": "x"}`
			if strings.HasSuffix(file, ".json") {
				record = "[" + record + "]"
			} else if strings.HasSuffix(file, ".yaml") {
				record = "- " + record
			}
			problems := read(t, with(base(t), map[string]string{"chains/" + file: record + "\n"})).Problems
			if len(problems) == 0 {
				t.Errorf("U+%04X passes in %s", r, file)
				continue
			}
			want := []domain.Rule{domain.RuleForbiddenCharacter}
			if strings.HasPrefix(file, "raw") && (r < ' ' || r == 0x85) { // invalid in the format itself
				want = append(want, domain.RuleSyntax)
			}
			if got := problems[0]; got.File != "chains/"+file || got.Line != 1 || got.Rule != want[0] && got.Rule != want[len(want)-1] {
				t.Errorf("U+%04X in %s: %s", r, file, got)
			}
		}
	}
	for file, record := range map[string]string{
		"x.json": `[{"slug": "x", "name": "a\ud800b", "chain_id": "x"}]`, "x.ndjson": `{"slug": "x", "name": "a\udfffb", "chain_id": "x"}`,
		"x.yaml": `- {"slug": "x", "name": "a\ud800b", "chain_id": "x"}`,
	} {
		problems := read(t, with(base(t), map[string]string{"chains/" + file: record + "\n"})).Problems
		if len(problems) != 1 || problems[0].Rule != domain.RuleSyntax {
			t.Errorf("a lone surrogate in %s: %q", file, lines(problems))
		}
	}
}

// TestSchemesAreReadInLowerCase checks that the schemes of all links are read in lower case.
func TestSchemesAreReadInLowerCase(t *testing.T) {
	d := read(t, with(base(t), map[string]string{"chains/x.yaml": `
- {slug: x, name: X, chain_id: x, website: "HTTPS://X.example/A", logo: "Https://x.example/l.svg", rpc: [{url: "WSS://x.example.org/"}], links: [{type: docs, url: "HTTP://x.example/"}]}
`}))
	if len(d.Problems) > 0 {
		t.Fatalf("%q", lines(d.Problems))
	}
	chain := d.Catalog.Chains[len(d.Catalog.Chains)-1]
	got := fmt.Sprint(chain.Website, chain.Logo, chain.RPC[0].URL, chain.Links[0].URL)
	if want := fmt.Sprint("https://X.example/A", "https://x.example/l.svg", "wss://x.example.org/", "http://x.example/"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
