package checkout

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxTreeFiles and maxTreeDepth limit the comparison. A catalogue has fewer files.
const (
	maxTreeFiles = 40_000
	maxTreeDepth = 32
)

// entry is one name in a tree.
type entry struct {
	name, hash string
	mode       string
}

func (e entry) folder() bool { return e.mode == "40000" }

// file reports whether the entry is a file or a symbolic link.
func (e entry) file() bool { return strings.HasPrefix(e.mode, "100") || e.mode == "120000" }

// tree parses a tree: each entry has a mode, a space, a name, a zero byte and a hash.
func (r *Repo) tree(hash string) ([]entry, error) {
	data, err := r.object(hash, "tree")
	if err != nil {
		return nil, err
	}
	width := len(hash) / 2
	var entries []entry
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, found := strings.Cut(string(head), " ")
		if !ok || !found || len(rest) < width {
			return nil, fmt.Errorf("the tree %s of git cannot be read", hash)
		}
		entries = append(entries, entry{name: name, mode: mode, hash: hex.EncodeToString(rest[:width])})
		data = rest[width:]
	}
	return entries, nil
}

// subtree returns the tree of the directory in the tree of the commit, "" if it has no such
// directory.
func (r *Repo) subtree(hash string) (string, error) {
	if r.prefix == "" {
		return hash, nil
	}
	for name := range strings.SplitSeq(r.prefix, "/") {
		entries, err := r.tree(hash)
		if err != nil {
			return "", err
		}
		hash = ""
		for _, e := range entries {
			if e.name == name && e.folder() {
				hash = e.hash
			}
		}
		if hash == "" {
			return "", nil
		}
	}
	return hash, nil
}

// modified reports whether the files that tracks accepts differ from those of a tree, in names or
// content.
func (r *Repo) modified(tree string, files []string, tracks func(string) bool) (bool, error) {
	committed := map[string]entry{}
	if err := r.walk(tree, "", committed, tracks, maxTreeDepth); err != nil {
		return false, err
	}
	if len(committed) != len(files) {
		return true, nil
	}
	for _, name := range files {
		e, ok := committed[name]
		if !ok {
			return true, nil
		}
		same, err := r.same(name, e)
		if err != nil || !same {
			return true, err
		}
	}
	return false, nil
}

func (r *Repo) walk(tree, under string, into map[string]entry, tracks func(string) bool, depth int) error {
	if depth == 0 {
		return errors.New("the tree of git is too deep")
	}
	entries, err := r.tree(tree)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(under, e.name)
		switch {
		case strings.HasPrefix(e.name, "."): // never part of a catalogue; see tracks
		case e.folder():
			if err := r.walk(e.hash, name, into, tracks, depth-1); err != nil {
				return err
			}
		case e.file() && tracks(name):
			into[name] = e
		}
		if len(into) > maxTreeFiles {
			return errors.New("the tree of git has too many files")
		}
	}
	return nil
}

// same reports whether a file has the content of an entry, or a symbolic link its target.
func (r *Repo) same(name string, e entry) (bool, error) {
	full := filepath.Join(r.dir, filepath.FromSlash(name))
	info, err := os.Lstat(full)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	sum := newHash(e.hash)
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(full)
		if err != nil {
			return false, err
		}
		fmt.Fprintf(sum, "blob %d\x00%s", len(target), target)
	case info.Mode().IsRegular():
		fmt.Fprintf(sum, "blob %d\x00", info.Size())
		f, err := openFile(full)
		if err != nil {
			return false, err
		}
		defer f.Close()
		if _, err := io.Copy(sum, f); err != nil {
			return false, err
		}
	default:
		return false, nil
	}
	link := info.Mode()&fs.ModeSymlink != 0
	return link == (e.mode == "120000") && hex.EncodeToString(sum.Sum(nil)) == e.hash, nil
}

// newHash returns the hash function of an object name.
func newHash(name string) hash.Hash {
	if len(name) == 2*sha256.Size {
		return sha256.New()
	}
	return sha1.New()
}
