package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/domain"
)

// Documents that enumerate the kinds of records name all of them.
func TestEveryKindIsDocumented(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	must(t, err)
	lists := 0
	for _, file := range append(files, "../../README.md") {
		text, err := os.ReadFile(file)
		must(t, err)
		for paragraph := range strings.SplitSeq(strings.ReplaceAll(string(text), "\n|", "\n\n|"), "\n\n") {
			if !strings.Contains(paragraph, "`youtube`") || !strings.Contains(paragraph, "`menus`") {
				continue
			}
			lists++
			for _, d := range domain.Descriptions() {
				if d.Kind != domain.KindCatalog && !strings.Contains(paragraph, "`"+string(d.Kind)+"`") {
					t.Errorf("%s: %q does not name the kind %s", file, paragraph, d.Kind)
				}
			}
		}
	}
	if lists == 0 {
		t.Error("found no enumeration; the test looks in the wrong place")
	}
}
