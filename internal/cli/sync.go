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

// config returns the configuration of a source.
func (f *syncFlags) config(from string) sources.Config {
	return sources.Config{From: from, AsOf: f.AsOf, Agent: userAgent(), AllowPrivate: f.AllowPrivate}
}

// run observes figures and publishes what changed. message is the default of --message.
func (f *syncFlags) run(ctx context.Context, source sources.Source, message string, args arguments, to streams) error {
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
	source, err := defillamaSource(c.config(c.From), c.Names)
	if err != nil {
		return could{err}
	}
	return c.run(ctx, source, "figures of DefiLlama", args, to)
}

// syncDefillamaAppsCmd observes GET /protocols of DefiLlama.
type syncDefillamaAppsCmd struct {
	From   string `default:"https://api.llama.fi/protocols" placeholder:"FILE|URL" help:"Address of the response, or a file with a recording (default ${default})." env:"-"`
	Chains string `default:"https://api.llama.fi/v2/chains" placeholder:"FILE|URL" help:"DefiLlama's list of chains, which maps its names to ids; also needed with --from (default ${default})." env:"-"`
	Names  string `placeholder:"FILE" help:"Reviewed decisions on DefiLlama's names, with chain ids." env:"-"`
	syncFlags
}

func (c *syncDefillamaAppsCmd) Run(ctx context.Context, args arguments, to streams) error {
	source, err := defillamaAppsSource(c.config(c.From), c.Chains, c.Names)
	if err != nil {
		return could{err}
	}
	return c.run(ctx, source, "apps of DefiLlama", args, to)
}

// syncXCmd observes the followers of accounts with GET /2/users/by of X.
type syncXCmd struct {
	From      string `default:"https://api.x.com" placeholder:"FILE|URL" help:"Address of the API, or a file with a recorded response (default ${default})." env:"-"`
	TokenFile string `name:"x-token-file" placeholder:"FILE" help:"File with the bearer token of the API (default: the variable VITRINE_X_TOKEN)."`
	syncFlags
}

func (c *syncXCmd) Run(ctx context.Context, args arguments, to streams) error {
	source, err := xSource(c.config(c.From), c.TokenFile)
	if err != nil {
		return could{err}
	}
	return c.run(ctx, source, "followers of X", args, to)
}

// syncYouTubeCmd observes the subscribers of channels with channels.list of YouTube.
type syncYouTubeCmd struct {
	From    string `default:"https://www.googleapis.com" placeholder:"FILE|URL" help:"Address of the API, or a file with a recorded response (default ${default})." env:"-"`
	KeyFile string `name:"youtube-key-file" placeholder:"FILE" help:"File with the key of the API (default: the variable VITRINE_YOUTUBE_KEY)."`
	syncFlags
}

func (c *syncYouTubeCmd) Run(ctx context.Context, args arguments, to streams) error {
	source, err := youtubeSource(c.config(c.From), c.KeyFile)
	if err != nil {
		return could{err}
	}
	return c.run(ctx, source, "subscribers of YouTube", args, to)
}

func defillamaSource(c sources.Config, names string) (sources.Source, error) {
	reviewed, err := readNames(c, names)
	if err != nil {
		return nil, err
	}
	return sources.DefiLlama(c, reviewed)
}

func defillamaAppsSource(c sources.Config, chains, names string) (sources.Source, error) {
	reviewed, err := readNames(c, names)
	if err != nil {
		return nil, err
	}
	return sources.DefiLlamaApps(c, chains, reviewed)
}

// readNames checks the date of a source, and reads the file of its reviewed names, nil for "".
func readNames(c sources.Config, path string) (names defillama.Names, err error) {
	if err := convert.CheckDate("--as-of", c.AsOf); err != nil {
		return nil, err
	}
	return names, convert.ReadInto(&names, path, defillama.ReadNames)
}

func xSource(c sources.Config, tokenFile string) (_ sources.Source, err error) {
	if c.Secret, err = secretOf(c, credential{"VITRINE_X_TOKEN", "--x-token-file"}, tokenFile); err != nil {
		return nil, err
	}
	return sources.X(c)
}

func youtubeSource(c sources.Config, keyFile string) (_ sources.Source, err error) {
	if c.Secret, err = secretOf(c, credential{"VITRINE_YOUTUBE_KEY", "--youtube-key-file"}, keyFile); err != nil {
		return nil, err
	}
	return sources.YouTube(c)
}

// secretOf checks the date of a source, and returns the secret of an address, "" for a file.
func secretOf(c sources.Config, of credential, file string) (string, error) {
	if err := convert.CheckDate("--as-of", c.AsOf); err != nil {
		return "", err
	}
	if c.From != "" && !sources.IsAddress(c.From) {
		return "", nil
	}
	return of.read(file)
}
