package sqlite_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/sqlstore"
)

// fullOf is the variable with a directory on a small volume.
const fullOf = "VITRINE_TEST_FULL"

// TestFullVolume checks the error on a full volume, also for readers.
func TestFullVolume(t *testing.T) {
	if dir := os.Getenv(fullOf); dir != "" {
		full(t, dir)
		return
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `mount -t tmpfs -o size=1m tmpfs "$0" && exec "$1" -test.run '^TestFullVolume$' -test.v`, dir, os.Args[0])
	cmd.Env = append(os.Environ(), fullOf+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || strings.Contains(string(out), "mount:") {
		t.Skipf("NOT TESTED: mounting needs privileges that this process lacks: %v %s", err, out)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestFullVolume") {
		t.Errorf("%v\n%s", err, out)
	}
}

func full(t *testing.T, dir string) {
	path := filepath.Join(dir, "vitrine.db")
	s := open(t, path)
	publish(t, s, 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "fill"), make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the volume is not full: %v", err)
	}
	s, err := sqlite.OpenAs(t.Context(), path, sqlstore.Read)
	if err == nil {
		_, err = s.Load(t.Context(), 0)
		s.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("reading the store: %v, want an error with `the disk is full`", err)
	}
}
