package large

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
)

// TestSameBytes checks the generator by a checksum, so that figures of different machines have
// the same input. The checksum changes with the generator, which makes figures incomparable.
func TestSameBytes(t *testing.T) {
	const want = "8d69e860349dc66784c78126f7de47fe1b13742ea0930b39dddef75eefa22ae4"
	for range 2 {
		dir := filepath.Join(t.TempDir(), "large")
		if _, err := Write(t.Context(), dir, 200, 1); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "twitter.ndjson"))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != want {
			t.Errorf("the accounts have the sum %s, want %s", got, want)
		}
	}
}

// TestDirectoryIsTheCatalogue checks that the catalogue in process and the published directory
// are equal.
func TestDirectoryIsTheCatalogue(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "large")
	bytes, err := Write(t.Context(), dir, 50, 2)
	if err != nil {
		t.Fatal(err)
	}
	if bytes < 50*MinDescription {
		t.Errorf("Write reports %d bytes", bytes)
	}
	read, err := bundle.Read(t.Context(), os.DirFS(dir), bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if read.Errors() > 0 {
		t.Fatalf("the directory has %d errors, among %d problems: %v …", read.Errors(), len(read.Problems), read.Problems[:1])
	}
	made, err := Catalog(t.Context(), 50, 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(made, read.Catalog); diff != "" {
		t.Errorf("generated (-) and read (+) differ:\n%s", diff)
	}
}

// TestAccounts checks the lengths of texts, that few are equal, and that an account depends only
// on its number.
func TestAccounts(t *testing.T) {
	const n = 5_000
	handles, texts := map[string]bool{}, map[string]bool{}
	for i := range n {
		a := account(i, false)
		handles[a.Handle] = true
		if len(a.Handle) > 50 {
			t.Errorf("%s is too long for a handle", a.Handle)
		}
		for _, d := range a.Description {
			texts[d.Value] = true
			if length := utf8.RuneCountInString(d.Value); length < MinDescription || length > MaxDescription {
				t.Errorf("account %d, %s: %d characters: %s", i, d.Locale, length, d.Value)
			}
		}
	}
	if len(handles) != n {
		t.Errorf("%d accounts have %d handles", n, len(handles))
	}
	if want := n * len(locales) * 99 / 100; len(texts) < want {
		t.Errorf("%d descriptions, want at least %d that differ", len(texts), want)
	}
}

// TestChanged checks that a changed account differs only in its name.
func TestChanged(t *testing.T) {
	before, after := account(7, false), account(7, true)
	if before.Name == after.Name {
		t.Fatal("nothing changed")
	}
	after.Name = before.Name
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("more than the name changed:\n%s", diff)
	}
}
