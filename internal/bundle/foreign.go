package bundle

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// compressed are what compressed files begin with: gzip, zip, Zstandard, bzip2, xz.
var compressed = []string{"\x1f\x8b", "PK\x03\x04", "\x28\xb5\x2f\xfd", "BZh", "\xfd7zXZ\x00"}

// foreignFault says what a file is that begins with head and is none of a
// catalogue, whatever its name says; nil for nothing that is known.
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
	case bytes.HasPrefix(head, []byte("version https://git-lfs.github.com/spec/")):
		return wrong("this is a pointer of Git LFS, not the file that it stands for", "fetch the file: git lfs pull")
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

// Foreign returns an error that says what a file is that begins with head and is text in no
// form that a program here reads, and what to do about it: compressed, UTF-16, a page of
// HTML …; nil for nothing that is known.
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

// conflictMarks begin the lines that git leaves where it could not merge.
var conflictMarks = []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"}

// isConflict reports whether a line is one that git left.
func isConflict(line []byte) bool {
	for _, mark := range conflictMarks {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok {
			return len(rest) == 0 || strings.IndexByte(blank, rest[0]) >= 0
		}
	}
	return false
}

// conflictFault is the fault of data whose first line is one that git left, nil
// if it is not.
func conflictFault(data []byte, line int) *fault {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	if !isConflict(first) {
		return nil
	}
	return &fault{line: line, column: 1, rule: domain.RuleMergeConflict,
		message: "git left a merge conflict here", remedy: "decide for one side of each conflict, and take out the lines of <<<<<<<, ======= and >>>>>>>"}
}

// findConflict is the fault of the first line that git left, nil for none.
// There the line can be nothing else: neither JSON nor YAML has such a line.
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
