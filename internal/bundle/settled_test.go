package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// writeSide writes one of two catalogues with the same file names. Each record has the name of
// the side.
func writeSide(t testing.TB, dir, side string) {
	t.Helper()
	files := map[string]string{
		"catalog.yaml": fmt.Sprintf("title: %s\ndefault_locale: en\nlocales: [en]\n", side),
	}
	for n := range 30 {
		files[fmt.Sprintf("chains/part-%02d.ndjson", n)] =
			fmt.Sprintf("{\"slug\":\"c-%d\",\"name\":%q,\"chain_id\":\"%d\"}\n", n, side+strings.Repeat("x", len(side)*n), n)
	}
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sideOf returns the side of a directory, and fails if it is torn.
func sideOf(t testing.TB, d *Directory) string {
	t.Helper()
	if n := d.Errors(); n > 0 {
		t.Errorf("%d errors, the first is %s", n, d.Problems[0])
		return ""
	}
	side, _ := d.Catalog.Title.In("en")
	if len(d.Catalog.Chains) != 30 {
		t.Errorf("%s: %d chains", side, len(d.Catalog.Chains))
	}
	for _, c := range d.Catalog.Chains {
		if name, _ := c.Name.In("en"); !strings.HasPrefix(name, side) {
			t.Errorf("%s: %s is called %.10s", side, c.Slug, name)
		}
	}
	return side
}

// whileMoving reads a directory repeatedly while move changes it.
func whileMoving(t *testing.T, path string, move func(n int) error) {
	t.Helper()
	stop := make(chan struct{})
	var moving sync.WaitGroup
	moving.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if err := move(n); err != nil {
				t.Errorf("move: %v", err)
				return
			}
		}
	})
	defer moving.Wait()
	defer close(stop)
	seen := map[string]int{}
	enough, patience := time.Now().Add(time.Second), time.Now().Add(time.Minute)
	for time.Now().Before(enough) || len(seen) == 0 && time.Now().Before(patience) {
		d, err := ReadSettled(t.Context(), path, Options{})
		if errors.Is(err, ErrChanging) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		seen[sideOf(t, d)]++
		if t.Failed() {
			return
		}
	}
	t.Logf("read: %v", seen)
	if len(seen) == 0 {
		t.Error("no read succeeded")
	}
}

// pauseAfter leaves a directory unchanged long enough to be read from time to time.
func pauseAfter(n int) {
	if n%3 == 0 {
		time.Sleep(quietFor + 500*time.Millisecond)
	}
}

func TestGitCheckoutsAreNotTorn(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NOT TESTED against git, which is not installed")
	}
	dir := t.TempDir()
	git := func(args ...string) error {
		cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "gc.auto=0"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, out)
		}
		return nil
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(git("init", "-q", "-b", "left"))
	writeSide(t, dir, "left")
	must(git("add", "-A"))
	must(git("commit", "-q", "-m", "left"))
	must(git("checkout", "-q", "-b", "right"))
	writeSide(t, dir, "right")
	must(git("commit", "-qam", "right"))
	whileMoving(t, dir, func(n int) error {
		pauseAfter(n)
		return git("checkout", "-q", []string{"left", "right"}[n%2])
	})
}

// TestSwappedLinksAreNotTorn replaces a link to the whole directory, as deployments of releases
// do.
func TestSwappedLinksAreNotTorn(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	writeSide(t, filepath.Join(top, "left"), "left")
	writeSide(t, filepath.Join(top, "right"), "right")
	swap := swapper(top, "current")
	if err := swap(0); err != nil {
		t.Fatal(err)
	}
	whileMoving(t, filepath.Join(top, "current"), swap)
}

