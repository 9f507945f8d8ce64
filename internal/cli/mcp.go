package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/changelog"
	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/mcp"
	"vitrine/internal/server"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// mcpEvery is the interval of queries for the head of the store.
const mcpEvery = time.Second

// mcpCmd serves the agent that started this process. It writes only to standard output and
// standard error.
type mcpCmd struct {
	Store   *string `placeholder:"DSN" help:"Serve the revisions of this store, sqlite:PATH or postgres://USER@HOST/DATABASE."`
	Catalog *string `placeholder:"DIR" help:"Serve this catalogue directory in its current state (default without --store: the bundled catalogue)."`
}

func (c *mcpCmd) Run(ctx context.Context, to streams) error {
	log := newLog(to.err, "text", slog.LevelWarn) // clients show it for problems only
	ctx, stop := untilSignal(ctx, log)
	defer stop()
	current, wait, err := c.catalogue(ctx, log)
	if err != nil {
		return err
	}
	defer wait()
	door := mcp.New(mcp.Config{Snapshot: current, Version: builtFrom().version, Log: log})
	if err := door.Serve(ctx, os.Stdin, leftOpen{to.out}); err != nil && ctx.Err() == nil {
		return fmt.Errorf("serve the agent: %w", err)
	}
	return nil
}

// leftOpen is a writer that Close leaves open.
type leftOpen struct{ io.Writer }

func (leftOpen) Close() error { return nil }

// catalogue returns a function for the current snapshot, and one that stops following.
func (c *mcpCmd) catalogue(ctx context.Context, log *slog.Logger) (current func() *snapshot.Snapshot, end func(), err error) {
	switch {
	case c.Store != nil && c.Catalog != nil:
		return nil, nil, could{errors.New("--store and --catalog are two catalogues; name one of them")}
	case c.Store != nil:
		return followStore(ctx, *c.Store, log)
	case c.Catalog != nil:
		files, closeDir, err := bundle.Open(*c.Catalog)
		if err != nil {
			return nil, nil, could{fmt.Errorf("--catalog: %w", err)}
		}
		defer closeDir() // nothing was written
		return only(ctx, files, snapshot.Revision{Number: 1, PublishedAt: time.Now()})
	}
	return only(ctx, bundled.FS, snapshot.Revision{Number: 1, PublishedAt: time.Now(), Demonstration: true})
}

// only reads and compiles a catalogue directory once.
func only(ctx context.Context, files fs.FS, revision snapshot.Revision) (func() *snapshot.Snapshot, func(), error) {
	dir, err := bundle.Read(ctx, files, bundle.Options{})
	if err != nil {
		return nil, nil, could{err}
	}
	for _, problem := range dir.Problems {
		if problem.Severity == domain.Error {
			return nil, nil, fmt.Errorf("the catalogue has errors, which vitrine check lists: %s", problem)
		}
	}
	compiled, err := snapshot.Compile(nil, dir.Catalog, revision)
	if err != nil {
		return nil, nil, err
	}
	compiled.Finish()
	compiled = compiled.WithChanges(changelog.New(changelog.Revision{Number: revision.Number, PublishedAt: revision.PublishedAt}))
	return func() *snapshot.Snapshot { return compiled }, func() {}, nil
}

// followStore follows an existing store without changing it. It returns after the first load
// succeeded or failed.
func followStore(ctx context.Context, dsn string, log *slog.Logger) (func() *snapshot.Snapshot, func(), error) {
	from := storeFlag{Store: dsn}
	s, err := from.openToRead(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := s.Close(); err != nil {
		return nil, nil, could{err}
	}
	follower := follow.New(follow.Config{
		Open:  func(ctx context.Context) (store.Store, error) { return openStore(ctx, dsn, sqlstore.Read) },
		Every: mcpEvery, Log: log, Metrics: server.NewMetrics().Follow,
		WhenEmpty: "publish a catalogue directory with vitrine import DIR",
	})
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		follower.Run(ctx)
	}()
	follower.Begin(ctx)
	return follower.Snapshot, func() { cancel(); <-done }, nil
}

// checkOrigins rejects values that are not origins.
func checkOrigins(origins []string) error {
	for _, origin := range origins {
		scheme, host, found := strings.Cut(origin, "://")
		if origin != "*" && (!found || scheme == "" || host == "" || strings.ContainsAny(host, "/?#@ ")) {
			return fmt.Errorf("--mcp-origin %q is not an origin, such as https://catalogue.example", origin)
		}
	}
	return nil
}
