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
	"vitrine/internal/publish"
	"vitrine/internal/store"
	"vitrine/internal/upstream"
)

// probeTask is the task of the store that has the history of probes.
const probeTask = "probe"

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
	p, err := newProber(c.Resolver, c.Contact, c.AllowPrivate)
	if err != nil {
		return could{err}
	}
	defer p.close()
	if c.Concurrency < 1 || c.Concurrency > 256 || c.Time <= 0 || c.MinAge < 0 {
		return could{errors.New("--concurrency must be 1 to 256, --time more than 0, and --min-age 0 or more")}
	}
	note, err := noteFlags{Actor: c.Actor}.note("probe")
	if err != nil {
		return err
	}
	p.workers, p.time, p.minAge, p.dry = c.Concurrency, c.Time, c.MinAge, c.DryRun || c.ReportOnly
	if c.ReportOnly {
		p.time = 0
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	open := c.openExisting
	if p.dry {
		open = c.openToRead
	}
	return withStore(ctx, open, func(s store.Store) error {
		done, err := p.run(ctx, s, note)
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
			if proposed, err = removalsFrom(ctx, c.Propose, done.report.Removable(), to.err); err != nil {
				return could{err}
			}
			report = to.err
		}
		if c.Format == "json" {
			return printed(writeJSON(to.out, probeJSON{newReportJSON(done), proposed.Endpoints, proposed.diff}))
		}
		if err := c.print(report, done, proposed.Endpoints); err != nil {
			return printed(err)
		}
		_, err = io.WriteString(to.out, proposed.diff)
		return printed(err)
	})
}

// prober checks the served catalogue of a store, and keeps the results in it.
type prober struct {
	clients []*upstream.Client
	workers int
	time    time.Duration // 0 checks nothing
	minAge  time.Duration
	pause   time.Duration
	dry     bool // stores nothing
	now     func() time.Time
}

func newProber(resolver, contact string, allowPrivate bool) (*prober, error) {
	agent := "vitrine-probe/" + builtFrom().version
	if contact != "" {
		if strings.ContainsFunc(contact, func(r rune) bool { return r < ' ' || r > '~' }) {
			return nil, errors.New("--contact must be printable ASCII")
		}
		agent += " (+" + contact + ")"
	}
	options := upstream.Options{UserAgent: agent, MaxBytes: probeBytes, Timeout: probeTimeout, AllowPrivate: allowPrivate}
	p := &prober{
		clients: []*upstream.Client{upstream.New(options)}, workers: probeWorkers, time: probeTime, minAge: probeMinAge,
		pause: probePause, now: time.Now,
	}
	if resolver != "off" {
		if _, _, err := net.SplitHostPort(resolver); err != nil {
			return nil, fmt.Errorf("the resolver %q is not HOST:PORT or off", resolver)
		}
		options.Resolver = upstream.ResolverAt(resolver)
		p.clients = append(p.clients, upstream.New(options))
	}
	return p, nil
}

func (p *prober) close() {
	for _, client := range p.clients {
		client.Close()
	}
}

// probed is the result of a run.
type probed struct {
	made, left int
	revision   int64 // the published one, 0 for none
	changed    int   // addresses whose reach changed
	problem    string
	report     *probe.Report
}

// run checks what is due, and observes what changed as a revision. The history of probes is stored as
// a task, so that a later run continues; another run at the same time ends this one with
// [store.ErrTaken].
func (p *prober) run(ctx context.Context, s store.Store, note publish.Note) (probed, error) {
	var done probed
	head, err := s.Load(ctx, 0)
	if err != nil {
		return done, err
	}
	task, err := s.Task(ctx, probeTask)
	if err != nil {
		return done, err
	}
	history, targets := probe.ReadHistory(task.State), probe.Targets(head.Editors())
	if p.time > 0 {
		within, end := context.WithTimeout(ctx, p.time)
		defer end()
		done.made, done.left, err = p.prober(ctx, s, task).Run(within, targets, history)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return done, err
		}
	}
	note.At = p.now()
	if history.Offline() {
		done.problem = "nearly all checks fail, so the network of this process is probably at fault; nothing becomes down"
	}
	observations := probe.Observations(targets, history, head.Observed(), note.At)
	observed := head.Observed()
	if !p.dry && len(observations) > 0 {
		if done.revision, observed, err = observeReach(ctx, s, targets, history, note); err != nil {
			return done, err
		}
	}
	done.changed, done.report = len(observations), probe.NewReport(targets, history, observed)
	return done, nil
}

// prober returns the prober whose history is stored in a task.
func (p *prober) prober(ctx context.Context, s store.Store, task store.Task) *probe.Prober {
	q := &probe.Prober{
		Workers: p.workers, Pause: p.pause, MinAge: p.minAge, Now: p.now, Sleep: sleep,
		Save: func(h *probe.History) error {
			if p.dry {
				return nil
			}
			state, err := h.Bytes()
			if err != nil {
				return err
			}
			ctx, end := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second) // the results of an interrupted run count
			defer end()
			next := store.Task{Name: task.Name, Token: task.Token + 1, State: state}
			if err := s.SetTask(ctx, task.Token, next); err != nil {
				return err
			}
			task = next
			return nil
		},
	}
	for _, client := range p.clients {
		q.Clients = append(q.Clients, client)
	}
	return q
}

