package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/probe"
	"vitrine/internal/propose"
	"vitrine/internal/store"
	"vitrine/internal/upstream"
)

// Limits of probes.
const (
	probeWorkers  = 64
	probeTime     = 10 * time.Minute
	probeTimeout  = 10 * time.Second
	probeBytes    = 64 << 10
	probePause    = time.Second
	probeMinAge   = time.Hour
	probeResolver = "1.1.1.1:53"
)

// probeCmd checks the addresses of the served catalogue (docs/figures.md#probes).
type probeCmd struct {
	Time         time.Duration `default:"10m" placeholder:"TIME" help:"Maximum duration; a later run continues (default ${default})." env:"-"`
	Concurrency  int           `default:"64" placeholder:"N" help:"Hosts that are asked at the same time (default ${default})." env:"-"`
	MinAge       time.Duration `default:"1h" placeholder:"TIME" help:"Skip addresses that were checked more recently (default ${default})." env:"-"`
	Resolver     string        `default:"1.1.1.1:53" placeholder:"HOST:PORT" help:"Second DNS server; without agreement of both resolvers nothing is down. off for none (default ${default})." env:"-"`
	Contact      string        `placeholder:"TEXT" help:"Address or e-mail for operators of probed hosts, in the user agent." env:"-"`
	AllowPrivate bool          `help:"Allow addresses that lead to private networks." env:"-"`
	ReportOnly   bool          `help:"Print what is known, and check nothing." env:"-"`
	Propose      string        `placeholder:"DIR" help:"Print the removal of endpoints from this catalogue directory as a diff. The report is then on standard error." env:"-"`
	DryRun       bool          `help:"Check and print, and store nothing." env:"-"`
	Format       string        `enum:"text,json" default:"text" help:"Output format: ${enum}." env:"-"`
	All          bool          `help:"Print all groups, and all addresses of each." env:"-"`
	Actor        string        `placeholder:"NAME" help:"Actor of the revision in the history (default: the user of this process)."`
	storeFlag
}

