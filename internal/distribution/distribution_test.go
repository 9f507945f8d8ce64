package distribution_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"vitrine/internal/changelog"
	"vitrine/internal/distribution"
	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/logtest"
	"vitrine/internal/store"
)

// TestMain collects garbage less often: the live heap of these tests is small.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(m)
}

// publisher is a store in memory with a distribution.
type publisher struct {
	t      testing.TB
	dir    string
	keys   string // folder of its key files
	now    time.Time
	writer *distribution.Writer
	head   *store.State
	past   []store.Revision // of the store
	log    *changelog.Log   // nil for none

	mirroring *distribution.Mirror // the last one; nil for none
}

func newPublisher(t testing.TB) *publisher {
	p := &publisher{t: t, dir: filepath.Join(t.TempDir(), "dist"), keys: t.TempDir(), now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	newKey(t, p.keys, "key")
	p.restart()
	return p
}

// newKey writes a pair of key files, as `minisign -G -W` does.
func newKey(t testing.TB, dir, name string) {
	public, secret, err := minisign.GenerateKey(nil)
	must(t, err)
	for file, key := range map[string]interface{ MarshalText() ([]byte, error) }{name: secret, name + ".pub": public} {
		text, err := key.MarshalText()
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, file), append(text, '\n'), 0o600))
	}
}

// restart begins with a new writer, which knows only the folder.
func (p *publisher) restart() {
	key, err := distribution.ReadSigningKey(filepath.Join(p.keys, "key"))
	must(p.t, err)
	if p.writer != nil {
		p.writer.Close()
	}
	p.writer = distribution.NewWriter(distribution.WriterConfig{
		Dir: p.dir, Key: key, Valid: time.Hour, Deltas: 4, Now: func() time.Time { return p.now },
	})
}

// publish adds a revision with a catalogue and observations, and distributes it.
func (p *publisher) publish(c *domain.Catalog, observed ...domain.Observation) distribution.Written {
	p.t.Helper()
	p.now = p.now.Add(time.Minute)
	rev := store.Revision{Number: 1, PublishedAt: p.now, Op: store.OpImport, Actor: "someone@example.org", Message: "internal"}
	if p.head != nil {
		rev.Number = p.head.Revision.Number + 1
	}
	var rows []store.Row
	for row, err := range store.Rows(c, nil) {
		must(p.t, err)
		rows = append(rows, row)
	}
	var err error
	p.head, err = store.NewState(rev, rows, observed)
	must(p.t, err)
	p.past = append(p.past, rev)
	return p.write()
}

// write distributes the head.
func (p *publisher) write() distribution.Written {
	p.t.Helper()
	written, err := p.writer.Write(p.t.Context(), p.head, p.log, p.has)
	must(p.t, err)
	return written
}

func (p *publisher) has(_ context.Context, r distribution.Revision) (bool, error) {
	return slices.ContainsFunc(p.past, r.Is), nil
}

// reader follows the distribution like package follow.
type reader struct {
	*distribution.Reader
	t      testing.TB
	log    *logtest.Lines
	state  *store.State
	deltas int // used
}

func (p *publisher) reader(change ...func(*distribution.ReaderConfig)) *reader {
	key, err := distribution.ParsePublicKey(filepath.Join(p.keys, "key.pub"))
	must(p.t, err)
	r := &reader{t: p.t, log: &logtest.Lines{}}
	config := distribution.ReaderConfig{From: p.dir, Key: key, Log: r.log.Logger(), Now: func() time.Time { return p.now }}
	for _, set := range change {
		set(&config)
	}
	r.Reader = distribution.NewReader(config)
	if t, ok := p.t.(interface{ Cleanup(func()) }); ok {
		t.Cleanup(func() { r.Close() })
	}
	return r
}

// look updates the state. After an error the state is the previous one.
func (r *reader) look() error {
	ctx := r.t.Context()
	head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	if r.state != nil {
		if r.state.Revision == head {
			return nil
		}
		changes, err := r.Changes(ctx, r.state.Revision.Number)
		if err == nil {
			r.state, err = r.state.Apply(changes)
			r.deltas++
			return err
		}
	}
	next, err := r.Load(ctx, 0)
	if err == nil {
		r.state = next
	}
	return err
}

