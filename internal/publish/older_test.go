package publish_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"strings"
	"testing"

	"vitrine/internal/bundle"
	"vitrine/internal/checkout"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// publishedFrom publishes a directory, and returns the rules that hold it, "" for none, and the
// outcome.
func publishedFrom(t *testing.T, m *memory, dir *bundle.Directory, from publish.From) (string, publish.Outcome) {
	t.Helper()
	outcome, err := publish.Directory(t.Context(), m, dir, from, note)
	var held *publish.HeldError
	if errors.As(err, &held) {
		return held.Rules(), outcome
	}
	if err != nil {
		t.Fatal(err)
	}
	return "", outcome
}

// commits is a repository: c1 < c2 < c3 follow each other by name; b2 branches off c1, x1 is in
// another repository, and broken cannot be read.
type commits struct{}

func (commits) IsAncestor(ancestor, of string) (bool, error) {
	if ancestor == "broken" {
		return false, errors.New("the objects are damaged")
	}
	switch {
	case ancestor[0] == 'x' || of[0] == 'x' || of == "broken":
		return false, nil
	case ancestor[0] == of[0]:
		return ancestor < of, nil
	}
	return ancestor == "c1" && of[0] == 'b', nil
}

func (commits) Has(hash string) (bool, error) { return hash[0] != 'x', nil }

// atCommit returns a directory at a commit with the words of a catalogue.
func atCommit(commit, text string) *bundle.Directory {
	dir := &bundle.Directory{Catalog: words(text), Digest: commit + text}
	if commit != "" {
		dir.Commit, dir.Commits = checkout.Commit{Hash: commit}, commits{}
	}
	return dir
}

func TestAncestorsAreHeld(t *testing.T) {
	for _, tt := range []struct {
		name                  string
		first, served, commit string // first and served are published, `COMMIT WORDS`
		draft                 string
		want                  string
	}{
		{"an ancestor", "", "c2 a=A", "c1", "a=B", "older"},
		{"an ancestor with uncommitted changes", "c1 a=A b=B", "c2 a=A2 b=B", "c1", "a=A b=Else", "older"},
		{"a descendant", "", "c1 a=A", "c2", "a=B", ""},
		{"a descendant that returns a value", "c1 a=A b=B", "c2 a=A2 b=B", "c3", "a=A b=B", ""},
		{"the commit with changes", "", "c1 a=A", "c1", "a=B", ""},
		{"no commit", "", "c2 a=A", "", "a=B", ""},
		{"no commit is served", "", " a=A", "c1", "a=B", ""},
		{"an unreadable commit", "", "c2 a=A", "broken", "a=B", ""},
		{"a commit on an ancestor", "c1 a=A b=B", "c2 a=A2 b=B", "b2", "a=A b=Else", "older"},
		{"a commit on an ancestor that is up to date", "c1 a=A b=B", "c2 a=A2 b=B", "b2", "a=A2 b=Else", ""},
		{"a commit on an ancestor with a new value", "c1 a=A b=B", "c2 a=A2 b=B", "b2", "a=A3 b=B", ""},
		{"an amended commit", "c1 a=A b=B", "c2 a=A2 b=B2", "b2", "a=A b=B2", ""},
		{"a commit of another repository", "c1 a=A b=B", "x2 a=A2 b=B", "b2", "a=A b=Else", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			for _, text := range []string{tt.first, tt.served} {
				if commit, text, ok := strings.Cut(text, " "); ok {
					if held, _ := publishedFrom(t, &m, atCommit(commit, text), publish.From{}); held != "" {
						t.Fatalf("held by %q", held)
					}
				}
			}
			if got, _ := publishedFrom(t, &m, atCommit(tt.commit, tt.draft), publish.From{}); got != tt.want {
				t.Errorf("held by %q, want %q", got, tt.want)
			}
		})
	}
	t.Run("after a rollback", func(t *testing.T) {
		var m memory
		for _, dir := range []*bundle.Directory{atCommit("c1", "a=A"), atCommit("c2", "a=B"), atCommit("c4", "a=C")} {
			publishedFrom(t, &m, dir, publish.From{})
		}
		rolledBack(t, &m, 2) // c2 is served
		if got, _ := publishedFrom(t, &m, atCommit("c3", "a=D"), publish.From{}); got != "" {
			t.Errorf("a descendant of the restored commit is held by %q", got)
		}
		rolledBack(t, &m, 2)
		if got, _ := publishedFrom(t, &m, atCommit("c1", "a=E"), publish.From{}); got != "older" {
			t.Errorf("an ancestor of the restored commit is held by %q", got)
		}
	})
}

