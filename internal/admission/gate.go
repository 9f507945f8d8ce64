// Package admission decides whether a request is answered: who asks, by address
// or API key, how much they may still take, and what the response says of that.
//
// It must not know operations, stores or where keys are kept. A *Gate and *Keys
// are safe for concurrent use.
package admission

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"vitrine/internal/clientip"
	"vitrine/internal/ratelimit"
	"vitrine/internal/response"
)

// Config is what may change while a gate is in use. The zero [ratelimit.Policy]
// is no limit.
type Config struct {
	Anonymous ratelimit.Policy // requests of a client that has no valid key
	Pages     ratelimit.Policy // for pages and for feeds, each with its own count
	Key       ratelimit.Policy // requests of a key that has no limit of its own
	Bytes     ratelimit.Policy // bytes of content sent to a client or to a key

	Refused Naming // how rate-limited clients are named

	TrustedProxies []netip.Prefix  // as [clientip.ParseTrusted] returns them
	Forwarded      clientip.Header // in which they name the client
}

// Class selects the quota of a client without a key that a request is charged to. A key
// has one quota for all classes.
type Class uint8

// The classes of requests.
const (
	API  Class = iota // requests of programs
	Page              // pages for people, who may be many behind one address
	Feed              // sitemaps and feeds: reading pages must not make them fail halfway
)

// Gate admits requests. Make one with [New]; a nil *Gate admits all, and says
// nothing of limits.
type Gate struct {
	store ratelimit.Store
	keys  func() *Keys
	log   *slog.Logger

	refusals *refusals

	rules  atomic.Pointer[rules]
	warned atomic.Bool // by suspect
}

// rules are a [Config], prepared.
type rules struct {
	config    Config
	clients   *clientip.Resolver
	forwarded string // a canonical header name
	anonymous lane
	pages     lane
	feeds     lane
	key       lane
	bytes     quota
}

// New makes a gate that counts in store. Keys returns the API keys, nil
// while they are not known; it is called once a request and must be quick.
func New(store ratelimit.Store, keys func() *Keys, log *slog.Logger, config Config) *Gate {
	g := &Gate{store: store, keys: keys, log: log, refusals: newRefusals(time.Now())}
	g.Configure(config)
	return g
}

// Configure makes config hold for all requests from now on. What clients have
// taken already stays taken.
func (g *Gate) Configure(config Config) {
	g.refusals.name(config.Refused)
	bytes := newQuota("bytes", config.Bytes, `;qu="content-bytes"`)
	g.rules.Store(&rules{
		config:    config,
		clients:   clientip.New(config.TrustedProxies, config.Forwarded),
		forwarded: http.CanonicalHeaderKey(string(config.Forwarded)),
		anonymous: newLane(newQuota(nameAnonymous, config.Anonymous, ""), bytes),
		pages:     newLane(newQuota(namePages, config.Pages, ""), bytes),
		feeds:     newLane(newQuota(nameFeeds, config.Pages, ""), bytes),
		key:       newLane(newQuota(nameKey, config.Key, ""), bytes),
		bytes:     bytes,
	})
}

// Config returns what holds at present. A nil Gate has no limits.
func (g *Gate) Config() Config {
	if g == nil {
		return Config{}
	}
	return g.rules.Load().config
}

// Admit takes one request from the quota of the sender of r
// (docs/api.md#quotas), and sets the response headers that describe the quota.
// The error is a [*response.Problem]: the quota is spent, the API key is not
// valid, or the keys are not known yet. A request that is refused because the quota
// is spent costs nothing. One that is refused for its key is charged to the quota of its
// client for the API, whatever its class. With an error, the Pass has nothing but the
// name of the key.
func (g *Gate) Admit(r *http.Request, class Class, header http.Header) (Pass, error) {
	if g == nil {
		return Pass{}, nil
	}
	rules := g.rules.Load()
	holder, problem := g.holder(r)
	pass := Pass{key: holder.holderName()}
	if problem != nil {
		if refused := g.takeOne(r.Context(), g.anonymous(r, API, rules), header); refused != nil {
			g.refusals.add("", g.Client(r))
			return pass, refused
		}
		return pass, problem
	}
	a := g.account(r, class, rules, holder)
	refused := g.takeOne(r.Context(), a, header)
	holder.count(refused == nil)
	if refused != nil {
		g.refusals.add(holder.holderName(), g.Client(r))
		return pass, refused
	}
	pass.store, pass.account, pass.bytes = g.store, a.bytes, a.lane.bytes.policy
	pass.rules = rules
	if holder != nil {
		pass.taker = holder.requests
	}
	return pass, nil
}

