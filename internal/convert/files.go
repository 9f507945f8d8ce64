// Package convert has the common parts of the converters, `vitrine convert` and catalogtool: it reads
// recordings from files, rejects suspicious ones and writes results atomically.
//
// It makes no network requests. It must not know command lines.
package convert

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"vitrine/internal/atomicfile"
	"vitrine/internal/bundle"
	"vitrine/internal/connector"
)

// ReadFile reads a file and skips a byte order mark. It rejects compressed, UTF-16 and HTML files. An error
// of read names the file.
func ReadFile[T any](path string, read func(io.Reader) (T, error)) (v T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return v, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	head, _ := r.Peek(512) // read returns the error again
	if err = bundle.Foreign(head); err == nil {
		if bytes.HasPrefix(head, []byte("\ufeff")) {
			r.Discard(len("\ufeff")) // cannot fail: the bytes are there
		}
		v, err = read(r)
	}
	if err != nil {
		return v, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// ReadInto reads a file into a target, as [ReadFile] does. Without a path it does nothing.
func ReadInto[T any](target *T, path string, read func(io.Reader) (T, error)) (err error) {
	if path == "" {
		return nil
	}
	*target, err = ReadFile(path, read)
	return err
}

// WriteFile replaces a file atomically. Errors name the file instead of the temporary one.
func WriteFile(path string, content []byte) error {
	err := atomicfile.WriteBytes(path, ".", 0o644, content)
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s was not written: %w", path, err)
}

// PrintLosses prints a line per loss. It ignores errors of w, so w should be a [bufio.Writer], whose Flush
// returns them.
func PrintLosses(w io.Writer, what string, losses []connector.Loss) {
	for _, loss := range losses {
		fmt.Fprintf(w, "%s: %s%s\n", what, subject(loss), loss.Reason)
	}
}

// subject names the record of a loss. Names come from upstream, so they are quoted.
func subject(l connector.Loss) string {
	switch {
	case l.ChainID != "" && l.Name != "":
		return fmt.Sprintf("chain %s %q: ", l.ChainID, l.Name)
	case l.ChainID != "":
		return fmt.Sprintf("chain %s: ", l.ChainID)
	case l.Name != "":
		return fmt.Sprintf("%q: ", l.Name)
	}
	return ""
}
