package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/follow"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// demoStore is the store of the demonstration. It is no command's default, so that nothing is published into
// it by mistake.
const demoStore = "sqlite:vitrine-demo.db"

// harmless are the flags of serve with which the demonstration may start automatically
// (docs/decisions/0017-looking-and-guessing.md): those of the log, of addresses and of limits.
var harmless = []string{
	"listen", "admin-listen", "log-format", "log-level", "log-requests",
	"cache-bytes", "answer-bytes", "max-connections", "drain", "rate-limit", "rate-limit-key", "rate-limit-bytes",
}

// demonstration reports whether serve serves the demonstration: with --demo, or without any
// settings on a loopback address (docs/decisions/0017-looking-and-guessing.md). It returns an
// error for settings without a store or catalogue, which were probably lost.
func (c *serveCmd) demonstration(command *kong.Context) (bool, error) {
	if c.Demo || c.Store != nil || c.Catalog != nil || c.From != nil {
		return c.Demo, nil
	}
	why := configured(command)
	if why == "" {
		why = managed()
	}
	if why == "" {
		why = c.reachable()
	}
	if why == "" {
		return true, nil
	}
	return false, could{fmt.Errorf("there is nothing to serve: name a store with --store (%s), a catalogue directory with --catalog or a distribution with --from, "+
		"or pass --demo for the demonstration, which starts automatically only without settings; here %s", storeForms, why)}
}

// configured returns a setting of this process other than harmless flags, "" for none.
func configured(command *kong.Context) string {
	for _, given := range command.Path {
		switch {
		case given.Flag == nil:
		case given.Resolved:
			return "a config file is read"
		case !slices.Contains(harmless, given.Flag.Name):
			return "--" + given.Flag.Name + " is given"
		}
	}
	for _, setting := range os.Environ() {
		if name, _, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "VITRINE_") {
			return "the variable " + name + " is set"
		}
	}
	return ""
}

// managed returns a sign that a service manager started the process, "" for none. Desktop terminals are
// services too, so INVOCATION_ID only counts without a terminal.
func managed() string {
	switch {
	case os.Getpid() == 1:
		return "it is the first process of a container"
	case os.Getenv("LISTEN_FDS") != "":
		return "a service manager passes sockets (LISTEN_FDS)"
	case os.Getenv("NOTIFY_SOCKET") != "":
		return "a service manager waits for a notification (NOTIFY_SOCKET)"
	case os.Getenv("INVOCATION_ID") != "" && !term.IsTerminal(int(os.Stderr.Fd())):
		return "a service manager started it (INVOCATION_ID)"
	}
	return ""
}

// reachable returns an address that other machines can reach, "" for none.
func (c *serveCmd) reachable() string {
	for _, given := range []struct{ flag, address string }{{"--listen", c.Listen}, {"--admin-listen", c.AdminListen}} {
		if given.address != "off" && !loopback(given.address) {
			return given.flag + " is reachable from other machines"
		}
	}
	return ""
}

func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// demonstrate publishes the bundled catalogue, unless the store already has had this version of it, so that a
// restart undoes no later publish. It logs errors; the server then follows the failing store. The follower
// serves what is published first.
func demonstrate(ctx context.Context, from served, follower *follow.Follower, log *slog.Logger, public net.Listener) {
	head, isBundled, err := publishBundled(ctx, from, follower)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		log.Error("no demonstration: the bundled catalogue cannot be published", "error", err)
	case !isBundled:
		log.Warn("the store of the demonstration has another catalogue, which is served; delete its file to reset it",
			"store", demoStore, "revision", head.Number)
	default:
		log.Info("this is the demonstration, which serves the bundled catalogue; to start your own, run vitrine init DIR",
			"store", demoStore, "revision", head.Number, "try", addressOf(public, "/api/open/chains?q=eth&limit=5"))
	}
}

// publishBundled returns the head of the store, and whether it is the bundled catalogue. It is not after
// another publish, or if the gate holds the bundled catalogue.
func publishBundled(ctx context.Context, from served, follower *follow.Follower) (head store.Revision, isBundled bool, err error) {
	var digest string
	imports := func(r store.Revision) bool { return r.Op == store.OpImport && r.Digest == digest }
	err = withStore(ctx, from.open, func(s store.Store) error {
		revisions, err := s.History(ctx, 0)
		if err != nil {
			return err
		}
		if len(revisions) > 0 { // else Read returns it below
			if digest, err = bundle.Digest(bundled.FS); err != nil {
				return err
			}
		}
		if slices.ContainsFunc(revisions, imports) {
			head = revisions[0]
			return nil
		}
		// The tests of the package quality checked it.
		dir, err := bundle.Read(ctx, bundled.FS, bundle.Options{Unchecked: true})
		if err != nil {
			return err
		}
		digest = dir.Digest
		outcome, err := publish.Directory(ctx, handing{s, follower}, dir, publish.From{}, store.Note{At: time.Now(), Message: "the bundled catalogue"})
		head = outcome.Revision
		if held, ok := errors.AsType[*publish.HeldError](err); ok {
			head, err = held.Head, nil
		}
		return err
	})
	return head, imports(head), err
}

// handing is a store whose first revision is compiled while it is written.
type handing struct {
	store.Store
	to *follow.Follower
}

// Publish implements [store.Store].
func (s handing) Publish(ctx context.Context, base int64, draft store.Draft) (store.Revision, error) {
	var beside sync.WaitGroup
	defer beside.Wait()
	if base == 0 {
		beside.Go(func() { s.to.Hand(store.StateOf(draft.Revision(base), draft.Catalog)) })
	}
	return s.Store.Publish(ctx, base, draft)
}
