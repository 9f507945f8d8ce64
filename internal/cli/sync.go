package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"vitrine/internal/connector"
	"vitrine/internal/connector/defillama"
	"vitrine/internal/convert"
	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/observe"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

type syncCmd struct {
	Defillama     syncDefillamaCmd     `cmd:"" help:"Observe the total value locked of chains, as DefiLlama has it."`
	DefillamaApps syncDefillamaAppsCmd `cmd:"" help:"Observe the number of apps of chains, as DefiLlama counts protocols."`
	X             syncXCmd             `cmd:"" name:"x" help:"Observe the followers of accounts on X."`
	YouTube       syncYouTubeCmd       `cmd:"" name:"youtube" help:"Observe the subscribers of channels on YouTube."`
}

// figureSource asks an upstream for figures of a catalogue.
type figureSource interface {
	// observe returns the rows of the upstream. Its error is a [*observe.RejectedError] if an answer
	// is suspicious; then the answer has the rows without a record.
	observe(ctx context.Context, s store.Store, head *store.State) (answer, error)
	close()
}

// answer is what an upstream has of a catalogue.
type answer struct {
	observe.Result
	from string // without secrets
	kind string // of the records, such as chains
}

// syncFlags are the flags of all syncs.
type syncFlags struct {
	AsOf         string `placeholder:"DATE" help:"Date of the figures, such as 2025-08-17; required for a recording (default: the date of the response)." env:"-"`
	AllowPrivate bool   `help:"Allow --from to lead to a private address." env:"-"`
	Verbose      bool   `help:"Print each row that belongs to no record." env:"-"`
	DryRun       bool   `help:"Print what would change, and publish nothing." env:"-"`
	storeFlag
	noteFlags
	changeFlags
	acceptFlag
}

// run observes figures and publishes what changed. message is the default of --message.
func (f *syncFlags) run(ctx context.Context, source figureSource, message string, args arguments, to streams) error {
	defer source.close()
	note, err := f.note(message)
	if err != nil {
		return err
	}
	return withStore(ctx, f.openExisting, func(s store.Store) error {
		head, err := s.Load(ctx, 0)
		if err != nil {
			return outcomeOf(err)
		}
		found, err := source.observe(ctx, s, head)
		if rejected, ok := errors.AsType[*observe.RejectedError](err); err != nil && !ok {
			return could{err}
		} else if f.printJoins(to.err, found); ok {
			return rejected
		}
		plan, err := publish.Observed(ctx, s, found.Observations)
		if err != nil {
			return outcomeOf(err)
		}
		f.apply(plan, to)
		if f.Format == "text" {
			if err := printed(printChanges(to.out, plan.Changes, f.All)); err != nil {
				return err
			}
		}
		p := publication{plan: plan, note: note, dry: f.DryRun, format: f.Format, args: args, same: "the observations change nothing that is served"}
		return p.publish(ctx, s, to)
	})
}

// printJoins prints the number of joined rows and, on request, all other rows.
func (f *syncFlags) printJoins(w io.Writer, found answer) {
	if f.Verbose {
		convert.PrintLosses(w, "not joined", found.Lost)
	}
	more := ""
	if len(found.Lost) > 0 && !f.Verbose {
		more = " (--verbose lists them)"
	}
	fmt.Fprintf(w, "%s: rows of %d %s, %d rows without one%s\n", found.from, found.Joined, found.kind, len(found.Lost), more)
}

// syncDefillamaCmd observes GET /v2/chains of DefiLlama (docs/figures.md#sync).
type syncDefillamaCmd struct {
	From  string `default:"https://api.llama.fi/v2/chains" placeholder:"FILE|URL" help:"Address of the response, or a file with a recording (default ${default})." env:"-"`
	Names string `placeholder:"FILE" help:"Reviewed decisions on DefiLlama's names, with chain ids." env:"-"`
	syncFlags
}

func (c *syncDefillamaCmd) Run(ctx context.Context, args arguments, to streams) error {
	source, err := newLlama(c.From, "", c.Names, c.AsOf, c.AllowPrivate)
	if err != nil {
		return could{err}
	}
	return c.run(ctx, source, "figures of DefiLlama", args, to)
}

// syncDefillamaAppsCmd observes GET /protocols of DefiLlama.
type syncDefillamaAppsCmd struct {
	From   string `default:"https://api.llama.fi/protocols" placeholder:"FILE|URL" help:"Address of the response, or a file with a recording (default ${default})." env:"-"`
	Chains string `default:"https://api.llama.fi/v2/chains" placeholder:"FILE|URL" help:"DefiLlama's chains, which have the ids of its names (default ${default})." env:"-"`
	Names  string `placeholder:"FILE" help:"Reviewed decisions on DefiLlama's names, with chain ids." env:"-"`
	syncFlags
}

