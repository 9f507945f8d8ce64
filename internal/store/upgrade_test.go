package store_test

import (
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/store"
	"vitrine/internal/store/storetest"
)

// A last good file of format 2 is served from as before: a start without the
// store must not fail because the program is newer.
func TestFormerLastGood(t *testing.T) {
	l, err := store.ReadLastGood("testdata/format2.last-good")
	if err != nil {
		t.Fatal(err)
	}
	if diff := domain.Diff(storetest.Rich(), l.State.Editors()); diff != nil || l.State.Revision.Number != 3 {
		t.Errorf("it holds revision %d, which differs: %v", l.State.Revision.Number, diff)
	}
}

func TestUpgradeBodyRefuses(t *testing.T) {
	for _, tt := range []struct {
		kind domain.Kind
		body string
	}{
		{"colours", `{}`},
		{domain.KindChain, ``},
		{domain.KindChain, `[]`},
		{domain.KindChain, `{"slug":"a","colour":"red"}`},
		{domain.KindChain, `{"slug":"a","name":{"en":"a"}}`},
		{domain.KindChain, `{"slug":"a","name":[["en"]]}`},
		{domain.KindChain, `{"slug":"a","llama_tvl":{"value":1,"colour":"red"}}`},
		{domain.KindChain, `{"slug":"a","llama_tvl":null}`},
		{domain.KindChain, `{"slug":"b"}`},
		{domain.KindMenu, `{"path_slug":"b"}`},
		{domain.KindMenu, `{}`},
	} {
		if got, err := store.UpgradeBody(tt.kind, "a", []byte(tt.body)); err == nil {
			t.Errorf("%s %s became %s", tt.kind, tt.body, got)
		}
	}
}
