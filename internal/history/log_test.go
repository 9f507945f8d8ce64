package history_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/history"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
)

// logOf returns the log of a record as lines.
func logOf(t *testing.T, s store.Store, kind domain.Kind, key string, until int64) []string {
	t.Helper()
	entries, err := history.Log(t.Context(), s, kind, key, until)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range entries {
		line := fmt.Sprintf("%s: %s %s", sinceText(e.Since), e.Op, e.Key)
		if e.Was != "" {
			line += " was " + e.Was
		}
		if e.Purged {
			line += ", purged"
		}
		for _, f := range e.Fields {
			line += fmt.Sprintf("; %s %q %q", f.Path, f.Old, f.New)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestLog(t *testing.T) {
	s := past(t)
	first := []string{
		`a.yaml:9, 2: changed celo; name.en "Celo" "CELO"`,
		"a.yaml:1, 1: added celo",
	}
	observed := append([]string{
		`unknown, 3: changed celo; llama_tvl.value "1" "7"; llama_tvl.source "y" "quick"; llama_tvl.as_of "2025-01-01" "2026-01-01"`,
	}, first...)
	for until, want := range map[int64][]string{
		2: first,
		3: observed,
		5: append([]string{"a.yaml:9, 5: added celo", "unknown, 4: removed celo"}, observed...),
	} {
		if diff := gocmp.Diff(want, logOf(t, s, domain.KindChain, "celo", until)); diff != "" {
			t.Errorf("until revision %d (-want +got):\n%s", until, diff)
		}
	}
	if got := logOf(t, s, domain.KindChain, "base", 5); got != nil {
		t.Errorf("a record that does not exist has the log %q", got)
	}
	if diff := gocmp.Diff([]string{"a.yaml:1, 1: added "}, logOf(t, s, domain.KindCatalog, "catalog", 5)); diff != "" {
		t.Errorf("the catalogue (-want +got):\n%s", diff)
	}
}

// TestLogOfAPurgedAndPrunedRecord: what is not kept is neither guessed nor hidden.
func TestLogOfAPurgedAndPrunedRecord(t *testing.T) {
	s := past(t)
	if _, err := s.Prune(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	if got := logOf(t, s, domain.KindChain, "celo", 5); got[0] != "unknown, 5: added celo" {
		t.Errorf("after a prune: %q", got)
	}
	if _, err := s.Purge(t.Context(), 5, domain.KindChain, []string{"celo"}, store.Note{}); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff([]string{"unknown, 6: removed celo, purged"}, logOf(t, s, domain.KindChain, "celo", 6)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// renames returns a store in which records of two kinds changed their keys:
//
//	1 the chain a, the account Ann
//	2 the chain b with the former key a, the account ANN
//	3 the chain a again
//	4 the chain c with the former keys a and b, and another name; another account ann2 with the former key ANN
//	5 another chain a
func renames(t *testing.T) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "vitrine.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	chain := func(slug, name string, former ...string) domain.Chain {
		return domain.Chain{Slug: slug, Name: domain.Text{{Locale: "en", Value: name}}, ChainID: "1", Former: former}
	}
	account := func(handle string, former ...string) *domain.Account {
		return &domain.Account{Handle: handle, Name: "Ann", Former: former}
	}
	c := chain("c", "Other", "a", "b")
	for i, records := range []struct {
		chains  []domain.Chain
		account *domain.Account
	}{
		{[]domain.Chain{chain("a", "One")}, account("Ann")},
		{[]domain.Chain{chain("b", "One", "a")}, account("ANN")},
		{[]domain.Chain{chain("a", "One")}, account("ANN")},
		{[]domain.Chain{c}, account("ann2", "ANN")},
		{[]domain.Chain{chain("a", "New"), chain("c", "Other", "b")}, account("ann2", "ANN")},
	} {
		draft := store.Draft{
			Catalog: &domain.Catalog{Chains: records.chains, Accounts: []*domain.Account{records.account}},
			Note:    store.Note{At: time.Unix(int64(i), 0), Op: store.OpImport},
		}
		if _, err := s.Publish(t.Context(), int64(i), draft); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestLogFollowsRenames: a former key leads on, also one that was taken back.
func TestLogFollowsRenames(t *testing.T) {
	s := renames(t)
	past := []string{
		`unknown, 3: changed a was b; former "a" ""`,
		`unknown, 2: changed b was a; former "" "a"`,
		"unknown, 1: added a",
	}
	for _, tt := range []struct {
		kind  domain.Kind
		key   string
		until int64
		want  []string
	}{
		{domain.KindChain, "c", 5, append([]string{
			`unknown, 5: changed c; former "a, b" "b"`,
			`unknown, 4: changed c was a; name.en "One" "Other"; former "" "a, b"`,
		}, past...)},
		{domain.KindChain, "a", 3, past},
		{domain.KindChain, "b", 2, past[1:]},
		{domain.KindAccount, "ann2", 5, []string{
			`unknown, 4: changed ann2 was ANN; former "" "ANN"`,
			`unknown, 2: changed ANN was Ann`,
			"unknown, 1: added Ann",
		}},
	} {
		if diff := gocmp.Diff(tt.want, logOf(t, s, tt.kind, tt.key, tt.until)); diff != "" {
			t.Errorf("%s until %d (-want +got):\n%s", tt.key, tt.until, diff)
		}
	}
	if _, err := s.Prune(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	want := []string{`unknown, 5: changed c; former "a, b" "b"`, "unknown, 4 or before: added c"}
	if diff := gocmp.Diff(want, logOf(t, s, domain.KindChain, "c", 5)); diff != "" {
		t.Errorf("after a prune (-want +got):\n%s", diff)
	}
}

func TestFindFormer(t *testing.T) {
	s := renames(t)
	state, err := s.Load(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"a": "c", "b": "c", "c": ""} {
		if record, found := history.FindFormer(state, domain.KindChain, key); record.Key != want || found != (want != "") {
			t.Errorf("%s is %q, %v, want %q", key, record.Key, found, want)
		}
	}
	if record, found := history.FindFormer(state, domain.KindAccount, "ann"); !found || record.Key != "ann2" {
		t.Errorf("ann is %q, %v, want ann2", record.Key, found)
	}
}