// TestOlderDirectoriesAreFoundBehindEdits checks that edits of the first records do not hide that
// a directory derives from an older revision.
func TestOlderDirectoriesAreFoundBehindEdits(t *testing.T) {
	names := func(edited, old int, rest string) string {
		var b strings.Builder
		for i := range edited + old {
			name := rest
			if i < edited {
				name = "Mine"
			}
			fmt.Fprintf(&b, "c%03d=%s ", i, name)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name  string
		draft string
		want  string
	}{
		{"old values behind edits", names(40, 60, "Old"), "older"},
		{"edits alone", names(40, 60, "New"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			renamed := func(words string) *bundle.Directory {
				dir := atCommit("", words)
				dir.Catalog.Gate = &domain.GateSettings{Values: &domain.Threshold{Min: 1000}}
				return dir
			}
			for _, name := range []string{"Old", "New"} {
				if held, _ := publishedFrom(t, &m, renamed(names(0, 100, name)), publish.From{}); held != "" {
					t.Fatalf("held by %q", held)
				}
			}
			if got, _ := publishedFrom(t, &m, renamed(tt.draft), publish.From{Starting: true}); got != tt.want {
				t.Errorf("held by %q, want %q", got, tt.want)
			}
		})
	}
}

// chains returns a catalogue of the chains a and b, each given by name, description and figure.
func chains(a, b string) *domain.Catalog {
	c := titled("A")
	for i, text := range []string{a, b} {
		var name, about string
		var tvl float64
		fmt.Sscan(text, &name, &about, &tvl)
		slug := string(rune('a' + i))
		c.Chains = append(c.Chains, domain.Chain{
			Slug: slug, ChainID: slug, Name: domain.Text{{Locale: "en", Value: name}},
			Description: domain.Text{{Locale: "en", Value: about}}, TVL: &domain.Figure{Value: tvl, Source: "s", AsOf: "2026-01-01"},
		})
	}
	return c
}

// TestReplacedDirectoriesAreHeldByValue checks that a server that starts with a replaced directory
// holds it as long as it would return a replaced value, also if the directory changed before the
// start.
func TestReplacedDirectoriesAreHeldByValue(t *testing.T) {
	const start, behind, running = "start", "behind", "running"
	for _, tt := range []struct {
		name, how, a, b string
		want            string
	}{
		{"unchanged", start, "Old old 1", "B b 1", "older"},
		{"unchanged, while the server runs", running, "Old old 1", "B b 1", ""},
		{"with another figure", behind, "Old old 7", "B b 7", "older"},
		{"with another figure at the start", start, "Old old 7", "B b 7", "older"},
		{"with another description", behind, "Old else 1", "B else 1", "older"},
		{"with another description at the start", start, "Old else 7", "B else 7", "older"},
		{"only the description is old", behind, "New old 2", "B2 b2 2", "older"},
		{"only a figure is old", behind, "New new 1", "B2 b2 2", "older"},
		{"up to date", behind, "New new 2", "B2 b2 2", ""},
		{"up to date with other figures", behind, "New new 9", "B2 b2 9", ""},
		{"with values of its own", behind, "Else else 9", "B3 b3 9", ""},
		{"one field returned, at the start", start, "New old 2", "B2 b2 2", ""},
		{"one field returned with other figures, at the start", start, "New old 9", "B2 b2 9", ""},
		{"new at the start", start, "Else else 9", "B2 b2 9", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			publishDir := func(how, a, b string) string {
				from := publish.From{Starting: how == start}
				if how == behind {
					from.Behind = 1
				}
				held, _ := publishedFrom(t, &m, &bundle.Directory{Catalog: chains(a, b), Digest: a + b}, from)
				return held
			}
			publishDir(running, "Old old 1", "B b 1")
			publishDir(running, "New new 2", "B2 b2 2")
			if got := publishDir(tt.how, tt.a, tt.b); got != tt.want {
				t.Errorf("held by %q, want %q", got, tt.want)
			}
		})
	}
}

