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
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"vitrine/internal/catalog"
)

// A last good file holds one state, so that a process whose store is gone has
// something to serve: a header of fixed size, then a zstd stream of entries,
// each of which is a tag and its fields.
//
//	magic     16 bytes, which end with the version of the format
//	length     8 bytes, little endian, of the stream
//	checksum  32 bytes, SHA-256 of length and stream

const (
	lastGoodMagic  = "vitrine-state\x00\x00\x01"
	lastGoodHeader = len(lastGoodMagic) + 8 + sha256.Size
	// lastGoodLimit bounds what a stream may hold when it is unpacked, and a
	// field of it.
	lastGoodLimit      = 4 << 30
	lastGoodFieldLimit = 1 << 30
)

// The tags of entries. The revision comes first, the end last.
const (
	tagRevision    = 'v'
	tagRow         = 'r'
	tagObservation = 'o'
	tagEnd         = 'e'
)

// WriteLastGood writes a state to the file at path, which it replaces as a
// whole or not at all; the folder must exist. The same state gives the same
// bytes. Only the owner may read the file.
func WriteLastGood(path string, s *State) error {
	if err := writeLastGood(path, s); err != nil {
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
	file, err := os.Open(path)
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

// IsLastGood reports whether the file at path begins as one that WriteLastGood
// wrote, damaged or not, or is empty.
func IsLastGood(path string) bool {
	_, err := os.Stat(path)
	return err == nil && ours(path) == nil
}

func writeLastGood(path string, s *State) (err error) {
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
	if err := writeState(file, s); err != nil {
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

func writeState(file *os.File, s *State) error {
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
	if err := w.state(s); err != nil {
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

type entryWriter struct {
	to *bufio.Writer
}

func (w *entryWriter) state(s *State) error {
	rev := s.Revision
	w.tag(tagRevision)
	w.number(uint64(rev.Number))
	w.number(uint64(rev.PublishedAt.UnixMilli()))
	w.text(string(rev.Op))
	w.text(rev.Actor)
	w.text(rev.Message)
	w.text(rev.Digest)
	for row, err := range Rows(s.editors, nil) {
		if err != nil {
			return err
		}
		w.tag(tagRow)
		w.text(string(row.Kind))
		w.text(row.Key)
		w.number(uint64(row.Position))
		w.text(string(row.Body))
	}
	for _, o := range s.observed {
		w.tag(tagObservation)
		w.text(string(o.Kind))
		w.text(o.Key)
		w.text(string(o.Figure))
		w.number(math.Float64bits(o.Value))
		w.text(o.Source)
		w.text(string(o.AsOf))
	}
	return w.to.WriteByte(tagEnd) // which returns the first error of all
}

func (w *entryWriter) tag(tag byte) { w.to.WriteByte(tag) }

func (w *entryWriter) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	w.to.Write(b[:])
}

func (w *entryWriter) text(s string) {
	var b [binary.MaxVarintLen64]byte
	w.to.Write(b[:binary.PutUvarint(b[:], uint64(len(s)))])
	w.to.WriteString(s)
}

// ReadLastGood reads the file that [WriteLastGood] wrote. A file that is cut
// off, in which a bit has flipped, or which is something else is an error that
// wraps [ErrCorrupt]; one that is not there wraps [io/fs.ErrNotExist]. The
// memory that it takes is bounded.
func ReadLastGood(path string) (*State, error) {
	s, err := readLastGood(path)
	if err != nil {
		return nil, fmt.Errorf("read the last good state: %w", err)
	}
	return s, nil
}

func readLastGood(path string) (*State, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	length, err := verify(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if _, err := file.Seek(int64(lastGoodHeader), io.SeekStart); err != nil {
		return nil, err
	}
	s, err := readState(io.LimitReader(file, length), lastGoodLimit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// verify holds a file against its header and returns the length of its stream.
func verify(file io.Reader) (length int64, err error) {
	header := make([]byte, lastGoodHeader)
	if _, err := io.ReadFull(file, header); err != nil {
		return 0, damagedFile("it is shorter than a header", err)
	}
	magic, rest := header[:len(lastGoodMagic)], header[len(lastGoodMagic):]
	if family := len(lastGoodMagic) - 1; string(magic[:family]) != lastGoodMagic[:family] {
		return 0, damagedFile("it is not a file of ours", nil)
	}
	if string(magic) != lastGoodMagic {
		return 0, fmt.Errorf("another Vitrine wrote it (format %d, this one knows %d)",
			magic[len(magic)-1], lastGoodMagic[len(lastGoodMagic)-1])
	}
	length = int64(binary.LittleEndian.Uint64(rest))
	stream := &measured{to: io.Discard, sum: sha256.New()}
	if _, err := io.Copy(stream, file); err != nil {
		return 0, err
	}
	if stream.length != length {
		return 0, damagedFile(fmt.Sprintf("it has %d bytes of %d", stream.length, length), nil)
	}
	if !bytes.Equal(stream.checksum(header[:len(lastGoodMagic)+8:len(lastGoodMagic)+8]), header) {
		return 0, damagedFile("its checksum is another", nil)
	}
	return length, nil
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

// readState reads a stream that unpacks to limit bytes at most.
func readState(stream io.Reader, limit int64) (*State, error) {
	packed, err := zstd.NewReader(stream, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(32<<20))
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	r := &entryReader{from: bufio.NewReader(io.LimitReader(packed, limit))}
	s, err := r.state()
	if err != nil {
		return nil, fileError(err.Error())
	}
	return s, nil
}

// entryReader keeps the first error; after it all it reads is empty.
type entryReader struct {
	from *bufio.Reader
	err  error
}

func (r *entryReader) state() (*State, error) {
	if tag := r.tag(); r.err == nil && tag != tagRevision {
		return nil, fmt.Errorf("it begins with an entry %q", tag)
	}
	rev := Revision{
		Number:      int64(r.number()),
		PublishedAt: time.UnixMilli(int64(r.number())).UTC(),
		Op:          Op(r.text()),
		Actor:       string(r.text()),
		Message:     string(r.text()),
		Digest:      string(r.text()),
	}
	var b Builder
	for r.err == nil {
		switch tag := r.tag(); {
		case r.err != nil:
		case tag == tagRow:
			r.row(&b)
		case tag == tagObservation:
			r.observation(&b)
		case tag == tagEnd:
			return b.State(rev)
		default:
			return nil, fmt.Errorf("it holds an entry %q", tag)
		}
	}
	return nil, r.err
}

func (r *entryReader) row(b *Builder) {
	row := Row{Kind: catalog.Kind(r.text()), Key: string(r.text()), Position: int(r.number()), Body: r.text()}
	if r.err == nil {
		r.err = b.Add(row)
	}
}

func (r *entryReader) observation(b *Builder) {
	o := catalog.Observation{
		Kind: catalog.Kind(r.text()), Key: string(r.text()), Figure: catalog.FigureName(r.text()),
		Value: math.Float64frombits(r.number()), Source: string(r.text()), AsOf: catalog.Date(r.text()),
	}
	if r.err == nil {
		b.Observe(o)
	}
}

func (r *entryReader) tag() byte {
	tag, err := r.from.ReadByte()
	r.fail(err)
	return tag
}

func (r *entryReader) number() uint64 {
	var b [8]byte
	if r.err == nil {
		_, err := io.ReadFull(r.from, b[:])
		r.fail(err)
	}
	return binary.LittleEndian.Uint64(b[:])
}

// text reads a field. A length is not believed before there are as many bytes.
func (r *entryReader) text() []byte {
	if r.err != nil {
		return nil
	}
	n, err := binary.ReadUvarint(r.from)
	if err == nil && n > lastGoodFieldLimit {
		err = fmt.Errorf("a field of %d bytes is too long", n)
	}
	if err != nil {
		r.fail(err)
		return nil
	}
	if n <= 4096 {
		b := make([]byte, n)
		_, err = io.ReadFull(r.from, b)
		r.fail(err)
		return b
	}
	var b bytes.Buffer
	_, err = io.CopyN(&b, r.from, int64(n))
	r.fail(err)
	return b.Bytes()
}

func (r *entryReader) fail(err error) {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if r.err == nil && err != nil {
		r.err = err
	}
}
