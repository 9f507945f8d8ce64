package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/clientip"
	"vitrine/internal/follow"
	"vitrine/internal/overview"
	"vitrine/internal/ratelimit"
)

// keysEvery is the interval at which the API keys are read from the store.
const keysEvery = time.Second

// limitFlags are the quotas, and how clients are identified.
type limitFlags struct {
	RateLimit        rate     `default:"60/m" placeholder:"RATE" help:"Quota of API requests of a client, such as 5/s, 60/m or 1000/h; \"off\" for none (default ${default})."`
	RateLimitPages   *rate    `placeholder:"RATE" help:"Quota of page requests of a client, counted separately; \"off\" for none (default: five times --rate-limit)."`
	RateLimitKey     rate     `default:"300/m" placeholder:"RATE" help:"Quota of requests of an API key without its own; \"off\" for none (default ${default})."`
	RateLimitBytes   byteRate `default:"off" placeholder:"RATE" help:"Quota of bytes sent to a client or an API key, such as 100MiB/m (default ${default})."`
	RateLimitBulk    byteRate `default:"1GiB/h" placeholder:"RATE" help:"Quota of bytes of /bulk/ sent to a client; \"off\" for none (default ${default})."`
	RateLimitBulkKey byteRate `default:"10GiB/h" placeholder:"RATE" help:"Quota of bytes of /bulk/ sent to an API key; \"off\" for none (default ${default})."`
	RateLimitStore   *string  `placeholder:"URL" help:"Redis that shares quotas between servers, redis://HOST:PORT/DATABASE, rediss:// or unix:// (default: none, each server counts alone)."`
	TrustedProxy     []proxy  `placeholder:"CIDR" help:"Network or address of a proxy whose forwarding header is trusted; may be repeated or a list with commas (default: none)."`
	LimitedClients   string   `enum:"prefix,address,none" default:"prefix" help:"How the log and the overview identify clients over their quota: ${enum} (default ${default}, the /24 or /48 of the address)."`
	ForwardedHeader  string   `enum:"x-forwarded-for,forwarded" default:"x-forwarded-for" help:"Header in which trusted proxies name the client: ${enum} (default ${default})."`
}

// config returns the settings that may change while the server runs.
func (f *limitFlags) config() admission.Config {
	config := admission.Config{
		Anonymous: f.RateLimit.Policy,
		Pages:     f.pagePolicy(),
		Key:       f.RateLimitKey.Policy,
		Bytes:     f.RateLimitBytes.Policy,
		Bulk:      f.RateLimitBulk.Policy,
		BulkKey:   f.RateLimitBulkKey.Policy,
		Forwarded: clientip.XForwardedFor,
		Refused:   map[string]admission.Naming{"prefix": admission.ByPrefix, "address": admission.ByAddress, "none": admission.ByNothing}[f.LimitedClients],
	}
	if f.ForwardedHeader == "forwarded" {
		config.Forwarded = clientip.Forwarded
	}
	for _, p := range f.TrustedProxy {
		config.TrustedProxies = append(config.TrustedProxies, p.Prefix)
	}
	return config
}

// pagePolicy returns the quota of pages. It is larger than that of the API, because many
// people may share an address.
func (f *limitFlags) pagePolicy() ratelimit.Policy {
	if f.RateLimitPages != nil {
		return f.RateLimitPages.Policy
	}
	return ratelimit.Policy{Quota: pagesToRequests * f.RateLimit.Quota, Window: f.RateLimit.Window}
}

// pagesToRequests is the default quota of pages, as a multiple of the quota of requests.
const pagesToRequests = 5

// limitSettings are the names of the flags that [limits.configure] applies.
var limitSettings = []string{"rate-limit", "rate-limit-pages", "rate-limit-key", "rate-limit-bytes", "rate-limit-bulk", "rate-limit-bulk-key", "limited-clients", "trusted-proxy", "forwarded-header"}

