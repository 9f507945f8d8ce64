package bundle

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// linesOf has valid lines of each list, and lines with every sort of problem: of their syntax, their
// types, their values, their references, their names and with other lines.
var linesOf = map[string][]string{
	"chains": {
		`{"slug":"a","name":{"en":"A","es":"A"},"chain_id":1,"categories":["l2"]}`,
		`{"slug":"b","name":{"en":"B"},"chain_id":2,"parent":"a"}`,
		`{"slug":"c","name":"C","chain_id":"3","parent":"b","former":["old-c"],"logo":"assets/a.svg"}`,
		`{"slug":"d","name":"D","chain_id":4,"successor":"c","status":"retired"}`,
		`{"slug":"a","name":"Another A","chain_id":5}`,
		`{"slug":"e","name":"E","chain_id":1,"website":"http://e.example"}`,
		`{"slug":"f","name":"a","chain_id":6,"former":["a"]}`,
		`{"slug":"g","name":"G","chain_id":7,"parent":"g"}`,
		`{"slug":"h","name":"H","chain_id":8,"llama_tvl":{"value":5,"source":"x","as_of":"2026-11-25"}}`,
		`{"slug":"i","name":"I","chain_id":9,"llama_tvl":{"value":5,"source":"x","as_of":"2026-01-01"},"categories":["unknown"]}`,
		`{"slug":"j","name":{"en":"J","fr":"J"},"chain_id":10}`,
		`{"slug":"k","nam":"K","chain_id":[11]}`,
		`{"slug":"A"`, `[{"slug":"l"}]`, `{"slug":"m","name":"М","chain_id":12}`, "{\"slug\":\"n\",\"name\":\"\xff\"}", ``, `   `,
		`{"slug":"o","name":"O","chain_id":13} {"slug":"p"}`,
	},
	"apps": {
		`{"key":"x","title":"X","link":"https://x.example","chains":["a","b"]}`,
		`{"key":"y","title":{"en":"Y","es":"Y"},"link":"https://y.example","successor":"x","status":"retired"}`,
		`{"key":"z","title":"Z","link":"https://z.example","chains":["c"],"categories":["wallet"]}`,
		`{"key":"x","title":"Z","link":"ftp://z.example"}`,
	},
	"twitter": {
		`{"handle":"One","name":"One","followers_count":1}`,
		`{"handle":"two","name":"Two","description":{"en":"2","es":"2"},"followers_count":{"value":2,"source":"x","as_of":"2026-11-01"}}`,
		`{"handle":"one","name":"ONE","followers_count":3}`,
		`{"handle":"held","name":"Held"}`,
		`{"handle":"@four","name":"Four","followers_count":-4}`,
		`{"handle":"five","name":"Five","description":{"de":"5"},"followers_count":5}`,
	},
}

const ownFields = `title: T
default_locale: en
locales: [en, es]
max_age: {llama_tvl: {days: 30}}
`

var withFrench = strings.Replace(ownFields, "[en, es]", "[en, es, fr]", 1)

const registry = `groups:
  - {module: chain, key: kind, name: {en: Kind, es: Clase}}
  - {module: item, key: kind, name: {en: Kind, es: Clase}}
categories:
  - {key: l2, name: L2, scopes: [chain], groups: {chain: [kind]}}
  - {key: wallet, name: Wallet, scopes: [item], groups: {item: [kind]}}
`

// editor edits the files of a directory at random.
type editor struct {
	t     *rapid.T
	files map[string]string
	today domain.Date
}

func (e *editor) pick(n int, label string) int { return rapid.IntRange(0, n-1).Draw(e.t, label) }

// list returns the name of a random file with a list, and the list.
func (e *editor) list() (name, list string) {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(e.files)) {
		if strings.HasSuffix(name, ".ndjson") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "chains.ndjson", "chains"
	}
	name = names[e.pick(len(names), "file")]
	list, _, _ = strings.Cut(strings.TrimSuffix(name, ".ndjson"), "/")
	return name, list
}

func (e *editor) line(list string) string {
	return linesOf[list][e.pick(len(linesOf[list]), "line")]
}

