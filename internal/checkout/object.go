package checkout

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// errNoObject reports that no object store has an object.
var errNoObject = errors.New("git has no such object")

// object returns the content of an object, and an error if it has another type.
func (r *Repo) object(hash, want string) ([]byte, error) {
	kind, data, err := r.findObject(hash, filepath.Join(r.common, "objects"), maxLinks)
	if err == nil && kind != want {
		err = fmt.Errorf("it is a %s", kind)
	}
	if err != nil {
		return nil, fmt.Errorf("read the %s %s of git: %w", want, hash, err)
	}
	return data, nil
}

// findObject searches an object store and its alternates.
func (r *Repo) findObject(hash, store string, links int) (kind string, data []byte, err error) {
	if links == 0 || !hexHash.MatchString(hash) {
		return "", nil, errNoObject
	}
	kind, data, err = loose(store, hash)
	if errors.Is(err, fs.ErrNotExist) {
		kind, data, err = packed(store, hash)
	}
	if !errors.Is(err, errNoObject) {
		return kind, data, err
	}
	alternates, err := readFile(filepath.Join(store, "info", "alternates"), maxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, errNoObject
	}
	if err != nil {
		return "", nil, err
	}
	for l := range bytes.Lines(alternates) {
		name := strings.TrimSpace(string(l))
		if name == "" || name[0] == '#' {
			continue
		}
		kind, data, err = r.findObject(hash, under(store, name), links-1)
		if !errors.Is(err, errNoObject) {
			return kind, data, err
		}
	}
	return "", nil, errNoObject
}

func loose(store, hash string) (kind string, data []byte, err error) {
	f, err := openFile(filepath.Join(store, hash[:2], hash[2:]))
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	unpacked, err := zlib.NewReader(bufio.NewReader(f))
	if err != nil {
		return "", nil, err
	}
	defer unpacked.Close()
	all, err := readAll(unpacked, maxObjectBytes, "an object")
	if err != nil {
		return "", nil, err
	}
	head, data, _ := bytes.Cut(all, []byte{0})
	kind, _, _ = strings.Cut(string(head), " ")
	return kind, data, nil
}

// packed searches all packs of an object store.
func packed(store, hash string) (kind string, data []byte, err error) {
	indices, err := fs.Glob(os.DirFS(store), "pack/pack-*.idx")
	if err != nil {
		return "", nil, err
	}
	name, err := hex.DecodeString(hash)
	if err != nil {
		return "", nil, err
	}
	for _, index := range indices {
		index = filepath.Join(store, filepath.FromSlash(index))
		offset, found, err := lookUp(index, name)
		if err != nil {
			return "", nil, err
		}
		if !found {
			continue
		}
		p := pack{index: index, width: len(name)}
		if p.file, err = openFile(strings.TrimSuffix(index, ".idx") + ".pack"); err != nil {
			return "", nil, err
		}
		kind, data, err = p.read(offset, maxDeltas)
		p.file.Close()
		return kind, data, err
	}
	return "", nil, errNoObject
}

// lookUp returns the offset of an object in a pack, from an index of version 2: a header of eight
// bytes, 256 counts of names up to each first byte, the sorted names, checksums, offsets, and long
// offsets.
func lookUp(index string, name []byte) (offset int64, found bool, err error) {
	f, err := openFile(index)
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	head := make([]byte, 8+256*4)
	if _, err := f.ReadAt(head, 0); err != nil {
		return 0, false, fmt.Errorf("%s: %w", index, err)
	}
	if !bytes.Equal(head[:8], []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}) {
		return 0, false, nil // another version: the object counts as missing
	}
	count := func(i int) int64 { return int64(binary.BigEndian.Uint32(head[8+4*i:])) }
	low, high, all := int64(0), count(int(name[0])), count(255)
	if name[0] > 0 {
		low = count(int(name[0]) - 1)
	}
	names := int64(len(head))
	width := int64(len(name))
	entry := make([]byte, width)
	at, found := sort.Find(int(max(high-low, 0)), func(i int) int {
		if _, unread := f.ReadAt(entry, names+(low+int64(i))*width); unread != nil {
			err = fmt.Errorf("%s: %w", index, unread)
		}
		return bytes.Compare(name, entry)
	})
	if err != nil || !found {
		return 0, false, err
	}
	offset, err = offsetOf(f, names+all*(width+4), low+int64(at), all)
	return offset, err == nil, err
}

// offsetOf reads an offset of an index.
func offsetOf(f *os.File, begin, i, all int64) (int64, error) {
	var b [8]byte
	if _, err := f.ReadAt(b[:4], begin+4*i); err != nil {
		return 0, err
	}
	offset := binary.BigEndian.Uint32(b[:])
	if offset < 1<<31 {
		return int64(offset), nil
	}
	if _, err := f.ReadAt(b[:], begin+4*all+8*int64(offset&(1<<31-1))); err != nil {
		return 0, err
	}
	return int64(binary.BigEndian.Uint64(b[:]) & (1<<63 - 1)), nil
}

