package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// create makes dir, which must be empty or missing, and fills it with write. An interrupted write
// never leaves a valid catalogue: last is written last, after the rest is synced, and a directory
// without catalog.yaml is an error. A missing directory appears atomically.
func create(dir string, write func(root *os.Root) error, last document) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return createWhole(filepath.Clean(dir), write, last)
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s: %w", dir, ErrNotEmpty)
	}
	return fill(dir, write, last) // it may be a link or a volume, and keeps its mode
}

// document is a complete file.
type document struct {
	name string
	data []byte
}

// createWhole fills a temporary directory beside dir, and then renames it.
func createWhole(dir string, write func(root *os.Root) error, last document) (err error) {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	prefix := filepath.Join(parent, "."+filepath.Base(dir)+".new-")
	removeAbandoned(prefix)
	unfinished := fmt.Sprintf("%s%08x", prefix, rand.Uint32())
	if err := os.Mkdir(unfinished, 0o755); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(unfinished))
		}
	}()
	if err := fill(unfinished, write, last); err != nil {
		return err
	}
	if err := os.Rename(unfinished, dir); err != nil {
		return err
	}
	return syncFolder(parent)
}

// removeAbandoned removes the temporary directories of killed processes. It spares recent ones,
// which may be in use.
func removeAbandoned(prefix string) {
	entries, err := os.ReadDir(filepath.Dir(prefix))
	if err != nil {
		return // making a directory there reports the reason
	}
	for _, e := range entries {
		name := filepath.Join(filepath.Dir(prefix), e.Name())
		info, err := e.Info()
		if err == nil && e.IsDir() && len(name) == len(prefix)+8 && name[:len(prefix)] == prefix && time.Since(info.ModTime()) > time.Hour {
			_ = os.RemoveAll(name) // if it fails, the directory stays, which is harmless
		}
	}
}

// fill fills an empty directory. write cannot write outside of it.
func fill(dir string, write func(root *os.Root) error, last document) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	err = write(root)
	if err == nil {
		err = syncAll(root)
	}
	if err == nil {
		err = writeFile(root, last.name, last.data)
	}
	if err == nil {
		err = syncAll(root)
	}
	return errors.Join(err, root.Close())
}

// syncAll syncs files and folders to the disk.
func syncAll(root *os.Root) error {
	return fs.WalkDir(root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
