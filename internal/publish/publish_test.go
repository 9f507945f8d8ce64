package publish_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
	"vitrine/internal/catalog"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// memory is a store that remembers its head. Before is called at the start of
// every Publish, to come in between.
type memory struct {
	head    store.Revision
	catalog *catalog.Catalog
	err     error
	before  func(m *memory)
}

func (m *memory) Head(context.Context) (store.Revision, error) {
	if m.err != nil {
		return store.Revision{}, m.err
	}
	if m.head.Number == 0 {
		return store.Revision{}, store.ErrEmpty
	}
	return m.head, nil
}

func (m *memory) Publish(_ context.Context, base int64, d store.Draft) (store.Revision, error) {
	if m.before != nil {
		m.before(m)
	}
	if m.err != nil {
		return store.Revision{}, m.err
	}
	if base != m.head.Number {
		return store.Revision{}, store.ErrConflict
	}
	m.head, m.catalog = d.Revision(base), d.Catalog
	return m.head, nil
}

var at = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func directory(digest string, severities ...catalog.Severity) *bundle.Directory {
	d := &bundle.Directory{Catalog: &catalog.Catalog{DefaultLocale: "en"}, Digest: digest}
	for _, s := range severities {
		d.Problems = append(d.Problems, bundle.Problem{File: "chains.yaml", Line: 1, Column: 1, Severity: s})
	}
	return d
}

func revision(number int64, digest string) store.Revision {
	return store.Revision{Number: number, PublishedAt: at, Digest: digest, Message: "from a test"}
}

func TestDirectory(t *testing.T) {
	broken := errors.New("the disk is full")
	for _, tt := range []struct {
		name    string
		store   memory
		dir     *bundle.Directory
		want    publish.Outcome
		wantErr error
		head    store.Revision
	}{
		{
			name: "an empty store", dir: directory("a"),
			want: publish.Outcome{Revision: revision(1, "a"), Published: true}, head: revision(1, "a"),
		},
		{
			name: "another directory", store: memory{head: revision(4, "a")}, dir: directory("b"),
			want: publish.Outcome{Revision: revision(5, "b"), Published: true}, head: revision(5, "b"),
		},
		{
			name: "the same directory", store: memory{head: revision(4, "a")}, dir: directory("a"),
			want: publish.Outcome{Revision: revision(4, "a")}, head: revision(4, "a"),
		},
		{
			name: "warnings do not matter", dir: directory("a", catalog.Warning, catalog.Warning),
			want: publish.Outcome{Revision: revision(1, "a"), Published: true}, head: revision(1, "a"),
		},
		{
			name:  "somebody else publishes another directory meanwhile",
			store: memory{head: revision(4, "a"), before: once(func(m *memory) { m.head = revision(5, "c") })},
			dir:   directory("b"),
			want:  publish.Outcome{Revision: revision(6, "b"), Published: true}, head: revision(6, "b"),
		},
		{
			name:  "somebody else publishes the same directory meanwhile",
			store: memory{before: once(func(m *memory) { m.head = revision(1, "b") })},
			dir:   directory("b"),
			want:  publish.Outcome{Revision: revision(1, "b")}, head: revision(1, "b"),
		},
		{
			name:  "somebody else is always faster",
			store: memory{head: revision(1, "a"), before: func(m *memory) { m.head.Number += 2 }},
			dir:   directory("b"), wantErr: store.ErrConflict, head: revision(11, "a"),
		},
		{
			name: "a store that fails", store: memory{head: revision(4, "a"), err: broken}, dir: directory("b"),
			wantErr: broken, head: revision(4, "a"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := publish.Directory(t.Context(), &tt.store, tt.dir, publish.Note{At: at, Message: "from a test"})
			if !errors.Is(err, tt.wantErr) {
				t.Fatalf("error %v, want %v", err, tt.wantErr)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.head, tt.store.head); diff != "" {
				t.Errorf("head (-want +got):\n%s", diff)
			}
		})
	}
}

func once(f func(*memory)) func(*memory) {
	done := false
	return func(m *memory) {
		if !done {
			done = true
			f(m)
		}
	}
}

func TestBrokenDirectoryIsRefused(t *testing.T) {
	for name, f := range map[string]func(context.Context, publish.Store, *bundle.Directory, publish.Note) (publish.Outcome, error){
		"Directory": publish.Directory, "First": publish.First,
	} {
		t.Run(name, func(t *testing.T) {
			var m memory
			dir := directory("a", catalog.Error, catalog.Warning, catalog.Error)
			_, err := f(t.Context(), &m, dir, publish.Note{})
			var refused *publish.RefusedError
			if !errors.As(err, &refused) {
				t.Fatalf("error %v, want a RefusedError", err)
			}
			want := &publish.RefusedError{Errors: 2, Warnings: 1, Problems: dir.Problems}
			if diff := cmp.Diff(want, refused); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if m.head.Number != 0 {
				t.Errorf("revision %d was published", m.head.Number)
			}
		})
	}
}

func TestFirst(t *testing.T) {
	broken := errors.New("the disk is full")
	for _, tt := range []struct {
		name    string
		store   memory
		want    publish.Outcome
		wantErr error
	}{
		{"an empty store", memory{}, publish.Outcome{Revision: revision(1, "b"), Published: true}, nil},
		{"a used store", memory{head: revision(7, "a")}, publish.Outcome{Revision: revision(7, "a")}, nil},
		{
			"somebody else fills it meanwhile", memory{before: once(func(m *memory) { m.head = revision(1, "c") })},
			publish.Outcome{Revision: revision(1, "c")}, nil,
		},
		{"a store that fails", memory{err: broken}, publish.Outcome{}, broken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := publish.First(t.Context(), &tt.store, directory("b"), publish.Note{At: at, Message: "from a test"})
			if !errors.Is(err, tt.wantErr) {
				t.Fatalf("error %v, want %v", err, tt.wantErr)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