func (c *syncDefillamaAppsCmd) Run(ctx context.Context, args arguments, to streams) error {
	source, err := newLlama(c.Chains, c.From, c.Names, c.AsOf, c.AllowPrivate)
	if err != nil {
		return could{err}
	}
	return c.run(ctx, source, "apps of DefiLlama", args, to)
}

// llama observes figures of DefiLlama.
type llama struct {
	fetcher
	chains string // address or file of /v2/chains
	apps   string // address or file of /protocols; "" for the total value locked
	names  defillama.Names
	asOf   string // "" for the date of the response
}

func newLlama(chains, apps, names, asOf string, allowPrivate bool) (*llama, error) {
	if err := convert.CheckDate("--as-of", asOf); err != nil {
		return nil, err
	}
	l := &llama{fetcher: newFetcher(allowPrivate), chains: chains, apps: apps, asOf: asOf}
	return l, convert.ReadInto(&l.names, names, defillama.ReadNames)
}

func (l *llama) observe(ctx context.Context, _ store.Store, head *store.State) (answer, error) {
	found, err := l.read(ctx, head)
	if err != nil {
		l.kept.Forget() // so that the next answer does not depend on this one
	}
	return found, err
}

func (l *llama) read(ctx context.Context, head *store.State) (answer, error) {
	chains, err := l.fetch(ctx, l.chains, l.asOf)
	if err != nil {
		return answer{}, err
	}
	rows, lost, err := defillama.Chains(chains.body, chains.asOf)
	if err != nil {
		return answer{}, err
	}
	figure, from, names, unchanged := domain.FigureTVL, l.chains, l.names, chains.unchanged
	if l.apps != "" {
		apps, err := l.fetch(ctx, l.apps, l.asOf)
		if err != nil {
			return answer{}, err
		}
		figure, from, names, unchanged = domain.FigurePlatforms, l.apps, l.names.With(rows), unchanged && apps.unchanged
		if rows, lost, err = defillama.Protocols(apps.body, apps.asOf); err != nil {
			return answer{}, err
		}
	}
	if names != nil {
		var unidentified []connector.Loss
		rows, unidentified = names.Identify(rows)
		lost = append(lost, unidentified...)
	}
	found, err := observe.Chains(figure, rows, head.Editors(), head.Observed())
	found.Lost = append(lost, found.Lost...)
	if unchanged {
		found.DropDates(head.Observed(), func(string) bool { return true })
	}
	return answer{found, shownAddress(from), "chains"}, err
}

// syncAttempts is the maximum number of attempts to publish observations beside other publishers.
const syncAttempts = 5

// runSync returns the run of a scheduled sync.
func runSync(name string, source figureSource, actor string) func(context.Context, store.Store) (follow.Ran, error) {
	return func(ctx context.Context, s store.Store) (follow.Ran, error) {
		head, err := s.Load(ctx, 0)
		if err != nil {
			return follow.Ran{}, err
		}
		found, err := source.observe(ctx, s, head)
		if rejected, ok := errors.AsType[*observe.RejectedError](err); ok {
			return follow.Ran{Problem: rejected.Error()}, nil
		}
		if err != nil {
			return follow.Ran{}, err
		}
		for range syncAttempts {
			var plan *publish.Plan
			if plan, err = publish.Observed(ctx, s, found.Observations); err != nil {
				return follow.Ran{}, err
			}
			var outcome publish.Outcome
			outcome, err = plan.Publish(ctx, s, publish.Note{At: time.Now(), Actor: actor, Message: "scheduled sync of " + name})
			switch held, ok := errors.AsType[*publish.HeldError](err); {
			case ok:
				return follow.Ran{Problem: held.Error() + "; vitrine sync " + name + " --accept " + held.Rules() + " publishes it"}, nil
			case err == nil && outcome.Published:
				return follow.Ran{Revision: outcome.Revision.Number, Changes: len(outcome.Changes)}, nil
			case err == nil:
				return follow.Ran{}, nil
			case !errors.Is(err, store.ErrConflict):
				return follow.Ran{}, err
			}
		}
		return follow.Ran{}, err
	}
}

// isAddress reports whether a source is an address instead of a file.
func isAddress(from string) bool {
	return strings.HasPrefix(from, "http://") || strings.HasPrefix(from, "https://")
}
