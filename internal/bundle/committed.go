package bundle

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"

	"vitrine/internal/checkout"
)

// ErrNoCommit is the error of [ReadCommitted] for a directory that no commit contains.
var ErrNoCommit = errors.New("no commit contains the directory")

// ReadCommitted reads the directory from the checked-out commit, regardless of its current files.
// The error is [ErrNoCommit], that of a repository that cannot be read or is too large, or one of
// [Read].
func ReadCommitted(ctx context.Context, path string, opts Options) (*Directory, error) {
	repo, err := checkout.Find(path)
	if err != nil {
		return nil, err
	}
	if repo == nil {
		return nil, ErrNoCommit
	}
	files, err := repo.Files(isCatalogFile, maxCopied)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, ErrNoCommit
	}
	return readFiles(ctx, files, opts)
}

// ReadTree reads the catalogue directory in a git tree, given by its hash. Errors are those of
// the repository and of [Read].
func ReadTree(ctx context.Context, repo *checkout.Repo, tree string, opts Options) (*Directory, error) {
	files, err := repo.TreeFiles(tree, isCatalogFile, maxCopied)
	if err != nil {
		return nil, err
	}
	return readFiles(ctx, files, opts)
}

func isCatalogFile(name string) bool { return classify(name) != nil }

func readFiles(ctx context.Context, files map[string][]byte, opts Options) (*Directory, error) {
	fsys, err := archived(files)
	if err != nil {
		return nil, err
	}
	return Read(ctx, fsys, opts)
}

// archived returns a file system of files in memory.
func archived(files map[string][]byte) (*zip.Reader, error) {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
}