func (c *probeCmd) Run(ctx context.Context, to streams) error {
	p, closeClients, err := newProber(c.Resolver, c.Contact, c.AllowPrivate)
	if err != nil {
		return could{err}
	}
	defer closeClients()
	if c.Concurrency < 1 || c.Concurrency > 256 || c.Time <= 0 || c.MinAge < 0 {
		return could{errors.New("--concurrency must be 1 to 256, --time more than 0, and --min-age 0 or more")}
	}
	note, err := noteFlags{Actor: c.Actor}.note("probe")
	if err != nil {
		return err
	}
	p.Prober.Workers, p.Time, p.Prober.MinAge, p.DryRun = c.Concurrency, c.Time, c.MinAge, c.DryRun || c.ReportOnly
	if c.ReportOnly {
		p.Time = 0
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return withStore(ctx, c.toChange(p.DryRun), func(s store.Store) error {
		done, err := p.On(ctx, s, note)
		switch {
		case errors.Is(err, context.Canceled):
			return could{errors.New("interrupted; the next run continues")}
		case errors.Is(err, store.ErrTaken):
			return could{errors.New("another probe of this store ran at the same time; its results count, so run the command again")}
		case err != nil:
			return outcomeOf(err)
		}
		var proposed removals
		report := to.out
		if c.Propose != "" {
			if proposed, err = removalsFrom(ctx, c.Propose, done.Removable(), to.err); err != nil {
				return could{err}
			}
			report = to.err
		}
		if c.Format == "json" {
			return printed(writeJSON(to.out, probeJSON{done, proposed.Endpoints, proposed.diff}))
		}
		if err := c.print(report, done, proposed.Endpoints); err != nil {
			return printed(err)
		}
		_, err = io.WriteString(to.out, proposed.diff)
		return printed(err)
	})
}

// newProber returns a run with the usual limits, and a function that closes its idle connections.
// resolver is the address of a second DNS server, or "off".
func newProber(resolver, contact string, allowPrivate bool) (*probe.Run, func(), error) {
	agent := "vitrine-probe/" + builtFrom().version
	if contact != "" {
		if strings.ContainsFunc(contact, func(r rune) bool { return r < ' ' || r > '~' }) {
			return nil, nil, errors.New("--contact must be printable ASCII")
		}
		agent += " (+" + contact + ")"
	}
	options := upstream.Options{UserAgent: agent, MaxBytes: probeBytes, Timeout: probeTimeout, AllowPrivate: allowPrivate}
	first := upstream.New(options)
	clients, closeClients := []probe.Client{first}, first.Close
	if resolver != "off" {
		if _, _, err := net.SplitHostPort(resolver); err != nil {
			return nil, nil, fmt.Errorf("the resolver %q is not HOST:PORT or off", resolver)
		}
		options.Resolver = upstream.ResolverAt(resolver)
		second := upstream.New(options)
		clients, closeClients = append(clients, second), func() { first.Close(); second.Close() }
	}
	return &probe.Run{
		Prober: probe.Prober{Clients: clients, Workers: probeWorkers, Pause: probePause, MinAge: probeMinAge, Now: time.Now, Sleep: sleep},
		Time:   probeTime,
	}, closeClients, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// runProbe returns the run of scheduled probes.
func runProbe(p *probe.Run, actor string) func(context.Context, store.Store) (follow.Ran, error) {
	return func(ctx context.Context, s store.Store) (follow.Ran, error) {
		done, err := p.On(ctx, s, store.Note{Actor: actor, Message: "scheduled probe"})
		return follow.Ran{Revision: done.Revision, Changes: done.Changed, Problem: done.Problem}, err
	}
}

// print prints the report as text.
func (c *probeCmd) print(to io.Writer, done probe.Result, remove []removal) error {
	const shown = 10
	w := bufio.NewWriter(to)
	r := done.Report
	fmt.Fprintf(w, "%s addresses: %s up, %s down, %s answer for another chain, %s not decided; %s checked now, %s left for later\n",
		grouped(r.Targets), grouped(r.Reach[domain.ReachUp]), grouped(r.Reach[domain.ReachDown]), grouped(r.Reach[domain.ReachWrongChain]),
		grouped(r.Reach[probe.Undecided]), grouped(done.Made), grouped(done.Left))
	if done.Problem != "" {
		fmt.Fprintln(w, done.Problem)
	}
	switch {
	case done.Revision != 0:
		fmt.Fprintf(w, "revision %d: %s addresses changed\n", done.Revision, grouped(done.Changed))
	case c.DryRun:
		fmt.Fprintf(w, "%s addresses would change; a dry run stores nothing\n", grouped(done.Changed))
	}
	groups := map[probe.Cause]int{}
	for _, g := range r.Groups {
		if groups[g.Cause]++; groups[g.Cause] > shown && !c.All {
			continue
		}
		c.printGroup(w, g, shown)
	}
	for _, cause := range probe.Causes() {
		if n := groups[cause] - shown; n > 0 && !c.All {
			fmt.Fprintf(w, "\n… %s more groups of %s (--all)\n", grouped(n), cause)
		}
	}
	if c.Propose != "" {
		fmt.Fprintf(w, "\nendpoints to remove: %s\n", grouped(len(remove)))
		for _, p := range remove {
			fmt.Fprintln(w, p)
		}
	}
	return w.Flush()
}

func (c *probeCmd) printGroup(w io.Writer, g probe.Group, shown int) {
	fmt.Fprintf(w, "\n%s: %s\n", strings.TrimSpace(string(g.Cause)+" "+printable(g.Name)), grouped(len(g.Entries)))
	for i, e := range g.Entries {
		if i == shown && !c.All {
			fmt.Fprintf(w, "  … %s more (--all)\n", grouped(len(g.Entries)-shown))
			return
		}
		fmt.Fprintf(w, "  %s %s %s %s: %s\n", e.Kind, printable(e.Key), e.Field, printable(e.URL), describeEntry(e))
	}
}

// describeEntry says what is known of an address.
func describeEntry(e probe.Entry) string {
	text := cmp.Or(e.Detail, string(e.Outcome))
	switch {
	case e.Reach != domain.ReachUnknown:
		text = fmt.Sprintf("%s since %s; %s", e.Reach, e.Since, text)
	case !e.First.IsZero():
		text += ", since " + string(domain.DateOf(e.First))
	}
	return text
}

// probeJSON is what probe prints with `--format json`.
type probeJSON struct {
	probe.Result
	Remove []removal `json:"remove,omitzero"`
	Diff   string    `json:"diff,omitempty"`
}

// removal is an endpoint to remove from a directory.
type removal struct {
	File   string `json:"file"`
	Chain  string `json:"chain"`
	URL    string `json:"url"`
	Reason string `json:"reason"`
	// Refused is why the diff does not have it, "" if it does.
	Refused string `json:"refused,omitempty"`
}

func (r removal) String() string {
	text := fmt.Sprintf("%s: remove %s from the rpc of %s: %s", r.File, printable(r.URL), r.Chain, printable(r.Reason))
	if r.Refused != "" {
		text += " (not in the diff: " + printable(r.Refused) + ")"
	}
	return text
}

// removals are the endpoints to remove from a directory, and the diff that removes them.
type removals struct {
	Endpoints []removal
	diff      string // "" for no changes
}

// removalsFrom returns the removals of the entries that a directory still has, in its order.
func removalsFrom(ctx context.Context, path string, entries []probe.Entry, progress io.Writer) (removals, error) {
	dir, err := readDirectory(ctx, path, false, progress)
	if err != nil {
		return removals{}, err
	}
	if err := withoutErrors(dir, path); err != nil {
		return removals{}, err
	}
	fsys, closeDir, err := bundle.Open(path)
	if err != nil {
		return removals{}, err
	}
	defer closeDir()
	found, changes := removable(dir, entries)
	files, refused, err := editedFiles(fsys, dir, changes)
	if err != nil {
		return removals{}, err
	}
	for i := range found {
		if err := refused[found[i].Chain]; err != nil {
			found[i].Refused = err.Error()
		}
	}
	var diff strings.Builder
	for _, f := range files {
		if err := propose.WriteUnified(&diff, f.name, f.data, f.edits); err != nil {
			return removals{}, err
		}
	}
	return removals{found, diff.String()}, nil
}

// removable returns the endpoints of a directory that entries name, and the changes of its chains that
// remove them.
func removable(dir *bundle.Directory, entries []probe.Entry) (found []removal, changes []propose.Change) {
	gone := map[[2]string]probe.Entry{} // by chain and address
	for _, e := range entries {
		gone[[2]string{e.Key, e.URL}] = e
	}
	found = []removal{}
	for i := range dir.Catalog.Chains {
		chain := dir.Catalog.Chains[i]
		before := len(found)
		var left []domain.Endpoint
		for _, endpoint := range chain.RPC {
			if e, ok := gone[[2]string{chain.Slug, endpoint.URL}]; ok {
				found = append(found, removal{File: fileOfChain(dir, i), Chain: e.Key, URL: e.URL, Reason: describeEntry(e)})
			} else {
				left = append(left, endpoint)
			}
		}
		if chain.RPC = left; len(found) > before {
			changes = append(changes, propose.Change{Index: i, Chain: chain, Fields: []string{"rpc"}})
		}
	}
	return found, changes
}
