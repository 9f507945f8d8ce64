// Package checkout determines the git commit of a directory, and whether its files equal those of
// the commit.
//
// It reads git's files instead of running git: a published directory is not trusted, and the
// configuration of a repository can make git run programs. It executes nothing, reads no
// configuration and writes nothing, and all input is bounded. It supports worktrees, submodules,
// detached heads, packed refs and objects, alternates and both hashes, but not reftables.
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

// Limits of the input.
const (
	maxFileBytes   = 64 << 10 // HEAD, a ref, a pointer to another directory
	maxRefsBytes   = 64 << 20 // packed-refs
	maxObjectBytes = 16 << 20
	maxDeltas      = 512 // in a chain
	maxLinks       = 8   // of symbolic refs, and of alternates
	maxParents     = 128 // directories to search upwards
)

// Repo is a directory in a git checkout.
type Repo struct {
	dir    string // with symbolic links resolved
	top    string // of the checkout
	prefix string // slash path of dir relative to the top of the checkout, "" for the top
	git    string // git directory of this checkout: HEAD and the index
	common string // git directory of all worktrees: refs and objects
}

// Commit is the commit of a checkout.
type Commit struct {
	Hash     string // 40 or 64 hexadecimal digits; "" for none
	Author   string // name, or address without a name; "" for neither
	Subject  string // first paragraph of the message as one line of at most 200 characters; "" for none
	Modified bool   // the files differ from those of the commit, byte for byte
}

// Find returns the checkout that contains a directory, nil for none.
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

// gitDir returns the git directory of the top of a checkout, "" if top is none.
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
		return "", nil // like git, which continues the search in the parent
	}
	return git, nil
}

func newRepo(dir, top, git string) (*Repo, error) {
	rel, err := filepath.Rel(top, dir)
	if err != nil {
		return nil, err
	}
	r := &Repo{dir: dir, top: top, prefix: filepath.ToSlash(rel), git: git, common: git}
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

// Top returns the absolute path of the top of the checkout, with symbolic links resolved.
func (r *Repo) Top() string { return r.top }

// Busy reports whether git is modifying the checkout.
func (r *Repo) Busy() bool {
	_, err := os.Lstat(filepath.Join(r.git, "index.lock"))
	return err == nil
}

// Head returns the commit of the checkout. files are the slash paths of all files in the directory
// that tracks accepts. Without any commit, or if the commit lacks the directory, the result is
// zero, without an error.
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

// head returns the commit of the checkout, its text, and the hash of its tree of the directory; ""
// for none.
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

// Files returns the files of the directory in the commit of the checkout by slash path: those that
// tracks accepts, except symbolic links. Without any commit there are none. It returns an error if
// they exceed limit bytes.
func (r *Repo) Files(tracks func(path string) bool, limit int64) (map[string][]byte, error) {
	_, _, tree, err := r.head()
	if err != nil || tree == "" {
		return nil, err
	}
	return r.TreeFiles(tree, tracks, limit)
}

// TreeFiles returns the files of a tree of git, named by its hash, as Files does.
func (r *Repo) TreeFiles(tree string, tracks func(path string) bool, limit int64) (map[string][]byte, error) {
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

// subject returns the first paragraph of a message, like git.
func subject(message string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n\n")
	return plain(first)
}

// plain returns a text as one line of bounded length without invisible characters.
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

// resolve returns the hash of a ref, "" if it does not exist (yet).
func (r *Repo) resolve(ref string, links int) (string, error) {
	if links == 0 {
		return "", errors.New("the symbolic refs of git form a cycle")
	}
	if !filepath.IsLocal(filepath.FromSlash(ref)) {
		return "", fmt.Errorf("the ref of git %q is outside its directory", ref)
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

// under returns a path resolved relative to a directory.
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

// openFile opens a regular file; others could block.
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

// readFile reads a regular file of limited size.
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
