package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync/atomic"
	"time"

	bundled "vitrine/catalog"
	"vitrine/internal/api"
	"vitrine/internal/bundle"
	"vitrine/internal/publish"
	"vitrine/internal/server"
)

const (
	defaultStore = "sqlite:vitrine.db"
	pollEvery    = time.Second            // a directory is looked at
	followEvery  = 250 * time.Millisecond // the store is asked for one number
	// maxInFlight bounds the requests whose answers are found at a time: far
	// above what two cores get to hold at once under any honest load.
	maxInFlight = 1024
)

type serveCmd struct {
	Listen      string  `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address of the API (default ${default})."`
	AdminListen string  `default:"127.0.0.1:9090" placeholder:"ADDR" help:"Address of health, metrics and profiling; \"off\" for none (default ${default})."`
	Store       *string `placeholder:"DSN" help:"Where revisions are kept, sqlite:PATH or postgres://USER@HOST/DATABASE (default sqlite:vitrine.db)."`
	LastGood    string  `placeholder:"FILE" help:"File to keep what is served in, for a start without the store; \"off\" for none (default beside the SQLite file, else in the working directory)."`
	Catalog     *string `placeholder:"DIR" help:"Catalogue directory to publish at start and whenever it changes."`
	CacheBytes  size    `default:"64MiB" placeholder:"SIZE" help:"Memory for prepared responses (default ${default})."`

	MaxConnections int           `default:"10000" placeholder:"N" help:"Open connections of the API; beyond, the one that waited longest for a request makes room (default ${default})."`
	Drain          time.Duration `default:"10s" placeholder:"TIME" help:"How long the end may take; for the first half new requests are still taken (default ${default})."`

	limitFlags

	LogFormat   string `enum:"text,json" default:"text" help:"Format of the log on standard error: ${enum}."`
	LogLevel    string `enum:"debug,info,warn,error" default:"info" help:"Least level that is logged: ${enum}."`
	LogRequests string `enum:"errors,all" default:"errors" help:"Requests that are logged: errors of this server, or all at level info (default ${default})."`
}

// Validate refuses what is given and empty: a variable of a script that is not
// set must neither publish the demonstration nor open ports to everybody.
func (c *serveCmd) Validate() error {
	for _, given := range []struct {
		flag  string
		value *string
	}{
		{"--store", c.Store}, {"--catalog", c.Catalog}, {"--listen", &c.Listen}, {"--admin-listen", &c.AdminListen},
		{"--rate-limit-store", c.RateLimitStore},
	} {
		if given.value != nil && *given.value == "" {
			return fmt.Errorf("%s is empty; leave it out for its default", given.flag)
		}
	}
	if c.MaxConnections < 1 {
		return fmt.Errorf("--max-connections is %d; it must be at least 1", c.MaxConnections)
	}
	if c.Drain < 0 {
		return fmt.Errorf("--drain is %s; it must not be negative", c.Drain)
	}
	return nil
}

func (c *serveCmd) Run(ctx context.Context, args arguments, to streams) error {
	level := new(slog.LevelVar)
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return could{err}
	}
	log := newLog(to.err, c.LogFormat, level)
	reloader, err := newReloader(args, log)
	if err != nil {
		return could{err}
	}
	reloader.on(func(c *serveCmd) error { return level.UnmarshalText([]byte(c.LogLevel)) }, "log-level")
	from, err := newServed(orEmpty(c.Store), c.LastGood)
	if err != nil {
		return could{err}
	}
	limits, err := c.limits(from, log)
	if err != nil {
		return err
	}
	reloader.on(limits.configure, limitSettings...)
	ctx, stop := untilSignal(ctx)
	defer stop()

	public, admin, err := c.bind(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil // a signal came before there was anything to serve
		}
		return err
	}
	defer closeListeners(public, admin)

	if c.demonstration() {
		demonstrate(ctx, from, log, public)
	}
	return c.serve(ctx, from, limits, log, reloader, public, admin)
}

// demonstration reports whether neither a store nor a catalogue was asked for
// (contract, section 5).
func (c *serveCmd) demonstration() bool { return c.Store == nil && c.Catalog == nil }

