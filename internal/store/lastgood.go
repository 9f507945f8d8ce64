package store

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A last good file holds one state, so that a process whose store is gone has
// something to serve, and the API keys, so that it knows for whom: a header of
// fixed size, then a zstd stream of entries, each of which is a tag and its
// fields.
//
//	magic     16 bytes, which end with the version of the format
//	length     8 bytes, little endian, of the stream
//	checksum  32 bytes, SHA-256 of length and stream
//
// Format 1 knows no keys, and until format 2 rows have their former bodies (see
// [UpgradeBody]); otherwise they are the same.

const (
	lastGoodMagic  = "vitrine-state\x00\x00\x03"
	lastGoodFormat = 3 // the last byte of the magic
	bodiesFormat   = 3 // since which bodies are as they are today
	lastGoodHeader = len(lastGoodMagic) + 8 + sha256.Size
	// lastGoodLimit bounds what a stream may hold when it is unpacked, and a
	// field of it.
	lastGoodLimit      = 4 << 30
	lastGoodFieldLimit = 1 << 30
)

// LastGood is what a last good file holds.
type LastGood struct {
	State *State
	// Keys are the API keys, nil while they are not known. Of each the file has the
	// name, the hash, the limit and when it ends; of the key itself nothing.
	Keys []APIKey
}

// WriteLastGood writes what is served to the file at path, which it replaces as
// a whole or not at all; the folder must exist. The same state and keys give the
// same bytes. Only the owner may read the file.
func WriteLastGood(path string, l LastGood) error {
	if err := writeLastGood(path, l); err != nil {
		return fmt.Errorf("write the last good state: %w", err)
	}
	return nil
}

// lastGoodName is what the magic of every format begins with.
const lastGoodName = "vitrine-state"

// ours returns an error if a file is there that is not Vitrine's, by its content
// or by the usual ending of its name: a slip in a path must not cost somebody a
// file.
func ours(path string) error {
	if strings.HasSuffix(path, ".last-good") {
		return nil
	}
	file, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	begin := make([]byte, len(lastGoodName))
	n, err := io.ReadFull(file, begin)
	if err == io.EOF || n > 0 && string(begin[:n]) == lastGoodName[:n] {
		return nil
	}
	return fmt.Errorf("%s is no last good file of vitrine, and stays as it is", path)
}

// openRegular opens a file to read it. To open a pipe would be to wait for
// somebody who writes to it.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return os.Open(path)
}

// IsLastGood reports whether the file at path begins as one that WriteLastGood
// wrote, damaged or not, or is empty.
func IsLastGood(path string) bool {
	_, err := os.Stat(path)
	return err == nil && ours(path) == nil
}

func writeLastGood(path string, l LastGood) (err error) {
	if err := ours(path); err != nil {
		return err
	}
	removeAbandoned(path)
	folder, name := filepath.Split(path)
	file, err := os.CreateTemp(filepath.Clean(folder), name+temporary) // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if err := writeEntries(file, l); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Clean(folder))
}

// temporary is what is put after the name of a file that is being written.
const temporary = ".tmp-*"

// removeAbandoned removes what processes left that were killed while they
// wrote. Another process may be writing, so it spares what is young.
func removeAbandoned(path string) {
	files, err := filepath.Glob(escapeGlob(path) + temporary)
	if err != nil {
		return
	}
	for _, name := range files {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.Remove(name) // if it cannot be, it stays: it is in nobody's way
		}
	}
}