// want fails unless the reader serves the head of the publisher.
func (r *reader) want(p *publisher) {
	r.t.Helper()
	must(r.t, r.look())
	if r.state.Revision.Number != p.head.Revision.Number || !r.state.Revision.PublishedAt.Equal(p.head.Revision.PublishedAt) {
		r.t.Fatalf("revision %+v, want %+v", r.state.Revision, p.head.Revision)
	}
	if diff := cmp.Diff(public(p.head.Merged()), r.state.Merged()); diff != "" {
		r.t.Fatalf("catalogue (-publisher +reader):\n%s", diff)
	}
}

// public returns a catalogue as readers know it.
func public(c *domain.Catalog) *domain.Catalog {
	p := *c
	p.Accept, p.Gate, p.Expect, p.PastIDs = nil, nil, nil, nil
	p.Chains = slices.Clone(p.Chains)
	for i := range p.Chains {
		p.Chains[i].RPC = slices.Clone(p.Chains[i].RPC)
		for j := range p.Chains[i].RPC {
			if reached := &p.Chains[i].RPC[j].Reached; reached.Reach == domain.ReachUnknown {
				reached.Since = "" // not served
			}
		}
	}
	return &p
}

func must(t interface {
	Helper()
	Fatal(...any)
}, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func chains(slugs ...string) *domain.Catalog {
	c := &domain.Catalog{Title: domain.Text{{Locale: "en", Value: "Chains"}}, DefaultLocale: "en", Locales: []string{"en"}}
	for _, slug := range slugs {
		c.Chains = append(c.Chains, domain.Chain{
			Slug: slug, Name: domain.Text{{Locale: "en", Value: slug}}, ChainID: "1", RPC: []domain.Endpoint{{URL: "https://" + slug + ".example"}},
		})
	}
	return c
}

func reached(slug string, reach domain.Reach) domain.Observation {
	return domain.ObserveReach(domain.KindChain, slug, "rpc", "https://"+slug+".example", domain.Reached{Reach: reach, Since: "2026-01-01"})
}

// TestReaderEqualsPublisher follows random edits of random catalogues with a reader that sees every
// revision, one that sees some, one that restarts, and a writer that restarts.
func TestReaderEqualsPublisher(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := newPublisher(t)
		every, some := p.reader(), p.reader()
		c := domaintest.Valid(4).Draw(rt, "catalogue")
		for i := range rapid.IntRange(1, 3).Draw(rt, "publishes") {
			var observed []domain.Observation
			for j := range c.Chains {
				chain := &c.Chains[j]
				if rapid.Bool().Draw(rt, "observed") {
					observed = append(observed, domain.Observation{
						Kind: domain.KindChain, Key: chain.Slug, Figure: domain.FigureTVL, Value: float64(i), Source: "test", AsOf: "2026-01-01",
					})
				}
				for k, e := range chain.RPC {
					if k == 0 && rapid.Bool().Draw(rt, "probed") {
						observed = append(observed, domain.ObserveReach(domain.KindChain, chain.Slug, "rpc", e.URL,
							domain.Reached{Reach: rapid.SampledFrom([]domain.Reach{"", "up", "down", "wrong-chain"}).Draw(rt, "reach"), Since: "2026-01-01"}))
					}
				}
			}
			if rapid.IntRange(0, 3).Draw(rt, "restart") == 0 {
				p.restart()
			}
			p.publish(c, observed...)
			every.want(p)
			if rapid.Bool().Draw(rt, "look") {
				some.want(p)
			}
			c = domaintest.Edited(c).Draw(rt, "edited")
		}
		some.want(p)
		p.reader().want(p)
	})
}

