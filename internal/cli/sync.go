package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"vitrine/internal/connector/defillama"
	"vitrine/internal/convert"
	"vitrine/internal/observe"
	"vitrine/internal/publish"
	"vitrine/internal/sources"
	"vitrine/internal/store"
)

type syncCmd struct {
	Defillama     syncDefillamaCmd     `cmd:"" help:"Observe the total value locked of chains, as DefiLlama has it."`
	DefillamaApps syncDefillamaAppsCmd `cmd:"" help:"Observe the number of apps of chains, as DefiLlama counts protocols."`
	X             syncXCmd             `cmd:"" name:"x" help:"Observe the followers of accounts on X."`
	YouTube       syncYouTubeCmd       `cmd:"" name:"youtube" help:"Observe the subscribers of channels on YouTube."`
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

// run observes figures and publishes what changed. from is the address or file, and message is the
// default of --message.
func (f *syncFlags) run(ctx context.Context, of figureSource, from, message string, args arguments, to streams) error {
	source, err := of.open(sources.Config{From: from, AsOf: f.AsOf, Agent: userAgent(), AllowPrivate: f.AllowPrivate})
	if err != nil {
		return could{err}
	}
	defer source.Close()
	note, err := f.note(message)
	if err != nil {
		return err
	}
	return withStore(ctx, f.openExisting, func(s store.Store) error {
		head, err := s.Load(ctx, 0)
		if err != nil {
			return outcomeOf(err)
		}
		found, err := source.Observe(ctx, s, head)
		if f.Verbose {
			convert.PrintLosses(to.err, "not joined", found.Lost)
		}
		if rejected, ok := errors.AsType[*observe.RejectedError](err); ok {
			return rejected
		}
		if err != nil {
			return could{err}
		}
		f.printJoins(to.err, found)
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

// printJoins prints the numbers of joined and other rows.
func (f *syncFlags) printJoins(w io.Writer, found sources.Observed) {
	more := ""
	if len(found.Lost) > 0 && !f.Verbose {
		more = " (--verbose lists them)"
	}
	fmt.Fprintf(w, "%s: rows of %d %s, %d rows without one%s\n", found.From, found.Joined, found.Kind, len(found.Lost), more)
}

// syncDefillamaCmd observes GET /v2/chains of DefiLlama (docs/figures.md#sync).
type syncDefillamaCmd struct {
	From  string `default:"https://api.llama.fi/v2/chains" placeholder:"FILE|URL" help:"Address of the response, or a file with a recording (default ${default})." env:"-"`
	Names string `placeholder:"FILE" help:"Reviewed decisions on DefiLlama's names, with chain ids." env:"-"`
	syncFlags
}

func (c *syncDefillamaCmd) Run(ctx context.Context, args arguments, to streams) error {
	return c.run(ctx, figureSource{name: "defillama", names: c.Names}, c.From, "figures of DefiLlama", args, to)
}

// syncDefillamaAppsCmd observes GET /protocols of DefiLlama.
type syncDefillamaAppsCmd struct {
	From   string `default:"https://api.llama.fi/protocols" placeholder:"FILE|URL" help:"Address of the response, or a file with a recording (default ${default})." env:"-"`
	Chains string `default:"https://api.llama.fi/v2/chains" placeholder:"FILE|URL" help:"DefiLlama's list of chains, which maps its names to ids; also needed with --from (default ${default})." env:"-"`
	Names  string `placeholder:"FILE" help:"Reviewed decisions on DefiLlama's names, with chain ids." env:"-"`
	syncFlags
}

func (c *syncDefillamaAppsCmd) Run(ctx context.Context, args arguments, to streams) error {
	return c.run(ctx, figureSource{name: "defillama-apps", names: c.Names, chains: c.Chains}, c.From, "apps of DefiLlama", args, to)
}

// syncXCmd observes the followers of accounts with GET /2/users/by of X.
type syncXCmd struct {
	From      string `default:"https://api.x.com" placeholder:"FILE|URL" help:"Address of the API, or a file with a recorded response (default ${default})." env:"-"`
	TokenFile string `name:"x-token-file" placeholder:"FILE" help:"File with the bearer token of the API (default: the variable VITRINE_X_TOKEN)."`
	syncFlags
}

func (c *syncXCmd) Run(ctx context.Context, args arguments, to streams) error {
	return c.run(ctx, figureSource{name: "x", secret: c.TokenFile}, c.From, "followers of X", args, to)
}

// syncYouTubeCmd observes the subscribers of channels with channels.list of YouTube.
type syncYouTubeCmd struct {
	From    string `default:"https://www.googleapis.com" placeholder:"FILE|URL" help:"Address of the API, or a file with a recorded response (default ${default})." env:"-"`
	KeyFile string `name:"youtube-key-file" placeholder:"FILE" help:"File with the key of the API (default: the variable VITRINE_YOUTUBE_KEY)."`
	syncFlags
}

func (c *syncYouTubeCmd) Run(ctx context.Context, args arguments, to streams) error {
	return c.run(ctx, figureSource{name: "youtube", secret: c.KeyFile}, c.From, "subscribers of YouTube", args, to)
}

// figureSource is a source of figures and its files, "" for none.
type figureSource struct {
	name   string // as in [sourceNames]
	names  string // reviewed names of DefiLlama
	chains string // DefiLlama's list of chains; "" for its address
	secret string // token or key; "" for the environment variable
}

// credentials are the tokens and keys that sources require, by name.
var credentials = map[string]credential{
	"x":       {"VITRINE_X_TOKEN", "--x-token-file"},
	"youtube": {"VITRINE_YOUTUBE_KEY", "--youtube-key-file"},
}

// open returns the source. It checks the date of the figures, and reads the files. A recording needs no secret.
func (s figureSource) open(c sources.Config) (sources.Source, error) {
	if err := convert.CheckDate("--as-of", c.AsOf); err != nil {
		return nil, err
	}
	var names defillama.Names
	if err := convert.ReadInto(&names, s.names, defillama.ReadNames); err != nil {
		return nil, err
	}
	if of, needed := credentials[s.name]; needed && (c.From == "" || sources.IsAddress(c.From)) {
		var err error
		if c.Secret, err = of.read(s.secret); err != nil {
			return nil, err
		}
	}
	switch s.name {
	case "defillama-apps":
		return sources.DefiLlamaApps(c, s.chains, names)
	case "x":
		return sources.X(c)
	case "youtube":
		return sources.YouTube(c)
	}
	return sources.DefiLlama(c, names)
}
