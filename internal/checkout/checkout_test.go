package checkout_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/checkout"
)

// clone is a checkout created by git with a directory `shop`.
type clone struct {
	t   *testing.T
	top string
}

func newClone(t *testing.T, args ...string) clone {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NOT TESTED: git is not installed")
	}
	c := clone{t, t.TempDir()}
	c.git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return c
}

// git runs git without the user's configuration.
func (c clone) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ann Example", "-c", "user.email=ann@example.org",
		"-c", "protocol.file.allow=always", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = c.top
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c clone) write(name, text string) {
	c.t.Helper()
	full := filepath.Join(c.top, filepath.FromSlash(name))
	must(c.t, os.MkdirAll(filepath.Dir(full), 0o755))
	must(c.t, os.WriteFile(full, []byte(text), 0o644))
}

func (c clone) commit() string {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "-m", "words")
	return c.git("rev-parse", "HEAD")
}

func isYAML(path string) bool { return strings.HasSuffix(path, ".yaml") }

// head returns the commit of a directory with the YAML files as its files.
func head(t *testing.T, dir string) checkout.Commit {
	t.Helper()
	r, err := checkout.Find(dir)
	must(t, err)
	if r == nil {
		return checkout.Commit{}
	}
	var files []string
	err = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && isYAML(name) {
			rel, _ := filepath.Rel(dir, name)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	must(t, err)
	c, err := r.Head(files, isYAML)
	must(t, err)
	return c
}

func wantCommit(t *testing.T, dir, hash string, modified bool) {
	t.Helper()
	want := checkout.Commit{Hash: hash, Author: "Ann Example", Subject: "words", Modified: modified}
	if hash == "" {
		want = checkout.Commit{}
	}
	if got := head(t, dir); got != want {
		t.Errorf("%s: %+v, want %+v", dir, got, want)
	}
}

func TestHead(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			c := newClone(t, "--object-format="+format)
			shop := filepath.Join(c.top, "shop")
			c.write("shop/a.yaml", "a: 1\n")
			wantCommit(t, shop, "", false) // no commit yet
			c.write("shop/menus/b.yaml", "b: 1\n")
			first := c.commit()
			wantCommit(t, shop, first, false)
			wantCommit(t, c.top, first, false)

			c.write("shop/notes.txt", "not part of the catalogue")
			wantCommit(t, shop, first, false)
			c.write("shop/a.yaml", "a: 2\n")
			wantCommit(t, shop, first, true)
			c.write("shop/a.yaml", "a: 1\n")
			wantCommit(t, shop, first, false)
			c.write("shop/new.yaml", "n: 1\n")
			wantCommit(t, shop, first, true)
			os.Remove(filepath.Join(shop, "new.yaml"))
			os.Remove(filepath.Join(shop, "menus", "b.yaml"))
			wantCommit(t, shop, first, true)
			c.git("checkout", "-q", ".")
			wantCommit(t, shop, first, false)

			second := c.commit()
			wantCommit(t, shop, second, false)
			c.git("checkout", "-q", "--detach", first)
			wantCommit(t, shop, first, false)
			c.git("checkout", "-q", "main")

			c.git("pack-refs", "--all")
			wantCommit(t, shop, second, false)
			c.git("gc", "-q", "--aggressive", "--prune=now")
			wantCommit(t, shop, second, false)

			elsewhere := filepath.Join(t.TempDir(), "tree")
			c.git("worktree", "add", "-q", "-b", "side", elsewhere, first)
			wantCommit(t, filepath.Join(elsewhere, "shop"), first, false)

			outside := filepath.Join(c.top, "ignored")
			must(t, os.Mkdir(outside, 0o755))
			wantCommit(t, outside, "", false) // not in the commit
		})
	}
}

// TestDeltas checks deltas of deltas in packs, from trees that changed often.
func TestDeltas(t *testing.T) {
	c := newClone(t)
	for n := range 300 {
		c.write("shop/file-"+strings.Repeat("x", n%7)+string(rune('a'+n%26))+strings.Repeat("y", n/26)+".yaml", "a: 1\n")
	}
	var hashes []string
	for n := range 12 {
		c.write(fmt.Sprintf("shop/file-%c.yaml", 'a'+n), strings.Repeat("b", n+1)) // names in a tree differ by their hashes
		hashes = append(hashes, c.commit())
	}
	c.git("repack", "-q", "-a", "-d", "-f", "--depth=50", "--window=50")
	shop := filepath.Join(c.top, "shop")
	for _, hash := range hashes {
		c.git("checkout", "-q", "--detach", hash)
		wantCommit(t, shop, hash, false)
	}
	if listed := c.git("verify-pack", "-v", packOf(t, c)); !strings.Contains(listed, "chain length = 2") {
		t.Errorf("the pack has no deltas of deltas\n%s", listed)
	}
	shared := clone{t, filepath.Join(t.TempDir(), "shared")}
	c.git("clone", "-q", "--shared", "-b", "main", c.top, shared.top)
	wantCommit(t, filepath.Join(shared.top, "shop"), hashes[11], false)
}

