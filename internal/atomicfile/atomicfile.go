// Package atomicfile replaces files atomically. It must not know their content.
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

// temporary matches the suffix of a temporary file's name.
var temporary = regexp.MustCompile(`^\.tmp-[0-9]+$`)

// Write creates or replaces the file at path with the output of write, and syncs it. The directory
// must exist. After an error the file is unchanged.
//
// It writes to a temporary file in the same directory first, named prefix, the name of the file,
// `.tmp-` and a number. It removes old temporary files of this name that killed processes left
// behind.
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

// WriteBytes is [Write] of data.
func WriteBytes(path, prefix string, mode fs.FileMode, data []byte) error {
	return Write(path, prefix, mode, func(file *os.File) error {
		_, err := file.Write(data)
		return err
	})
}

// fill writes a file, syncs and closes it.
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

// syncFolder syncs a directory after a rename. Windows does not support that.
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

// removeAbandoned removes old temporary files. It keeps young ones, which another process may be
// writing, and ignores errors.
func removeAbandoned(folder, name string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // creating the file reports the error
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