// limits are the gate of requests and its parts.
type limits struct {
	gate       *admission.Gate
	keys       *follow.KeyFollower    // nil for a distribution without a list of API keys
	stats      func() ratelimit.Stats // of the limiter in use
	shared     bool                   // whether the limiter is a Redis
	background []func(context.Context)
}

// limits returns a gate that reads the API keys of the store or of a list. It connects to nothing
// before its background functions run.
func (f *limitFlags) limits(from served, log *slog.Logger) (limits, error) {
	memory := ratelimit.NewMemory()
	l := limits{stats: memory.Stats}
	none := admission.NewKeys(nil, nil)
	keys := func() *admission.Keys { return none }
	if config, ok := from.apiKeys(); ok {
		config.Log, config.LastGood = log, from.lastGood
		l.keys = follow.NewKeyFollower(config)
		l.background = append(l.background, l.keys.Run)
		keys = l.keys.Keys
	}
	var limiter ratelimit.Store = memory
	if f.RateLimitStore != nil {
		redis, err := ratelimit.NewRedis(*f.RateLimitStore, memory, log)
		if err != nil {
			return limits{}, could{fmt.Errorf("--rate-limit-store: %w", err)}
		}
		limiter, l.stats, l.shared = redis, redis.Stats, true
		l.background = append(l.background, redis.Run)
	}
	l.gate = admission.New(limiter, keys, log, f.config())
	l.background = append(l.background, l.gate.LogRefusals)
	return l, nil
}

// configure applies new settings.
func (l *limits) configure(settings *serveCmd) error {
	l.gate.Configure(settings.config())
	return nil
}

// tiers returns the current quotas for the overview.
func (l *limits) tiers() []overview.Tier {
	config := l.gate.Config()
	return []overview.Tier{
		{Name: "Requests of a client without an API key", Limit: config.Anonymous.String()},
		{Name: "Requests of a client for pages of the site", Limit: config.Pages.String()},
		{Name: "Requests of an API key without a limit of its own", Limit: config.Key.String()},
		{Name: "Bytes sent to a client or an API key", Limit: config.Bytes.String()},
		{Name: "Bytes of bulk data sent to a client without an API key", Limit: config.Bulk.String()},
		{Name: "Bytes of bulk data sent to an API key", Limit: config.BulkKey.String()},
	}
}

// rate is a quota of requests.
type rate struct{ ratelimit.Policy }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *rate) UnmarshalText(text []byte) (err error) {
	r.Policy, _, err = ratelimit.ParsePolicy(string(text))
	return err
}

// byteRate is a quota of bytes: a [size] per time.
type byteRate struct{ ratelimit.Policy }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *byteRate) UnmarshalText(text []byte) error {
	amount, window, found := strings.Cut(string(text), "/")
	if !found && amount == "off" {
		r.Policy = ratelimit.Policy{}
		return nil
	}
	var bytes size
	if err := bytes.UnmarshalText([]byte(amount)); err != nil {
		return fmt.Errorf("%q is not a rate of bytes, such as 100MiB/m, or \"off\": %w", text, err)
	}
	policy, _, err := ratelimit.ParsePolicy(fmt.Sprintf("%d/%s", bytes, window))
	if err != nil {
		return fmt.Errorf("%q is not a rate of bytes, such as 100MiB/m, or \"off\": %w", text, err)
	}
	r.Policy = policy
	return nil
}

// MarshalText returns the rate with the largest unit of bytes that divides it.
func (r byteRate) MarshalText() ([]byte, error) {
	text := r.Policy.String()
	_, window, limited := strings.Cut(text, "/")
	if !limited {
		return []byte(text), nil
	}
	amount, err := size(r.Quota).MarshalText()
	return append(append(amount, '/'), window...), err
}

// proxy is the network of trusted proxies.
type proxy struct{ netip.Prefix }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (p *proxy) UnmarshalText(text []byte) (err error) {
	p.Prefix, err = clientip.ParseTrusted(strings.TrimSpace(string(text)))
	return err
}
