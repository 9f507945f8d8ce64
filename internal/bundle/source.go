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

// Limits of what is read. A record is one element of a list in JSON or one
// line of NDJSON. A document is a file that is read as a whole, because its
// format (YAML) or its kind (a menu) is not cut into records; as nodes it
// takes up to a hundred times its bytes. YAML is bounded by its values, too,
// and may so be longer (see maxYAMLMarks).
const (
	maxRecord   = 1 << 20
	maxDocument = 4 << 20
	maxYAML     = 16 << 20
)

var (
	errNotUTF8  = errors.New("not UTF-8")
	errTooLarge = errors.New("over the size limit")
)

// A source reads one file for a decoder. It hashes what passes, stops before
// the first byte that is not UTF-8, bounds what the decoder holds at a time,
// and turns offsets into lines and columns.
type source struct {
	r     *bufio.Reader
	hash  hash.Hash
	limit int // of bytes after the last position asked for

	begun        bool
	held         []byte // the last of what was read
	checked      int    // bytes of held that are known to be UTF-8
	passed       int    // bytes of held before the last position asked for
	offset       int64  // of that position
	line, column int    // of that position
	utf16        bool   // the file begins with the mark of UTF-16
	err          error  // why Read stopped; sticky
}

func newSource(r io.Reader) *source {
	h := sha256.New()
	return &source{r: bufio.NewReaderSize(io.TeeReader(r, h), 1<<16), hash: h, limit: maxDocument, line: 1, column: 1}
}

// Read implements io.Reader. A byte order mark at the start is not part of
// what is read: offsets and columns count from after it.
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
	head, _ := s.r.Peek(3) // an error will be met again by Read
	if string(head) == "\xef\xbb\xbf" {
		_, _ = s.r.Discard(3) // what was peeked can be discarded
	}
	s.utf16 = len(head) >= 2 && (string(head[:2]) == "\xff\xfe" || string(head[:2]) == "\xfe\xff")
}

// foreign says what else than a file of a catalogue the file is, nil for
// nothing that is known. It is called before the first Read.
func (s *source) foreign() *fault {
	head, _ := s.r.Peek(512) // an error will be met again by Read
	return foreignFault(head)
}

// firstInvalid returns the index in held of the first byte that is not UTF-8,
// -1 for none. The bytes of a character that is not complete yet are left for
// the next call, unless the file ends with them.
func (s *source) firstInvalid(ends bool) int {
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

// position returns the line and column of an offset, or of the last byte read
// if that stands before it; offsets must not decrease.
func (s *source) position(offset int64) (line, column int) {
	n := min(max(0, int(offset-s.offset)), len(s.held)-s.passed)
	s.line, s.column = advance(s.line, s.column, s.held[s.passed:s.passed+n])
	s.offset += int64(n)
	s.passed += n
	if s.passed > len(s.held)/2 { // let go of it, seldom enough to be cheap
		s.held = s.held[:copy(s.held, s.held[s.passed:])]
		s.checked = max(0, s.checked-s.passed)
		s.passed = 0
	}
	return s.line, s.column
}

func utf16Fault() *fault {
	return &fault{line: 1, column: 1, rule: domain.RuleInvalidUTF8, message: "the file is UTF-16, not UTF-8", remedy: "save it as UTF-8"}
}

// fault says why Read stopped, nil where it reached the end of the file.
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

// tooLarge is the fault of what begins after the last position.
func (s *source) tooLarge() *fault {
	rest := s.held[s.passed:]
	next := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
	line, column := s.position(s.offset + int64(next))
	return &fault{line: line, column: column, rule: domain.RuleUnreadableFile,
		message: fmt.Sprintf("what begins here is too long: a record has %d KiB at most, a file of YAML %d MiB, another one that is read as a whole %d MiB",
			maxRecord>>10, maxYAML>>20, maxDocument>>20),
		remedy: "write a long list as .ndjson, one record a line, or cut it into several files"}
}

// sum reads what is left and returns the hash of the whole file.
func (s *source) sum() [sha256.Size]byte {
	_, _ = io.Copy(io.Discard, s.r) // an error was reported by Read, or leaves a hash that no whole file has
	return [sha256.Size]byte(s.hash.Sum(nil))
}