func escapeGlob(path string) string {
	var b bytes.Buffer
	for i := range len(path) {
		if bytes.IndexByte([]byte(`*?[\`), path[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// syncFolder puts on the disk that a file has a new name.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func writeEntries(file *os.File, l LastGood) error {
	if _, err := file.Write(make([]byte, lastGoodHeader)); err != nil {
		return err
	}
	stream := &measured{to: file, sum: sha256.New()}
	// Of one goroutine the output depends on nothing but the input.
	packed, err := zstd.NewWriter(stream, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return err
	}
	w := &entryWriter{to: bufio.NewWriter(packed)}
	if err := w.all(l); err != nil {
		packed.Close()
		return err
	}
	if err := w.to.Flush(); err != nil {
		packed.Close()
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	header := binary.LittleEndian.AppendUint64([]byte(lastGoodMagic), uint64(stream.length))
	_, err = file.WriteAt(stream.checksum(header), 0)
	return err
}

// measured counts and sums up what is written.
type measured struct {
	to     io.Writer
	sum    hash.Hash
	length int64
}

func (m *measured) Write(b []byte) (int, error) {
	n, err := m.to.Write(b)
	m.sum.Write(b[:n])
	m.length += int64(n)
	return n, err
}

// checksum returns header with the checksum of what was written and of the
// header.
func (m *measured) checksum(header []byte) []byte {
	m.sum.Write(header)
	return m.sum.Sum(header)
}

// ReadLastGood reads the file that [WriteLastGood] wrote. A file that is cut
// off, in which a bit has flipped, or which is something else is an error that
// wraps [ErrCorrupt]; one that is not there wraps [io/fs.ErrNotExist]. The
// memory that it takes is bounded.
func ReadLastGood(path string) (LastGood, error) {
	return readLastGood(path, (*entryReader).all)
}

// ReadLastGoodKeys is [ReadLastGood] for the keys alone, which is much less
// work: the state is nil.
func ReadLastGoodKeys(path string) (LastGood, error) {
	return readLastGood(path, func(r *entryReader) (LastGood, error) {
		_, keys, _, err := r.head()
		return LastGood{Keys: keys}, err
	})
}

func readLastGood(path string, read func(*entryReader) (LastGood, error)) (LastGood, error) {
	file, err := openRegular(path)
	if err != nil {
		return LastGood{}, fmt.Errorf("read the last good state: %w", err)
	}
	defer file.Close()
	l, err := readFile(file, read)
	if err != nil {
		return LastGood{}, fmt.Errorf("read the last good state: %s: %w", path, err)
	}
	return l, nil
}

func readFile(file *os.File, read func(*entryReader) (LastGood, error)) (LastGood, error) {
	length, format, err := verify(file)
	if err != nil {
		return LastGood{}, err
	}
	if _, err := file.Seek(int64(lastGoodHeader), io.SeekStart); err != nil {
		return LastGood{}, err
	}
	return readEntries(io.LimitReader(file, length), lastGoodLimit, format, read)
}

// verify holds a file against its header and returns the length of its stream
// and its format.
func verify(file io.Reader) (length int64, format byte, err error) {
	header := make([]byte, lastGoodHeader)
	if _, err := io.ReadFull(file, header); err != nil {
		return 0, 0, damagedFile("it is shorter than a header", err)
	}
	magic, rest := header[:len(lastGoodMagic)], header[len(lastGoodMagic):]
	if family := len(lastGoodMagic) - 1; string(magic[:family]) != lastGoodMagic[:family] {
		return 0, 0, damagedFile("it is not a file of ours", nil)
	}
	if format = magic[len(magic)-1]; format < 1 || format > lastGoodFormat {
		return 0, 0, fmt.Errorf("another Vitrine wrote it (format %d, this one knows 1 to %d)", format, lastGoodFormat)
	}
	length = int64(binary.LittleEndian.Uint64(rest))
	stream := &measured{to: io.Discard, sum: sha256.New()}
	if _, err := io.Copy(stream, file); err != nil {
		return 0, 0, err
	}
	if stream.length != length {
		return 0, 0, damagedFile(fmt.Sprintf("it has %d bytes of %d", stream.length, length), nil)
	}
	if !bytes.Equal(stream.checksum(header[:len(lastGoodMagic)+8:len(lastGoodMagic)+8]), header) {
		return 0, 0, damagedFile("its checksum is another", nil)
	}
	return length, format, nil
}

// damagedFile returns an [ErrCorrupt] in the words of a file.
func damagedFile(what string, err error) error {
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err // it could not be read, which says nothing of what it holds
	}
	return fileError(what)
}

// fileError is an [ErrCorrupt] that is not about a database.
type fileError string

func (e fileError) Error() string        { return "the file is damaged: " + string(e) }
func (e fileError) Is(target error) bool { return target == ErrCorrupt }

// readEntries reads a stream that unpacks to limit bytes at most.
func readEntries(stream io.Reader, limit int64, format byte, read func(*entryReader) (LastGood, error)) (LastGood, error) {
	packed, err := zstd.NewReader(stream, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(32<<20))
	if err != nil {
		return LastGood{}, err
	}
	defer packed.Close()
	l, err := read(&entryReader{from: bufio.NewReader(io.LimitReader(packed, limit)), former: format < bodiesFormat})
	if err != nil {
		return LastGood{}, fileError(err.Error())
	}
	return l, nil
}
