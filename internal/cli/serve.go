package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"vitrine/internal/distribution"
	"vitrine/internal/follow"
	"vitrine/internal/mcp"
	"vitrine/internal/operations"
	"vitrine/internal/publish"
	"vitrine/internal/server"
	"vitrine/internal/store"
)

const (
	defaultStore = "sqlite:vitrine.db"
	pollEvery    = 500 * time.Millisecond // interval of looks at the directory
	followEvery  = 250 * time.Millisecond // interval of queries for the head's number
	// maxInFlight is the maximum number of requests in progress: far above what two
	// cores reach under normal load.
	maxInFlight = 1024
)

type serveCmd struct {
	Listen      string  `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address of the API and the site (default ${default})."`
	PublicURL   address `placeholder:"URL" help:"Public address of the server, such as https://api.example.org, for absolute links (default: links are relative)."`
	AdminListen string  `default:"127.0.0.1:9090" placeholder:"ADDR" help:"Address of health, metrics and profiling; \"off\" for none (default ${default})."`
	Store       *string `placeholder:"DSN" help:"Store of revisions, sqlite:PATH or postgres://USER@HOST/DATABASE (default sqlite:vitrine.db)."`
	LastGood    string  `placeholder:"FILE" help:"Copy of the served state, for a start without the store; \"off\" for none (default: beside the SQLite file, else in the working directory)."`
	Catalog     *string `placeholder:"DIR" help:"Catalogue directory to publish at the start and after each change."`
	Actor       string  `placeholder:"NAME" help:"Actor in the history for revisions from --catalog (default: the author of the git commit, else the user of this process)."`
	Demo        bool    `help:"Serve the bundled catalogue from a separate store (vitrine-demo.db)."`
	CacheBytes  size    `default:"64MiB" placeholder:"SIZE" help:"Memory of the response cache (default ${default})."`
	AnswerBytes *size   `placeholder:"SIZE" help:"Memory for responses in progress of all clients together (default: an eighth of the memory limit, 32MiB to 256MiB)."`

	MaxConnections int           `default:"10000" placeholder:"N" help:"Maximum open connections of the API. A further one closes the connection that has been idle longest (default ${default})."`
	Drain          time.Duration `default:"10s" placeholder:"TIME" help:"Maximum time of a graceful shutdown. New requests are accepted for its first half (default ${default})."`

	MCP       string   `name:"mcp" enum:"on,off" default:"on" help:"Whether to serve the MCP endpoint /mcp: ${enum} (default ${default})."`
	MCPOrigin []string `name:"mcp-origin" placeholder:"ORIGIN" help:"Origin of other web pages that may use /mcp, such as https://catalogue.example; \"*\" for all; may be repeated. Its host name is also accepted on a loopback address (default: none)."`

	limitFlags
	siteFlags
	scheduleFlags
	fromFlags
	bulkFlags
	cacheFlags

	LogFormat   string `enum:"text,json" default:"text" help:"Format of the log on standard error: ${enum}."`
	LogLevel    string `enum:"debug,info,warn,error" default:"info" help:"Lowest level that is logged: ${enum}."`
	LogRequests string `enum:"errors,all" default:"errors" help:"Requests that are logged: server errors, or all at level info (default ${default})."`
}

// Validate rejects empty values: an unset variable of a script must neither publish the
// demonstration nor open ports to everybody.
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
	for _, given := range []struct{ flag, address, example string }{
		{"--listen", c.Listen, "127.0.0.1:8080"}, {"--admin-listen", c.AdminListen, "127.0.0.1:9090, or off"},
	} {
		if given.flag == "--admin-listen" && given.address == "off" {
			continue
		}
		if _, _, err := net.SplitHostPort(given.address); err != nil {
			return fmt.Errorf("%s is %q; it must be HOST:PORT, such as %s", given.flag, given.address, given.example)
		}
	}
	if c.From != nil && (c.Demo || c.Store != nil || c.Catalog != nil || len(c.Sync) > 0) {
		return errors.New("--from serves a distribution without a store; leave out --store, --catalog, --sync and --demo (also as VITRINE_… and in the config file), or --from")
	}
	if c.From != nil && c.DistKeys != "" {
		return errors.New("--dist-keys writes the API keys of a store; leave it out with --from")
	}
	if c.From != nil && c.DistKey != "" {
		return errors.New("--dist-key signs the distribution of a store; with --from, --dist is a copy with the signature of its publisher")
	}
	if c.From != nil && c.bucket() != "" {
		return errors.New("--dist with --from is a copy in a directory; vitrine export or serve of the publisher writes a bucket")
	}
	if c.From != nil && c.Dist != nil && *c.Dist != "off" && sameFile(*c.From, *c.Dist) {
		return errors.New("--from and --dist are the same directory")
	}
	if c.Demo && (c.Store != nil || c.Catalog != nil) {
		return errors.New("--demo has a store and a catalogue of its own; leave out --store and --catalog, or --demo")
	}
	if !utf8.ValidString(c.Actor) || strings.ContainsRune(c.Actor, 0) {
		return errors.New("--actor must be UTF-8")
	}
	if err := checkOrigins(c.MCPOrigin); err != nil {
		return err
	}
	for _, flags := range []interface{ Validate() error }{&c.scheduleFlags, &c.fromFlags, &c.bulkFlags} {
		if err := flags.Validate(); err != nil {
			return err
		}
	}
	if err := c.look().Check(); err != nil {
		return err
	}
	if c.MaxConnections < 1 {
		return fmt.Errorf("--max-connections is %d; it must be at least 1", c.MaxConnections)
	}
	if c.AnswerBytes != nil && *c.AnswerBytes < minAnswers {
		return fmt.Errorf("--answer-bytes is %d; it must be at least %d (%d MiB)", *c.AnswerBytes, minAnswers, minAnswers>>20)
	}
	if c.Drain < 0 {
		return fmt.Errorf("--drain is %s; it must not be negative", c.Drain)
	}
	return nil
}

