package site

import (
	"encoding/xml"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/snapshot"
)

// changed returns a snapshot of the last of some catalogues, published a day apart as revisions
// from 1, that knows the changes.
func changed(t testing.TB, last snapshot.Revision, revisions ...fs.FS) *snapshot.Snapshot {
	t.Helper()
	at := func(n int) time.Time { return last.PublishedAt.AddDate(0, 0, n-len(revisions)) }
	log := changelog.New(changelog.Revision{Number: 1, PublishedAt: at(1)})
	for i := 1; i < len(revisions); i++ {
		n := i + 1
		log = log.Append(changelog.Revision{
			Number: int64(n), PublishedAt: at(n), Entries: changelog.Compare(int64(n), catalogOf(t, revisions[i-1]), catalogOf(t, revisions[i])),
		})
	}
	last.Number = int64(len(revisions))
	s, err := snapshot.Compile(nil, catalogOf(t, revisions[len(revisions)-1]), last)
	if err != nil {
		t.Fatal(err)
	}
	return s.WithChanges(log)
}

func chainsDirectory(chains string) fs.FS {
	return fstest.MapFS{
		"catalog.yaml": {Data: []byte("title: {en: Shop, ja: 店}\ndefault_locale: en\nlocales: [en, ja]\n")},
		"chains.yaml":  {Data: []byte(chains)},
	}
}

func TestChangesPageAndFeed(t *testing.T) {
	s := siteOf(t, Config{PublicURL: public})
	of := changed(t, snapshot.Revision{PublishedAt: time.Date(2026, 3, 3, 4, 5, 6, 0, time.UTC)},
		chainsDirectory("- {slug: a, name: A, chain_id: '1', llama_tvl: 5}\n- {slug: gone, name: Gone <b>, chain_id: '3'}\n- {slug: figure, name: F, chain_id: '4', llama_tvl: 1}\n"),
		chainsDirectory("- {slug: a, name: A, chain_id: '1', llama_tvl: 6, website: 'https://a.example'}\n- {slug: figure, name: F, chain_id: '4', llama_tvl: 2}\n"),
		chainsDirectory("- {slug: a, name: A, chain_id: '1', llama_tvl: 6, website: 'https://a.example'}\n- {slug: figure, name: F, chain_id: '4', llama_tvl: 2}\n- {slug: new, name: New, chain_id: '5'}\n"),
	)
	page := pageAt(t, s, of, "/en/changes", "")
	for _, want := range []string{
		`<h2>3 March 2026</h2>`, `<span class="when">Added</span> <span><a href="/en/chains/new">New</a>`,
		`<h2>2 March 2026</h2>`, `<span class="when">Changed</span> <span><a href="/en/chains/a">A</a>`, `<code>llama_tvl, website</code>`,
		`<span class="when">Removed</span> <span><strong>Gone &lt;b&gt;</strong>`, `/api/open/changes?since=1"`,
		`<span class="n">3</span>`, `<link rel="alternate" type="application/atom+xml" title="Changes" href="/en/changes.atom">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "/chains/figure") {
		t.Error("the page has a change of a figure alone")
	}
	if ja := pageAt(t, s, of, "/ja/changes.md", ""); !strings.Contains(ja, "- 追加: [New](https://") {
		t.Errorf("the Japanese Markdown is %s", ja)
	}
	for _, c := range []struct {
		query string
		rows  int
	}{{"", 3}, {"kind=chain", 3}, {"kind=chain%2Cgroup", 3}, {"kind=group", 0}} {
		if n := strings.Count(pageAt(t, s, of, "/en/changes", c.query), `<span class="when">`); n != c.rows {
			t.Errorf("?%s has %d changes, not %d", c.query, n, c.rows)
		}
	}
	if none := pageAt(t, s, of, "/en/changes", "kind=app"); !strings.Contains(none, "Nothing changed in this time.") {
		t.Error("a kind without changes has some")
	}

	raw := pageAt(t, s, of, "/en/changes.atom", "")
	var got struct {
		Updated string `xml:"updated"`
		Entries []struct {
			ID, Title, Updated, Summary string
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(raw), &got); err != nil {
		t.Fatal(err)
	}
	if got.Updated != "2026-03-03T04:05:06Z" || len(got.Entries) != 3 {
		t.Errorf("the feed is %s", raw)
	}
	for _, want := range []string{":changes/chain/new/2026-03-03T04:05:06Z<", "<title>Gone &lt;b&gt;: Removed<", "<summary>Chain · llama_tvl, website<"} {
		if !strings.Contains(raw, want) {
			t.Errorf("the feed lacks %s", want)
		}
	}
}

// Without a log, and with one of the served revision alone, the page says so.
func TestNoChanges(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), emptySnapshot(t)
	if page := pageAt(t, s, of, "/en/changes", ""); !strings.Contains(page, "Earlier revisions are not known") {
		t.Error("a page without a log does not say so")
	}
	of = of.WithChanges(changelog.New(changelog.Revision{Number: of.Revision().Number, PublishedAt: of.Revision().PublishedAt}))
	if page := pageAt(t, s, of, "/en/changes", ""); !strings.Contains(page, "Nothing changed") {
		t.Error("a page without changes does not say so")
	}
	if feed := pageAt(t, s, of, "/en/changes.atom", ""); !strings.Contains(feed, "<updated>2026-01-02T03:04:05Z</updated>") {
		t.Errorf("an empty feed has no time: %s", feed)
	}
}

// Many changes are divided into pages, which have each of them once.
func TestPagesOfChanges(t *testing.T) {
	var many strings.Builder
	const n = 2*changesOnPage + 7
	for i := range n {
		many.WriteString("- {slug: c" + string(rune('a'+i/26%26)) + string(rune('a'+i%26)) + ", name: N, chain_id: 'x" + string(rune('a'+i/26%26)) + string(rune('a'+i%26)) + "'}\n")
	}
	s := siteOf(t, Config{})
	of := changed(t, snapshot.Revision{PublishedAt: time.Date(2026, 3, 3, 4, 5, 6, 0, time.UTC)}, chainsDirectory("[]"), chainsDirectory(many.String()))
	seen := map[string]bool{}
	for _, offset := range []string{"", "offset=100", "offset=200"} {
		for _, path := range captured(pageAt(t, s, of, "/en/changes", offset), `<a href="(/en/chains/c[^"]*)"`) {
			if seen[path] {
				t.Errorf("%s is on two pages", path)
			}
			seen[path] = true
		}
	}
	if len(seen) != n {
		t.Errorf("the pages have %d of %d changes", len(seen), n)
	}
	if page := pageAt(t, s, of, "/en/changes", "offset=900"); !strings.Contains(page, "offset=200") {
		t.Error("a page after the last one does not lead to it")
	}
}