func TestDeltas(t *testing.T) {
	p := newPublisher(t)
	var slugs []string
	for i := range 50 {
		slugs = append(slugs, fmt.Sprintf("chain-%02d", i))
	}
	first := p.publish(chains(slugs...), reached("chain-01", domain.ReachUp))
	if len(first.Entry.Deltas) != 0 || first.Entry.Kinds[3].Records != 50 {
		t.Errorf("first entry %+v", first.Entry)
	}
	r, late := p.reader(), p.reader()
	r.want(p)
	late.want(p)

	p.publish(chains(slugs...), reached("chain-01", domain.ReachUp)) // changes nothing
	r.want(p)
	p.publish(chains(slugs[1:]...), reached("chain-01", domain.ReachDown))
	r.want(p)
	last := p.publish(chains(slugs[1:]...)) // forgets the state
	r.want(p)
	late.want(p)
	if r.deltas != 3 || late.deltas != 1 {
		t.Errorf("%d and %d deltas were used, want 3 and 1", r.deltas, late.deltas)
	}
	var got []string
	for _, d := range last.Entry.Deltas {
		got = append(got, fmt.Sprintf("from %d: %d, file %t", d.From.Number, d.Lines, d.File != nil))
	}
	if diff := cmp.Diff([]string{"from 3: 1, file true", "from 2: 2, file true", "from 1: 2, file true"}, got); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
	for range 6 {
		last = p.publish(chains(slugs...))
	}
	if len(last.Entry.Deltas) != 4 || last.Entry.Deltas[0].File != nil || last.Entry.Deltas[0].Lines != 0 {
		t.Errorf("deltas %+v, want 4 of which the first are empty", last.Entry.Deltas)
	}
	late.want(p) // from the full set
}

// TestDeterminism checks that files and digests depend on the catalogue only, and that the digest
// covers everything that is served.
func TestDeterminism(t *testing.T) {
	a, b := newPublisher(t), newPublisher(t)
	b.publish(chains("z"))
	x := a.publish(chains("one", "two"), reached("one", domain.ReachUp)).Entry
	y := b.publish(chains("two", "one"), reached("one", domain.ReachUp)).Entry
	if x.Digest != y.Digest || !cmp.Equal(x.Kinds, y.Kinds) {
		t.Errorf("the order of chains changes the full set:\n%s", cmp.Diff(x.Kinds, y.Kinds))
	}
	if z := b.publish(chains("two", "one"), reached("one", domain.ReachDown)).Entry; z.Digest == y.Digest {
		t.Error("the digest does not depend on the state of an endpoint")
	}
	if x.Catalogue == y.Catalogue {
		t.Error("two distributions have the same id")
	}
}

