// Package checkout tells which commit a directory is at that git checked out,
// and whether its files are those of the commit.
//
// It reads the files of git by itself: a directory that is published is not
// trusted, and the configuration of a repository can make the program git run
// others. Nothing is executed, no configuration is read, nothing is written, and
// all that is read is bounded. Worktrees, submodules, detached heads, packed refs
// and objects, alternates and both hashes are known; repositories that keep their
// refs in tables are not.
//
// It must not know what a catalogue is. A *Repo is safe for concurrent use.
package checkout

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
)

// Bounds of what is read.
const (
	maxFileBytes   = 64 << 10 // HEAD, a ref, a pointer to another directory
	maxRefsBytes   = 64 << 20 // packed-refs
	maxObjectBytes = 16 << 20
	maxDeltas      = 512 // on one another
	maxLinks       = 8   // of refs, and of alternates
	maxParents     = 128 // directories to look in for one of git
)

// Repo is a directory in a checkout.
type Repo struct {
	dir    string // without links
	prefix string // slash path of dir below the top of the checkout, "" for the top itself
	git    string // of this checkout: HEAD and the index
	common string // of all its worktrees: refs and objects
}

// Commit is the commit that a checkout is at.
type Commit struct {
	Hash     string // hexadecimal, of 40 or 64 digits; "" where there is none
	Author   string // the name, or the address of one without; "" if it has neither
	Subject  string // the first paragraph of its message as one line of at most 200 characters; "" without a message
	Modified bool   // the files are not, byte for byte, those of the commit
}

// Find returns the checkout that a directory lies in, nil for none.
func Find(dir string) (*Repo, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, err
	}
	top := abs
	for range maxParents {
		git, err := gitDir(top)
		if err != nil {
			return nil, err
		}
		if git != "" {
			return newRepo(abs, top, git)
		}
		parent := filepath.Dir(top)
		if parent == top {
			break
		}
		top = parent
	}
	return nil, nil
}

// gitDir returns the directory of git that belongs to the top of a checkout, ""
// where top is none.
func gitDir(top string) (string, error) {
	name := filepath.Join(top, ".git")
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	git := name
	if !info.IsDir() { // a worktree or a submodule
		data, err := readFile(name, maxFileBytes)
		if err != nil {
			return "", err
		}
		target, ok := strings.CutPrefix(line(data), "gitdir: ")
		if !ok {
			return "", nil
		}
		git = under(top, target)
	}
	if _, err := os.Stat(filepath.Join(git, "HEAD")); err != nil {
		return "", nil // as git does: it goes on looking further up
	}
	return git, nil
}

