//go:build unix

package cli

import (
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPipesAndSocketsAreRefused checks that files that would block a reader are rejected without
// being opened.
func TestPipesAndSocketsAreRefused(t *testing.T) {
	dir := filepath.Dir(written(t, "catalog.yaml", "title: x\ndefault_locale: en\nlocales: [en]\n"))
	db := "sqlite:" + filepath.Join(t.TempDir(), "vitrine.db")
	if status, out := runCommand("import", dir, "--store", db); status != 0 {
		t.Fatal(out)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	must(t, syscall.Mkfifo(pipe, 0o600))
	socket := filepath.Join(t.TempDir(), "socket")
	l, err := net.Listen("unix", socket)
	must(t, err)
	defer l.Close()
	for _, path := range []string{pipe, socket, "/dev/null", "/dev/zero"} {
		for _, command := range [][]string{
			{"check", path}, {"import", path, "--store", db}, {"export", path, "--store", db}, {"init", path},
			{"--config", path, "check", dir}, {"history", "--store", "sqlite:" + path}, {"import", dir, "--store", "sqlite:" + path},
			{"serve", "--config", path},
		} {
			done := make(chan string)
			var status int
			go func() {
				var out string
				status, out = runCommand(command...)
				done <- out
			}()
			select {
			case out := <-done:
				if status == 0 || !strings.Contains(out, path) && !strings.Contains(out, "regular file") {
					t.Errorf("vitrine %s: status %d, %s", strings.Join(command, " "), status, out)
				}
			case <-time.After(time.Minute):
				t.Fatalf("vitrine %s does not end", strings.Join(command, " "))
			}
		}
	}
}
