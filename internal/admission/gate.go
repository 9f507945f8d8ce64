// Package admission applies quotas to requests: it identifies the client by address or API
// key, takes from its quota and sets the headers that describe it.
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

// Config is the configuration of a gate. The zero [ratelimit.Policy] is no limit.
type Config struct {
	Anonymous ratelimit.Policy // requests of a client without a valid key
	Pages     ratelimit.Policy // of pages, of feeds and of bulk data, counted separately
	Key       ratelimit.Policy // requests of a key without its own limit
	Bytes     ratelimit.Policy // bytes of content sent to a client or to a key, without bulk data
	Bulk      ratelimit.Policy // bytes of bulk data sent to a client without a valid key
	BulkKey   ratelimit.Policy // bytes of bulk data sent to a key

	Refused Naming // how rate-limited clients are named

	TrustedProxies []netip.Prefix  // as [clientip.ParseTrusted] returns them
	Forwarded      clientip.Header // the header in which they name the client
}

// Class selects the quota of a client without a key that a request is charged to. A key
// has one quota for all classes.
type Class uint8

// The classes of requests.
const (
	API  Class = iota // the API
	Page              // pages; many people may share one address
	Feed              // sitemaps and feeds; a crawler of pages can still read them
	Bulk              // files of the distribution, whose bytes have their own quota
)

// Gate admits requests. [New] creates one. A nil *Gate admits all requests and sets no headers.
type Gate struct {
	store ratelimit.Store
	keys  func() *Keys
	log   *slog.Logger

	refusals *refusals

	rules  atomic.Pointer[rules]
	warned atomic.Bool // by suspect
}

// rules are a prepared [Config].
type rules struct {
	config    Config
	clients   *clientip.Resolver
	forwarded string // a canonical header name
	anonymous lane
	pages     lane
	feeds     lane
	bulk      lane
	key       lane
	bytes     quota
	bulkKey   quota // of bytes
}

// New returns a gate that counts in store. keys returns the API keys, or nil while they are
// not loaded. It is called for each request with a key and must be fast.
func New(store ratelimit.Store, keys func() *Keys, log *slog.Logger, config Config) *Gate {
	g := &Gate{store: store, keys: keys, log: log, refusals: newRefusals(time.Now())}
	g.Configure(config)
	return g
}

// Configure replaces the configuration. Debts of clients stay.
func (g *Gate) Configure(config Config) {
	g.refusals.name(config.Refused)
	bytes := newQuota(nameBytes, config.Bytes, ofBytes)
	g.rules.Store(&rules{
		config:    config,
		clients:   clientip.New(config.TrustedProxies, config.Forwarded),
		forwarded: http.CanonicalHeaderKey(string(config.Forwarded)),
		anonymous: newLane(newQuota(nameAnonymous, config.Anonymous, ""), bytes),
		pages:     newLane(newQuota(namePages, config.Pages, ""), bytes),
		feeds:     newLane(newQuota(nameFeeds, config.Pages, ""), bytes),
		bulk:      newLane(newQuota(nameBulk, config.Pages, ""), newQuota(nameBulkBytes, config.Bulk, ofBytes)).advising(bulkAdvice),
		key:       newLane(newQuota(nameKey, config.Key, ""), bytes),
		bytes:     bytes,
		bulkKey:   newQuota(nameBulkBytes, config.BulkKey, ofBytes),
	})
}

// Config returns the current configuration; that of a nil Gate has no limits.
func (g *Gate) Config() Config {
	if g == nil {
		return Config{}
	}
	return g.rules.Load().config
}

// Admit takes one request from the quota of the client (docs/api.md#quotas), and sets the
// headers that describe the quota. The error is a [*response.Problem]: the quota is
// exhausted, the API key is invalid, or the keys are not loaded. A request over quota costs
// nothing. A request with an invalid key is charged to the API quota of its address,
// whatever its class. With an error, the Pass has only the name of the key.
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

// Free returns the pass of a request without charge.
func (g *Gate) Free() Pass {
	if g == nil {
		return Pass{}
	}
	return Pass{rules: g.rules.Load()}
}

// Client returns the address that a request is counted by (see [clientip.Caller.Client]),
// also for requests with a key. A nil Gate trusts no proxy.
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