// observeReach publishes the reach of targets, beside other publishers. It returns the revision, and
// what is observed then.
func observeReach(ctx context.Context, s store.Store, targets []probe.Target, history *probe.History, note publish.Note) (int64, []domain.Observation, error) {
	for range syncAttempts {
		head, err := s.Load(ctx, 0)
		if err != nil {
			return 0, nil, err
		}
		observations := probe.Observations(targets, history, head.Observed(), note.At)
		if len(observations) == 0 {
			return 0, head.Observed(), nil
		}
		rev, err := s.Observe(ctx, head.Revision.Number, observations, store.Note{At: note.At, Op: store.OpSync, Actor: note.Actor, Message: note.Message})
		if errors.Is(err, store.ErrConflict) {
			continue
		}
		observed := head.Observed()[:len(head.Observed()):len(head.Observed())]
		for _, o := range observations {
			observed = append(observed, o.Observation)
		}
		return rev.Number, observed, err
	}
	return 0, nil, store.ErrConflict
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
func runProbe(p *prober, actor string) func(context.Context, store.Store) (follow.Ran, error) {
	return func(ctx context.Context, s store.Store) (follow.Ran, error) {
		done, err := p.run(ctx, s, publish.Note{At: p.now(), Actor: actor, Message: "scheduled probe"})
		return follow.Ran{Revision: done.revision, Changes: done.changed, Problem: done.problem}, err
	}
}

// print prints the report as text.
func (c *probeCmd) print(to io.Writer, done probed, remove []removal) error {
	const shown = 10
	w := bufio.NewWriter(to)
	r := done.report
	fmt.Fprintf(w, "%s addresses: %s up, %s down, %s answer for another chain, %s not decided; %s checked now, %s left for later\n",
		grouped(r.Targets), grouped(r.Reach[domain.ReachUp]), grouped(r.Reach[domain.ReachDown]), grouped(r.Reach[domain.ReachWrongChain]),
		grouped(r.Reach[domain.ReachUnknown]), grouped(done.made), grouped(done.left))
	if done.problem != "" {
		fmt.Fprintln(w, done.problem)
	}
	switch {
	case done.revision != 0:
		fmt.Fprintf(w, "revision %d: %s addresses changed\n", done.revision, grouped(done.changed))
	case c.DryRun:
		fmt.Fprintf(w, "%s addresses would change; a dry run stores nothing\n", grouped(done.changed))
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
	reportJSON
	Remove []removal `json:"remove,omitzero"`
	Diff   string    `json:"diff,omitempty"`
}

type reportJSON struct {
	Revision int64               `json:"revision,omitempty"`
	Problem  string              `json:"problem,omitempty"`
	Changed  int                 `json:"changed"`
	Checked  int                 `json:"checked"`
	Left     int                 `json:"left"`
	Targets  int                 `json:"addresses"`
	Reach    map[string]int      `json:"states"`
	Groups   []reportedGroupJSON `json:"groups"`
}

type reportedGroupJSON struct {
	Cause   probe.Cause    `json:"cause"`
	Name    string         `json:"name,omitempty"`
	Entries []reportedJSON `json:"addresses"`
}

type reportedJSON struct {
	Kind      domain.Kind   `json:"kind"`
	Key       string        `json:"key"`
	Field     string        `json:"field"`
	URL       string        `json:"url"`
	Reach     domain.Reach  `json:"state,omitempty"`
	Since     domain.Date   `json:"stateSince,omitempty"`
	Outcome   probe.Outcome `json:"outcome"`
	Detail    string        `json:"detail,omitempty"`
	LastCheck time.Time     `json:"lastCheck"`
	Failures  int           `json:"failures,omitempty"`
	First     time.Time     `json:"firstFailure,omitzero"`
}

func newReportJSON(done probed) reportJSON {
	r := done.report
	out := reportJSON{
		Revision: done.revision, Problem: done.problem, Changed: done.changed, Checked: done.made, Left: done.left, Targets: r.Targets,
		Reach: map[string]int{}, Groups: []reportedGroupJSON{},
	}
	for reach, n := range r.Reach {
		out.Reach[cmp.Or(string(reach), "unknown")] = n
	}
	for _, g := range r.Groups {
		group := reportedGroupJSON{Cause: g.Cause, Name: g.Name}
		for _, e := range g.Entries {
			group.Entries = append(group.Entries, reportedJSON{
				e.Kind, e.Key, e.Field, e.URL, e.Reach, e.Since, e.Outcome, e.Detail, e.Checked, e.Failures, e.First,
			})
		}
		out.Groups = append(out.Groups, group)
	}
	return out
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
	gone := map[string]map[string]probe.Entry{} // by chain and address
	for _, e := range entries {
		if gone[e.Key] == nil {
			gone[e.Key] = map[string]probe.Entry{}
		}
		gone[e.Key][e.URL] = e
	}
	found = []removal{}
	for i := range dir.Catalog.Chains {
		chain := dir.Catalog.Chains[i]
		before := len(found)
		var left []domain.Endpoint
		for _, endpoint := range chain.RPC {
			if e, ok := gone[chain.Slug][endpoint.URL]; ok {
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
