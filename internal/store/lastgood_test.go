package store_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/store"
)

func someState(t interface{ Fatal(...any) }) *store.State {
	c := &domain.Catalog{
		Title: domain.Text{{Locale: "en", Value: "A title"}}, DefaultLocale: "en", Locales: []string{"en"},
		Chains:    []domain.Chain{{Slug: "a", ChainID: "1", TVL: &domain.Figure{Value: 1.5}}, {Slug: "b", Logo: strings.Repeat("long", 2000)}},
		NavGroups: []domain.NavGroup{{Key: "z", Slug: "z"}, {Key: "a", Slug: "a"}},
	}
	rev := store.Revision{
		Number: 7, PublishedAt: time.Date(2026, 11, 21, 9, 0, 0, 5_000_000, time.UTC), Op: store.OpSync, Actor: "Zoë", Message: "m", Digest: "d",
	}
	s, err := store.NewState(rev, rowsOf(t, c), []domain.Observation{
		{Kind: domain.KindChain, Key: "b", Figure: domain.FigureTVL, Value: 0.1, Source: "s", AsOf: "2026-01-01"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// someKeys returns valid, expired and revoked keys.
func someKeys() []store.APIKey {
	at := time.Date(2027, 1, 1, 0, 0, 0, 5_000_000, time.UTC)
	return []store.APIKey{
		{Name: "ann", Hash: sha256.Sum256([]byte("vitrine_secret")), Limit: "5/s"},
		{Name: "bob", Hash: [32]byte{2}, ExpiresAt: at, RevokedAt: at.Add(-time.Hour)},
		{Name: "Zoë", Hash: [32]byte{3}, ExpiresAt: at},
	}
}

func writeLastGood(t *testing.T, s *store.State) (path string, data []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "last-good")
	if err := store.WriteLastGood(path, store.LastGood{State: s, Keys: someKeys()}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, data
}

func TestLastGoodIsReadBack(t *testing.T) {
	want := someState(t)
	path, first := writeLastGood(t, want)
	got, err := store.ReadLastGood(path)
	if err != nil {
		t.Fatal(err)
	}
	sameState(t, want, got.State)
	if diff := cmp.Diff(someKeys(), got.Keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if err := store.WriteLastGood(path, got); err != nil { // overwrites it
		t.Fatal(err)
	}
	second, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("the same state gave different bytes")
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("files %v, %v, want one file", files, err)
	}
}

func sameState(t interface{ Fatalf(string, ...any) }, want, got *store.State) {
	if diff := cmp.Diff(want.Revision, got.Revision); diff != "" {
		t.Fatalf("revision (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Editors(), got.Editors()); diff != "" {
		t.Fatalf("editors' layer (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Observed(), got.Observed()); diff != "" {
		t.Fatalf("observations (-want +got):\n%s", diff)
	}
}

func TestLastGoodOfAnyCatalogue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "last-good")
	rapid.Check(t, func(t *rapid.T) {
		c := domaintest.Any().Draw(t, "catalogue")
		want, err := store.NewState(store.Revision{Number: 1, PublishedAt: time.UnixMilli(0).UTC()}, rowsOf(t, c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.WriteUnsynced(path, store.LastGood{State: want}); err != nil {
			t.Fatal(err)
		}
		got, err := store.ReadLastGood(path)
		if err != nil {
			t.Fatal(err)
		}
		sameState(t, want, got.State)
		if got.Keys != nil {
			t.Errorf("keys %v, want those written", got.Keys)
		}
	})
}

func TestDamagedLastGood(t *testing.T) {
	path, sound := writeLastGood(t, someState(t))
	try := func(what string, n int, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.ReadLastGood(path); !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s %d: error %v, want ErrCorrupt with the path", what, n, err)
		}
	}
	for n := range sound {
		try("cut off after", n, sound[:n])
		if n == 15 {
			continue // the version of the format
		}
		flipped := bytes.Clone(sound)
		flipped[n] ^= 1 << (n % 8)
		try("a flipped bit in byte", n, flipped)
	}
	try("one byte more than", len(sound), append(bytes.Clone(sound), 0))
}

// TestLastGoodKeys checks that keys can be read alone, and are nil if unknown.
func TestLastGoodKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "last-good")
	for _, want := range [][]store.APIKey{nil, {}, someKeys()} {
		if err := store.WriteLastGood(path, store.LastGood{State: someState(t), Keys: want}); err != nil {
			t.Fatal(err)
		}
		got, err := store.ReadLastGoodKeys(path)
		if diff := cmp.Diff(store.LastGood{Keys: want}, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(unpacked(t, data), []byte("secret")) {
		t.Error("the file contains a key")
	}
}

func TestForeignLastGood(t *testing.T) {
	folder := t.TempDir()
	if _, err := store.ReadLastGood(filepath.Join(folder, "missing")); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a missing file: error %v", err)
	}
	if _, err := store.ReadLastGood(folder); err == nil || errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a directory: error %v", err)
	}
	path, data := writeLastGood(t, someState(t))
	data[15]++
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.ReadLastGood(path); err == nil || errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "format 2, this one reads format 1") {
		t.Errorf("another format: error %v", err)
	}
}

func TestLastGoodNeedsAFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "last-good")
	if err := store.WriteLastGood(path, store.LastGood{State: someState(t)}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want ErrNotExist", err)
	}
}

