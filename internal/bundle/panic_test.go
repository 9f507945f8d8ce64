package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine/internal/contain"
	"vitrine/internal/parallel"
)

// panicking is a directory with a file that panics, like a bug of a decoder.
type panicking struct {
	fstest.MapFS
	file  string
	panic func()
}

func (p panicking) Open(name string) (fs.File, error) {
	if name == p.file {
		p.panic()
	}
	return p.MapFS.Open(name)
}

func TestPanicIsAnError(t *testing.T) {
	files := fstest.MapFS{
		"catalog.yaml": {Data: []byte("title: x\ndefault_locale: en\nlocales: [en]\n")},
		"chains.json":  {Data: []byte("[]")},
	}
	for name, f := range map[string]func(){
		"of this goroutine": func() { panic("index out of range [-1]\nsecond line") },
		"of another one":    func() { parallel.Do(1000, func(int) { panic(errors.New("index out of range [-1]")) }) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := Read(context.Background(), panicking{files, "chains.json", f}, Options{})
			var failed *contain.Error
			if dir != nil || !errors.As(err, &failed) {
				t.Fatalf("got %v, %v, want a *contain.Error", dir, err)
			}
			if !strings.Contains(failed.Stack, "TestPanicIsAnError") {
				t.Errorf("the stack does not say where it was: %s", failed.Stack)
			}
			const want = "reading chains.json failed (index out of range [-1]), which is a fault of vitrine; please report it, and take the file away until it is mended"
			if got := failed.Error(); got != want {
				t.Errorf("the message is %q, want %q", got, want)
			}
		})
	}
	t.Run("ahead", func(t *testing.T) {
		_, err := Read(t.Context(), panicking{files, "catalog.yaml", func() { panic("x") }}, Options{})
		var failed *contain.Error
		if !errors.As(err, &failed) || !strings.Contains(failed.Text, "reading catalog.yaml failed (x)") {
			t.Errorf("got %v, want a *contain.Error", err)
		}
	})
	t.Run("of a look", func(t *testing.T) {
		_, err := Fingerprint(struct{ fs.FS }{panicking{files, ".", func() { panic("x") }}})
		var failed *contain.Error
		if !errors.As(err, &failed) {
			t.Errorf("got %v, want a *contain.Error", err)
		}
	})
}

// TestGrowingMapKnowsItsFields checks that lookups in a growing map find all of its fields.
func TestGrowingMapKnowsItsFields(t *testing.T) {
	n := &node{kind: object}
	for i := range 100 {
		name := fmt.Sprint(i / 2) // every field occurs twice
		n.keys = append(n.keys, &node{kind: text, text: name})
		if got, want := n.indexOf(name), i/2*2; got != want {
			t.Fatalf("of %d fields, %q is at %d, want %d", i+1, name, got, want)
		}
		if got := n.indexOf("none"); got != -1 {
			t.Fatalf("of %d fields, none is at %d", i+1, got)
		}
	}
}
