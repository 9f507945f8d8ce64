// Package gitref reads the catalogue directory at a git ref, such as `HEAD~1` or `main:catalog`.
//
// It asks git for the meaning of a ref, because only git knows all forms. Package checkout reads
// the files, because git would apply attributes and filters of the repository to them.
package gitref

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/checkout"
)

// limit bounds the time that git takes to resolve a ref.
const limit = 30 * time.Second

// ErrNoRef reports that a name is no ref of the repository, or has no such directory.
var ErrNoRef = errors.New("no git ref names one")

// Read reads the catalogue directory at a ref: `REF` is dir at that commit, and `REF:PATH` is the
// directory PATH below the top of the repository that contains dir. Both errors of names wrap
// [ErrNoRef]; others are those of the repository and of [bundle.Read].
func Read(ctx context.Context, dir, ref string, opts bundle.Options) (*bundle.Directory, error) {
	repo, err := checkout.Find(dir)
	if err != nil {
		return nil, err
	}
	if repo == nil {
		return nil, fmt.Errorf("%w: %s is not in a checkout of git", ErrNoRef, dir)
	}
	name := ref
	if !strings.Contains(ref, ":") {
		name += ":./" // relative to dir
	}
	tree, err := resolve(ctx, dir, name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoRef, err)
	}
	return bundle.ReadTree(ctx, repo, tree, opts)
}

// Dir returns the directory of the working tree that a ref of [Read] names. It need not exist.
func Dir(dir, ref string) (string, error) {
	_, path, found := strings.Cut(ref, ":")
	switch {
	case !found:
		return dir, nil
	case strings.HasPrefix(path, "./"), strings.HasPrefix(path, "../"):
		return filepath.Join(dir, filepath.FromSlash(path)), nil
	}
	repo, err := checkout.Find(dir)
	if err != nil || repo == nil {
		return "", err
	}
	return filepath.Join(repo.Top(), filepath.FromSlash(path)), nil
}

// resolve returns the hash of the object with a name.
func resolve(ctx context.Context, dir, name string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	git := exec.CommandContext(ctx, "git", "-C", dir, "rev-parse", "--verify", "--end-of-options", name)
	git.Env = append(slices.DeleteFunc(os.Environ(), ofHook), "LC_ALL=C") // for the reason
	var reason bytes.Buffer
	git.Stderr = &reason
	out, err := git.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		text := strings.TrimPrefix(strings.TrimSpace(reason.String()), "fatal: ")
		if text == "Needed a single revision" {
			text = "the repository, perhaps a shallow clone, has no such commit, or the commit has no such directory"
		}
		return "", fmt.Errorf("git cannot resolve %s: %s", name, cmp.Or(text, err.Error()))
	}
	return strings.TrimSpace(string(out)), nil
}

// ofHook reports whether a variable names the repository of a running hook, with paths relative to
// its directory.
func ofHook(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"}, name)
}