// pack is an open pack. Object names have a width in bytes.
type pack struct {
	file  *os.File
	index string
	width int
}

// read returns the object at an offset.
func (p pack) read(offset int64, deltas int) (kind string, data []byte, err error) {
	if deltas == 0 {
		return "", nil, errors.New("too many deltas")
	}
	from := bufio.NewReader(io.NewSectionReader(p.file, offset, 1<<62-offset))
	number, size, err := objectHead(from)
	if err != nil {
		return "", nil, err
	}
	if size > maxObjectBytes {
		return "", nil, fmt.Errorf("an object of %d bytes", size)
	}
	base := int64(-1)
	switch number {
	case 6:
		back, err := backwards(from)
		if err != nil {
			return "", nil, err
		}
		base = offset - back
		if back <= 0 || base < 0 {
			return "", nil, errors.New("a delta without a base")
		}
	case 7:
		name := make([]byte, p.width)
		if _, err := io.ReadFull(from, name); err != nil {
			return "", nil, err
		}
		var found bool
		if base, found, err = lookUp(p.index, name); err != nil || !found {
			return "", nil, errors.Join(errors.New("a delta without a base"), err)
		}
	}
	data, err = inflate(from, size)
	if err != nil || base < 0 {
		return kinds[number], data, err
	}
	kind, old, err := p.read(base, deltas-1)
	if err != nil {
		return "", nil, err
	}
	data, err = patch(old, data)
	return kind, data, err
}

var kinds = map[byte]string{1: "commit", 2: "tree", 3: "blob", 4: "tag"}

// objectHead reads the type and size of an object: three bits and four, then seven per byte while
// the highest bit is set.
func objectHead(from io.ByteReader) (kind byte, size int64, err error) {
	b, err := from.ReadByte()
	kind, size = b>>4&7, int64(b&15)
	for shift := 4; err == nil && b >= 0x80; shift += 7 {
		if shift > 56 {
			return 0, 0, errors.New("an object header without an end")
		}
		b, err = from.ReadByte()
		size |= int64(b&0x7f) << shift
	}
	return kind, size, err
}

// backwards reads the distance from a delta back to its base.
func backwards(from io.ByteReader) (int64, error) {
	b, err := from.ReadByte()
	n := int64(b & 0x7f)
	for err == nil && b >= 0x80 {
		if n > 1<<48 {
			return 0, errors.New("a delta without a base")
		}
		b, err = from.ReadByte()
		n = (n+1)<<7 | int64(b&0x7f)
	}
	return n, err
}

func inflate(from io.Reader, size int64) ([]byte, error) {
	unpacked, err := zlib.NewReader(from)
	if err != nil {
		return nil, err
	}
	defer unpacked.Close()
	data, err := readAll(unpacked, size, "an object")
	if err == nil && int64(len(data)) != size {
		err = io.ErrUnexpectedEOF
	}
	return data, err
}

// patch applies a delta: two sizes, then copies from the base and literal data.
func patch(base, delta []byte) ([]byte, error) {
	from := bytes.NewReader(delta)
	before, errBefore := binary.ReadUvarint(from)
	after, errAfter := binary.ReadUvarint(from)
	if errBefore != nil || errAfter != nil || before != uint64(len(base)) || after > maxObjectBytes {
		return nil, errors.New("a delta of another base")
	}
	out := make([]byte, 0, after)
	for from.Len() > 0 {
		op, err := from.ReadByte()
		if err != nil {
			return nil, err
		}
		var piece []byte
		if op&0x80 != 0 {
			at, size := number(from, op, 4), number(from, op>>4, 3)
			if size == 0 {
				size = 1 << 16
			}
			if at+size > len(base) {
				return nil, errors.New("a delta that copies beyond its base")
			}
			piece = base[at : at+size]
		} else {
			piece = make([]byte, op)
			if _, err := io.ReadFull(from, piece); err != nil || op == 0 {
				return nil, errors.New("a truncated delta")
			}
		}
		if uint64(len(out)+len(piece)) > after {
			return nil, errors.New("a delta with too much data")
		}
		out = append(out, piece...)
	}
	if uint64(len(out)) != after {
		return nil, errors.New("a delta with too little data")
	}
	return out, nil
}

// number reads the bytes whose bits are set in mask, lowest first. Missing bytes read as 0 and end
// the delta.
func number(from io.ByteReader, bits byte, bytes int) int {
	n := 0
	for i := range bytes {
		if bits>>i&1 == 0 {
			continue
		}
		b, err := from.ReadByte()
		if err != nil {
			return 0
		}
		n |= int(b) << (8 * i)
	}
	return n
}