// Free returns the pass of a request that is not charged.
func (g *Gate) Free() Pass {
	if g == nil {
		return Pass{}
	}
	return Pass{rules: g.rules.Load()}
}

// Client returns the client that a request comes from, as it is counted (see
// [clientip.Caller.Client]), whether it has a key or not. A nil Gate trusts no
// proxy.
func (g *Gate) Client(r *http.Request) netip.Addr {
	if g == nil {
		return clientip.New(nil, clientip.XForwardedFor).Caller(r.RemoteAddr, nil).Client()
	}
	rules := g.rules.Load()
	return rules.clients.Caller(r.RemoteAddr, r.Header[rules.forwarded]).Client()
}

// Pass is an admitted request. The zero Pass is free of charge.
type Pass struct {
	store   ratelimit.Store
	account ratelimit.Key
	bytes   ratelimit.Policy
	key     string
	rules   *rules
	taker   ratelimit.Key // the zero Key for a client without a key
}

// Taker identifies who sent r, the request that the pass is of: a client or the
// holder of an API key. Without a gate it is the zero Key for all.
func (p Pass) Taker(r *http.Request) ratelimit.Key {
	if p.rules == nil || p.taker != (ratelimit.Key{}) {
		return p.taker
	}
	caller := p.rules.clients.Caller(r.RemoteAddr, r.Header[p.rules.forwarded])
	return clientKey(clientRequests, caller.Client())
}

// Key returns the name of the API key that was sent, valid or not any more; ""
// for none that is known.
func (p Pass) Key() string { return p.key }

// Sent charges the content of a response, in bytes, to whoever asked for it.
// Call it before they are sent, so that the next request of a client finds charged
// what it asks for at the same time.
func (p Pass) Sent(ctx context.Context, bytes int) {
	if p.bytes.Quota > 0 {
		p.store.Charge(ctx, p.account, p.bytes, int64(bytes))
	}
}

// holder returns the holder of the API key of a request, nil for a request
// without one, and why the key does not count, nil if it does.
func (g *Gate) holder(r *http.Request) (*holder, error) {
	presented, several := presentedKey(r.Header)
	if presented == "" {
		return nil, nil
	}
	keys := g.keys()
	if keys == nil {
		return nil, &response.Problem{
			Code:   response.NotReady,
			Detail: "the API keys are not loaded yet; retry in a moment, or send no key to use the anonymous quota",
		}
	}
	if several {
		return nil, &response.Problem{
			Code:   response.InvalidAPIKey,
			Detail: "the request has different API keys; send one, as X-API-Key or as Authorization: Bearer",
		}
	}
	h := keys.holderOf(presented)
	if h == nil {
		return nil, &response.Problem{
			Code:   response.InvalidAPIKey,
			Detail: "the API key is unknown; send a valid one, or none to use the anonymous quota",
		}
	}
	now := time.Now()
	if h.expired(now) {
		return h, &response.Problem{
			Code:   response.InvalidAPIKey,
			Detail: "the API key has expired or was revoked; request a new one, or send none to use the anonymous quota",
		}
	}
	h.used(now)
	return h, nil
}

// holderName returns the name of a holder, "" for nil.
func (h *holder) holderName() string {
	if h == nil {
		return ""
	}
	return h.name
}

// count counts a request of a holder, or of nobody.
func (h *holder) count(admitted bool) {
	switch {
	case h == nil:
	case admitted:
		h.uses.admitted.Add(1)
	default:
		h.uses.refused.Add(1)
	}
}

// account is what a request is charged to.
type account struct {
	lane            *lane
	requests, bytes ratelimit.Key
}

