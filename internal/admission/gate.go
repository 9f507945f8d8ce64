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

	"vitrine/internal/clientip"
	"vitrine/internal/ratelimit"
	"vitrine/internal/response"
)

// Config is what may change while a gate is in use. The zero [ratelimit.Policy]
// is no limit.
type Config struct {
	Anonymous ratelimit.Policy // requests of a client that has no valid key
	Key       ratelimit.Policy // requests of a key that has no limit of its own
	Bytes     ratelimit.Policy // bytes of content sent to a client or to a key

	TrustedProxies []netip.Prefix  // as [clientip.ParseTrusted] returns them
	Forwarded      clientip.Header // in which they name the client
}

// Gate admits requests. Make one with [New]; a nil *Gate admits all, and says
// nothing of limits.
type Gate struct {
	store ratelimit.Store
	keys  func() *Keys
	log   *slog.Logger

	rules  atomic.Pointer[rules]
	warned atomic.Bool // that the word of a proxy does not count
}

// rules are a [Config], prepared.
type rules struct {
	clients   *clientip.Resolver
	forwarded string // a canonical header name
	anonymous lane
	key       lane
	bytes     quota
}

// New makes a gate that counts in store. Keys returns the valid API keys, nil
// while they are not known; it is called once a request and must be quick.
func New(store ratelimit.Store, keys func() *Keys, log *slog.Logger, config Config) *Gate {
	g := &Gate{store: store, keys: keys, log: log}
	g.Configure(config)
	return g
}

// Configure makes config hold for all requests from now on. What clients have
// taken already stays taken.
func (g *Gate) Configure(config Config) {
	bytes := newQuota("bytes", config.Bytes, `;qu="content-bytes"`)
	g.rules.Store(&rules{
		clients:   clientip.New(config.TrustedProxies, config.Forwarded),
		forwarded: http.CanonicalHeaderKey(string(config.Forwarded)),
		anonymous: newLane(newQuota(nameAnonymous, config.Anonymous, ""), bytes),
		key:       newLane(newQuota(nameKey, config.Key, ""), bytes),
		bytes:     bytes,
	})
}

// Admit takes one request from the quota of whoever sent r (contract, "Rate
// limit"), and sets the headers of the response that tell what is left of it.
// The error is a [*response.Problem]: the quota is spent, or the API key is not
// valid. A request that is refused because the quota is spent costs nothing.
//
// While no keys are known, callers with a key are anonymous: a store that is
// down must not lock them out.
func (g *Gate) Admit(r *http.Request, header http.Header) (Pass, error) {
	if g == nil {
		return Pass{}, nil
	}
	rules := g.rules.Load()
	a, valid := g.account(r, rules)
	if err := g.take(r.Context(), a, header); err != nil {
		return Pass{}, err
	}
	if !valid {
		return Pass{}, &response.Problem{
			Code:   response.InvalidAPIKey,
			Detail: "the X-API-Key is not known here or was revoked; send a valid one, or none for the anonymous quota",
		}
	}
	return Pass{g.store, a.bytes, a.lane.bytes.policy}, nil
}

// Pass is an admitted request. The zero Pass is free of charge.
type Pass struct {
	store ratelimit.Store
	key   ratelimit.Key
	bytes ratelimit.Policy
}

// Sent charges the content of a response, in bytes, to whoever asked for it.
// Call it before they are sent: what many ask for at once is then in the books
// when the next request comes.
func (p Pass) Sent(ctx context.Context, bytes int) {
	if p.bytes.Quota > 0 {
		p.store.Charge(ctx, p.key, p.bytes, int64(bytes))
	}
}

// account is what a request is charged to.
type account struct {
	lane            *lane
	requests, bytes ratelimit.Key
}

// account returns what to charge a request to, and false if its API key is not
// valid: then it is charged to its client.
func (g *Gate) account(r *http.Request, rules *rules) (a account, valid bool) {
	presented := r.Header["X-Api-Key"]
	if !isPresent(presented) {
		return g.anonymous(r, rules), true
	}
	keys := g.keys()
	if keys == nil {
		return g.anonymous(r, rules), true
	}
	holder, valid := keys.find(presented)
	if !valid {
		return g.anonymous(r, rules), false
	}
	a = account{lane: &rules.key, requests: holder.requests, bytes: holder.bytes}
	if holder.own != nil {
		own := newLane(*holder.own, rules.bytes)
		a.lane = &own
	}
	return a, true
}

// Kinds of what is counted, which keep its keys apart.
const (
	clientRequests = 'a'
	clientBytes    = 'b'
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

func (g *Gate) anonymous(r *http.Request, rules *rules) account {
	if rules.anonymous.policies == nil {
		return account{lane: &rules.anonymous} // it does not matter who it is
	}
	forwarded := r.Header[rules.forwarded]
	caller := rules.clients.Caller(r.RemoteAddr, forwarded)
	if !g.warned.Load() && (!caller.Trusted || forwarded == nil) {
		g.suspect(r, caller)
	}
	a := account{lane: &rules.anonymous}
	client := caller.Client()
	if a.lane.requests.limits() {
		a.requests = clientKey(clientRequests, client)
	}
	if a.lane.bytes.limits() {
		a.bytes = clientKey(clientBytes, client)
	}
	return a
}

// suspect warns once if a request looks like one of the site's own proxy whose
// word does not count: all who come through it would share one quota, and
// nothing else would say why.
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

// take takes one request from an account, if there are bytes left as well, and
// says in the header what is left.
func (g *Gate) take(ctx context.Context, a account, header http.Header) error {
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
