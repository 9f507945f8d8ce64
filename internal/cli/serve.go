package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os/signal"
	"strings"
	"syscall"
	"time"

	bundled "vitrine/catalog"
	"vitrine/internal/api"
	"vitrine/internal/bundle"
	"vitrine/internal/publish"
	"vitrine/internal/server"
	"vitrine/internal/store/sqlite"
)

const (
	defaultStore = "sqlite:vitrine.db"
	pollEvery    = time.Second
	drainTime    = 10 * time.Second

	// maxInFlight bounds the requests whose answers are found at a time: far
	// above what two cores get to hold at once under any honest load.
	maxInFlight = 1024
)

type serveCmd struct {
	Listen      string `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address of the API (default ${default})."`
	AdminListen string `default:"127.0.0.1:9090" placeholder:"ADDR" help:"Address of health, metrics and profiling; \"off\" for none (default ${default})."`
	Store       string `placeholder:"sqlite:PATH" help:"Where revisions are kept (default sqlite:vitrine.db)."`
	Catalog     string `placeholder:"DIR" help:"Catalogue directory to publish at start and whenever it changes."`
	CacheBytes  size   `default:"64MiB" placeholder:"SIZE" help:"Memory for prepared responses (default ${default})."`
	LogFormat   string `enum:"text,json" default:"text" help:"Format of the log on standard error: ${enum}."`
	LogLevel    string `enum:"debug,info,warn,error" default:"info" help:"Least level that is logged: ${enum}."`
}

func (c *serveCmd) Run(ctx context.Context, to streams) error {
	log, err := newLog(to.err, c.LogFormat, c.LogLevel)
	if err != nil {
		return could{err}
	}
	path, err := storePath(c.Store)
	if err != nil {
		return could{err}
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once

	if err := c.start(ctx, path, log); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil // a signal came before there was anything to serve
}

func (c *serveCmd) start(ctx context.Context, path string, log *slog.Logger) (err error) {
	public, admin, err := c.bind(ctx)
	if err != nil {
		return err
	}
	defer closeListeners(public, admin)

	db, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	if c.demonstration() {
		if err := publishBundled(ctx, db, log, public); err != nil {
			return err
		}
	}
	return c.serve(ctx, db, log, public, admin)
}

// demonstration reports whether neither a store nor a catalogue was asked for
// (contract, section 5).
func (c *serveCmd) demonstration() bool { return c.Store == "" && c.Catalog == "" }

// bind takes the addresses before anything else is done, so that a wrong one
// changes nothing, and early callers hear "not ready".
func (c *serveCmd) bind(ctx context.Context) (public, admin net.Listener, err error) {
	var config net.ListenConfig
	if public, err = config.Listen(ctx, "tcp", c.Listen); err != nil {
		return nil, nil, fmt.Errorf("listen for the API: %w", err)
	}
	if c.AdminListen == "off" {
		return public, nil, nil
	}
	if admin, err = config.Listen(ctx, "tcp", c.AdminListen); err != nil {
		public.Close()
		return nil, nil, fmt.Errorf("listen for operators: %w", err)
	}
	return public, admin, nil
}

// closeListeners closes what was not served; serving closes its own.
func closeListeners(listeners ...net.Listener) {
	for _, l := range listeners {
		if l != nil {
			l.Close()
		}
	}
}

func (c *serveCmd) serve(ctx context.Context, db *sqlite.Store, log *slog.Logger, public, admin net.Listener) error {
	metrics := server.NewMetrics()
	follower := server.NewFollower(server.FollowerConfig{
		Store: db, Every: pollEvery, Log: log, Metrics: metrics, WhenEmpty: c.whenEmpty(),
	})
	background := []func(context.Context){follower.Run}
	var watcher *server.Watcher
	if c.Catalog != "" {
		watcher = server.NewWatcher(server.WatcherConfig{
			Dir: c.Catalog, Store: db, Every: pollEvery, Log: log, Metrics: metrics, Published: follower.Wake,
		})
		background = append(background, watcher.Run)
	}
	handler, err := api.New(api.Config{
		Snapshot: follower.Snapshot, Log: log, CacheBytes: int64(c.CacheBytes), MaxInFlight: maxInFlight,
	})
	if err != nil {
		return err
	}
	logListening(log, public, admin)
	err = server.Run(ctx, server.Config{
		Public: public, PublicHandler: handler,
		Admin: admin, AdminHandler: server.NewAdmin(follower, watcher, metrics),
		Background: background, Drain: drainTime, Log: log,
	})
	log.Info("stopped")
	return err
}

func (c *serveCmd) whenEmpty() string {
	if c.Catalog != "" {
		return "wait until the catalogue directory " + c.Catalog + " is published"
	}
	return "publish a catalogue directory with --catalog DIR; vitrine init DIR writes one to start from"
}

func logListening(log *slog.Logger, public, admin net.Listener) {
	args := []any{"api", url(public, "/api/open/")}
	if admin != nil {
		args = append(args, "admin", url(admin, "/"))
	}
	log.Info("listening", args...)
}

func url(on net.Listener, path string) string { return "http://" + on.Addr().String() + path }

// publishBundled fills an empty store with the catalogue that is part of the
// binary. A store that holds anything stays as it is.
func publishBundled(ctx context.Context, db *sqlite.Store, log *slog.Logger, public net.Listener) error {
	dir, err := bundle.Read(ctx, bundled.FS, bundle.Options{})
	if err != nil {
		return fmt.Errorf("read the bundled catalogue: %w", err)
	}
	outcome, err := publish.First(ctx, db, dir, publish.Note{At: time.Now(), Message: "the bundled catalogue"})
	if err != nil {
		return fmt.Errorf("publish the bundled catalogue: %w", err)
	}
	message := "a demonstration: serving what vitrine.db holds"
	if outcome.Published {
		message = "a demonstration: vitrine.db was empty and has the bundled catalogue now"
	}
	log.Info(message, "revision", outcome.Revision.Number, "try", url(public, "/api/open/chains?q=eth&limit=5"))
	return nil
}

// storePath returns the file of a store. The store itself is not shown: other
// kinds of it carry passwords.
func storePath(s string) (string, error) {
	if s == "" {
		s = defaultStore
	}
	scheme, path, found := strings.Cut(s, ":")
	if !found {
		return "", fmt.Errorf("--store has no scheme; it must be sqlite:PATH")
	}
	if scheme != "sqlite" {
		return "", fmt.Errorf("--store has the unknown scheme %q; it must be sqlite:PATH", scheme)
	}
	if path == "" {
		return "", fmt.Errorf("--store has no path; it must be sqlite:PATH")
	}
	return path, nil
}