// TestLines pins the form of lines, which readers in other languages parse.
func TestLines(t *testing.T) {
	p := newPublisher(t)
	c := chains("one")
	c.Accounts = []*domain.Account{{Handle: "Held", Name: "Held"}}
	c.Menus = []domain.Menu{{PathSlug: "tools", Title: domain.Text{{Locale: "en", Value: "Tools"}}}}
	c.NavGroups = []domain.NavGroup{{Key: "main", Slug: "main"}}
	c.Accept = []domain.Acceptance{{Rule: "unlisted-menu", Reason: "secret"}}
	entry := p.publish(c, reached("one", domain.ReachUp), domain.Observation{
		Kind: domain.KindChain, Key: "one", Figure: domain.FigureTVL, Value: 5, Source: "test", AsOf: "2026-01-01",
	}).Entry
	var got []string
	for _, k := range entry.Kinds {
		for _, f := range k.Files {
			got = append(got, string(p.content(f)))
		}
	}
	want := []string{
		`{"kind":"catalog","key":"catalog","record":{"title":{"en":"Chains"},"default_locale":"en","locales":["en"]}}` + "\n",
		`{"kind":"chains","key":"one","endpoints":[{"url":"https://one.example","state":"up","since":"2026-01-01"}],"record":{"slug":"one","name":{"en":"one"},` +
			`"chain_id":"1","llama_tvl":{"value":5,"source":"test","as_of":"2026-01-01"},"rpc":[{"url":"https://one.example"}]}}` + "\n",
		`{"kind":"twitter","key":"held","hidden":"held-back","record":{"handle":"Held","name":"Held"}}` + "\n",
		`{"kind":"nav","key":"main","position":0,"record":{"key":"main"}}` + "\n",
		`{"kind":"menus","key":"tools","hidden":"unlisted","record":{"title":{"en":"Tools"}}}` + "\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	pointer, err := os.ReadFile(filepath.Join(p.dir, "entry.json"))
	must(t, err)
	for _, private := range []string{"someone@example.org", "internal"} {
		if bytes.Contains(pointer, []byte(private)) {
			t.Errorf("entry.json contains %q", private)
		}
	}
}

// content returns the decompressed content of a file.
func (p *publisher) content(f distribution.File) []byte {
	packed, err := os.ReadFile(filepath.Join(p.dir, f.Path))
	must(p.t, err)
	content, err := distribution.Unpack(f, packed)
	must(p.t, err)
	return content
}

// TestEpochs checks that a store that lacks the distributed revision begins a new epoch, and that
// readers follow it although its revision is older.
func TestEpochs(t *testing.T) {
	p := newPublisher(t)
	r := p.reader()
	p.publish(chains("a"))
	backup, past := p.head, slices.Clone(p.past)
	before := p.publish(chains("b")).Entry
	p.publish(chains("c"))
	r.want(p)
	p.head, p.past = backup, past // a restore
	p.restart()
	after := p.write().Entry
	if after.Epoch <= before.Epoch || after.Revision.Number != 1 || len(after.Deltas) != 0 {
		t.Errorf("entry after the restore: %+v", after)
	}
	r.want(p)
	same := p.publish(chains("d")).Entry
	if same.Epoch != after.Epoch || len(same.Deltas) != 1 {
		t.Errorf("entry after the next publish: %+v", same)
	}
	r.want(p)
	p.head, p.past = backup, append(past, p.past...)
	if _, err := p.writer.Write(t.Context(), backup, nil, p.has); err == nil || !bytes.Contains([]byte(err.Error()), []byte("newer revision (2, not 1)")) {
		t.Errorf("error %v, want one about the newer revision", err)
	}
}

// TestWriterRepairs checks that a writer replaces files that were damaged since its last process.
func TestWriterRepairs(t *testing.T) {
	p := newPublisher(t)
	entry := p.publish(chains("a", "b")).Entry
	path := filepath.Join(p.dir, entry.Kinds[3].Files[0].Path)
	must(t, os.WriteFile(path, []byte("damaged"), 0o600))
	p.restart()
	p.write()
	p.reader().want(p)
}

func TestOldFilesAreRemoved(t *testing.T) {
	p := newPublisher(t)
	r := p.reader()
	files := func() map[string]bool {
		entries, err := os.ReadDir(filepath.Join(p.dir, "files"))
		must(t, err)
		names := map[string]bool{}
		for _, e := range entries {
			names["files/"+e.Name()] = true
		}
		return names
	}
	old := p.publish(chains("a")).Entry.Kinds[3].Files[0].Path
	p.now = p.now.Add(48 * time.Hour)
	p.publish(chains("b"))
	p.now = p.now.Add(24 * time.Hour)
	p.publish(chains("c"))
	if !files()[old] {
		t.Error("a file was removed a day after its last pointer")
	}
	p.now = p.now.Add(2 * time.Hour)
	entry := p.publish(chains("d")).Entry
	if files()[old] {
		t.Error("a file stays more than a day after its last pointer")
	}
	r.want(p)

	p.head.Revision.Op = store.OpPurge
	p.restart()
	p.publish(chains("e"))
	_ = entry
	p.head.Revision.Op = store.OpPurge
	p.head.Revision.Number++
	p.past = append(p.past, p.head.Revision)
	last := p.write().Entry
	known := slices.Sorted(maps.Keys(distribution.Files(last)))
	stay := slices.DeleteFunc(slices.Sorted(maps.Keys(files())), func(f string) bool { return filepath.Ext(f) == ".minisig" })
	if diff := cmp.Diff(known, stay); diff != "" {
		t.Errorf("files after a purge (-named +there):\n%s", diff)
	}
}

// TestLargeKind checks that a kind of several files rewrites only the changed ones.
func TestLargeKind(t *testing.T) {
	p := newPublisher(t)
	var slugs []string
	for i := range 3000 {
		slugs = append(slugs, fmt.Sprintf("chain-%04d", i))
	}
	c := chains(slugs...)
	for i := range c.Chains {
		c.Chains[i].Description = domain.Text{{Locale: "en", Value: fmt.Sprintf("%4000d", i)}}
	}
	first := p.publish(c)
	if n := len(first.Entry.Kinds[3].Files); n != 8 {
		t.Fatalf("%d files, want 8", n)
	}
	r := p.reader()
	r.want(p)
	next := *c
	next.Chains = slices.Clone(c.Chains)
	next.Chains[7].Description = nil
	if second := p.publish(&next); second.Files != 2 {
		t.Errorf("%d files were written, want a part and a delta", second.Files)
	}
	r.want(p)
	if r.deltas != 1 {
		t.Error("no delta was used")
	}
}

func TestEntryIsJSON(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	data, err := os.ReadFile(filepath.Join(p.dir, "entry.json"))
	must(t, err)
	var members map[string]any
	must(t, json.Unmarshal(data, &members))
	want := []string{"catalogue", "deltas", "digest", "epoch", "format", "issuedAt", "kinds", "revision", "validUntil"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(members))); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}

