package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vitrine/internal/store"
)

// TestFileOfAnotherVersionIsKept checks that a version that replaces the last good file of another
// one keeps it for a day, and that no version replaces that copy by its own file.
func TestFileOfAnotherVersionIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.last-good")
	previous := store.PreviousLastGood(path)
	write := func(program string, number int64) {
		t.Helper()
		state := someState(t)
		state.Revision.Number = number
		if err := store.WriteLastGood(path, store.LastGood{State: state, Keys: someKeys(), Program: program}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(path, program string, number int64) {
		t.Helper()
		got, err := store.ReadLastGood(path)
		if err != nil || got.Program != program || got.State.Revision.Number != number {
			t.Fatalf("%s has revision %v of %q, %v; want %d of %q", filepath.Base(path), got.State, got.Program, err, number, program)
		}
		if keys, err := store.ReadLastGoodKeys(path); err != nil || keys.Program != program || len(keys.Keys) != len(someKeys()) {
			t.Fatalf("keys of %s: %v, %v", filepath.Base(path), keys, err)
		}
	}
	none := func() {
		t.Helper()
		if _, err := os.Stat(previous); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("a copy exists: %v", err)
		}
	}
	write("", 1) // by a version that names no program
	none()
	write("v1", 2)
	want(previous, "", 1)
	write("v2", 3)
	want(previous, "v1", 2)
	write("v2", 4)
	want(path, "v2", 4)
	want(previous, "v1", 2)
	write("v1", 5) // a downgrade
	want(previous, "v2", 4)
	if info, err := os.Stat(previous); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v, %v", info.Mode(), err)
	}
	yesterday := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(previous, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	write("v1", 6)
	none()

	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[15]++ // the format
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	write("v1", 7)
	if kept, err := os.ReadFile(previous); err != nil || string(kept) != string(data) {
		t.Errorf("the file of another format was not kept: %v", err)
	}
	if err := os.WriteFile(path, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	write("v2", 8)
	if kept, err := os.ReadFile(previous); err != nil || string(kept) != string(data) {
		t.Errorf("a damaged file replaced the copy: %v", err)
	}
}

// TestUnreadableEntries checks that a sound file with unknown entries is not damaged.
func TestUnreadableEntries(t *testing.T) {
	path, data := writeLastGood(t, someState(t))
	entries := unpacked(t, data)
	if err := os.WriteFile(path, packed(append(entries[:len(entries)-1], 'x')), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.ReadLastGood(path); err == nil || errors.Is(err, store.ErrCorrupt) {
		t.Errorf("error %v, want one that is not ErrCorrupt", err)
	}
}
