package checkout

import (
	"errors"
	"strconv"
	"strings"
)

const (
	maxCommits = 10_000    // visited for one ancestor
	clockSkew  = 24 * 3600 // seconds that a commit may be dated before its parents
)

// IsAncestor reports whether a commit is a proper ancestor of another one. It is false if the
// repository lacks the commit, as in a shallow clone, and if more than 10,000 commits are in
// between.
func (r *Repo) IsAncestor(ancestor, of string) (bool, error) {
	goal, err := r.commit(ancestor)
	if errors.Is(err, errNoObject) || ancestor == of {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	seen := map[string]bool{of: true}
	var queue []commitNode
	add := func(hash string) error {
		c, err := r.commit(hash)
		if errors.Is(err, errNoObject) {
			return nil // a shallow clone ends here
		}
		if err == nil && c.time >= goal.time-clockSkew {
			queue = append(queue, c)
		}
		return err
	}
	if err := add(of); err != nil {
		return false, err
	}
	for n := 0; n < min(len(queue), maxCommits); n++ {
		for _, parent := range queue[n].parents {
			if parent == ancestor {
				return true, nil
			}
			if seen[parent] {
				continue
			}
			seen[parent] = true
			if err := add(parent); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// Has reports whether the repository has a commit. A shallow clone lacks old ones.
func (r *Repo) Has(hash string) (bool, error) {
	_, err := r.commit(hash)
	if errors.Is(err, errNoObject) {
		return false, nil
	}
	return err == nil, err
}

// commitNode is a commit in the graph.
type commitNode struct {
	parents []string
	time    int64 // commit time in Unix seconds; 0 if invalid
}

func (r *Repo) commit(hash string) (commitNode, error) {
	data, err := r.object(hash, "commit")
	if err != nil {
		return commitNode{}, err
	}
	head, _, _ := strings.Cut(string(data), "\n\n")
	var c commitNode
	for l := range strings.SplitSeq(head, "\n") {
		if parent, ok := strings.CutPrefix(l, "parent "); ok {
			c.parents = append(c.parents, parent)
		}
	}
	if words := strings.Fields(field(head, "committer")); len(words) > 1 {
		c.time, _ = strconv.ParseInt(words[len(words)-2], 10, 64) // 0 if invalid
	}
	return c, nil
}
