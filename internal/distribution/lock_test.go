package distribution_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/distribution"
)

// TestOneWriter checks that a folder has one writer at a time, and the next when that one ends.
func TestOneWriter(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	other := *p
	other.writer = nil
	other.restart()
	defer other.writer.Close()
	_, err := other.writer.Write(t.Context(), p.head, nil, p.has)
	if !errors.Is(err, distribution.ErrLocked) || !strings.Contains(err.Error(), "process ") {
		t.Fatalf("a second writer: %v", err)
	}
	p.publish(chains("a", "b")) // the first one still writes

	must(t, os.Remove(filepath.Join(p.dir, ".lock")))
	must(t, os.RemoveAll(filepath.Join(p.dir, "files")))
	if written := p.publish(chains("a", "b")); written.Files == 0 {
		t.Error("the files that were removed are not written again")
	}
	p.reader().want(p)
	p.writer.Close()
	other.head, other.past = p.head, p.past
	other.write()
	other.reader().want(&other)
	if _, err := p.writer.Write(t.Context(), p.head, nil, p.has); !errors.Is(err, distribution.ErrLocked) {
		t.Errorf("after another one took over: %v", err)
	}
}

// TestLostFolder checks that readers continue after the folder was removed, and that the writer
// notices the loss.
func TestLostFolder(t *testing.T) {
	p := newPublisher(t)
	first := p.publish(chains("a"))
	r := p.reader()
	r.want(p)
	if !p.writer.Intact(t.Context()) {
		t.Error("a written folder is not intact")
	}
	must(t, os.Remove(filepath.Join(p.dir, first.Entry.Kinds[3].Files[0].Path)))
	if p.writer.Intact(t.Context()) {
		t.Error("a folder without a file is intact")
	}
	must(t, os.RemoveAll(p.dir))
	if p.writer.Intact(t.Context()) {
		t.Error("a removed folder is intact")
	}
	next := p.publish(chains("a", "b"))
	r.want(p)
	if next.Entry.Catalogue != first.Entry.Catalogue || next.Entry.Epoch != first.Entry.Epoch {
		t.Errorf("after the loss the catalogue is %s of epoch %d, was %s of %d", next.Entry.Catalogue, next.Entry.Epoch, first.Entry.Catalogue, first.Entry.Epoch)
	}
	head, err := distribution.Head(t.Context(), p.dir)
	must(t, err)
	if head != next.Entry.Revision || !head.Is(p.head.Revision) {
		t.Errorf("head %+v, want %+v", head, next.Entry.Revision)
	}
}

// TestFailedWriteLeavesNoTemporaryFile makes the last step of writing a file fail.
func TestFailedWriteLeavesNoTemporaryFile(t *testing.T) {
	p := newPublisher(t)
	file := p.publish(chains("a")).Entry.Kinds[0].Files[0].Path
	must(t, os.RemoveAll(p.dir))
	must(t, os.MkdirAll(filepath.Join(p.dir, file, "inside"), 0o755)) // in the way
	p.restart()
	if _, err := p.writer.Write(t.Context(), p.head, nil, p.has); err == nil {
		t.Fatal("a file was written over a folder")
	}
	left, err := filepath.Glob(filepath.Join(p.dir, "files", ".*"))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("temporary files are left: %s", left)
	}
}

// TestWriteEnds checks that a write ends with its context and leaves the last distribution.
func TestWriteEnds(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	before, err := os.ReadFile(filepath.Join(p.dir, "entry.json"))
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	second := newPublisher(t)
	second.publish(chains("a", "b"))
	if _, err := p.writer.Write(ctx, second.head, nil, func(context.Context, distribution.Revision) (bool, error) { return true, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled write: %v", err)
	}
	after, err := os.ReadFile(filepath.Join(p.dir, "entry.json"))
	must(t, err)
	if string(before) != string(after) {
		t.Error("a cancelled write replaced the pointer")
	}
}
