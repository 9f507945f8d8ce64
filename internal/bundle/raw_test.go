package bundle

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/picture"
)

const baseSVG = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\">\n<path d=\"M0 0h24v24z\"/></svg>\n"

func pictured(files map[string]string) map[string]string {
	all := map[string]string{
		"catalog.yaml":    "title: x\ndefault_locale: en\nlocales: [en]\n",
		"chains.yaml":     "- {slug: base, name: Base, chain_id: \"8453\", logo: assets/base.svg}\n",
		"assets/base.svg": baseSVG,
	}
	for name, content := range files {
		all[name] = content
	}
	return all
}

func TestAssetsAreReadAndWritten(t *testing.T) {
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, image.NewGray(image.Rect(0, 0, 2, 1))); err != nil {
		t.Fatal(err)
	}
	d := read(t, pictured(map[string]string{
		"apps.yaml": "- {key: a, title: A, link: /a, image: assets/base.png}\n", "assets/base.png": encoded.String() + "trailing", "assets/README.md": "x",
		"nav.yaml": "groups: [{key: g, name: G, menus: [m]}]", "nav/m.yaml": "title: M\nstandalone: [{slug: i, name: I, cards: [{app: a}]}]",
	}))
	if got := lines(d.Problems); len(got) > 0 {
		t.Fatalf("problems %q", got)
	}
	stored := picture.Decode(picture.PNG, picture.Encode(picture.PNG, append(encoded.Bytes(), "trailing"...)))
	dir := filepath.Join(t.TempDir(), "out")
	if err := Write(d.Catalog, dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"assets/base.svg": baseSVG, "assets/base.png": string(stored)} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	fsys, closeDir, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closeDir()
	again, err := Read(t.Context(), fsys, Options{})
	if err != nil || len(again.Problems) > 0 {
		t.Fatalf("%v, %q", err, lines(again.Problems))
	}
	if diff := cmp.Diff(d.Catalog, again.Catalog); diff != "" {
		t.Errorf("written and read (-want +got):\n%s", diff)
	}
	if got := d.Origin("assets", 1); got != "assets/base.svg:1" {
		t.Errorf("origin %q", got)
	}
}

func TestProblemsOfAssets(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string // the only problem
	}{
		{"program", map[string]string{"assets/base.svg": strings.Replace(baseSVG, "<path", "é <path", 1)},
			`assets/base.svg:2:1: error: malformed-picture: it has text outside <title> and <desc>; remove it, or convert it to paths`},
		{"missing", map[string]string{"chains.yaml": "- {slug: base, name: Base, chain_id: \"8453\", logo: assets/bse.svg}\n"},
			`chains.yaml:1:52: error: unknown-asset: logo "assets/bse.svg" does not exist; did you mean "assets/base.svg"? If not, add the file, or remove it here`},
		{"unused", map[string]string{"assets/other.svg": baseSVG},
			`assets/other.svg:1:1: warning: unused-asset: no record has this picture; name it in a logo or an image, or remove the file`},
		{"other format", map[string]string{"assets/a.JPG": "x"},
			`assets/a.JPG:1:1: error: unknown-file: no file of a catalogue has the name "assets/a.JPG"; save it as SVG or PNG in assets/ itself, with the ending .svg or .png`},
		{"other format of a logo", map[string]string{"chains.yaml": "- {slug: base, name: Base, chain_id: \"8453\", logo: assets/a.jpg}\n", "assets/a.jpg": "x"},
			`assets/a.jpg:1:1: error: unknown-file: no file of a catalogue has the name "assets/a.jpg"; save it as SVG or PNG in assets/ itself, with the ending .svg or .png`},
		{"nested", map[string]string{"assets/b/a.svg": baseSVG},
			`assets/b/a.svg:1:1: error: unknown-file: no file of a catalogue has the name "assets/b/a.svg"; save it as SVG or PNG in assets/ itself, with the ending .svg or .png`},
		{"name", map[string]string{"assets/A.svg": baseSVG},
			`assets/A.svg:1:1: error: malformed-key: the name of the file "A.svg" is not well-formed; use lower-case letters a-z, digits, ".", "_" and "-", at most 100, and the ending .svg or .png, as "base.svg"`},
		{"pointer", map[string]string{"assets/base.svg": "version https://git-lfs.github.com/spec/v1\n"},
			`assets/base.svg:1:1: error: wrong-content: this is a pointer of Git LFS, not the file that it stands for; fetch the file: git lfs pull`},
		{"too large", map[string]string{"assets/base.svg": strings.Repeat(" ", 64<<10) + baseSVG},
			`assets/base.svg:1:1: error: too-long: it has 65627 bytes, the limit is 65536; simplify or shrink it: logos are shown at 64 pixels or less`},
		{"very large", map[string]string{"assets/base.svg": strings.Repeat(" ", maxRaw+1)},
			`assets/base.svg:1:1: error: too-long: the file has more than 8 MiB; scale the picture down`},
		{"document", map[string]string{"assets/base.yaml": "x: 1"},
			`assets/base.yaml:1:1: error: unknown-file: no file of a catalogue has the name "assets/base.yaml"; remove it, or name it after what it holds: ` + strings.Join(tops(), ", ")},
		{"no SVG", map[string]string{"chains.yaml": "- {slug: base, name: Base, chain_id: \"8453\", logo: assets/a.png}\n", "assets/base.svg": "", "assets/a.png": "GIF89a..........."},
			`assets/a.png:1:1: error: malformed-picture: it is not a PNG: not a PNG file; save it as PNG again` + "\n" +
				`assets/base.svg:1:1: error: missing-field: the file is empty; save the picture again, or remove the file`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, strings.Join(lines(read(t, pictured(tt.files)).Problems), "\n")); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}