// edit makes one edit.
func (e *editor) edit() {
	name, list := e.list()
	lines := strings.Split(e.files[name], "\n")
	at := e.pick(len(lines), "at")
	switch rapid.IntRange(0, 21).Draw(e.t, "edit") {
	case 0, 1, 2:
		lines = slices.Insert(lines, at, e.line(list))
	case 3, 4:
		lines = slices.Delete(lines, at, at+1)
	case 5:
		lines[at] = e.line(list)
	case 6:
		to := e.pick(len(lines), "to")
		lines[at], lines[to] = lines[to], lines[at]
	case 7:
		lines[at] = " " + lines[at] + "\r"
	case 8: // rename, or move lines into a file of a folder
		delete(e.files, name)
		name = fmt.Sprintf("%s/%d.ndjson", list, e.pick(3, "name"))
	case 9:
		list = slices.Sorted(maps.Keys(linesOf))[e.pick(len(linesOf), "list")]
		name, lines = list+".ndjson", []string{e.line(list)}
	case 10:
		delete(e.files, name)
		return
	case 11:
		e.files["catalog.yaml"] = []string{
			ownFields, withFrench, strings.Replace(ownFields, "default_locale: en", "default_locale: es", 1),
			ownFields + "accept: [{rule: confusable-name}, {rule: missing-translation, locale: es}]\n", "title: [", ownFields,
		}[e.pick(6, "catalog.yaml")]
		return
	case 12:
		e.files["categories.yaml"] = []string{registry, strings.ReplaceAll(registry, "wallet", "wallets"), "groups: 5", registry}[e.pick(4, "categories.yaml")]
		return
	case 13:
		e.today = []domain.Date{"2026-11-23", "2026-11-24"}[e.pick(2, "today")]
		return
	case 14: // valid with this catalog.yaml only
		e.files["catalog.yaml"], e.files["chains/j.ndjson"] = withFrench, linesOf["chains"][10]
		return
	case 15: // valid on this day only
		e.today, e.files["chains/h.ndjson"] = "2026-11-24", linesOf["chains"][8]
		return
	case 17, 18: // the lines as YAML
		e.files[fmt.Sprintf("%s/%d.yaml", list, e.pick(3, "name"))] = yamlOfLines(lines)
		if e.pick(3, "moved") > 0 {
			delete(e.files, name)
		}
		return
	case 19:
		e.files[fmt.Sprintf("%s/%d.yaml", list, e.pick(3, "name"))] = yamlOfLines([]string{e.line(list), e.line(list)})
		return
	case 20, 21: // an asset
		asset := []string{"assets/a.svg", "assets/b.svg"}[e.pick(2, "asset")]
		if content := []string{baseSVG, "\n" + baseSVG, "<svg/>", ""}[e.pick(4, "content")]; content != "" {
			e.files[asset] = content
		} else {
			delete(e.files, asset)
		}
		return
	case 16: // in other formats, after the lines
		e.files["chains/z.json"] = []string{`[{"slug":"y","name":"Y"},{"slug":"z","name":""}]`, `[{"slug":"y","name":"Y","chain_id":25}]`}[e.pick(2, "json")]
		return
	}
	e.files[name] = strings.Join(lines, "\n")
}

// yamlOfLines returns the lines as elements of a YAML list, without blank ones.
func yamlOfLines(lines []string) string {
	var out strings.Builder
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			out.WriteString("- " + strings.TrimSpace(line) + "\n")
		}
	}
	return out.String()
}

// read reads the files in memory.
func (e *editor) read(opts Options) *Directory {
	fsys := fstest.MapFS{}
	for name, text := range e.files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	d, err := Read(context.Background(), fsys, opts)
	if err != nil {
		e.t.Fatal(err)
	}
	return d
}

