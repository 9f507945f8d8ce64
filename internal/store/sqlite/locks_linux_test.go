package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"vitrine/internal/store"
)

// Bytes of the file that connections lock while they are open, and the command that finds locks of
// any process, this one included (fcntl(2), F_OFD_GETLK).
const (
	sharedFirst = 0x40000002 // https://sqlite.org/fileformat.html#the_lock_byte_page
	sharedSize  = 510
	findLocks   = 36
)

// TestLocksStay checks that a store whose file was shrunk by another process keeps its locks. Without
// them, the next process that closes the file deletes the log that this one writes to.
func TestLocksStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	s := open(t, path)
	for base := range int64(10) {
		publishBulky(t, s, base)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	server, pruning := open(t, path), open(t, path)
	before := sizeOf(t, path)
	if _, err := pruning.Prune(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	if after := sizeOf(t, path); after >= before/2 {
		t.Fatalf("%d bytes before, %d after", before, after)
	}
	if err := pruning.Close(); err != nil {
		t.Fatal(err)
	}
	if head, err := server.Head(t.Context()); err != nil || head.Number != 10 {
		t.Fatalf("head %+v, %v", head, err)
	}
	file, err := os.Open(path) // closing it drops the locks, so it comes last
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Start: sharedFirst, Len: sharedSize}
	if err := syscall.FcntlFlock(file.Fd(), findLocks, &lock); err != nil {
		t.Fatal(err)
	}
	if lock.Type == syscall.F_UNLCK {
		t.Error("the store has no lock on its file")
	}
}

// TestCutOffFile checks that a file that was truncated is damaged, unlike one that was pruned.
func TestCutOffFile(t *testing.T) {
	for _, share := range []int64{0, 1, 2, 3} { // quarters
		path := filepath.Join(t.TempDir(), "vitrine.db")
		s := open(t, path)
		for base := range int64(4) {
			publishBulky(t, s, base)
		}
		if err := s.Close(); err != nil { // writes the log to the file
			t.Fatal(err)
		}
		s = open(t, path)
		if err := os.Truncate(path, sizeOf(t, path)*share/4); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Head(t.Context()); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("with %d quarters of the file: %v", share, err)
		}
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