func packOf(t *testing.T, c clone) string {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(c.top, ".git/objects/pack/*.idx"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	return packs[0]
}

func TestSubmodule(t *testing.T) {
	inner := newClone(t)
	inner.write("shop/a.yaml", "a: 1\n")
	hash := inner.commit()
	outer := newClone(t)
	outer.write("b.yaml", "b: 1\n")
	outer.git("submodule", "add", "-q", inner.top, "inner")
	outer.commit()
	wantCommit(t, filepath.Join(outer.top, "inner", "shop"), hash, false)
}

func TestSubject(t *testing.T) {
	c := newClone(t)
	for i, tt := range []struct{ message, want string }{
		{"Add Base", "Add Base"},
		{"Add Base\n\nBecause it is there.", "Add Base"},
		{"Two lines\nof a subject", "Two lines of a subject"},
		{"\n\n  spaced\tout  \n", "spaced out"},
		{"red \x1b[31malert\x1b[0m \u202eesrever\u200b", "red [31malert[0m esrever"},
		{strings.Repeat("ü", 201), strings.Repeat("ü", 199) + "…"},
		{strings.Repeat("ü", 200), strings.Repeat("ü", 200)},
		{"", ""},
	} {
		c.write("a.yaml", fmt.Sprintf("a: %d\n", i))
		c.git("add", "-A")
		c.git("commit", "-q", "--allow-empty-message", "--cleanup=verbatim", "-m", tt.message)
		if got := head(t, c.top).Subject; got != tt.want {
			t.Errorf("%q: %q, want %q", tt.message, got, tt.want)
		}
	}
}

func TestBusy(t *testing.T) {
	c := newClone(t)
	r, err := checkout.Find(c.top)
	if err != nil || r.Busy() {
		t.Fatalf("%+v, %v", r, err)
	}
	c.write(".git/index.lock", "")
	if !r.Busy() {
		t.Error("Busy is false while git holds its lock")
	}
}

func TestNoCheckout(t *testing.T) {
	dir := t.TempDir()
	if r, err := checkout.Find(dir); err != nil || r != nil && strings.HasPrefix(dir, os.TempDir()+"/") && r.Busy() {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := checkout.Find(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing directory is in a checkout")
	}
}

// TestNothingIsExecuted checks that no configuration of a repository makes the package run a program.
func TestNothingIsExecuted(t *testing.T) {
	c := newClone(t)
	c.write("shop/a.yaml", "a: 1\n")
	c.write(".gitattributes", "*.yaml filter=evil\n")
	hash := c.commit()
	mark := filepath.Join(t.TempDir(), "mark")
	c.write("evil.sh", "#!/bin/sh\ntouch "+mark+"\ncat\n")
	must(t, os.Chmod(filepath.Join(c.top, "evil.sh"), 0o755))
	evil := filepath.Join(c.top, "evil.sh")
	for _, name := range []string{"core.fsmonitor", "filter.evil.clean", "core.hooksPath", "core.sshCommand", "diff.external"} {
		c.git("config", name, evil)
	}
	c.write("shop/a.yaml", "a: 2\n")
	os.Remove(mark)
	wantCommit(t, filepath.Join(c.top, "shop"), hash, true)
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository was executed")
	}
}

// TestDamage checks that damage is an error or no checkout, without a panic or an endless loop.
func TestDamage(t *testing.T) {
	for name, damage := range map[string]func(c clone){
		"HEAD is empty":         func(c clone) { c.write(".git/HEAD", "") },
		"HEAD refers to itself": func(c clone) { c.write(".git/HEAD", "ref: HEAD\n") },
		"HEAD is outside":       func(c clone) { c.write(".git/HEAD", "ref: ../../../etc/passwd\n") },
		"HEAD is not a hash":    func(c clone) { c.write(".git/HEAD", strings.Repeat("z", 40)) },
		"HEAD has no object":    func(c clone) { c.write(".git/HEAD", strings.Repeat("a", 40)) },
		"HEAD is long":          func(c clone) { c.write(".git/HEAD", strings.Repeat("a", 1<<20)) },
		"alternates form a cycle": func(c clone) {
			c.write(".git/HEAD", strings.Repeat("a", 40))
			c.write(".git/objects/info/alternates", "../objects\n")
		},
		"a pack is truncated":   func(c clone) { cut(c, "*.pack", 40) },
		"an index is truncated": func(c clone) { cut(c, "*.idx", 1100) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newClone(t)
			c.write("shop/a.yaml", "a: 1\n")
			c.commit()
			c.git("gc", "-q")
			damage(clone{t, c.top})
			r, err := checkout.Find(c.top)
			must(t, err)
			if commit, err := r.Head([]string{"shop/a.yaml"}, isYAML); err == nil {
				t.Errorf("no error, and %+v", commit)
			}
		})
	}
}

func cut(c clone, pattern string, size int64) {
	c.t.Helper()
	files, err := filepath.Glob(filepath.Join(c.top, ".git/objects/pack", pattern))
	if err != nil || len(files) == 0 {
		c.t.Fatal(files, err)
	}
	for _, f := range files {
		os.Chmod(f, 0o644)
		must(c.t, os.Truncate(f, size))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