// TestDecodedChangesNothing checks that a reading with the records of an earlier one has the results
// of a reading without, through random edits of the directory.
func TestDecodedChangesNothing(t *testing.T) {
	checks, reused, published := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		checks++
		e := &editor{t: t, today: "2026-11-23", files: map[string]string{"catalog.yaml": ownFields, "categories.yaml": registry, "assets/a.svg": baseSVG}}
		for list, lines := range linesOf {
			e.files[list+".ndjson"] = strings.Join(lines[:2], "\n") + "\n"
		}
		var decoded *Decoded
		good := maps.Clone(e.files) // the last files without an error
		for range rapid.IntRange(2, 15).Draw(t, "edits") {
			opts := Options{
				Today:    e.today,
				EveryGap: rapid.IntRange(0, 9).Draw(t, "every gap") == 0,
			}
			want := e.read(opts)
			opts.Decoded = decoded
			got := e.read(opts)
			for _, d := range []struct {
				what      string
				want, got any
			}{
				{"problems", want.Problems, got.Problems}, {"counts", want.Found, got.Found}, {"accepted", want.Accepted, got.Accepted},
				{"catalogue", want.Catalog, got.Catalog}, {"digest", want.Digest, got.Digest}, {"origins", originsOf(want), originsOf(got)},
			} {
				if diff := cmp.Diff(d.want, d.got); diff != "" {
					t.Fatalf("%s (-full +incremental):\n%s\nfiles: %q", d.what, diff, e.files)
				}
			}
			for _, lines := range got.lines {
				reused += len(slices.DeleteFunc(slices.Clone(lines), func(l decodedLine) bool { return l.record == 0 }))
			}
			if next := got.Decoded(); next != nil {
				published++
				good = maps.Clone(e.files)
				decoded = next.In(served(t, got.Catalog))
				if rapid.IntRange(0, 5).Draw(t, "wait") == 0 {
					decoded = next // it is not served yet
				}
			}
			if rapid.Bool().Draw(t, "repair") {
				e.files = maps.Clone(good)
			}
			for range rapid.IntRange(0, 3).Draw(t, "edits at once") {
				e.edit()
			}
		}
	})
	t.Logf("%d records reused, %d directories without errors", reused, published)
	if reused < 10*checks || published < checks {
		t.Errorf("%d records were decoded before, %d directories had no error: the test does not test much", reused, published)
	}
}

// served returns the catalogue as a store has it: written and read, in another order. Sometimes a
// record differs, as after another publish.
func served(t *rapid.T, c *domain.Catalog) *domain.Catalog {
	stored := &domain.Catalog{}
	random := rand.New(rand.NewPCG(1, uint64(rapid.IntRange(0, 9).Draw(t, "order"))))
	for _, d := range domain.Descriptions() {
		if !d.Long {
			d.Take(stored, c)
			continue
		}
		for _, i := range random.Perm(d.Size(c)) {
			record := d.New()
			body, err := d.Shape.AppendJSON(nil, d.Record(c, i), "")
			if err == nil {
				err = new(domain.Decoder).Decode(body, d.Shape, record)
			}
			if err != nil {
				t.Fatal(err)
			}
			if random.IntN(8) > 0 {
				d.Add(stored, record)
			}
		}
	}
	if n := len(stored.Chains); n > 0 && random.IntN(4) == 0 {
		stored.Chains[n-1].Name = domain.Text{{Locale: "en", Value: "Rolled back"}}
	}
	return stored
}

func originsOf(d *Directory) []string {
	var all []string
	for _, kind := range domain.Descriptions() {
		for i := range kind.Size(d.Catalog) {
			all = append(all, d.Origin(kind.Kind, i))
		}
	}
	return all
}

// TestDecodedSharesRecords checks that unchanged lines are not decoded again: their records are those
// of the catalogue.
func TestDecodedSharesRecords(t *testing.T) {
	var lines bytes.Buffer
	for i := range 100 {
		fmt.Fprintf(&lines, `{"handle":"account%d","name":"Account %d","followers_count":%d}`+"\n", i, i, i)
	}
	read := func(text string, decoded *Decoded) *Directory {
		t.Helper()
		fsys := fstest.MapFS{
			"catalog.yaml":   {Data: []byte("title: T\ndefault_locale: en\nlocales: [en]\n")},
			"twitter.ndjson": {Data: []byte(text)},
		}
		d, err := Read(t.Context(), fsys, Options{Decoded: decoded})
		if err != nil || d.Errors() > 0 {
			t.Fatal(err, d.Problems)
		}
		return d
	}
	first := read(lines.String(), nil)
	decoded := first.Decoded().In(first.Catalog)
	if decoded.In(first.Catalog) != decoded {
		t.Error("the same catalogue was compared again")
	}
	second := read(strings.Replace(lines.String(), "Account 50", "Changed", 1), decoded)
	for i := range second.Catalog.Accounts {
		shared := second.Catalog.Accounts[i].Followers == first.Catalog.Accounts[i].Followers
		if shared != (i != 50) {
			t.Errorf("account %d is shared: %t", i, shared)
		}
	}
	third := read(lines.String(), second.Decoded().In(second.Catalog))
	if name := third.Catalog.Accounts[50].Name; name != "Account 50" {
		t.Errorf("the name after the change was reverted is %q", name)
	}
}

