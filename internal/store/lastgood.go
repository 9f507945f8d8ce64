package store

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"vitrine/internal/atomicfile"
)

// A last good file has one state and the API keys, for a start without the store: a header of
// fixed size, a zstd stream of entries, each a tag and its fields, and before that the name of the
// program that wrote it, as a skippable frame of zstd (RFC 8878), which readers of entries ignore.
//
//	magic     15 bytes
//	format     1 byte, the version of the format
//	length     8 bytes, of the streams
//	checksum  32 bytes, SHA-256 of the streams and of the header before it
//
// The checksum of zstd is not sufficient: its 32 bits cover the unpacked data only, so a flipped
// bit in the header of the stream passes, and it is known only after everything was unpacked.

const (
	lastGoodName   = "vitrine-state" // the magic of all formats begins with it
	lastGoodFormat = 1
	// lastGoodLimit is the maximum size of an unpacked stream, lastGoodFieldLimit that of a field.
	lastGoodLimit      = 4 << 30
	lastGoodFieldLimit = 1 << 30
)

// lastGoodHeader is the header of a file, little endian.
type lastGoodHeader struct {
	Magic    [15]byte // lastGoodName, then zeros
	Format   byte
	Length   uint64
	Checksum [sha256.Size]byte
}

// named reports whether the file is a last good file.
func (h *lastGoodHeader) named() bool {
	return string(bytes.TrimRight(h.Magic[:], "\x00")) == lastGoodName
}

// checksum returns the checksum of the file. sum has hashed the stream.
func (h *lastGoodHeader) checksum(sum hash.Hash) [sha256.Size]byte {
	sum.Write(append(h.Magic[:], h.Format))
	sum.Write(binary.LittleEndian.AppendUint64(nil, h.Length))
	return [sha256.Size]byte(sum.Sum(nil))
}

// LastGood is the content of a last good file.
type LastGood struct {
	State *State
	// Keys are the API keys, nil if unknown. The file has their names, hashes, quotas and ends,
	// not the keys themselves.
	Keys []APIKey
	// Program is the version of the program that wrote the file, "" if unknown.
	Program string
}

// WriteLastGood replaces the file at path atomically; the directory must exist. The same content
// gives the same bytes. Only the owner can read the file. A file of another program is copied to
// [PreviousLastGood] first.
func WriteLastGood(path string, l LastGood) error {
	if err := writeLastGood(path, l); err != nil {
		return fmt.Errorf("write the last good state: %w", err)
	}
	return nil
}

// ours returns an error if the file at path is not Vitrine's, so that a wrong path does not
// overwrite it. A file is Vitrine's by its name, .last-good, or the beginning of its content.
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

// openRegular opens a regular file for reading. Opening a pipe would block.
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

// IsLastGood reports whether the file at path begins like a last good file, damaged or not, or is
// empty.
func IsLastGood(path string) bool {
	_, err := os.Stat(path)
	return err == nil && ours(path) == nil
}

func writeLastGood(path string, l LastGood) error {
	if err := ours(path); err != nil {
		return err
	}
	if err := keepPrevious(path, l.Program); err != nil {
		return err
	}
	return atomicfile.Write(path, "", 0o600, func(file *os.File) error { return writeEntries(file, l) })
}

func writeEntries(file *os.File, l LastGood) error {
	header := lastGoodHeader{Format: lastGoodFormat}
	copy(header.Magic[:], lastGoodName)
	if err := binary.Write(file, binary.LittleEndian, header); err != nil {
		return err
	}
	sum := sha256.New()
	stream := io.MultiWriter(file, sum)
	if _, err := stream.Write(programFrame(l.Program)); err != nil {
		return err
	}
	if err := packEntries(stream, l); err != nil {
		return err
	}
	end, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	header.Length = uint64(end) - uint64(binary.Size(header))
	header.Checksum = header.checksum(sum)
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return binary.Write(file, binary.LittleEndian, header)
}

func packEntries(to io.Writer, l LastGood) error {
	// With one goroutine, the output depends on the input only.
	packed, err := zstd.NewWriter(to, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return err
	}
	w := &entryWriter{to: bufio.NewWriter(packed)}
	if err := w.lastGood(l); err != nil {
		packed.Close()
		return err
	}
	if err := w.to.Flush(); err != nil {
		packed.Close()
		return err
	}
	return packed.Close()
}

// ReadLastGood reads a file of [WriteLastGood]. The error for a truncated, damaged or foreign file
// wraps [ErrCorrupt], that for a missing one [io/fs.ErrNotExist]. An undamaged file that this
// program cannot read, such as one of a newer version, is another error. Its memory use is bounded.
func ReadLastGood(path string) (LastGood, error) {
	return readLastGood(path, (*entryReader).lastGood)
}

// ReadLastGoodKeys is [ReadLastGood] for the keys only, which is much faster. The state is nil.
func ReadLastGoodKeys(path string) (LastGood, error) {
	return readLastGood(path, func(r *entryReader) (LastGood, error) {
		_, keys, _, err := r.head()
		return LastGood{Keys: keys, Program: r.program}, err
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
	header, err := verify(file)
	if err != nil {
		return LastGood{}, err
	}
	if _, err := file.Seek(int64(binary.Size(header)), io.SeekStart); err != nil {
		return LastGood{}, err
	}
	program, err := readProgram(file)
	if err != nil {
		return LastGood{}, err
	}
	if _, err := file.Seek(int64(binary.Size(header)), io.SeekStart); err != nil {
		return LastGood{}, err
	}
	packed, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(32<<20))
	if err != nil {
		return LastGood{}, err
	}
	defer packed.Close()
	entries := bufio.NewReader(io.LimitReader(packed, lastGoodLimit))
	l, err := read(&entryReader{from: entries, program: program})
	if err != nil { // the checksum is right, so that program could read it
		return LastGood{}, fmt.Errorf("this version cannot read what %s wrote: %w", cmp.Or(program, "another version"), err)
	}
	return l, nil
}

// verify checks a file against its header and returns the header.
func verify(file io.Reader) (header lastGoodHeader, err error) {
	err = binary.Read(file, binary.LittleEndian, &header)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fileError("it is shorter than a header")
	}
	if err != nil {
		return header, err
	}
	if !header.named() {
		return header, fileError("it is not a file of ours")
	}
	if header.Format != lastGoodFormat {
		return header, fmt.Errorf("another version of Vitrine wrote it (format %d, this one reads format %d)", header.Format, lastGoodFormat)
	}
	sum := sha256.New()
	length, err := io.Copy(sum, file)
	if err != nil {
		return header, err
	}
	if uint64(length) != header.Length {
		return header, fileError(fmt.Sprintf("it has %d bytes of %d", length, int64(header.Length)))
	}
	if header.checksum(sum) != header.Checksum {
		return header, fileError("its checksum is another")
	}
	return header, nil
}

// fileError is an [ErrCorrupt] of a file that is not a database.
type fileError string

func (e fileError) Error() string        { return "the file is damaged: " + string(e) }
func (e fileError) Is(target error) bool { return target == ErrCorrupt }
