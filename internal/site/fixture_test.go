package site

import (
	"context"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/snapshot"
)

func siteOf(t testing.TB, config Config) *Site {
	t.Helper()
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// catalogOf reads a catalogue directory, which must have no errors.
func catalogOf(t testing.TB, files fs.FS) *domain.Catalog {
	t.Helper()
	dir, err := bundle.Read(context.Background(), files, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range dir.Problems {
		if problem.Severity == domain.Error {
			t.Fatal(problem)
		}
	}
	return dir.Catalog
}

// snapshotOf compiles a catalogue directory, which must have no errors.
func snapshotOf(t testing.TB, files fs.FS) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Compile(nil, catalogOf(t, files), snapshot.Revision{Number: 7, PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func bundledSnapshot(t testing.TB) *snapshot.Snapshot {
	t.Helper()
	return snapshotOf(t, bundled.FS)
}

// emptySnapshot returns a catalogue with only a title.
func emptySnapshot(t testing.TB) *snapshot.Snapshot {
	t.Helper()
	return snapshotOf(t, fstest.MapFS{"catalog.yaml": {Data: []byte("title: Empty\ndefault_locale: en\nlocales: [en]\n")}})
}

// hostileSnapshot returns an English and Arabic catalogue with one hostile text in all texts.
func hostileSnapshot(t testing.TB) *snapshot.Snapshot {
	t.Helper()
	quoted := `'"><script>alert(1)</script></script><img src=x onerror=alert(2)> ${x} {{.}} '' \ [a](javascript:alert(3)) | </title>'`
	text := "{en: " + quoted + ", ar: " + quoted + "}"
	return snapshotOf(t, fstest.MapFS{
		"catalog.yaml": {Data: []byte("title: " + text + "\ndefault_locale: en\nlocales: [en, ar]\nlink_schemes: [celo]\n" +
			"site: {lead: " + text + ", footer: " + text + ", imprint: 'https://x.example/?a=\"', accent: '#123456', words: [{locale: en, key: nav.apps, text: '<script>alert(9)</script>\"'}]}\n")},
		"categories.yaml": {Data: []byte("groups:\n" +
			"  - {key: layer, module: chain, name: " + text + "}\n  - {key: of, module: twitter, name: " + text + "}\n" +
			"  - {key: of, module: youtube, name: " + text + "}\n  - {key: of, module: item, name: " + text + "}\n" +
			"categories:\n  - {key: c, name: " + text + ", description: " + text + ", scopes: [chain, twitter, youtube, item], " +
			"groups: {chain: [layer], twitter: [of], youtube: [of], item: [of]}}\n")},
		"chains.yaml": {Data: []byte("- slug: x\n  name: " + text + "\n  chain_id: 5\n  categories: [c]\n  description: " + text + "\n  aliases: [" + quoted + "]\n" +
			"  llama_tvl: {value: 5, source: " + quoted + ", as_of: 2026-01-01}\n  website: https://x.example/?a=1&b='\n" +
			"  rpc: [{url: 'https://rpc.example.org/', note: " + quoted + "}]\n  native_currency: {name: " + quoted + ", symbol: '<b>', decimals: 18}\n" +
			"  links: [{type: docs, name: " + quoted + ", url: 'celo:alert(4)'}]\n  extra: {a: " + quoted + "}\n" +
			"- slug: gone\n  name: " + text + "\n  chain_id: 6\n  categories: [c]\n  status: retired\n  status_since: 2025-03-04\n  status_note: " + text + "\n  successor: x\n")},
		"twitter.yaml": {Data: []byte("- {handle: someone, name: " + quoted + ", description: " + text + ", categories: [c], followers_count: {value: 9, source: " + quoted + ", as_of: 2026-01-01}}\n")},
		"youtube.yaml": {Data: []byte("- {channel_id: UC0000000000000000000000, name: " + quoted + ", description: " + text + ", categories: [c]}\n")},
		"nav.yaml":     {Data: []byte("groups:\n  - {key: g, name: " + text + ", description: " + text + ", menus: [m]}\n")},
		"nav/m.yaml": {Data: []byte("title: " + text + "\ndescription: " + text + "\ngroups:\n  - slug: a\n    name: " + text + "\n    items:\n" +
			"      - {slug: i, name: " + text + ", description: " + text + ", cards: [{title: " + text + ", description: " + text + ", link: 'celo:alert(5)'}, {title: Plain, link: 'https://plain.example/'}]}\n")},
	})
}
