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
	"vitrine/internal/store/sqlstore"
)

const storeForms = "sqlite:PATH or postgres://USER@HOST/DATABASE"

var plainScheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*$`)

// storeFlag is the store of a command.
type storeFlag struct {
	Store string `default:"sqlite:vitrine.db" placeholder:"DSN" help:"The store, sqlite:PATH or postgres://USER@HOST/DATABASE (default ${default})."`
}

// open opens the store, and creates it if it does not exist. Only openToMigrate migrates one.
func (f storeFlag) open(ctx context.Context) (store.Store, error) {
	return f.openAs(ctx, sqlstore.Make)
}

// openExisting opens an existing store for changes.
func (f storeFlag) openExisting(ctx context.Context) (store.Store, error) {
	return f.openAs(ctx, sqlstore.Write)
}

// openToMigrate opens the store with the schema of this version.
func (f storeFlag) openToMigrate(ctx context.Context) (store.Store, error) {
	return f.openAs(ctx, sqlstore.Migrate)
}

// openToRead opens an existing store for reading.
func (f storeFlag) openToRead(ctx context.Context) (store.Store, error) {
	return f.openAs(ctx, sqlstore.Read)
}

// toChange returns the function that opens an existing store for changes, in a dry run for reading.
func (f storeFlag) toChange(dryRun bool) func(context.Context) (store.Store, error) {
	if dryRun {
		return f.openToRead
	}
	return f.openExisting
}

func (f storeFlag) openAs(ctx context.Context, mode sqlstore.Mode) (store.Store, error) {
	s, err := openStore(ctx, f.Store, mode)
	if errors.Is(err, fs.ErrNotExist) && !mode.Creates() {
		err = fmt.Errorf("%w; publish a catalogue with vitrine import DIR, or name another store with --store", err)
	}
	if err != nil {
		return nil, could{err}
	}
	return s, nil
}

// openStore opens the store with a DSN. Errors contain no password; that for a missing store wraps
// [fs.ErrNotExist].
func openStore(ctx context.Context, dsn string, mode sqlstore.Mode) (store.Store, error) {
	path, err := storeFile(dsn)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return asStore(postgres.OpenAs(ctx, dsn, mode))
	}
	return asStore(sqlite.OpenAs(ctx, path, mode))
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

// withRevision calls do with a revision, 0 for the newest, of a store, which is open until do returns.
func (f storeFlag) withRevision(ctx context.Context, number int64, do func(store.Store, *store.State) error) error {
	return withStore(ctx, f.openToRead, func(s store.Store) error {
		state, err := s.Load(ctx, number)
		if err != nil {
			return revisionError(err)
		}
		return do(s, state)
	})
}
