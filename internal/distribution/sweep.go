package distribution

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vitrine/internal/atomicfile"
)

const (
	// keepFiles is how long files stay that no pointer names any more, for readers and caches that
	// still have an older pointer.
	keepFiles = 25 * time.Hour
	// maxUnnamed is the total size of such files in a folder, beyond which the oldest ones are removed
	// earlier: thousands of publishes a day would fill the disk.
	maxUnnamed = 1 << 30
	// keepUnnamed is how long such files stay in any case.
	keepUnnamed = time.Hour
	// sweepEvery is the minimum interval between removals of old files by one process.
	sweepEvery = time.Minute
)

// sweeper removes files of a folder that no pointer has named for a while.
type sweeper struct {
	swept      time.Time
	maxUnnamed int64 // 0 for the constant
}

// sweep removes files that the pointer does not name, once they were retired long enough. Files of the
// pointer before, nil for none, get a new time first. now removes files at once: a purged record must
// not stay. Foreign files stay.
func (s *sweeper) sweep(dir folder, pointer, before []byte, at time.Time, now bool) error {
	named, err := namedFiles(pointer)
	if err != nil {
		return err
	}
	retired, _ := namedFiles(before) // those of a malformed pointer of an earlier version keep their times
	files := pathsOf(pointer, named)
	for path := range pathsOf(before, retired) {
		if files[path] {
			continue
		}
		err := os.Chtimes(dir.name(path), at, at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if !now && at.Sub(s.swept) < sweepEvery {
		return nil
	}
	s.swept = at
	unnamed, err := dir.unnamed(files)
	if err != nil {
		return err
	}
	total := int64(0) // of the newer files
	for _, info := range unnamed {
		age := at.Sub(info.ModTime())
		if total += info.Size(); !now && age <= keepFiles && (age <= keepUnnamed || total <= s.limit()) {
			continue
		}
		if err := os.Remove(dir.name("files/" + info.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (s *sweeper) limit() int64 { return cmp.Or(s.maxUnnamed, maxUnnamed) }

// unnamed returns the files of the folder that are not among files, newest first, without foreign
// ones.
func (dir folder) unnamed(files map[string]bool) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dir.name("files"))
	if err != nil {
		return nil, err
	}
	var unnamed []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || files["files/"+e.Name()] || !filePath.MatchString("files/"+strings.TrimPrefix(e.Name(), ".")) {
			continue // also a foreign file
		}
		unnamed = append(unnamed, info)
	}
	slices.SortStableFunc(unnamed, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	return unnamed, nil
}

// name returns the name of a file of the folder.
func (dir folder) name(path string) string {
	return filepath.Join(string(dir), filepath.FromSlash(path))
}

// replacePointer replaces the pointer and the copy of its signature, nil for none. The
// content-addressed signature must exist already.
func (dir folder) replacePointer(data, signature []byte) error {
	pointer := dir.name(EntryFile)
	if err := atomicfile.WriteBytes(pointer, "", 0o644, data); err != nil {
		return err
	}
	if signature != nil {
		return atomicfile.WriteBytes(pointer+signatureSuffix, "", 0o644, signature) // for minisign -V
	}
	err := os.Remove(pointer + signatureSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err
}

// writeFile writes a content-addressed file under a temporary name and syncs it. A file that a
// killed process left behind is overwritten or, by [sweeper.sweep], removed.
func (dir folder) writeFile(path string, data []byte) error {
	name := dir.name(path)
	temporary := filepath.Join(filepath.Dir(name), "."+filepath.Base(name))
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = cmp.Or(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		os.Remove(temporary) // which uses space of a full disk
	}
	return err
}
