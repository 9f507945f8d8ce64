package checkout_test

import (
	"fmt"
	"os/exec"
	"testing"

	"vitrine/internal/checkout"
)

// ancestor calls IsAncestor on the repository of a directory.
func ancestor(t *testing.T, dir, a, of string) bool {
	t.Helper()
	r, err := checkout.Find(dir)
	must(t, err)
	is, err := r.IsAncestor(a, of)
	must(t, err)
	return is
}

// TestIsAncestor compares IsAncestor with git for all pairs of commits of a history with branches and
// a merge, with loose and packed objects.
func TestIsAncestor(t *testing.T) {
	c := newClone(t)
	var commits []string
	commit := func() {
		c.write("shop/catalog.yaml", fmt.Sprint("title: ", len(commits)))
		commits = append(commits, c.commit())
	}
	commit()
	commit()
	c.git("checkout", "-q", "-b", "side")
	commit()
	c.git("checkout", "-q", "main")
	c.write("shop/other.yaml", "x: y")
	commits = append(commits, c.commit())
	c.git("merge", "-q", "-s", "ours", "-m", "merge", "side")
	commits = append(commits, c.git("rev-parse", "HEAD"))
	commit()
	for _, packed := range []bool{false, true} {
		if packed {
			c.git("gc", "-q", "--aggressive", "--prune=now")
		}
		for _, a := range commits {
			for _, b := range commits {
				cmd := exec.Command("git", "merge-base", "--is-ancestor", a, b)
				cmd.Dir = c.top
				want := cmd.Run() == nil && a != b
				if got := ancestor(t, c.top+"/shop", a, b); got != want {
					t.Errorf("packed %t: IsAncestor(%s, %s) = %t, want %t", packed, a, b, got, want)
				}
			}
		}
	}
	const unknown = "0123456789012345678901234567890123456789"
	if ancestor(t, c.top, unknown, commits[1]) || ancestor(t, c.top, commits[0], unknown) {
		t.Error("a missing commit is an ancestor")
	}
}

// TestIsAncestorInShallowClone checks that commits outside a shallow clone are not ancestors.
func TestIsAncestorInShallowClone(t *testing.T) {
	c := newClone(t)
	var commits []string
	for i := range 4 {
		c.write("shop/catalog.yaml", fmt.Sprint("title: ", i))
		commits = append(commits, c.commit())
	}
	c.git("clone", "-q", "--depth", "2", "file://"+c.top, "shallow")
	dir := c.top + "/shallow"
	if !ancestor(t, dir, commits[2], commits[3]) {
		t.Error("the parent is not an ancestor")
	}
	if ancestor(t, dir, commits[0], commits[3]) {
		t.Error("a commit outside the clone is an ancestor")
	}
}