// Taker returns the key that identifies the sender of r: a client or the holder of an API
// key. Without a gate it is the zero Key for all.
func (p Pass) Taker(r *http.Request) ratelimit.Key {
	if p.rules == nil || p.taker != (ratelimit.Key{}) {
		return p.taker
	}
	caller := p.rules.clients.Caller(r.RemoteAddr, r.Header[p.rules.forwarded])
	return clientKey(clientRequests, caller.Client())
}

// Key returns the name of the API key that was sent, also of an expired one; "" without a
// known key.
func (p Pass) Key() string { return p.key }

// Sent charges the bytes of a response body. Call it before sending, so that concurrent
// requests of the client are charged in time.
func (p Pass) Sent(ctx context.Context, bytes int) {
	if p.bytes.Quota > 0 {
		p.store.Charge(ctx, p.account, p.bytes, int64(bytes))
	}
}

// holder returns the holder of the API key of a request, nil without a key. The error tells
// why the key is rejected; an expired key has both.
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

// count counts a request of a holder, unless it is nil.
func (h *holder) count(admitted bool) {
	switch {
	case h == nil:
	case admitted:
		h.uses.admitted.Add(1)
	default:
		h.uses.refused.Add(1)
	}
}

// account has the keys that a request is charged to.
type account struct {
	lane            *lane
	requests, bytes ratelimit.Key
}

// account returns the account of a holder or, for nil, of the client.
func (g *Gate) account(r *http.Request, class Class, rules *rules, h *holder) account {
	if h == nil {
		return g.anonymous(r, class, rules)
	}
	a, bytes := account{lane: &rules.key, requests: h.requests, bytes: h.bytes}, rules.bytes
	if class == Bulk {
		a.bytes, bytes = h.bulk, rules.bulkKey
	}
	switch {
	case h.own != nil:
		own := newLane(*h.own, bytes)
		a.lane = &own
	case class == Bulk:
		bulk := newLane(rules.key.requests, bytes)
		a.lane = &bulk
	}
	if class == Bulk {
		a.lane.advice = bulkAdvice
	}
	return a
}

// Prefixes that keep keys of different quotas distinct.
const (
	clientRequests = 'a'
	clientBytes    = 'b'
	clientPages    = 'p'
	clientFeeds    = 'f'
	clientBulk     = 'u'
	clientVolume   = 'v' // bytes of bulk data
	keyRequests    = 'k'
	keyBytes       = 'l'
	keyVolume      = 'w'
)

// clientKey returns the key of a client, which [clientip.Caller.Client] returned. It is the
// address itself, which needs no hashing. The ninth of its 16 bytes has the kind: it is 0 in
// IPv4 addresses and after the /64 of IPv6 ones. Other keys are hashes, so a collision is as
// unlikely as between hashes.
func clientKey(kind byte, client netip.Addr) ratelimit.Key {
	key := ratelimit.Key(client.As16())
	key[8] = kind
	return key
}

func (g *Gate) anonymous(r *http.Request, class Class, rules *rules) account {
	a, kind, bytes := account{lane: &rules.anonymous}, byte(clientRequests), byte(clientBytes)
	switch class {
	case Page:
		a.lane, kind = &rules.pages, clientPages
	case Feed:
		a.lane, kind = &rules.feeds, clientFeeds
	case Bulk:
		a.lane, kind, bytes = &rules.bulk, clientBulk, clientVolume
	}
	if a.lane.policies == nil {
		return a // no limits, so no key is needed
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
		a.bytes = clientKey(bytes, client)
	}
	return a
}

// suspect warns once if a request seems to come through an untrusted proxy of the site. All
// clients of such a proxy share one quota, and nothing else shows the cause.
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
		g.log.Warn("a trusted proxy does not send the configured header: all its clients share one quota",
			"peer", peer.String(), "remedy", "set --forwarded-header to the header that the proxy sends")
		return
	}
	g.log.Warn("an untrusted peer in a private network forwards requests: all its clients share one quota",
		"peer", peer.String(), "remedy", "if it is your proxy, set --trusted-proxy "+peer.String())
}

// takeOne takes one request from an account if its quota of bytes is not exhausted, and sets
// the headers.
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
		Detail:     "the quota is exhausted; retry after the seconds in Retry-After; RateLimit-Policy has the quota" + a.lane.advice,
		RetryAfter: max(1, requests.wait(units), bytes.wait(left)),
	}
}