// TestChangeLog checks that the log of changes arrives unchanged.
func TestChangeLog(t *testing.T) {
	p := newPublisher(t)
	rapid.Check(t, func(rt *rapid.T) {
		entry := rapid.Custom(func(t *rapid.T) changelog.Entry {
			e := changelog.Entry{
				Kind: rapid.SampledFrom([]domain.Kind{domain.KindChain, changelog.KindCard}).Draw(t, "kind"),
				ID:   rapid.StringMatching("[a-c]").Draw(t, "id"), WasID: rapid.StringMatching("[a-c]").Draw(t, "was"),
				Key: rapid.String().Draw(t, "key"), Was: rapid.String().Draw(t, "former key"), Menu: rapid.String().Draw(t, "menu"),
				Op: rapid.SampledFrom([]domain.Op{domain.Added, domain.Removed, domain.Changed}).Draw(t, "op"), Name: rapid.String().Draw(t, "name"),
			}
			if rapid.Bool().Draw(t, "titled") {
				e.Title = changelog.Title{{Locale: "en", Value: rapid.String().Draw(t, "title")}, {Locale: "zh", Value: "x"}}
			}
			for range rapid.IntRange(0, 3).Draw(t, "values") {
				e.Values = append(e.Values, changelog.Value{Field: "f", Before: changelog.Hash(rapid.Uint64().Draw(t, "before")), After: changelog.Hash(rapid.Uint64().Draw(t, "after"))})
			}
			return e
		})
		at := time.Date(2026, 1, 1, 0, 0, 0, 1e6, time.UTC)
		log := changelog.New(changelog.Revision{Number: 1, PublishedAt: at})
		for n := range int64(rapid.IntRange(0, 3).Draw(rt, "revisions")) {
			r := changelog.Revision{Number: n + 2, PublishedAt: at.Add(time.Duration(n) * time.Hour), Entries: rapid.SliceOfN(entry, 0, 4).Draw(rt, "entries")}
			for i := range r.Entries {
				r.Entries[i].Revision = r.Number
			}
			log = log.Append(r)
		}
		content, err := distribution.EncodeLog(log)
		must(rt, err)
		got, err := distribution.DecodeLog(content)
		must(rt, err)
		if diff := cmp.Diff(log.Revisions(), got.Revisions(), cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("log (-written +read):\n%s", diff)
		}
	})
	p.log = changelog.New(changelog.Revision{Number: 1, PublishedAt: p.now})
	p.publish(chains("a"))
	r := p.reader()
	r.want(p)
	got, err := r.ChangeLog(t.Context(), 1)
	must(t, err)
	if got.Newest().Number != 1 {
		t.Errorf("log %+v", got)
	}
	if _, err := r.ChangeLog(t.Context(), 2); !errors.Is(err, store.ErrNoRevision) {
		t.Errorf("error %v, want ErrNoRevision", err)
	}
}

func encoded(t *testing.T, log *changelog.Log) []byte {
	content, err := distribution.EncodeLog(log)
	must(t, err)
	return content
}

// TestChangeLogFaults damages the log of a revision. Reading it is an error until it is intact, also
// without reading the revision again.
func TestChangeLogFaults(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	p.head.Revision.Number = 199
	p.log = longLog(199, 1)
	written := p.publish(chains("a"))
	intact := p.files()
	block := written.Entry.Changes[1].Path
	for name, tt := range map[string]struct {
		damage func(files map[string][]byte)
		want   string
	}{
		"a changed bit": {func(f map[string][]byte) { f[block] = flip(f[block]) }, "is damaged"},
		"a half block":  {func(f map[string][]byte) { f[block] = half(f[block]) }, "is damaged"},
		"no block":      {func(f map[string][]byte) { delete(f, block) }, "is missing"},
		"blocks in another order": {func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) { slices.Reverse(e.Changes) })
		}, "follows revision"},
		"no last block": {func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) { e.Changes = e.Changes[:1] })
		}, "it ends at revision"},
		"a block of records": {func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) { e.Changes = e.Kinds[0].Files })
		}, "it ends at revision 0"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, maps.Clone(intact))
			tt.damage(s.files)
			r := p.reader(s.from, unverified)
			must(t, r.look())
			for range 2 {
				_, err := r.ChangeLog(t.Context(), 200)
				if !errors.Is(err, distribution.ErrLog) || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want ErrLog with %q", err, tt.want)
				}
			}
			s.files = intact
			must(t, r.look())
			log, err := r.ChangeLog(t.Context(), 200)
			must(t, err)
			if !bytes.Equal(encoded(t, log), encoded(t, p.log)) {
				t.Error("another log")
			}
		})
	}
}