func newRepo(dir, top, git string) (*Repo, error) {
	rel, err := filepath.Rel(top, dir)
	if err != nil {
		return nil, err
	}
	r := &Repo{dir: dir, prefix: filepath.ToSlash(rel), git: git, common: git}
	if r.prefix == "." {
		r.prefix = ""
	}
	data, err := readFile(filepath.Join(git, "commondir"), maxFileBytes)
	if err == nil {
		r.common = under(git, line(data))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return r, nil
}

// Busy reports whether git is in the middle of changing the checkout.
func (r *Repo) Busy() bool {
	_, err := os.Lstat(filepath.Join(r.git, "index.lock"))
	return err == nil
}

// Head returns the commit that the checkout is at. Files are the slash paths,
// below the directory, of all files there that tracks accepts. There is no
// commit, and no error, where nothing was committed yet or nothing of the
// directory.
func (r *Repo) Head(files []string, tracks func(path string) bool) (Commit, error) {
	hash, data, tree, err := r.head()
	if err != nil || tree == "" {
		return Commit{}, err
	}
	modified, err := r.modified(tree, files, tracks)
	if err != nil {
		return Commit{}, err
	}
	head, message, _ := strings.Cut(data, "\n\n")
	return Commit{Hash: hash, Author: author(field(head, "author")), Subject: subject(message), Modified: modified}, nil
}

// head returns the commit that the checkout is at, its text, and the hash of its tree
// of the directory; they are "" where there is none.
func (r *Repo) head() (hash, text, tree string, err error) {
	hash, err = r.resolve("HEAD", maxLinks)
	if err != nil || hash == "" {
		return "", "", "", err
	}
	data, err := r.object(hash, "commit")
	if err != nil {
		return "", "", "", err
	}
	headers, _, _ := strings.Cut(string(data), "\n\n")
	tree, err = r.subtree(field(headers, "tree"))
	return hash, string(data), tree, err
}

// Files returns the files of the directory in the commit that the checkout is at, by
// slash path: those that tracks accepts, links excepted. There are none where nothing
// was committed yet. It is an error if they have more than limit bytes together.
func (r *Repo) Files(tracks func(path string) bool, limit int64) (map[string][]byte, error) {
	_, _, tree, err := r.head()
	if err != nil || tree == "" {
		return nil, err
	}
	committed := map[string]entry{}
	if err := r.walk(tree, "", committed, tracks, maxTreeDepth); err != nil {
		return nil, err
	}
	files := make(map[string][]byte, len(committed))
	for name, e := range committed {
		if e.mode == "120000" {
			continue
		}
		data, err := r.object(e.hash, "blob")
		if err != nil {
			return nil, err
		}
		if limit -= int64(len(data)); limit < 0 {
			return nil, errors.New("the files of the commit are too large")
		}
		files[name] = data
	}
	return files, nil
}

// field returns the first header of a commit with a name.
func field(head, name string) string {
	for l := range strings.SplitSeq(head, "\n") {
		if value, ok := strings.CutPrefix(l, name+" "); ok {
			return value
		}
	}
	return ""
}

// author returns the name in `Name <address> time zone`.
func author(s string) string {
	name, rest, _ := strings.Cut(s, "<")
	address, _, _ := strings.Cut(rest, ">")
	text := strings.TrimSpace(name)
	if text == "" {
		text = strings.TrimSpace(address)
	}
	return plain(text)
}

// subject returns the first paragraph of a message, as git shows it.
func subject(message string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n\n")
	return plain(first)
}

// plain returns a text as one line without control characters and other invisible
// ones, cut to a bounded length.
func plain(text string) string {
	const longest = 200
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest-1]) + "…"
	}
	return text
}

var hexHash = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// resolve returns the hash that a ref names, "" for one that is not there (yet).
func (r *Repo) resolve(ref string, links int) (string, error) {
	if links == 0 {
		return "", errors.New("refs of git lead to one another")
	}
	if !filepath.IsLocal(filepath.FromSlash(ref)) {
		return "", fmt.Errorf("the ref of git %q leads elsewhere", ref)
	}
	for _, dir := range []string{r.git, r.common} {
		data, err := readFile(filepath.Join(dir, filepath.FromSlash(ref)), maxFileBytes)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoFile) {
			continue
		}
		if err != nil {
			return "", err
		}
		text := line(data)
		if target, ok := strings.CutPrefix(text, "ref:"); ok {
			return r.resolve(strings.TrimSpace(target), links-1)
		}
		if !hexHash.MatchString(text) {
			return "", fmt.Errorf("the ref of git %q cannot be read", ref)
		}
		return text, nil
	}
	return r.packedRef(ref)
}

func (r *Repo) packedRef(ref string) (string, error) {
	data, err := readFile(filepath.Join(r.common, "packed-refs"), maxRefsBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	for l := range bytes.Lines(data) {
		hash, name, _ := strings.Cut(strings.TrimSpace(string(l)), " ")
		if name == ref && hexHash.MatchString(hash) {
			return hash, nil
		}
	}
	return "", nil
}

// under returns a path as it is meant in a directory.
func under(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// line returns the first line of a small file.
func line(data []byte) string {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	return strings.TrimSpace(string(first))
}

var errNoFile = errors.New("not a regular file")

// openFile opens a regular file: another one could block.
func openFile(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, errNoFile)
	}
	return os.Open(name)
}

// readFile reads a regular file of a bounded size.
func readFile(name string, max int64) ([]byte, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, max, name)
}

func readAll(from io.Reader, max int64, what string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, max+1))
	if err == nil && int64(len(data)) > max {
		err = fmt.Errorf("%s: longer than %d bytes", what, max)
	}
	return data, err
}