// TestOlderHoldsByValue checks random histories: a held directory stays held exactly while it has
// a replaced value of its revision. A server that starts with a replaced directory and other
// figures holds it. A directory without replaced values is published.
func TestOlderHoldsByValue(t *testing.T) {
	for seed := range uint64(300) {
		r := mathrand.New(mathrand.NewPCG(seed, 32))
		var m memory
		var all [][4]string // names and descriptions of both chains by revision
		figure := 0
		dir := func(v [4]string) *bundle.Directory {
			figure++
			return &bundle.Directory{Digest: rand.Text(), Catalog: chains(fmt.Sprint(v[0], " ", v[1], " ", figure), fmt.Sprint(v[2], " ", v[3], " ", figure))}
		}
		for range 2 + r.IntN(4) {
			var v [4]string
			for i := range v {
				v[i] = pick(r, "One", "Two", "Three")
			}
			if len(all) > 0 && r.IntN(2) == 0 { // a change of one value
				one := all[len(all)-1]
				i := r.IntN(len(one))
				one[i], v = v[i], one
				v = one
			}
			if held, outcome := publishedFrom(t, &m, dir(v), publish.From{}); held != "" || !outcome.Published {
				t.Fatalf("seed %d: held by %q", seed, held)
			}
			all = append(all, v)
		}
		head := all[len(all)-1]
		old := r.IntN(len(all) - 1)
		draft, back := head, false
		for i := range draft {
			draft[i] = pick(r, head[i], all[old][i], "Else")
			back = back || draft[i] == all[old][i] && draft[i] != head[i]
		}
		plan, err := publish.Import(t.Context(), &m, dir(draft), publish.From{Behind: int64(old + 1)})
		if err != nil {
			t.Fatal(err)
		}
		if held := plan.Held() != nil; held != back {
			t.Fatalf("seed %d: %v on %v, of %v: held %t, want %t", seed, draft, head, all[old], held, back)
		}
		plan, err = publish.Import(t.Context(), &m, dir(all[old]), publish.From{Starting: true})
		if err != nil {
			t.Fatal(err)
		}
		if held := plan.Held() != nil; held != (all[old] != head) {
			t.Errorf("seed %d: at the start %v on %v: held %t (%v)", seed, all[old], head, held, all)
		}
		for i := range draft {
			draft[i] = pick(r, head[i], "Else")
		}
		if held, _ := publishedFrom(t, &m, dir(draft), publish.From{Starting: true}); held != "" {
			t.Errorf("seed %d: %v on %v is held by %q", seed, draft, head, held)
		}
	}
}

