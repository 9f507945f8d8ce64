package store_test

import (
	"testing"

	"vitrine/internal/catalog"
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
	if diff := catalog.Diff(storetest.Rich(), l.State.Editors()); diff != nil || l.State.Revision.Number != 3 {
		t.Errorf("it holds revision %d, which differs: %v", l.State.Revision.Number, diff)
	}
}

func TestUpgradeBodyRefuses(t *testing.T) {
	for _, body := range []string{``, `[]`, `{"slug":"a","colour":"red"}`, `{"name":{"en":"a"}}`, `{"llama_tvl":{"value":1,"colour":"red"}}`} {
		if got, err := store.UpgradeBody(catalog.KindChain, "a", []byte(body)); err == nil {
			t.Errorf("%s became %s", body, got)
		}
	}
}