// TestDecodedLinesOfABrokenFile checks that lines of a file that is given up do not stand for the
// records of the next one, which has another format.
func TestDecodedLinesOfABrokenFile(t *testing.T) {
	const one = `{"slug":"a","name":"A","chain_id":1}` + "\n"
	files := fstest.MapFS{
		"catalog.yaml":    {Data: []byte("title: T\ndefault_locale: en\nlocales: [en]\n")},
		"chains/a.ndjson": {Data: []byte(one)},
	}
	read := func(decoded *Decoded) *Directory {
		t.Helper()
		d, err := Read(t.Context(), files, Options{Decoded: decoded})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := read(nil)
	files["chains/a.ndjson"] = &fstest.MapFile{Data: []byte(one + "{\n")}
	files["chains/b.json"] = &fstest.MapFile{Data: []byte(`[{"slug":"b","name":"B","chain_id":2,"website":"no URL"}]`)}
	if diff := cmp.Diff(read(nil).Problems, read(first.Decoded().In(first.Catalog)).Problems); diff != "" {
		t.Errorf("problems (-full +incremental):\n%s", diff)
	}
}

// TestDecodedSharesRecordsOfDocuments checks that unchanged files of YAML are not decoded again, and
// that their records keep their places.
func TestDecodedSharesRecordsOfDocuments(t *testing.T) {
	files := fstest.MapFS{"catalog.yaml": {Data: []byte("title: T\ndefault_locale: en\nlocales: [en]\n")}}
	for n := range 2 {
		var text strings.Builder
		for i := range 50 {
			fmt.Fprintf(&text, "- handle: account%d_%d\n  name: Account\n  followers_count: %d\n", n, i, i)
		}
		files[fmt.Sprintf("twitter/%d.yaml", n)] = &fstest.MapFile{Data: []byte(text.String())}
	}
	read := func(decoded *Decoded) *Directory {
		t.Helper()
		d, err := Read(t.Context(), files, Options{Decoded: decoded})
		if err != nil || d.Errors() > 0 {
			t.Fatal(err, d.Problems)
		}
		return d
	}
	first := read(nil)
	files["twitter/1.yaml"].Data = bytes.Replace(files["twitter/1.yaml"].Data, []byte("name: Account\n"), []byte("name: Changed\n"), 1)
	second := read(first.Decoded().In(first.Catalog))
	for i := range second.Catalog.Accounts {
		if shared := second.Catalog.Accounts[i].Followers == first.Catalog.Accounts[i].Followers; shared != (i < 50) {
			t.Errorf("account %d is shared: %t", i, shared)
		}
	}
	if got, want := second.Origin(domain.KindAccount, 3), "twitter/0.yaml:10"; got != want {
		t.Errorf("an account of an unchanged file is at %s, want %s", got, want)
	}
	third := read(second.Decoded().In(second.Catalog))
	if third.Catalog.Accounts[0].Followers != second.Catalog.Accounts[0].Followers || third.Catalog.Accounts[50].Followers != second.Catalog.Accounts[50].Followers {
		t.Error("unchanged files were decoded again")
	}
	if third.Digest != second.Digest {
		t.Error("the digest depends on what was decoded before")
	}
}

// TestDecodedSharesAssets checks that an unchanged asset is neither encoded nor checked again, and that
// a renamed one is.
func TestDecodedSharesAssets(t *testing.T) {
	files := pictured(map[string]string{"assets/other.svg": baseSVG})
	first := read(t, files)
	kind := domain.Describe(domain.KindAsset)
	files["assets/other.svg"] += "\n"
	again, err := Read(t.Context(), mapFS(files), Options{Decoded: first.Decoded().In(first.Catalog)})
	if err != nil || again.Errors() > 0 {
		t.Fatal(err, again.Problems)
	}
	for i, shared := range []bool{true, false} {
		if got := again.lines[kind.Kind][i].record != 0; got != shared {
			t.Errorf("%s is from the earlier reading: %t", again.Catalog.Assets[i].File, got)
		}
	}
	delete(files, "assets/other.svg")
	files["assets/Other.svg"] = baseSVG
	if again, err = Read(t.Context(), mapFS(files), Options{Decoded: again.Decoded().In(again.Catalog)}); err != nil || again.Errors() == 0 {
		t.Errorf("a malformed name is no error: %v", err)
	}
}