// TestOlderDirectories checks added, removed and renamed records, the order of nav groups, and
// accepted values.
func TestOlderDirectories(t *testing.T) {
	nav := func(order string) func(c *domain.Catalog) {
		return func(c *domain.Catalog) {
			for _, key := range order {
				c.NavGroups = append(c.NavGroups, domain.NavGroup{Key: string(key), Slug: string(key), Name: domain.Text{{Locale: "en", Value: string(key)}}})
			}
		}
	}
	dir := func(text string, edits ...func(*domain.Catalog)) *bundle.Directory {
		c := words(text)
		for _, edit := range edits {
			edit(c)
		}
		return &bundle.Directory{Catalog: c, Digest: rand.Text()}
	}
	former := func(c *domain.Catalog) { c.Chains[0].Former = []string{"a"} }
	for _, tt := range []struct {
		name           string
		old, new, then *bundle.Directory
		want           string // in the message, "" for no hold
	}{
		{"a removed record", dir("a=A b=B"), dir("b=B"), dir("a=A b=Else"), "1 record (chains a)"},
		{"an added record", dir("b=B"), dir("a=A b=B"), dir("b=Else"), "1 record (chains a)"},
		{"a renamed record under its old name", dir("a=A"), dir("a2=A", former), dir("a=Else"), "1 record (chains a)"},
		{"a renamed record", dir("a=A"), dir("a2=A", former), dir("a2=Else", former), ""},
		{"a record that is renamed later", dir("a=A b=B"), dir("a=A b=B2"), dir("a2=A b=B2", former), ""},
		{"the order of nav groups", dir("a=A", nav("xy")), dir("a=A", nav("yx")), dir("a=Else", nav("xzy")), "1 record (the order of nav groups)"},
		{"another order of nav groups", dir("a=A", nav("xyz")), dir("a=A", nav("yxz")), dir("a=Else", nav("yzx")), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			for _, dir := range []*bundle.Directory{tt.old, tt.new} {
				publishedFrom(t, &m, dir, publish.From{})
			}
			_, err := publish.Directory(t.Context(), &m, tt.then, publish.From{Behind: 1}, note)
			var held *publish.HeldError
			errors.As(err, &held)
			switch {
			case tt.want == "":
				if err != nil {
					t.Error(err)
				}
			case held == nil || held.Rules() != "older" || !strings.Contains(held.Holds[0].Message, tt.want):
				t.Errorf("%v, want %s", err, tt.want)
			case held.Holds[0].Behind != 1:
				t.Errorf("Behind is revision %d", held.Holds[0].Behind)
			}
		})
	}
	t.Run("accepted values", func(t *testing.T) {
		var m memory
		for _, text := range []string{"a=Old", "a=New"} {
			publishedFrom(t, &m, dir(text), publish.From{})
		}
		plan, err := publish.Import(t.Context(), &m, dir("a=Old b=B"), publish.From{Behind: 1})
		if err != nil {
			t.Fatal(err)
		}
		if needless := plan.Accept([]string{"older"}); needless != nil {
			t.Fatalf("accepted needlessly: %q", needless)
		}
		if _, err := plan.Publish(t.Context(), &m, note); err != nil {
			t.Fatal(err)
		}
		if got, _ := publishedFrom(t, &m, dir("a=Old b=Else"), publish.From{Behind: 1}); got != "" {
			t.Errorf("held by %q", got)
		}
	})
	t.Run("a pruned revision", func(t *testing.T) {
		var m memory
		for _, text := range []string{"a=Old", "a=New"} {
			publishedFrom(t, &m, dir(text), publish.From{})
		}
		m.states = m.states[1:]
		if got, _ := publishedFrom(t, &m, dir("a=Old b=B"), publish.From{Behind: 1}); got != "older" {
			t.Errorf("held by %q", got)
		}
	})
}

func TestOtherPublishersAreWarnedOf(t *testing.T) {
	watched, by := publish.From{Publisher: "serve web1:/srv/a"}, func(p string) publish.From { return publish.From{Publisher: p} }
	with := func(text string) *bundle.Directory {
		return &bundle.Directory{Catalog: words(text), Digest: text}
	}
	for _, tt := range []struct {
		name  string
		first publish.From // publishes a=One, before second publishes a=Two
		next  publish.From
		third string // the next publish of the first publisher, "" for none
		want  string // in the warnings of the last, "" for none
	}{
		{"an import beside a server", watched, by("import web2:/home/ann/b"), "", "a server published another directory to this store (serve web1:/srv/a: revision 1 "},
		{"an import of the watched directory", watched, by("import web1:/srv/a"), "", ""},
		{"two imports", by("import web1:/a"), by("import web1:/b"), "", ""},
		{"a server that reverts an import", watched, by("import web2:/b"), "a=One b=B", "this publish reverts 1 record (chains a) to revision 1 and so undoes revision 2 "},
		{"a server with the same change", watched, by("import web2:/b"), "a=Two b=B", ""},
		{"unknown publishers", publish.From{}, publish.From{}, "a=One b=B", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			publishedFrom(t, &m, with("a=One"), tt.first)
			_, outcome := publishedFrom(t, &m, with("a=Two"), tt.next)
			if tt.third != "" {
				_, outcome = publishedFrom(t, &m, with(tt.third), tt.first)
			}
			got := strings.Join(outcome.Warnings, "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("warnings %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRival(t *testing.T) {
	const own = "serve web1:/srv/a"
	for publisher, want := range map[string]bool{
		"": false, own: false, "import web1:/srv/a": false, "serve web2:/srv/a": false, // a replica
		"import web1:/srv/b": true, "serve web2:/srv/b": true,
	} {
		r := store.Revision{Number: 7, Op: store.OpImport, Publisher: publisher}
		if got := publish.Rival(r, own) != ""; got != want {
			t.Errorf("Rival(%q) = %t, want %t", publisher, got, want)
		}
	}
}
