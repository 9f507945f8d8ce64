package publish_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

func publishNote() store.Note { return store.Note{At: at, Actor: "ann", Message: "from a test"} }

// retitled returns the changes of a title.
func retitled(old, new string) []domain.Change {
	return []domain.Change{{
		Kind: domain.KindCatalog, Op: domain.Changed,
		Fields: []domain.FieldChange{{Path: "title.en", Old: old, New: new}},
	}}
}

// begun returns the changes of the first publish.
func begun(title string) []domain.Change {
	return []domain.Change{{
		Kind: domain.KindCatalog, Op: domain.Changed,
		Fields: []domain.FieldChange{
			{Path: "title.en", New: title}, {Path: "default_locale", New: "en"}, {Path: "locales", New: "en"},
		},
	}}
}

func TestDirectory(t *testing.T) {
	broken := errors.New("the disk is full")
	imported := func(number int64, digest string) store.Revision {
		return revision(number, store.OpImport, digest)
	}
	for _, tt := range []struct {
		name    string
		store   memory
		before  func(*memory)
		fails   error
		dir     *bundle.Directory
		want    publish.Outcome
		wantErr error
		head    int64
	}{
		{
			name: "an empty store", dir: directory("a", "A"),
			want: publish.Outcome{Revision: imported(1, "a"), Published: true, Changes: begun("A")}, head: 1,
		},
		{
			name: "another directory", store: holding("a", "A"), dir: directory("b", "B"),
			want: publish.Outcome{Revision: imported(5, "b"), Published: true, Changes: retitled("A", "B")}, head: 5,
		},
		{
			name: "the last imported directory", store: holding("a", "A"), dir: directory("a", "B"),
			want: publish.Outcome{Revision: imported(4, "a")}, head: 4,
		},
		{
			name: "other files with the same content", store: holding("a", "A"), dir: directory("b", "A"),
			want: publish.Outcome{Revision: imported(4, "a")}, head: 4,
		},
		{
			name: "warnings do not matter", dir: directory("a", "A", domain.Warning, domain.Warning),
			want: publish.Outcome{Revision: imported(1, "a"), Published: true, Changes: begun("A")}, head: 1,
		},
		{
			name: "another process publishes another directory", store: holding("a", "A"),
			before: once(func(m *memory) { m.add(imported(5, "c"), titled("C")) }), dir: directory("b", "B"),
			want: publish.Outcome{Revision: imported(6, "b"), Published: true, Changes: retitled("C", "B")}, head: 6,
		},
		{
			name:   "another process publishes the same directory",
			before: once(func(m *memory) { m.add(imported(1, "b"), titled("B")) }), dir: directory("b", "B"),
			want: publish.Outcome{Revision: imported(1, "b")}, head: 1,
		},
		{
			name: "another process always publishes first", store: holding("a", "A"),
			before: func(m *memory) { m.add(imported(m.head().Revision.Number+1, "a2"), titled("A")) },
			dir:    directory("b", "B"), wantErr: store.ErrConflict, head: 9,
		},
		{name: "a failing store", store: holding("a", "A"), fails: broken, dir: directory("b", "B"), wantErr: broken, head: 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.store.before, tt.store.err = tt.before, tt.fails
			got, err := publish.Directory(t.Context(), &tt.store, tt.dir, publish.From{}, note)
			if !errors.Is(err, tt.wantErr) {
				t.Fatalf("error %v, want %v", err, tt.wantErr)
			}
			if (got.Serves != nil) != got.Published {
				t.Errorf("the outcome has a catalogue: %t, want %t", got.Serves != nil, got.Published)
			}
			got.Serves = nil // Changes is compared
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
			if head := tt.store.head().Revision.Number; head != tt.head {
				t.Errorf("the head is revision %d, want %d", head, tt.head)
			}
		})
	}
}

func TestBrokenDirectoryIsRefused(t *testing.T) {
	plan := func(ctx context.Context, s store.Store, dir *bundle.Directory, from publish.From, _ store.Note) (publish.Outcome, error) {
		_, err := publish.Import(ctx, s, dir, from)
		return publish.Outcome{}, err
	}
	for name, f := range map[string]func(context.Context, store.Store, *bundle.Directory, publish.From, store.Note) (publish.Outcome, error){
		"Directory": publish.Directory, "Import": plan,
	} {
		t.Run(name, func(t *testing.T) {
			var m memory
			dir := directory("a", "A", domain.Error, domain.Warning, domain.Error)
			_, err := f(t.Context(), &m, dir, publish.From{}, store.Note{})
			var refused *publish.RefusedError
			if !errors.As(err, &refused) {
				t.Fatalf("error %v, want a RefusedError", err)
			}
			want := &publish.RefusedError{Errors: 2, Warnings: 1, Problems: dir.Problems, Found: dir.Found}
			if diff := cmp.Diff(want, refused); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(m.states) != 0 {
				t.Error("it was published")
			}
		})
	}
}
