package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"vitrine/internal/follow"
	"vitrine/internal/observe"
	"vitrine/internal/publish"
	"vitrine/internal/sources"
	"vitrine/internal/store"
)

// scheduleFlags are the scheduled syncs of serve.
type scheduleFlags struct {
	Sync             []scheduled  `placeholder:"SOURCE=TIME" help:"Observe figures of a source periodically, such as defillama=1h; may be repeated or a list with commas. Of several servers with one store, one runs each sync (default: none)."`
	SyncFrom         []syncOrigin `placeholder:"SOURCE=URL" help:"Another address for a source of --sync; may be repeated (default: that of vitrine sync)."`
	SyncNames        string       `placeholder:"FILE" help:"Reviewed decisions on DefiLlama's names for --sync (see docs/figures.md)."`
	XTokenFile       string       `placeholder:"FILE" help:"File with the bearer token for the source x (default: the variable VITRINE_X_TOKEN)."`
	YoutubeKeyFile   string       `placeholder:"FILE" help:"File with the key for the source youtube (default: the variable VITRINE_YOUTUBE_KEY)."`
	SyncAllowPrivate bool         `help:"Allow --sync-from and addresses of records to lead to a private address."`
	ProbeResolver    string       `default:"1.1.1.1:53" placeholder:"HOST:PORT" help:"Second DNS server of --sync probe=TIME; off for none (default ${default})."`
	ProbeContact     string       `placeholder:"TEXT" help:"Address or e-mail for operators of probed hosts, in the user agent."`
}

// scheduled is a source and its interval.
type scheduled struct {
	source string
	every  time.Duration
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *scheduled) UnmarshalText(text []byte) error {
	source, interval, found := strings.Cut(string(text), "=")
	every, err := time.ParseDuration(interval)
	switch {
	case !slices.Contains(jobNames(), source):
		return fmt.Errorf("there is no source %q; there are %s", source, strings.Join(jobNames(), ", "))
	case !found || err != nil:
		return fmt.Errorf("%q is not a source and its interval, such as %s=1h", text, source)
	case every < follow.MinInterval:
		return fmt.Errorf("the interval of %s is %s; it must be at least %s", source, every, follow.MinInterval)
	}
	*s = scheduled{source, every}
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (s scheduled) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%s=%s", s.source, s.every), nil
}

// syncOrigin is a source and its address.
type syncOrigin struct{ source, from string }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (o *syncOrigin) UnmarshalText(text []byte) error {
	source, from, _ := strings.Cut(string(text), "=")
	if !slices.Contains(sourceNames(), source) || !sources.IsAddress(from) {
		return fmt.Errorf("%q is not a source and its address; the sources are %s", text, strings.Join(sourceNames(), ", "))
	}
	*o = syncOrigin{source, from}
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (o syncOrigin) MarshalText() ([]byte, error) { return []byte(o.source + "=" + o.from), nil }

// sourceNames are the sources of figures that may be scheduled.
func sourceNames() []string { return []string{"defillama", "defillama-apps", "x", "youtube"} }

// jobNames are the sources that may be scheduled, and the probe.
func jobNames() []string { return append(sourceNames(), "probe") }

// run returns the run of a job.
func (f *scheduleFlags) run(s scheduled, actor string) (func(context.Context, store.Store) (follow.Ran, error), error) {
	if s.source == "probe" {
		p, _, err := newProber(f.ProbeResolver, f.ProbeContact, f.SyncAllowPrivate)
		if err != nil {
			return nil, err
		}
		p.Prober.MinAge = s.every / 2
		return runProbe(p, actor), nil
	}
	c := sources.Config{Agent: userAgent(), AllowPrivate: f.SyncAllowPrivate}
	if i := slices.IndexFunc(f.SyncFrom, func(o syncOrigin) bool { return o.source == s.source }); i >= 0 {
		c.From = f.SyncFrom[i].from
	}
	of := figureSource{name: s.source}
	switch s.source {
	case "x":
		of.secret = f.XTokenFile
	case "youtube":
		of.secret = f.YoutubeKeyFile
	default:
		of.names = f.SyncNames
	}
	source, err := of.open(c)
	if err != nil {
		return nil, err
	}
	return runSync(s.source, source, actor), nil
}

// runSync returns the run of a scheduled sync.
func runSync(name string, source sources.Source, actor string) func(context.Context, store.Store) (follow.Ran, error) {
	return func(ctx context.Context, s store.Store) (follow.Ran, error) {
		head, err := s.Load(ctx, 0)
		if err != nil {
			return follow.Ran{}, err
		}
		found, err := source.Observe(ctx, s, head)
		if rejected, ok := errors.AsType[*observe.RejectedError](err); ok {
			return follow.Ran{Problem: rejected.Error()}, nil
		}
		if err != nil {
			return follow.Ran{}, err
		}
		outcome, err := publish.Figures(ctx, s, found.Observations, store.Note{At: time.Now(), Actor: actor, Message: "scheduled sync of " + name})
		if held, ok := errors.AsType[*publish.HeldError](err); ok {
			return follow.Ran{Problem: held.Error() + "; vitrine sync " + name + " --accept " + held.Rules() + " publishes it"}, nil
		}
		if err != nil || !outcome.Published {
			return follow.Ran{}, err
		}
		return follow.Ran{Revision: outcome.Revision.Number, Changes: len(outcome.Changes)}, nil
	}
}

// Validate rejects sources that are scheduled twice, and addresses without a schedule.
func (f *scheduleFlags) Validate() error {
	seen := map[string]bool{}
	for _, s := range f.Sync {
		if seen[s.source] {
			return fmt.Errorf("--sync: %s is listed twice", s.source)
		}
		seen[s.source] = true
	}
	for _, o := range f.SyncFrom {
		if !seen[o.source] {
			return fmt.Errorf("--sync-from: %s has no --sync", o.source)
		}
	}
	return nil
}

// jobs returns the scheduled syncs.
func (f *scheduleFlags) jobs(from served, actor string, log *slog.Logger, metrics *follow.Metrics) ([]*follow.Job, error) {
	var jobs []*follow.Job
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	for _, s := range f.Sync {
		run, err := f.run(s, actor)
		if err != nil {
			return nil, fmt.Errorf("--sync %s: %w", s.source, err)
		}
		jobs = append(jobs, follow.NewJob(follow.JobConfig{
			Source: s.source, Every: s.every, Holder: fmt.Sprintf("%s:%d", host, os.Getpid()), Open: from.openExisting,
			Log: log, Metrics: metrics, Run: run,
		}))
	}
	return jobs, nil
}