// closeListeners closes what was not served; serving closes its own.
func closeListeners(listeners ...net.Listener) {
	for _, l := range listeners {
		if l != nil {
			l.Close()
		}
	}
}

// serve serves whatever becomes of the store: the process is up also when the
// store is not.
func (c *serveCmd) serve(ctx context.Context, from served, limits limits, log *slog.Logger, reloader *reloader, public, admin net.Listener) error {
	limitMemory(log)
	metrics := server.NewMetrics()
	following := server.FollowerConfig{
		Open: from.openExisting, Every: followEvery, Log: log, Metrics: metrics, WhenEmpty: c.whenEmpty(),
		LastGood: from.lastGood, PutAside: from.putAside(), Scrub: from.scrub(), MakeRoom: os.Getenv("GOGC") == "",
	}
	var watcher *server.Watcher
	var wake func() // the follower does not exist yet
	if c.Catalog != nil {
		watcher = server.NewWatcher(server.WatcherConfig{
			Dir: *c.Catalog, Open: from.open, Every: pollEvery, Log: log, Metrics: metrics,
			Published: func() { wake() },
		})
		following.Lost = watcher.Again
	}
	follower := server.NewFollower(following)
	wake = follower.Wake
	background := []func(context.Context){follower.Run}
	if watcher != nil {
		background = append(background, watcher.Run)
	}
	background = append(background, limits.background...)
	handler, err := api.New(api.Config{
		Snapshot: follower.Snapshot, Gate: limits.gate, Log: log, CacheBytes: int64(c.CacheBytes), MaxInFlight: maxInFlight,
		LogRequests: requestLevel(c.LogRequests), Observe: metrics.Observe,
	})
	if err != nil {
		return err
	}
	manager := manager{log, new(atomic.Bool)}
	background = append(background, handler.Run, manager.follow(follower), onHangup(manager.reloading(reloader.reload)))
	context.AfterFunc(ctx, manager.stopping)
	watch(metrics, handler)
	watchLimits(metrics, &limits)
	logListening(log, public, admin)
	err = server.Run(ctx, server.Config{
		Public: public, PublicHandler: handler,
		Admin: admin, AdminHandler: server.NewAdmin(follower, watcher, metrics),
		Begin: follower.Begin, Background: background, Log: log, Metrics: metrics,
		Drain: c.Drain, Grace: c.Drain / 2, MaxConnections: connectionsFor(c.MaxConnections, openFiles(), log),
	})
	log.Info("stopped")
	return err
}

func (c *serveCmd) whenEmpty() string {
	if c.Catalog != nil {
		return "wait until the catalogue directory " + *c.Catalog + " is published"
	}
	return "publish a catalogue directory with vitrine import DIR or serve --catalog DIR; vitrine init DIR writes one to start from"
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func logListening(log *slog.Logger, public, admin net.Listener) {
	args := []any{"api", url(public, "/api/open/")}
	if admin != nil {
		args = append(args, "admin", url(admin, "/"))
	}
	log.Info("listening", args...)
}

func url(on net.Listener, path string) string { return "http://" + on.Addr().String() + path }

// demonstrate fills an empty store with the catalogue that is part of the
// binary. A store that holds anything stays as it is, and one that fails is
// for the server to follow.
func demonstrate(ctx context.Context, from served, log *slog.Logger, public net.Listener) {
	outcome, err := publishBundled(ctx, from)
	if err != nil {
		if ctx.Err() == nil {
			log.Error("no demonstration: the bundled catalogue cannot be published", "error", err)
		}
		return
	}
	message := "a demonstration: serving what vitrine.db holds"
	if outcome.Published {
		message = "a demonstration: vitrine.db was empty and has the bundled catalogue now"
	}
	log.Info(message, "revision", outcome.Revision.Number, "try", url(public, "/api/open/chains?q=eth&limit=5"))
}

func publishBundled(ctx context.Context, from served) (outcome publish.Outcome, err error) {
	dir, err := bundle.Read(ctx, bundled.FS, bundle.Options{})
	if err != nil {
		return publish.Outcome{}, err
	}
	s, err := from.open(ctx)
	if err != nil {
		return publish.Outcome{}, err
	}
	defer closing(s, &err)
	return publish.First(ctx, s, dir, publish.Note{At: time.Now(), Message: "the bundled catalogue"})
}