// TestSwappedLinksWithinAreNotTorn replaces a link that the links of files lead through, as a
// ConfigMap does.
func TestSwappedLinksWithinAreNotTorn(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	writeSide(t, filepath.Join(top, ".left"), "left")
	writeSide(t, filepath.Join(top, ".right"), "right")
	swap := swapper(top, "..data")
	link := func(n int) error {
		pauseAfter(n)
		return swap(n)
	}
	if err := link(0); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"catalog.yaml", "chains"} {
		if err := os.Symlink("..data/"+name, filepath.Join(top, name)); err != nil {
			t.Fatal(err)
		}
	}
	whileMoving(t, top, link)
}

// swapper returns a function that atomically switches a link between the two sides.
func swapper(top, name string) func(n int) error {
	return func(n int) error {
		target := []string{"left", "right"}[n%2]
		if name == "..data" {
			target = "." + target
		}
		next := filepath.Join(top, ".next")
		if err := os.Symlink(target, next); err != nil {
			return err
		}
		return os.Rename(next, filepath.Join(top, name))
	}
}

// movingFS changes a directory when one of its files is opened.
type movingFS struct {
	fs.FS
	once sync.Once
	move func()
}

func (m *movingFS) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, "part-20.ndjson") {
		m.once.Do(m.move)
	}
	return m.FS.Open(name)
}

func (m *movingFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(m.FS, name) }

func (m *movingFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(m.FS, name) }

func TestReadNoticesChanges(t *testing.T) {
	for name, move := range map[string]func(dir string) error{
		"a file that was read is written": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "catalog.yaml"), []byte("title: B"), 0o644)
		},
		"a file that is to be read is gone":   func(dir string) error { return os.Remove(filepath.Join(dir, "chains/part-25.ndjson")) },
		"a file is new":                       func(dir string) error { return os.WriteFile(filepath.Join(dir, "nav.yaml"), nil, 0o644) },
		"a file is replaced by its like":      func(dir string) error { return replaced(filepath.Join(dir, "chains/part-02.ndjson")) },
		"a folder is moved away and back":     func(dir string) error { return away(filepath.Join(dir, "chains")) },
		"a file is moved away and back again": func(dir string) error { return away(filepath.Join(dir, "catalog.yaml")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeSide(t, dir, "left")
			fsys, done, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			time.Sleep(20 * time.Millisecond) // the clock of the file system is coarse
			moved := false
			_, err = Read(context.Background(), &movingFS{FS: fsys, move: func() {
				moved = true
				if err := move(dir); err != nil {
					t.Error(err)
				}
			}}, Options{})
			if !moved || !errors.Is(err, ErrChanging) {
				t.Errorf("moved: %t, error %v, want ErrChanging", moved, err)
			}
		})
	}
}

// replaced replaces a file with one that has the same bytes and times.
func replaced(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+"~", data, 0o644); err != nil {
		return err
	}
	if err := os.Chtimes(name+"~", info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	return os.Rename(name+"~", name)
}

func away(name string) error {
	if err := os.Rename(name, name+"~"); err != nil {
		return err
	}
	return os.Rename(name+"~", name)
}

// TestReadSettledEnds checks that waiting for git's lock is bounded.
func TestReadSettledEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeSide(t, dir, "left")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HEAD", "index.lock"} {
		if err := os.WriteFile(filepath.Join(dir, ".git", name), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const limit = 300 * time.Millisecond
	start := time.Now()
	_, err := readSettled(t.Context(), dir, Options{}, limit)
	if !errors.Is(err, ErrChanging) || !strings.Contains(err.Error(), "wait until what writes to "+dir+" is done") {
		t.Errorf("error %v", err)
	}
	if took := time.Since(start); took < limit {
		t.Errorf("it took %s", took)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := ReadSettled(ctx, dir, Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	go func() {
		time.Sleep(300 * time.Millisecond)
		os.Remove(filepath.Join(dir, ".git", "index.lock"))
	}()
	if d, err := ReadSettled(t.Context(), dir, Options{}); err != nil || sideOf(t, d) != "left" {
		t.Errorf("error %v", err)
	}
}
