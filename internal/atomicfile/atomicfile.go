// Package atomicfile writes files that are there as a whole or not at all. It
// must not know what is in them.
package atomicfile

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// temporary is what follows the name of a file in that of the one that is to
// replace it.
var temporary = regexp.MustCompile(`^\.tmp-[0-9]+$`)

// Write replaces the file at path, or makes it, with what write writes, and puts
// it on the disk. The folder must exist. Where it fails the file stays as it was.
//
// Until then it is written under another name in the same folder: the prefix, its
// own name, `.tmp-` and a number. What processes left under such names that were
// killed while they wrote is removed.
func Write(path, prefix string, mode fs.FileMode, write func(*os.File) error) error {
	folder, name := filepath.Dir(path), prefix+filepath.Base(path)
	removeAbandoned(folder, name)
	file, err := os.CreateTemp(folder, name+".tmp-*")
	if err != nil {
		return err
	}
	if err := fill(file, mode, write); err != nil {
		os.Remove(file.Name())
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		os.Remove(file.Name())
		return err
	}
	return syncFolder(folder)
}

// fill writes a file, puts it on the disk and closes it.
func fill(file *os.File, mode fs.FileMode, write func(*os.File) error) (err error) {
	defer func() { err = cmp.Or(err, file.Close()) }()
	if err := write(file); err != nil {
		return err
	}
	if err := file.Chmod(mode); err != nil {
		return err
	}
	return file.Sync()
}

// syncFolder puts on the disk that a file has a new name. Windows cannot be
// asked to.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// removeAbandoned removes temporary files. Another process may be writing, so it
// spares those that are young. What cannot be removed stays: it is in nobody's
// way.
func removeAbandoned(folder, name string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // writing there says what is wrong
	}
	for _, e := range entries {
		suffix, ok := strings.CutPrefix(e.Name(), name)
		if !ok || !temporary.MatchString(suffix) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}