func (c *serveCmd) Run(ctx context.Context, command *kong.Context, args arguments, to streams) error {
	level := new(slog.LevelVar)
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return could{err}
	}
	log := newLog(to.err, c.LogFormat, level)
	reloader := newReloader(args, command, log)
	reloader.on(func(c *serveCmd) error { return level.UnmarshalText([]byte(c.LogLevel)) }, "log-level")
	demo, err := c.demonstration(command)
	if err != nil {
		return err
	}
	from, err := c.served(demo)
	if err != nil {
		return could{err}
	}
	from.demo = demo
	from = from.whereItMayBeKept(log)
	c.logStarting(log, from)
	from.warnOfMode(log)
	if c.From != nil {
		if from.reading, err = c.reading(from.lastGood, log); err != nil {
			return err
		}
		from.reader = distribution.NewReader(*from.reading)
		from.keys, from.keysEvery = c.keySource(from, log), c.FromEvery
	}
	limits, err := c.limits(from, log)
	if err != nil {
		return err
	}
	reloader.on(limits.configure, limitSettings...)
	ctx, stop := untilSignal(ctx, log)
	defer stop()

	public, admin, err := c.bind(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil // a signal arrived before serving began
		}
		return err
	}
	defer closeListeners(public, admin)

	return c.serve(ctx, from, limits, log, reloader, public, admin)
}

// served returns what is served: a distribution or a store.
func (c *serveCmd) served(demo bool) (served, error) {
	if c.From != nil {
		return servedFrom(*c.From, c.LastGood), nil
	}
	return newServed(c.storeName(demo), c.LastGood)
}

// storeName returns the DSN of the served store.
func (c *serveCmd) storeName(demo bool) string {
	switch {
	case demo:
		return demoStore
	case c.Store == nil:
		return defaultStore
	}
	return *c.Store
}

// closeListeners closes listeners that are not nil. Those that were served are closed already.
func closeListeners(listeners ...net.Listener) {
	for _, l := range listeners {
		if l != nil {
			l.Close()
		}
	}
}

