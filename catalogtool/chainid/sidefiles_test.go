package chainid_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/catalogtool/chainid"
)

// wantRead compares the result of reading a valid document with want, and requires an error for
// each invalid one.
func wantRead[V any](t *testing.T, read func(io.Reader) (V, error), good string, want V, bad ...string) {
	t.Helper()
	got, err := read(strings.NewReader(good))
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, doc := range bad {
		if _, err := read(strings.NewReader(doc)); err == nil {
			t.Errorf("no error for %s", doc)
		}
	}
}

func TestReadNames(t *testing.T) {
	wantRead(t, chainid.ReadNames, `[{"chain_id": "1", "name": {"zh-hans": "以太坊"}}, {"chain_id": 56, "name": {}}]`,
		map[string]chainid.NameTexts{"1": {"zh-hans": "以太坊"}, "56": {}},
		`[{"name": {"zh-hans": "x"}}]`, `[{"chain_id": 1, "name": {}}, {"chain_id": "1", "name": {}}]`,
		`[{"chain_id": 1, "name": {"zh-hans": " "}}]`, `[{"chain_id": 1, "name": "x"}]`, `[`)
}

func TestReadNetworks(t *testing.T) {
	wantRead(t, chainid.ReadNetworks, `[{"chain_id": "3", "kind": "testnet", "name": "Ropsten", "why": "…"}, {"chain_id": 4, "kind": "mainnet"}]`,
		map[string]chainid.Network{"3": chainid.Testnet, "4": chainid.Mainnet},
		`[{"chain_id": 1, "kind": "Testnet"}]`, `[{"kind": "testnet"}]`, `[{"chain_id": "x", "kind": "testnet"}]`, `{}`)
}

func TestReadSlugs(t *testing.T) {
	wantRead(t, chainid.ReadSlugs, "{\"slug\":\"a\",\"chain_id\":\"1\"}\n{\"slug\":\"b.c_d-e\",\"chain_id\":\"2\",\"name\":\"x\"}\n",
		map[string]string{"1": "a", "2": "b.c_d-e"},
		`{"slug":"A","chain_id":"1"}`, `{"slug":"","chain_id":"1"}`, `{"slug":"-a","chain_id":"1"}`, `{"slug":"a"}`,
		`{"slug":"a","chain_id":"eip155:1"}`, `{"slug":"a","chain_id":"1"}{"slug":"a","chain_id":"2"}`,
		`{"slug":"a","chain_id":"1"}{"slug":"b","chain_id":"1"}`, `[1]`, `{`)
	wantRead(t, chainid.ReadSlugs, `[{"slug":"a","chain_id":"1"}]`, map[string]string{"1": "a"})
}

func TestReadIcons(t *testing.T) {
	wantRead(t, chainid.ReadIcons, `{"a": [{"url": "ipfs://1", "width": 5}, {"url": "ipfs://2"}], "b": []}`,
		map[string]string{"a": "ipfs://1"}, ``, `[]`, `{"a": 5}`, `{"a": [{"url": 5}]}`)
}

func FuzzSideFiles(f *testing.F) {
	f.Add([]byte(`[{"chain_id": "1", "name": {"zh-hans": "x"}, "kind": "testnet"}]`))
	f.Add([]byte(`{"slug":"a","chain_id":"1"}`))
	f.Add([]byte(`{"a": [{"url": "ipfs://x"}]}`))
	// Inputs that mutations of bytes rarely produce: many fields, many records, deep nesting.
	f.Add([]byte(`[{"chain_id": "1"` + strings.Repeat(`,"name":{"zh-hans":"x"}`, 500) + `}]`))
	f.Add([]byte(`[{"chain_id": "1"}` + strings.Repeat(`,{"chain_id":"1","kind":"testnet"}`, 500) + `]`))
	f.Add([]byte(strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000)))
	f.Fuzz(func(t *testing.T, doc []byte) {
		if _, err := chainid.ReadNames(bytes.NewReader(doc)); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
		if kinds, err := chainid.ReadNetworks(bytes.NewReader(doc)); err == nil {
			for id, kind := range kinds {
				if id == "" || kind != chainid.Mainnet && kind != chainid.Testnet {
					t.Errorf("kind %q of chain %q", kind, id)
				}
			}
		}
		if slugs, err := chainid.ReadSlugs(bytes.NewReader(doc)); err == nil && slugs[""] != "" {
			t.Error("a slug without a chain id")
		}
		_, _ = chainid.ReadIcons(bytes.NewReader(doc))
	})
}
