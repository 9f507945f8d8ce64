package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "chains.yaml")
	for name, data := range with(base(t), map[string]string{"..v1/nav2.yaml": "title: x\n", outside: ""}) {
		if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(data), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"nav/linked.yaml":  "../..v1/nav2.yaml", // as in a mounted ConfigMap
		"youtube":          "twitter",           // a folder under another name
		"chains/out.yaml":  outside,
		"chains/lost.json": "nowhere",
		"chains/loop":      "../chains",
		"chains/abs.yaml":  filepath.Join(dir, "catalog.yaml"), // within the directory, but absolute
		"notes":            "nowhere",                          // not of the directory
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "twitter.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	fsys, done, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	d, err := Read(context.Background(), fsys, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"chains/abs.yaml:1:1 unreadable-file", "chains/loop:1:1 unreadable-file", "chains/lost.json:1:1 unreadable-file", "chains/out.yaml:1:1 unreadable-file",
		"nav/linked.yaml:1:1 unlisted-menu", "twitter.json:1:1 unreadable-file",
		"youtube/more.ndjson:1:1 missing-field", "youtube/more.ndjson:1:2 unknown-field", "youtube/more.ndjson:1:32 unknown-field",
	}
	if diff := cmp.Diff(want, places(d.Problems)); diff != "" {
		t.Errorf("places (-want +got):\n%s\n%s", diff, strings.Join(lines(d.Problems), "\n"))
	}
	const absolute = "the link is absolute, and may lead out of the directory; make it relative: links must be relative"
	if got := d.Problems[0].String(); got != "chains/abs.yaml:1:1: error: unreadable-file: "+absolute {
		t.Error(got)
	}
}

// TestManyIgnoredFiles checks that the number of ignored files is not limited.
func TestManyIgnoredFiles(t *testing.T) {
	files := base(t)
	for i := range maxEntries + 1 {
		files[fmt.Sprintf("img/%d.png", i)] = ""
	}
	if d := read(t, files); len(d.Problems) > 0 {
		t.Error(lines(d.Problems))
	}
	for i := range maxEntries {
		files[fmt.Sprintf("img/%d.yml", i)] = ""
	}
	d := read(t, files)
	if last := d.Problems[0]; last.Rule != domain.RuleUnreadableFile || last.File != "img" || len(d.Problems) > maxEntries {
		t.Errorf("%d problems, the first %s", len(d.Problems), last)
	}
}

// TestNamesAreShown checks that a problem is one printable line for any file name.
func TestNamesAreShown(t *testing.T) {
	for name, want := range map[string]string{
		"Über uns.yaml":    "Über uns.yaml",
		"a\nb.yaml":        `"a\nb.yaml"`,
		"\x1b[31mred.yaml": `"\x1b[31mred.yaml"`,
		"\u202eab.yaml":    `"\u202eab.yaml"`,
	} {
		d := read(t, with(base(t), map[string]string{name: ""}))
		if len(d.Problems) != 1 || !strings.HasPrefix(d.Problems[0].String(), want+":1:1: error: unknown-file: ") {
			t.Errorf("%q: %q, want %s", name, lines(d.Problems), want)
		}
	}
	p := Problem{File: "\xff"}
	if got := p.String(); !strings.HasPrefix(got, `"\xff":0:0`) {
		t.Error(got)
	}
}

func TestMeantPath(t *testing.T) {
	for name, want := range map[string]string{
		"menus/m.yaml": "nav/m.yaml", "menu/m.json": "nav/m.json", "menus.yaml": "nav.yaml", "category.yaml": "categories.yaml",
		"nav/tools.yml": "nav/tools.yaml", "chain.ndjson": "chains.ndjson", "data/chains.yaml": "chains.yaml", "pictures.json": "",
	} {
		if got := meantPath(name); got != want {
			t.Errorf("meantPath(%q) = %q, want %q", name, got, want)
		}
	}
}