// serve runs the server until ctx is done. It also runs without a working store.
func (c *serveCmd) serve(ctx context.Context, from served, limits limits, log *slog.Logger, reloader *reloader, public, admin net.Listener) error {
	began := time.Now()
	memory := limitMemory(log)
	metrics := server.NewMetrics()
	following := follow.Config{
		Open: from.opener(log), Every: followEvery, Log: log, Metrics: metrics.Follow, WhenEmpty: c.whenEmpty(),
		Filling: c.Catalog != nil, Demonstration: from.demo,
		LastGood: from.lastGood, Program: builtFrom().String(), Keys: limits.keys, PutAside: from.putAside(), Scrub: from.scrub(), MakeRoom: os.Getenv("GOGC") == "",
	}
	if from.reader != nil {
		c.follow(&following, from.reader)
	}
	var err error
	if following.Purge, err = c.purge(); err != nil {
		return could{err}
	}
	dist := c.dir(from, log)
	if following.Distribution, err = c.distribution(dist, from.reading); err != nil {
		return err
	}
	offered := c.offered(dist, from)
	if offered != "" {
		following.Bulk = operations.BulkPath
	}
	lists, err := c.keyLists(dist, limits.keys, log)
	if err != nil {
		return err
	}
	if c.Catalog != nil {
		following.Watcher = follow.NewWatcher(follow.WatcherConfig{
			Dir: *c.Catalog, Open: from.open, Every: pollEvery, Log: log, Metrics: metrics.Follow,
			Command: c.importCommand(), Actor: c.Actor, User: processUser(), Publisher: publisher(publish.Watching, *c.Catalog),
		})
	}
	jobs, err := c.jobs(from, cmp.Or(c.Actor, processUser()), log, metrics.Follow)
	if err != nil {
		return could{err}
	}
	following.Jobs = jobs
	follower := follow.New(following)
	var beside sync.WaitGroup
	if from.demo {
		beside.Go(func() { demonstrate(ctx, from, follower, log, public) })
	}
	background := append([]func(context.Context){follower.Run}, lists...)
	if following.Watcher != nil {
		background = append(background, following.Watcher.Run)
	}
	for _, job := range jobs {
		background = append(background, job.Run)
	}
	background = append(background, limits.background...)
	pages, err := c.pages(string(c.PublicURL), c.MCP != "off", metrics.EmptySearch)
	if err != nil {
		return could{err}
	}
	logged := new(slog.LevelVar)
	logged.Set(requestLevel(c.LogRequests))
	reloader.on(func(c *serveCmd) error { logged.Set(requestLevel(c.LogRequests)); return nil }, "log-requests")
	served := operations.Config{
		Snapshot: follower.Snapshot, Gate: limits.gate, Log: log, CacheBytes: int64(c.CacheBytes), PublicURL: string(c.PublicURL),
		AnswerBytes: c.answerBytes(memory), MaxInFlight: maxInFlight,
		LogRequests: logged, Observe: metrics.Observe, EmptySearch: metrics.EmptySearch, Pages: pages, Bulk: bulkFiles(offered), CacheTags: c.tagHeader(),
	}
	if c.MCP != "off" {
		served.MCP = mcp.New(mcp.Config{Snapshot: follower.Snapshot, Version: builtFrom().version, Log: log, Origins: append(c.PublicURL.origin(), c.MCPOrigin...)})
	}
	handler, err := operations.New(served)
	if err != nil {
		return err
	}
	manager := manager{log, new(atomic.Bool)}
	warm := func(ctx context.Context) { handler.Run(ctx, follower.Changed) }
	background = append(background, warm, manager.follow(follower), onHangup(manager.reloading(reloader.reload)))
	context.AfterFunc(ctx, manager.stopping)
	watch(metrics, handler)
	watchLimits(metrics, &limits)
	beside.Wait()
	logListening(log, public, admin)
	err = server.Run(ctx, server.Config{
		Public: public, PublicHandler: handler,
		Admin: admin, AdminHandler: server.NewAdmin(follower, metrics, server.About{Store: store.RedactDSN(from.dsn), Tiers: limits.tiers, Refusals: limits.gate.Refusals}),
		Begin: follower.Begin, Background: background, Log: log, Metrics: metrics,
		Drain: c.Drain, Grace: c.Drain / 2, MaxConnections: connectionsFor(c.MaxConnections, openFiles(), log),
	})
	logStopped(ctx, log, began, err)
	return err
}

// importCommand returns the command that publishes the catalogue directory manually.
func (c *serveCmd) importCommand() string {
	command := "vitrine import " + shellWord(*c.Catalog)
	if c.Store != nil {
		command += " --store " + storeWord(*c.Store)
	}
	return command
}

func (c *serveCmd) whenEmpty() string {
	if c.Catalog != nil {
		return "wait until the catalogue directory " + *c.Catalog + " is published"
	}
	return "publish a catalogue directory with vitrine import DIR or serve --catalog DIR; vitrine init DIR writes one to start from"
}

// logStarting logs the build and the main settings.
func (c *serveCmd) logStarting(log *slog.Logger, from served) {
	b := builtFrom()
	args := []any{"version", b.version, "commit", b.commit, "go", b.toolchain, "store", store.RedactDSN(from.dsn)}
	if c.Catalog != nil {
		args = append(args, "catalog", *c.Catalog)
	}
	if from.lastGood != "" {
		args = append(args, "last_good", from.lastGood)
	}
	log.Info("starting", append(args, "rate_limit", c.RateLimit.String(), "rate_limit_key", c.RateLimitKey.String(), "rate_limit_pages", c.pagePolicy().String(),
		"cache_bytes", int64(c.CacheBytes), "max_connections", c.MaxConnections, "drain", c.Drain.String())...)
}

// logStopped logs why the server stopped. err is the error of a listener, nil after a signal.
func logStopped(ctx context.Context, log *slog.Logger, began time.Time, err error) {
	ran := time.Since(began).Round(time.Second)
	if err != nil {
		log.Error("stopped", "because", err, "ran", ran)
		return
	}
	log.Info("stopped", "because", context.Cause(ctx), "ran", ran)
}

func logListening(log *slog.Logger, public, admin net.Listener) {
	args := []any{"api", addressOf(public, "/api/open/")}
	if admin != nil {
		args = append(args, "admin", addressOf(admin, "/"))
	}
	log.Info("listening", args...)
}

func addressOf(on net.Listener, path string) string { return "http://" + on.Addr().String() + path }