// account returns what to charge a request to: the holder of its key or, for nil,
// its client.
func (g *Gate) account(r *http.Request, class Class, rules *rules, h *holder) account {
	if h == nil {
		return g.anonymous(r, class, rules)
	}
	a := account{lane: &rules.key, requests: h.requests, bytes: h.bytes}
	if h.own != nil {
		own := newLane(*h.own, rules.bytes)
		a.lane = &own
	}
	return a
}

// Kinds of what is counted, which keep its keys apart.
const (
	clientRequests = 'a'
	clientBytes    = 'b'
	clientPages    = 'p'
	clientFeeds    = 'f'
	keyRequests    = 'k'
	keyBytes       = 'l'
)

// clientKey returns the key of a client, as [clientip.Caller.Client] returns it.
// It is the address itself, which costs nothing to make; the ninth of its sixteen
// bytes is 0 in an IPv4 address and behind the /64 of an IPv6 one, and holds the
// kind. Hashes of other keys are as unlike it as they are unlike each other.
func clientKey(kind byte, client netip.Addr) ratelimit.Key {
	key := ratelimit.Key(client.As16())
	key[8] = kind
	return key
}

func (g *Gate) anonymous(r *http.Request, class Class, rules *rules) account {
	a, kind := account{lane: &rules.anonymous}, byte(clientRequests)
	switch class {
	case Page:
		a.lane, kind = &rules.pages, clientPages
	case Feed:
		a.lane, kind = &rules.feeds, clientFeeds
	}
	if a.lane.policies == nil {
		return a // without limits it does not matter who it is
	}
	forwarded := r.Header[rules.forwarded]
	caller := rules.clients.Caller(r.RemoteAddr, forwarded)
	if !g.warned.Load() && (!caller.Trusted || forwarded == nil) {
		g.suspect(r, caller)
	}
	client := caller.Client()
	if a.lane.requests.limits() {
		a.requests = clientKey(kind, client)
	}
	if a.lane.bytes.limits() {
		a.bytes = clientKey(clientBytes, client)
	}
	return a
}

// suspect warns once of a request that seems to come through a proxy of the site
// which is not trusted: all its clients share one quota, and nothing else would say
// why.
func (g *Gate) suspect(r *http.Request, caller clientip.Caller) {
	if r.Header["X-Forwarded-For"] == nil && r.Header["Forwarded"] == nil {
		return
	}
	peer := caller.Peer
	if !caller.Trusted && !peer.IsPrivate() && !peer.IsLoopback() && !peer.IsLinkLocalUnicast() {
		return // any client may send such a header
	}
	if !g.warned.CompareAndSwap(false, true) {
		return
	}
	if caller.Trusted {
		g.log.Warn("a trusted proxy names its clients in another header than the one that counts: they all share one quota",
			"peer", peer.String(), "remedy", "name the header that the proxy writes with --forwarded-header")
		return
	}
	g.log.Warn("a peer in a private network forwards requests and is not trusted: all its clients share one quota",
		"peer", peer.String(), "remedy", "if it is your proxy, name it with --trusted-proxy "+peer.String())
}

// takeOne takes one request from an account, if there are bytes left as well, and
// says in the header what is left.
func (g *Gate) takeOne(ctx context.Context, a account, header http.Header) error {
	requests, bytes := &a.lane.requests, &a.lane.bytes
	if a.lane.policies == nil {
		return nil
	}
	cost, spent := int64(1), false
	var left ratelimit.Decision
	if bytes.limits() {
		left = g.store.Take(ctx, a.bytes, bytes.policy, 0)
		if left.Remaining < 1 {
			cost, spent = 0, true
		}
	}
	var units ratelimit.Decision
	if requests.limits() {
		units = g.store.Take(ctx, a.requests, requests.policy, cost)
		spent = spent || !units.Allowed
	}
	a.lane.describe(header, units, left)
	if !spent {
		return nil
	}
	return &response.Problem{
		Code:       response.RateLimited,
		Detail:     "the quota is spent; Retry-After says when to come back, RateLimit-Policy how much there is",
		RetryAfter: max(1, requests.wait(units), bytes.wait(left)),
	}
}
