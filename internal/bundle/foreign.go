package bundle

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// compressed are the prefixes of compressed files: gzip, zip, Zstandard, bzip2, xz.
var compressed = []string{"\x1f\x8b", "PK\x03\x04", "\x28\xb5\x2f\xfd", "BZh", "\xfd7zXZ\x00"}

// lfsPointer begins a pointer of Git LFS.
const lfsPointer = "version https://git-lfs.github.com/spec/"

func lfsFault() *fault {
	return &fault{line: 1, column: 1, rule: domain.RuleWrongContent,
		message: "this is a pointer of Git LFS, not the file that it stands for", remedy: "fetch the file: git lfs pull"}
}

// foreignFault identifies a file of another format by its beginning, regardless of its name; nil
// for none.
func foreignFault(head []byte) *fault {
	wrong := func(message, remedy string) *fault {
		return &fault{line: 1, column: 1, rule: domain.RuleWrongContent, message: message, remedy: remedy}
	}
	switch {
	case slices.ContainsFunc(compressed, func(mark string) bool { return strings.HasPrefix(string(head), mark) }):
		return wrong("the file is compressed", "unpack it")
	case len(head) > 1 && head[0] == 0 && head[1] == 0:
		return wrong("the file begins with zero bytes, as a crash or a full disk leaves it", "write it again, from where it came")
	case len(head) > 1 && (head[0] == 0) != (head[1] == 0): // without the mark that UTF-16 should begin with
		return utf16Fault()
	case bytes.HasPrefix(head, []byte(lfsPointer)):
		return lfsFault()
	}
	text := strings.ToLower(strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), blank))
	switch {
	case strings.HasPrefix(text, "<!doctype html"), strings.HasPrefix(text, "<html"), strings.HasPrefix(text, "<head"), strings.HasPrefix(text, "<body"):
		return wrong("this is a page of HTML, as servers send instead of a file that they do not have", "fetch the file itself")
	case len(text) > 1 && text[0] == '<' && (text[1] == '?' || text[1] == '!' || 'a' <= text[1] && text[1] <= 'z'):
		return wrong("this is XML or HTML", "write it as YAML or JSON, or fetch the file itself")
	}
	return nil
}

// Foreign returns an error that names the format and the remedy for a file with this beginning
// that no reader accepts: compressed, UTF-16, an HTML page …; nil for none.
func Foreign(head []byte) error {
	f := foreignFault(head)
	if f == nil && len(head) > 1 && (string(head[:2]) == "\xff\xfe" || string(head[:2]) == "\xfe\xff") {
		f = utf16Fault()
	}
	if f == nil {
		return nil
	}
	return errors.New(f.message + "; " + f.remedy)
}

// conflictMarks are the prefixes of git's conflict markers.
var conflictMarks = []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"}

// isConflict reports whether a line is a conflict marker.
func isConflict(line []byte) bool {
	for _, mark := range conflictMarks {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok {
			return len(rest) == 0 || strings.IndexByte(blank, rest[0]) >= 0
		}
	}
	return false
}

// conflictFault returns the fault of data whose first line is a conflict marker, nil for none.
func conflictFault(data []byte, line int) *fault {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	if !isConflict(first) {
		return nil
	}
	return &fault{line: line, column: 1, rule: domain.RuleMergeConflict,
		message: "git left a merge conflict here", remedy: "decide for one side of each conflict, and take out the lines of <<<<<<<, ======= and >>>>>>>"}
}

// findConflict returns the fault of the first conflict marker, nil for none. Such a line is valid
// neither in JSON nor in YAML.
func findConflict(data []byte) *fault {
	for _, mark := range conflictMarks {
		if bytes.Contains(data, []byte(mark)) {
			line := 0
			for text := range bytes.Lines(data) {
				line++
				if f := conflictFault(text, line); f != nil {
					return f
				}
			}
			return nil
		}
	}
	return nil
}