// TestLastGoodSurvivesAFailure checks that a failed write leaves the previous file.
func TestLastGoodSurvivesAFailure(t *testing.T) {
	path, before := writeLastGood(t, someState(t))
	if err := os.Mkdir(path+".folder", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := store.WriteLastGood(path+".folder", store.LastGood{State: someState(t)}); err == nil {
		t.Error("a directory was replaced")
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed: %v", err)
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 2 {
		t.Errorf("files %v, %v: want no temporary file", files, err)
	}
}

func TestAbandonedFilesAreRemoved(t *testing.T) {
	path, _ := writeLastGood(t, someState(t))
	old, young := path+".tmp-1", path+".tmp-2"
	for _, name := range []string{old, young} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	yesterday := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(old, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	if err := store.WriteLastGood(path, store.LastGood{State: someState(t)}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old file exists: %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Error(err)
	}
}

// unpacked returns the entries of a file.
func unpacked(t interface{ Fatal(...any) }, data []byte) []byte {
	r, err := zstd.NewReader(bytes.NewReader(data[56:]))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var entries bytes.Buffer
	if _, err := r.WriteTo(&entries); err != nil {
		t.Fatal(err)
	}
	return entries.Bytes()
}

// packed returns a valid file with the given entries.
func packed(entries []byte) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	stream := w.EncodeAll(entries, nil)
	header := binary.LittleEndian.AppendUint64(append([]byte("vitrine-state\x00\x00"), 1), uint64(len(stream)))
	sum := sha256.Sum256(append(bytes.Clone(stream), header...))
	return append(append(header, sum[:]...), stream...)
}

// FuzzLastGood checks that reading any file returns without panic and with bounded memory. The
// input is a whole file, or the entries of a valid one.
func FuzzLastGood(f *testing.F) {
	path := filepath.Join(f.TempDir(), "last-good")
	if err := store.WriteLastGood(path, store.LastGood{State: someState(f), Keys: someKeys()}); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(true, data)
	f.Add(false, unpacked(f, data))
	f.Add(false, []byte("v"))
	f.Add(false, append([]byte("v"), bytes.Repeat([]byte{0xff}, 64)...))
	f.Fuzz(func(t *testing.T, whole bool, data []byte) {
		if !whole {
			data = packed(data)
		}
		path := filepath.Join(t.TempDir(), "last-good")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := store.ReadLastGood(path)
		if err != nil {
			return
		}
		if err := store.WriteUnsynced(path, s); err != nil {
			t.Fatal(err)
		}
		again, err := store.ReadLastGood(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.State.Editors(), again.State.Editors()); diff != "" {
			t.Errorf("(-first +second):\n%s", diff)
		}
		if diff := cmp.Diff(s.Keys, again.Keys); diff != "" {
			t.Errorf("keys (-first +second):\n%s", diff)
		}
	})
}
