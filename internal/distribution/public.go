package distribution

import (
	"io/fs"
	"os"
)

// Public returns the files of a distribution in a folder that everybody may read: the pointer, the
// copy of its signature, and the files in files/. All other names, folders and symbolic links do not
// exist. Opened files are [io.ReadSeeker]s and stay complete when the folder changes. The folder need
// not exist yet.
func Public(dir string) fs.FS { return public(dir) }

type public string

// Open implements [fs.FS].
func (dir public) Open(name string) (fs.File, error) {
	if name != EntryFile && name != EntryFile+signatureSuffix && !filePath.MatchString(name) {
		return nil, missing(name)
	}
	root, err := os.OpenRoot(string(dir)) // each time, since the folder may be replaced
	if err != nil {
		return nil, err
	}
	defer root.Close() // which is only read
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would block
		return nil, missing(name)
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(info, opened) { // replaced in between by another kind of file
		file.Close()
		return nil, missing(name)
	}
	return file, nil
}

// signatureSuffix is added to the name of the pointer for the copy of its signature.
const signatureSuffix = ".minisig"

func missing(name string) error {
	return &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