// TestChangeLogUnreachable checks that the reader tries again if the place fails for the log, gets only the
// delta then, and does without the log if the place fails again.
func TestChangeLogUnreachable(t *testing.T) {
	for name, failures := range map[string]int{"once": 1, "always": 1 << 30} {
		t.Run(name, func(t *testing.T) {
			p := newPublisher(t)
			p.log = changelog.New(changelog.Revision{Number: 1, PublishedAt: p.now})
			p.publish(chains("a"))
			s := serve(t, p.files())
			r := p.reader(s.from)
			r.want(p)
			p.log = p.log.Append(changelog.Revision{Number: 2, PublishedAt: p.now})
			blocks := p.publish(chains("a", "b")).Entry.Changes
			s.files = p.files()
			s.answer = func(w http.ResponseWriter, path string) bool {
				if path != blocks[len(blocks)-1].Path || failures == 0 {
					return false
				}
				failures--
				w.WriteHeader(http.StatusBadGateway)
				return true
			}
			_, err := r.Head(t.Context())
			must(t, err)
			if _, err := r.Changes(t.Context(), 1); err == nil || errors.Is(err, distribution.ErrLog) || !strings.Contains(err.Error(), "502") {
				t.Fatalf("error %v, want that of the server", err)
			}
			r.want(p)
			if r.deltas != 1 {
				t.Error("the full set was read")
			}
			log, err := r.ChangeLog(t.Context(), 2)
			if name == "always" && !errors.Is(err, distribution.ErrLog) || name == "once" && (err != nil || log.Oldest().Number != 1) {
				t.Errorf("log %v, %v", log, err)
			}
		})
	}
}

// TestChangeLogGrows checks that a publish writes, and a reader gets, only the blocks at both ends of
// the log, whatever the size of revisions, and that all readers have the log of the publisher.
func TestChangeLogGrows(t *testing.T) {
	sizes := []int{1, 50, 700, 3000}
	if testing.Short() {
		sizes = sizes[:1] // the others take long, and test the same code
	}
	for _, entries := range sizes {
		t.Run(fmt.Sprint(entries), func(t *testing.T) {
			p := newPublisher(t)
			p.publish(chains("a"))
			p.head.Revision.Number = changelog.MaxRevisions + 1
			p.log = longLog(changelog.MaxRevisions, entries)
			s := serve(t, nil)
			r := p.reader(s.from)
			var written distribution.Written
			sent, all := 0, 0
			for range 4 {
				p.log = p.log.Append(logged(int(p.head.Revision.Number)+1, entries))
				written = p.publish(chains("a"))
				s.files, s.sent, s.asked = p.files(), 0, map[string]int{}
				must(t, r.look())
				for _, reader := range []*reader{r, p.reader()} {
					must(t, reader.look())
					got, err := reader.ChangeLog(t.Context(), p.head.Revision.Number)
					must(t, err)
					if want, read := encoded(t, p.log), encoded(t, got); !bytes.Equal(want, read) {
						t.Fatalf("a reader has a log of %d bytes, not of %d", len(read), len(want))
					}
				}
				if all > 0 {
					sent = max(sent, len(s.asked))
				}
				all = len(written.Entry.Changes)
			}
			if all < 14 || all > 60 {
				t.Errorf("the log has %d blocks", all)
			}
			if sent > 6 { // pointer, signature, two blocks at its end and two at its beginning
				t.Errorf("a reader gets up to %d files of %d blocks", sent, all)
			}
			p.restart()
			if again := p.write(); again.Files > 0 {
				t.Errorf("a restarted writer writes %d files", again.Files)
			}
		})
	}
}
