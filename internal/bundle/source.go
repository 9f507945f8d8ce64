package bundle

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"unicode/utf8"

	"vitrine/internal/domain"
)

// Bounds of reading. A record is one element of a JSON list or one line of NDJSON. A document is
// a file that is read as a whole, because its format (YAML) or its kind (a menu) cannot be split
// into records; its nodes take up to a hundred times its size. YAML is also bounded by its number
// of values, and so may be longer (see maxYAMLMarks).
const (
	maxRecord   = 1 << 20
	maxDocument = 4 << 20
	maxYAML     = 16 << 20
)

var (
	errNotUTF8  = errors.New("not UTF-8")
	errTooLarge = errors.New("over the size limit")
)

// A source reads one file for a decoder. It computes the hash, stops before the first invalid
// byte of UTF-8, bounds the buffered data, and converts offsets to lines and columns.
type source struct {
	r     *bufio.Reader
	hash  hash.Hash
	limit int // bytes after the last requested position

	begun        bool
	held         []byte // the end of the data read so far
	checked      int    // bytes of held that are valid UTF-8
	passed       int    // bytes of held before the last requested position
	offset       int64  // of that position
	line, column int    // of that position
	utf16        bool   // the file has a byte order mark of UTF-16
	err          error  // the error of Read; sticky
}

func newSource(r io.Reader) *source {
	h := sha256.New()
	return &source{r: bufio.NewReaderSize(io.TeeReader(r, h), 1<<16), hash: h, limit: maxDocument, line: 1, column: 1}
}

// Read implements io.Reader. It skips a byte order mark at the start: offsets and columns count
// after it.
func (s *source) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if !s.begun {
		s.begun = true
		s.skipByteOrderMark()
	}
	n, err := s.r.Read(p)
	s.held = append(s.held, p[:n]...)
	s.err = err
	if bad := s.firstInvalid(err != nil); bad >= 0 {
		n = max(0, n-(len(s.held)-bad))
		s.held, s.err = s.held[:bad], errNotUTF8
	}
	if s.err == nil && len(s.held)-s.passed > s.limit {
		s.err = errTooLarge
	}
	return n, s.err
}

func (s *source) skipByteOrderMark() {
	head, _ := s.r.Peek(3) // Read returns the error
	if string(head) == "\xef\xbb\xbf" {
		_, _ = s.r.Discard(3) // peeked bytes can be discarded
	}
	s.utf16 = len(head) >= 2 && (string(head[:2]) == "\xff\xfe" || string(head[:2]) == "\xfe\xff")
}

// foreign identifies a file of another format, nil for none. It must be called before the first
// Read.
func (s *source) foreign() *fault {
	head, _ := s.r.Peek(512) // Read returns the error
	return foreignFault(head)
}

// firstInvalid returns the index in held of the first byte that is not UTF-8, -1 for none. It
// leaves the bytes of an incomplete character for the next call, unless ends is set.
func (s *source) firstInvalid(ends bool) int {
	if utf8.Valid(s.held[s.checked:]) { // usual, and faster
		s.checked = len(s.held)
	}
	for s.checked < len(s.held) {
		rest := s.held[s.checked:]
		if r, size := utf8.DecodeRune(rest); r != utf8.RuneError || size > 1 {
			s.checked += size
		} else if !ends && !utf8.FullRune(rest) {
			return -1
		} else {
			return s.checked
		}
	}
	return -1
}

// position returns the line and column of an offset, at most that of the last byte read. Offsets
// must not decrease.
func (s *source) position(offset int64) (line, column int) {
	n := min(max(0, int(offset-s.offset)), len(s.held)-s.passed)
	over := s.held[s.passed : s.passed+n]
	if last := bytes.LastIndexByte(over, '\n'); last >= 0 { // usual, and faster
		s.line, s.column = s.line+bytes.Count(over[:last+1], []byte{'\n'}), 1
		over = over[last+1:]
	}
	s.line, s.column = advance(s.line, s.column, over)
	s.offset += int64(n)
	s.passed += n
	if s.passed > len(s.held)/2 { // amortises the copying
		s.held = s.held[:copy(s.held, s.held[s.passed:])]
		s.checked = max(0, s.checked-s.passed)
		s.passed = 0
	}
	return s.line, s.column
}

func utf16Fault() *fault {
	return &fault{line: 1, column: 1, rule: domain.RuleInvalidUTF8, message: "the file is UTF-16, not UTF-8", remedy: "save it as UTF-8"}
}

// fault returns the reason why Read stopped, nil at the end of the file.
func (s *source) fault() *fault {
	switch {
	case s.err == nil || s.err == io.EOF:
		return nil
	case errors.Is(s.err, errTooLarge):
		return s.tooLarge()
	case errors.Is(s.err, errNotUTF8) && s.utf16:
		return utf16Fault()
	case errors.Is(s.err, errNotUTF8):
		line, column := s.position(s.offset + int64(len(s.held)))
		return &fault{line: line, column: column, rule: domain.RuleInvalidUTF8,
			message: "this is not UTF-8", remedy: "save the file as UTF-8"}
	}
	return unreadable(s.err)
}

// tooLarge returns the fault of a value after the last position.
func (s *source) tooLarge() *fault {
	rest := s.held[s.passed:]
	next := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
	line, column := s.position(s.offset + int64(next))
	return &fault{line: line, column: column, rule: domain.RuleUnreadableFile,
		message: fmt.Sprintf("what begins here is too long: a record has %d KiB at most, a file of YAML %d MiB, another one that is read as a whole %d MiB",
			maxRecord>>10, maxYAML>>20, maxDocument>>20),
		remedy: "write a long list as .ndjson, one record a line, or cut it into several files"}
}

// sum reads the rest and returns the hash of the whole file.
func (s *source) sum() [sha256.Size]byte {
	_, _ = io.Copy(io.Discard, s.r) // Read has reported an error, or the hash matches no file
	return [sha256.Size]byte(s.hash.Sum(nil))
}
