package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/gitref"
	"vitrine/internal/store"
)

// operand is a catalogue that a command compares with another one.
type operand struct {
	catalog *domain.Catalog   // as served, with the figures of a revision
	dir     *bundle.Directory // nil for a revision
	root    string            // where the files of dir are in the working tree
	state   *store.State      // nil for a directory
}

// readBoth reads two operands: directories, revisions of a store, or git refs. A ref without a path
// is the directory of the other operand at that commit, or the working directory.
func readBoth(ctx context.Context, from storeFlag, a, b string, to streams) (first, second operand, err error) {
	if first, err = readOperand(ctx, from, a, b, to); err != nil {
		return first, second, err
	}
	if second, err = readOperand(ctx, from, b, a, to); err != nil {
		return first, second, err
	}
	switch {
	case second.state == nil && first.state != nil:
		second.followOn(first.state)
	case first.state == nil && second.state != nil:
		first.followOn(second.state)
	}
	return first, second, nil
}

// label returns the number of a revision, or the name of a directory or git ref.
func (o operand) label(name string) any {
	if o.state != nil {
		return o.state.Revision.Number
	}
	return name
}

// editors returns the catalogue that editors wrote.
func (o operand) editors() *domain.Catalog {
	if o.state != nil {
		return o.state.Editors()
	}
	return o.dir.Catalog
}

// followOn makes the catalogue of a directory what would be served if it followed a revision.
func (o *operand) followOn(s *store.State) {
	editors, _ := domain.KeepIDs(s.Editors(), o.catalog, nil)
	o.catalog = domain.Merge(editors, s.Observed())
}

func readOperand(ctx context.Context, from storeFlag, name, other string, to streams) (operand, error) {
	if isDirectory(name) {
		dir, err := readDirectory(ctx, name, false, to.err)
		if err == nil && dir.Errors() > 0 {
			err = fmt.Errorf("%s has errors: %d; vitrine check %s lists them", name, dir.Errors(), shellWord(name))
		}
		return directoryOperand(dir, name, err)
	}
	if number, err := strconv.ParseInt(name, 10, 64); err == nil && number > 0 {
		return readRevision(ctx, from, number)
	}
	where := "."
	if isDirectory(other) && !strings.Contains(name, ":") {
		where = other
	}
	dir, err := gitref.Read(ctx, where, name, bundle.Options{Today: domain.DateOf(time.Now())})
	switch {
	case errors.Is(err, gitref.ErrNoRef):
		err = fmt.Errorf("there is no directory %s, and %w; name a catalogue directory, the number of a revision, or a git ref (REF or REF:PATH)", name, err)
		if _, failed := os.Stat(name); failed == nil {
			err = fmt.Errorf("%s is not a directory; name the directory that has catalog.yaml", name)
		}
	case err == nil && dir.Errors() > 0:
		first := dir.Problems[slices.IndexFunc(dir.Problems, func(p bundle.Problem) bool { return p.Severity == domain.Error })]
		err = fmt.Errorf("the directory at %s has errors: %d; the first is %s", name, dir.Errors(), first)
		if first.Rule == domain.RuleMissingFile && !strings.Contains(name, ":") {
			err = fmt.Errorf("there is no catalog.yaml at %s; name the folder of the catalogue, as %s:PATH", name, name)
		}
	}
	root, failed := gitref.Dir(where, name)
	return directoryOperand(dir, root, cmp.Or(err, failed))
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func directoryOperand(dir *bundle.Directory, root string, err error) (operand, error) {
	if err != nil {
		return operand{}, could{err}
	}
	return operand{catalog: dir.Catalog, dir: dir, root: root}, nil
}

func readRevision(ctx context.Context, from storeFlag, number int64) (operand, error) {
	var state *store.State
	err := from.withRevision(ctx, number, func(_ store.Store, read *store.State) error {
		state = read
		return nil
	})
	if err != nil {
		return operand{}, err
	}
	return operand{catalog: state.Merged(), state: state}, nil
}
