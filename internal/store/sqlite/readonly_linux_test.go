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

// readOnlyOf is the variable with a path on a read-only volume.
const readOnlyOf = "VITRINE_TEST_READ_ONLY"

// TestReadOnlyVolume checks that a store on a read-only volume can be read. The volume is a real
// mount, because root ignores permissions.
func TestReadOnlyVolume(t *testing.T) {
	if dir := os.Getenv(readOnlyOf); dir != "" {
		readOnly(t, filepath.Join(dir, "vitrine.db"))
		return
	}
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "vitrine.db"))
	publish(t, s, 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `mount -o bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$1" -test.run '^TestReadOnlyVolume$' -test.v`, dir, os.Args[0])
	cmd.Env = append(os.Environ(), readOnlyOf+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || strings.Contains(string(out), "mount:") {
		t.Skipf("NOT TESTED: mounting needs privileges that this process lacks: %v %s", err, out)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestReadOnlyVolume") {
		t.Errorf("%v\n%s", err, out)
	}
}

func readOnly(t *testing.T, path string) {
	if err := os.WriteFile(path+".x", nil, 0o600); !errors.Is(err, syscall.EROFS) {
		t.Fatalf("the volume is writable: %v", err)
	}
	for _, mode := range []sqlstore.Mode{sqlstore.Read, sqlstore.Write} {
		s, err := sqlite.OpenAs(t.Context(), path, mode)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if state, err := s.Load(t.Context(), 0); err != nil || state.Revision.Number != 1 {
			t.Errorf("loaded %+v, %v", state, err)
		}
		if _, err := s.Prune(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "may not be written to") {
			t.Errorf("a prune: %v, want an error with `may not be written to`", err)
		}
	}
	if _, err := sqlite.Open(t.Context(), path); err == nil {
		t.Error("it was opened for writing")
	}
}
