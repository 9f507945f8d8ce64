package bundle

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// problemsOf returns the problems of a rule as lines.
func problemsOf(d *Directory, rule domain.Rule) []string {
	var out []string
	for _, p := range d.Problems {
		if p.Rule == rule {
			out = append(out, p.String())
		}
	}
	return out
}

// TestDuplicatesNameTheFirst checks that a duplicate is reported with the place of the first, in
// any file.
func TestDuplicatesNameTheFirst(t *testing.T) {
	files := with(base(t), map[string]string{
		"chains/a.ndjson": "\n{\"slug\":\"x\",\"name\":\"X\",\"chain_id\":\"x1\"}\n",
		"chains/b.yaml":   "- slug: y\n  name: Y\n  chain_id: y1\n  categories:\n  - l1\n  - l1\n- slug: X\n  name: X\n  chain_id: x1\n",
		"nav/more.json":   "{\"title\":\"More\",\"groups\":[{\"slug\":\"a\",\"name\":\"A\"},\n{\"slug\":\"b\",\"name\":\"B\"},\n{\"slug\":\"b\",\"name\":\"B\"}]}",
	})
	want := []string{
		`chains/b.yaml:6:5: error: duplicate: category "l1" is listed twice, first in chains/b.yaml:5; remove one of them`,
		`chains/b.yaml:7:9: error: duplicate: slug "X" is already that of chain "x", first in chains/a.ndjson:2; give one of them another slug, or remove it`,
		`nav/more.json:3:9: error: duplicate: slug "b" is already that of another group of this menu, first in nav/more.json:2; give one of them another slug`,
	}
	if diff := cmp.Diff(want, problemsOf(read(t, files), domain.RuleDuplicate)); diff != "" {
		t.Errorf("duplicates (-want +got):\n%s", diff)
	}
}

// TestRemediesNameTheFile checks that remedies name existing files.
func TestRemediesNameTheFile(t *testing.T) {
	files := map[string]string{
		"catalog.json":    `{"title":"T","default_locale":"en","locales":["en"]}`,
		"categories.json": `{}`,
		"nav.json":        `{"groups":[{"key":"g","name":"G","menus":["tools"]}]}`,
		"nav/other.json":  `{"title":{"en":"T","fr":"T"},"og_image":"ftp://a/b"}`,
		"chains.json":     `[{"slug":"x","name":"X","chain_id":"1","categories":["l1"]}]`,
	}
	for _, line := range lines(read(t, files).Problems) {
		if strings.Contains(line, ".yaml") {
			t.Error(line)
		}
	}
}

// TestConsequencesAreNotReported checks that a value of the wrong shape is not also reported as
// missing in its record, but is in others.
func TestConsequencesAreNotReported(t *testing.T) {
	d := read(t, with(base(t), map[string]string{
		"chains/a.yaml":   "- &c {slug: [], name: X, chain_id: 1}\n- *c\n- {slug: [a], name: X, chain_id: 1x}\n- {name: X, chain_id: 2x}\n",
		"chains/b.ndjson": "{\"slug\":[]}\n{\n",
		"chains/c.ndjson": "{\"name\":\"C\",\"chain_id\":\"c\"}\n",
		"nav.yaml":        "groups:\n- key: g\n  name: {en: [a]}\n  menus: start\n- key: h\n",
	}))
	want := []string{"chains/a.yaml:1:13 wrong-type", "chains/a.yaml:3:10 wrong-type", "chains/a.yaml:4:3 missing-field", "chains/b.ndjson:2:1 syntax", "chains/c.ndjson:1:1 missing-field",
		"nav.yaml:3:14 wrong-type", "nav.yaml:4:10 wrong-type", "nav.yaml:5:3 missing-field"}
	got := []string{}
	for _, p := range d.Problems {
		if p.Severity == domain.Error {
			got = append(got, fmt.Sprintf("%s:%d:%d %s", p.File, p.Line, p.Column, p.Rule))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// TestProblemsAreBounded checks that a list with many problems takes no more memory: only some
// problems of each rule are stored, all are counted.
func TestProblemsAreBounded(t *testing.T) {
	const records = domain.MaxKept + 2000
	var list strings.Builder
	for i := range records {
		fmt.Fprintf(&list, `{"slug":"S%d","name":12,"chain_id":"x%d","categories":["nope%d"],"logo":"x y","tvl":1}`+"\n", i, i, i)
	}
	files := with(base(t), map[string]string{"chains/x.ndjson": list.String(), "youtube/y.ndjson": `{"channel_id":"a/b","name":"A"}` + "\n"})
	before := heap()
	d := read(t, files)
	t.Logf("%d MiB", (heap()-before)>>20)
	want := domain.Count{domain.RuleWrongType: records, domain.RuleMalformedKey: records + 1, domain.RuleUnknownCategory: records,
		domain.RuleMalformedLink: records, domain.RuleUnknownField: records}
	if diff := cmp.Diff(want, d.Found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if d.Errors() != 5*records+1 || len(d.Problems) != 5*domain.MaxKept {
		t.Errorf("%d errors, %d problems", d.Errors(), len(d.Problems))
	}
	if last := d.Problems[len(d.Problems)-1]; last.Line != domain.MaxKept {
		t.Errorf("the last problem is %v, want one of the first records", last)
	}
	if again := read(t, files); !reflect.DeepEqual(d.Problems, again.Problems) {
		t.Error("reading again gives different problems")
	}
	runtime.KeepAlive(d)
}
