package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"vitrine/internal/store"
	"vitrine/internal/store/postgres"
	"vitrine/internal/store/sqlite"
)

const storeForms = "sqlite:PATH or postgres://USER@HOST/DATABASE"

var plainScheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*$`)

// storeFlag is the store of a command.
type storeFlag struct {
	Store string `default:"sqlite:vitrine.db" placeholder:"DSN" help:"The store, sqlite:PATH or postgres://USER@HOST/DATABASE (default ${default})."`
}

// open opens the store, and creates it if it does not exist.
func (f storeFlag) open(ctx context.Context) (store.Store, error) {
	s, err := openStore(ctx, f.Store)
	if err != nil {
		return nil, could{err}
	}
	return s, nil
}

// openExisting opens an existing store for changes.
func (f storeFlag) openExisting(ctx context.Context) (store.Store, error) {
	return f.mustExist(openExisting(ctx, f.Store, true))
}

// openToRead opens an existing store for reading, which never creates or migrates it.
func (f storeFlag) openToRead(ctx context.Context) (store.Store, error) {
	return f.mustExist(openExisting(ctx, f.Store, false))
}

func (storeFlag) mustExist(s store.Store, err error) (store.Store, error) {
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; publish a catalogue with vitrine import DIR, or name another store with --store", err)
	}
	if err != nil {
		return nil, could{err}
	}
	return s, nil
}

// openStore opens the store with a DSN, and creates it if it does not exist. Errors contain no password.
func openStore(ctx context.Context, dsn string) (store.Store, error) {
	path, err := storeFile(dsn)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return asStore(postgres.Open(ctx, dsn))
	}
	return asStore(sqlite.Open(ctx, path))
}

// openExisting opens a store without creating it. The error for a missing store wraps [fs.ErrNotExist].
// An older schema is migrated, or an error if migrating is false.
func openExisting(ctx context.Context, dsn string, migrating bool) (store.Store, error) {
	path, err := storeFile(dsn)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return asStore(postgres.OpenExisting(ctx, dsn, migrating))
	}
	return asStore(sqlite.OpenExisting(ctx, path, migrating))
}

// asStore returns a nil interface with an error, not a nil engine in an interface.
func asStore[S store.Store](s S, err error) (store.Store, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// storeFile returns the path of a SQLite store, "" for PostgreSQL. Its errors do not contain the DSN, which
// may have a password.
func storeFile(dsn string) (string, error) {
	if dsn == "" {
		return "", errors.New("--store is empty; leave it out for its default")
	}
	scheme, rest, found := strings.Cut(dsn, ":")
	if !found {
		return "", fmt.Errorf("--store has no scheme; it must be %s", storeForms)
	}
	switch scheme {
	case "sqlite":
		if rest == "" {
			return "", fmt.Errorf("--store has no path; it must be %s", storeForms)
		}
		return rest, nil
	case "postgres", "postgresql":
		if !strings.HasPrefix(rest, "//") {
			return "", fmt.Errorf("--store is not a URL; it must be %s", storeForms)
		}
		return "", nil
	}
	if !plainScheme.MatchString(scheme) { // another form of DSN, which may have a password
		return "", fmt.Errorf("--store must be %s", storeForms)
	}
	return "", fmt.Errorf("--store has the unknown scheme %q; it must be %s", scheme, storeForms)
}

// withStore opens a store, calls do with it and closes it. It joins the errors of do and of closing.
func withStore(ctx context.Context, open func(context.Context) (store.Store, error), do func(store.Store) error) (err error) {
	s, err := open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.Close(); failed != nil {
			err = errors.Join(err, could{failed})
		}
	}()
	return do(s)
}
