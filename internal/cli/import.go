package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"vitrine/internal/bundle"
	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/gate"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// noteFlags are stored with the revision that a command publishes.
type noteFlags struct {
	Message string `short:"m" placeholder:"TEXT" help:"Message of the revision in the history." env:"-"`
	Actor   string `placeholder:"NAME" help:"Actor of the revision in the history (default: the user of this process)."`
}

// note returns the note of the revision. message is the default of --message.
func (f noteFlags) note(message string) (store.Note, error) {
	note := store.Note{At: time.Now(), Actor: cmp.Or(f.Actor, processUser()), Message: cmp.Or(f.Message, message)}
	if !utf8.ValidString(note.Actor) || !utf8.ValidString(note.Message) {
		return note, could{errors.New("--actor and --message must be UTF-8")}
	}
	return note, nil
}

// processUser returns the user of this process, "" if it has no name, as in many containers.
func processUser() string {
	if name := os.Getenv("USER"); name != "" {
		return name
	}
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

// publisher identifies this process and a directory in its revisions. Symbolic links are not
// resolved, because a release may be published by changing a link.
func publisher(verb, dir string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return verb + " " + strings.ToValidUTF8(host+":"+dir, "\uFFFD")
}

type importCmd struct {
	Dir string `arg:"" help:"The catalogue directory."`
	storeFlag
	noteFlags
	changeFlags
	acceptFlag
	DryRun  bool `help:"Print the changes without publishing them." env:"-"`
	Verbose bool `help:"Print the warnings instead of their number." env:"-"`
	Strict  bool `help:"Reject a directory with warnings too, except accepted ones, as check --strict." env:"-"`
}

func (c *importCmd) Run(ctx context.Context, args arguments, to streams) error {
	dir, err := readDirectory(ctx, c.Dir, c.All && c.Verbose, to.err)
	if err != nil {
		return could{err}
	}
	note, err := c.note(cmp.Or(dir.Commit.Subject, "import of "+strings.ToValidUTF8(c.Dir, "\uFFFD")))
	if err != nil {
		return err
	}
	if dir.Errors() > 0 || c.Strict && dir.Warnings() > 0 {
		return c.refuse(dir, to)
	}
	if dir.CommitProblem != nil {
		fmt.Fprintf(to.err, "the commit of %s is not known: %v\n", c.Dir, dir.CommitProblem)
	}
	return withStore(ctx, c.openFor, func(s store.Store) error {
		plan, err := publish.Import(ctx, s, dir, publish.From{Publisher: publisher(publish.Importing, c.Dir)})
		if err != nil {
			return outcomeOf(err)
		}
		for _, warning := range plan.Warnings {
			fmt.Fprintf(to.err, "warning: %s\n", printable(warning))
		}
		c.apply(plan, to)
		if err := c.printPlan(plan, dir, to); err != nil {
			return err
		}
		p := publication{plan: plan, dir: dir, note: note, dry: c.DryRun, format: c.Format, args: args, same: "the store already holds this catalogue"}
		return p.publish(ctx, s, to)
	})
}

// publication is a plan to publish, and the format of its result.
type publication struct {
	plan   *publish.Plan
	dir    *bundle.Directory // nil where none was read
	note   store.Note
	dry    bool   // publishes nothing
	format string // text or json
	args   arguments
	same   string // why there was nothing to publish
}

// publish publishes the plan and prints the result. The error is an exit with statusHeld if
// the gate holds the plan.
func (p publication) publish(ctx context.Context, s store.Store, to streams) error {
	for _, finding := range p.plan.Warned() {
		fmt.Fprintf(to.err, "warning: %s\n", printable(finding))
	}
	outcome, err := publish.Outcome{Revision: p.plan.Head}, p.plan.Held()
	if err == nil && !p.dry {
		outcome, err = p.plan.Publish(ctx, s, p.note)
	}
	held, isHeld := errors.AsType[*publish.HeldError](err)
	switch {
	case err != nil && !isHeld:
		return outcomeOf(err)
	case p.format == "json":
		err = writeJSON(to.out, newOutcomeJSON(outcome, p.plan, p.dir))
	case isHeld:
		err = printHeld(to.out, held, p.args.accepting(p.plan))
	default:
		_, err = fmt.Fprintln(to.out, summary(p.plan, outcome, p.same))
	}
	if err != nil {
		return printed(err)
	}
	if isHeld {
		return exit(statusHeld)
	}
	return nil
}

// openFor opens the store. A dry run does not create one; it compares with an empty store instead.
func (c *importCmd) openFor(ctx context.Context) (store.Store, error) {
	if !c.DryRun {
		return c.open(ctx)
	}
	s, err := c.openToRead(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return nowhere{}, nil
	}
	return s, err
}

// nowhere is the empty store of a dry run without a store.
type nowhere struct{ store.Store }

func (nowhere) Load(context.Context, int64) (*store.State, error) { return nil, store.ErrEmpty }
func (nowhere) Close() error                                      { return nil }

// refuse prints the problems of a rejected directory, as check does.
func (c *importCmd) refuse(dir *bundle.Directory, to streams) error {
	var err error
	if c.Format == "json" {
		err = writeJSON(to.out, newOutcomeJSON(publish.Outcome{}, nil, dir))
	} else {
		err = printProblems(to.out, dir.Problems, c.All)
	}
	if err != nil {
		return printed(err)
	}
	printTotals(to.err, c.Dir, dir, "; nothing was published")
	return exit(statusFailed)
}

// printPlan prints the changes before they are published.
func (c *importCmd) printPlan(plan *publish.Plan, dir *bundle.Directory, to streams) error {
	if c.Format == "json" {
		return nil // the result is printed as one object later
	}
	// Which accounts are held back also depends on figures in the store, so the plan has them.
	warnings := slices.DeleteFunc(slices.Clone(dir.Problems), func(p bundle.Problem) bool { return p.Rule == domain.RuleHeldBack })
	if c.Verbose {
		if err := printProblems(to.err, warnings, c.All); err != nil {
			return printed(err)
		}
	} else if n := dir.Warnings() - dir.Found[domain.RuleHeldBack]; n > 0 {
		fmt.Fprintf(to.err, "warnings: %s (--verbose or vitrine check shows them)\n", grouped(n))
	}
	printHeldBack(to, plan.HeldBack(), c.Verbose || c.All)
	printNotes(to, plan.Notes, c.All)
	printSuggestions(to, plan.Suggestions, dir.Origin, c.All)
	return printed(printChanges(to.out, plan.Changes, c.All, plan.Suggestions...))
}

// printHeldBack names the accounts that are not listed (docs/figures.md#missing-figures).
func printHeldBack(to streams, handles []string, all bool) {
	if len(handles) == 0 {
		return
	}
	shown, more := firstOf(handles, shownRecords, all)
	rest := ""
	if more > 0 {
		rest = fmt.Sprintf(" … and %s more (--all shows them)", grouped(more))
	}
	fmt.Fprintf(to.err, "held back from the list, because their followers are unknown: %s: %s%s\n",
		grouped(len(handles)), strings.Join(shown, ", "), rest)
}

// printHeld prints the holds of a plan, and the command that accepts them.
func printHeld(to io.Writer, held *publish.HeldError, command string) error {
	w := bufio.NewWriter(to)
	fmt.Fprintln(w, "held, nothing was published:")
	for _, h := range held.Holds {
		fmt.Fprintf(w, "  %s: %s\n", h.Rule, printable(h.Message))
		if h.Why != "" {
			fmt.Fprintf(w, "    %s\n", h.Why)
		}
	}
	if stops := held.Stops(); len(stops) > 0 {
		fmt.Fprintf(w, "correct what would be published, or add %s to gate.accept in its catalog.yaml\n", strings.Join(stops, " and "))
	} else {
		fmt.Fprintf(w, "correct what would be published or, to publish it as it is, run\n  %s\n", command)
	}
	return w.Flush()
}

// summary returns the result of a plan in one line. same is the reason of an empty plan.
func summary(plan *publish.Plan, outcome publish.Outcome, same string) string {
	switch {
	case len(plan.Changes) == 0:
		return fmt.Sprintf("nothing to publish: %s (revision %d)", same, outcome.Revision.Number)
	case !outcome.Published:
		return fmt.Sprintf("revision %d would be: %s; a dry run publishes nothing", plan.Head.Number+1, count(plan.Changes))
	}
	return fmt.Sprintf("revision %d: %s", outcome.Revision.Number, count(plan.Changes))
}

// outcomeJSON is the result of a publish in `--format json`.
type outcomeJSON struct {
	Revision     int64                     `json:"revision"` // the new one or, if nothing was published, the head; 0 for none
	Published    bool                      `json:"published"`
	Changes      []domain.Change           `json:"changes"`
	HeldBack     []string                  `json:"heldBack"`
	Held         []holdJSON                `json:"held"`
	Warnings     []string                  `json:"warnings"` // about other publishers on the same store, and of the gate
	Notes        []string                  `json:"notes,omitempty"`
	Suggestions  []domain.FormerSuggestion `json:"suggestions,omitempty"`
	problemsJSON                           // of the directory, as check prints them
}

// holdJSON is a hold of the gate.
type holdJSON struct {
	Rule     string              `json:"rule"`
	Message  string              `json:"message"`
	Total    int                 `json:"total,omitempty"` // affected records
	Records  []gate.Record       `json:"records,omitempty"`
	Severity domain.GateSeverity `json:"severity"`
	Why      string              `json:"why,omitempty"`
	Accepted bool                `json:"accepted"`
}

// newOutcomeJSON returns the result of a publish. plan and dir may be nil.
func newOutcomeJSON(outcome publish.Outcome, plan *publish.Plan, dir *bundle.Directory) outcomeJSON {
	out := outcomeJSON{Revision: outcome.Revision.Number, Published: outcome.Published}
	if plan != nil {
		out.Changes, out.Notes = plan.Changes, plan.Notes
		out.Suggestions = plan.Suggestions
		out.HeldBack = plan.HeldBack()
		for _, h := range plan.Holds {
			if h.Severity != domain.GateWarn {
				out.Held = append(out.Held, holdJSON{h.Rule, h.Message, h.Finding.Total, findingRecords(h.Finding), h.Severity, h.Why, h.Accepted})
			}
		}
		out.Warnings = slices.Concat(plan.Warnings, plan.Warned())
	}
	if dir != nil {
		out.problemsJSON = newProblemsJSON(dir)
	}
	return out
}

// outcomeOf classifies an error of publishing: rejections have status 1, errors of the store 2.
func outcomeOf(err error) error {
	if conflict, ok := errors.AsType[*publish.ConflictError](err); ok {
		return explainConflict(conflict)
	}
	if panicked, ok := errors.AsType[*contain.Error](err); ok {
		return could{panicked}
	}
	if invalid, ok := errors.AsType[*publish.InvalidError](err); ok {
		return invalid
	}
	return revisionError(err)
}

// explainConflict names the revision that was published in between. The printed changes no
// longer apply, so the operator has to run the command again.
func explainConflict(c *publish.ConflictError) error {
	base := "an empty store"
	if c.Base.Number != 0 {
		base = fmt.Sprintf("revision %d", c.Base.Number)
	}
	meanwhile := "another revision was published meanwhile"
	if c.Head.Number != 0 {
		meanwhile = describe(c.Head) + " was published meanwhile"
	}
	return fmt.Errorf("nothing was published: the changes were relative to %s, but %s; run the command again", base, meanwhile)
}

// printed classifies an error of printing the result; it returns nil for nil.
func printed(err error) error {
	if err != nil {
		return could{fmt.Errorf("print the result: %w", err)}
	}
	return nil
}
