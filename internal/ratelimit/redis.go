package ratelimit

import (
	"context"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
)

const (
	prefix = "vitrine:limit:" // of all keys in Redis

	decideTimeout = 5 * time.Millisecond // then a decision is made locally
	probeTimeout  = time.Second          // connecting included
	probeEvery    = time.Second / 4      // so long a short failure makes this process count alone

	maxConnections = 32   // to Redis
	maxWaiting     = 256  // decisions that wait for Redis at once
	maxQueued      = 4096 // charges that wait to be sent
	maxBatch       = 64   // charges sent at once, so that Redis is not kept busy long
)

//go:embed take.lua
var script string

// Redis keeps what keys owe in a Redis, version 5 or later, that several
// processes share, by the clock of that Redis, in microseconds. Each decision is
// one atomic step there.
//
// A decision never fails and never takes long. Where Redis does not answer within
// a few milliseconds, refuses, or has too many waiting for it, the Memory decides.
// After some failures in a row the Memory decides alone, until a probe finds Redis
// quick again. The Memory is told of every decision of Redis, so it starts from what
// the keys of this process owe. Redis is told with every decision what the key owes
// here: so nobody is freed of a debt when Redis comes back, perhaps with nothing in
// it. If a key took from several processes while Redis was away, it then owes the
// most that one of them knows of, not the sum.
//
// Redis sees hashes of keys only. They hide the names from a glance, not from
// somebody who tries out all of them, as can be done with IPv4 addresses.
type Redis struct {
	local    *Memory
	client   *redis.Client
	script   *redis.Script
	breaker  breaker
	prefix   string
	deadline time.Duration
	waiting  chan struct{} // holds one for each that waits
	queue    chan ask
	decided  atomic.Uint64
	unshared atomic.Uint64
}

// ask is one thing to do in Redis.
type ask struct {
	key    Key
	policy Policy // which limits
	cost   int64
	charge bool          // even where it does not fit
	owes   time.Duration // before, whatever Redis knows of it
}

// answer is what Redis says to an ask.
type answer struct {
	allowed bool
	owes    debt
}

// NewRedis returns a store in the Redis at a URL (redis, rediss or unix), with
// local to fall back on. It does not connect: until Run does, all is decided
// locally. An error is about the URL, and shows nothing of it, as it may hold a
// password.
func NewRedis(url string, local *Memory, log *slog.Logger) (*Redis, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("this is not the URL of a Redis: write redis://HOST:PORT/DATABASE, rediss:// for TLS, or unix:///PATH; user and password stand before the host, parted by a colon and followed by an at sign, with what is special in them percent-encoded")
	}
	options.Protocol = 2                // nothing of the newer one is needed
	options.DisableIdentity = true      // one command less for a new connection
	options.MaxRetries = -1             // who retries is late
	options.DialerRetries = 1           // the next probe is the retry
	options.DialTimeout = probeTimeout  // goes on when a decision no longer waits for it
	options.ReadTimeout = probeTimeout  // of what has no shorter deadline
	options.WriteTimeout = probeTimeout // likewise
	options.ContextTimeoutEnabled = true
	options.PoolSize = maxConnections
	options.MaxActiveConns = maxConnections
	options.PoolTimeout = decideTimeout
	options.MinIdleConns = 0
	redis.SetLogger(&logging.VoidLogger{}) // its lines have no form; errors are returned as well

	return &Redis{
		local:    local,
		client:   redis.NewClient(options),
		script:   redis.NewScript(script),
		breaker:  breaker{log: log.With("redis", options.Addr), began: time.Now()},
		prefix:   prefix,
		deadline: decideTimeout,
		waiting:  make(chan struct{}, maxWaiting),
		queue:    make(chan ask, maxQueued),
	}, nil
}

// Take implements Store.
func (r *Redis) Take(ctx context.Context, key Key, p Policy, cost int64) Decision {
	if !p.limits() {
		return unlimited
	}
	got, ok := r.decide(ctx, ask{key: key, policy: p, cost: cost, owes: r.owed(key, p)})
	if !ok {
		return r.local.Take(ctx, key, p, cost)
	}
	r.decided.Add(1)
	r.noteAnswer(key, p, got)
	return rateOf(p, time.Microsecond).decision(got.owes, cost, got.allowed)
}

// noteAnswer tells the Memory of an answer.
func (r *Redis) noteAnswer(key Key, p Policy, got answer) {
	r.local.oweAtLeast(key, p, time.Duration(got.owes.up())*time.Microsecond)
}

// Charge implements Store. Redis hears of it a little later, or never, if it is
// away or more is charged than can be sent: then the Memory does.
func (r *Redis) Charge(ctx context.Context, key Key, p Policy, cost int64) {
	if !p.limits() || cost <= 0 {
		return
	}
	a := ask{key: key, policy: p, cost: cost, charge: true}
	if r.breaker.closed() {
		select {
		case r.queue <- a:
			return
		default:
		}
	}
	r.chargeHere(ctx, a)
}

func (r *Redis) chargeHere(ctx context.Context, a ask) {
	r.local.Charge(ctx, a.key, a.policy, a.cost)
	r.unshared.Add(1)
}

// owed returns what a key owes here, for Redis to go by if it knows of less. A debt
// is told to the Memory, and from here to Redis, as a time that begins when it is
// heard: on both ways it would grow by the delay, a deadline at most. So both
// deadlines are subtracted.
func (r *Redis) owed(key Key, p Policy) time.Duration {
	return max(r.local.owed(key, p)-2*r.deadline, 0)
}

// decide asks Redis, if it is to be asked and not too many do so already.
func (r *Redis) decide(ctx context.Context, a ask) (answer, bool) {
	if !r.breaker.closed() {
		return answer{}, false
	}
	select {
	case r.waiting <- struct{}{}:
		defer func() { <-r.waiting }()
	default:
		return answer{}, false
	}
	// That the client has gone away must not look like a failure of Redis.
	got, err := r.runScript(context.WithoutCancel(ctx), r.deadline, a)
	r.breaker.asked(err)
	if err != nil {
		return answer{}, false
	}
	return got[0], true
}

// runScript does all that is asked in one step and returns the answers in the same order.
func (r *Redis) runScript(ctx context.Context, limit time.Duration, asks ...ask) ([]answer, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	keys := make([]string, 0, len(asks))
	args := make([]any, 0, 6*len(asks))
	for _, a := range asks {
		keys = append(keys, r.name(a.key))
		rate := rateOf(a.policy, time.Microsecond)
		price := rate.price(a.cost)
		args = append(args, rate.quota, rate.window, price.ticks, price.part, a.charge, a.owes.Microseconds())
	}
	numbers, err := r.script.Run(ctx, r.client, keys, args...).Uint64Slice()
	if err != nil {
		return nil, err
	}
	if len(numbers) != 3*len(asks) {
		return nil, fmt.Errorf("Redis answered %d asks with %d numbers", len(asks), len(numbers))
	}
	answers := make([]answer, len(asks))
	for i := range answers {
		n := numbers[3*i:]
		answers[i] = answer{n[0] == 1, debt{n[1], n[2]}}
	}
	return answers, nil
}

// name returns what a key is called in Redis.
func (r *Redis) name(key Key) string {
	hidden := KeyOf(key[:])
	return r.prefix + hex.EncodeToString(hidden[:])
}

// Run connects to Redis, looks for it while it is away, and sends what is
// charged, until ctx is done. Then it closes all connections, and everything is
// decided locally; charges that were not sent by then are lost to Redis. It
// must be called once at most.
func (r *Redis) Run(ctx context.Context) {
	var work sync.WaitGroup
	work.Go(func() { r.probe(ctx) })
	work.Go(func() { r.send(ctx) })
	work.Wait()
	r.breaker.stop()
	_ = r.client.Close() // nothing is lost that could be said
}

// probe pings Redis for as long as it is not asked.
func (r *Redis) probe(ctx context.Context) {
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	for {
		if !r.breaker.closed() {
			if err := r.ping(ctx); ctx.Err() == nil {
				r.breaker.probed(err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// ping returns an error unless Redis decides as quickly as it must. A decision before
// that has the time to connect and to load the script.
func (r *Redis) ping(ctx context.Context) error {
	second := Policy{Quota: 1, Window: time.Second}
	nobody := ask{key: KeyOf("probe"), policy: second, cost: 1, charge: true} // it must be able to write
	if _, err := r.runScript(ctx, probeTimeout, nobody); err != nil {
		return err
	}
	_, err := r.runScript(ctx, r.deadline, nobody)
	return err
}

// send sends what is charged, as much as there is at once.
func (r *Redis) send(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case first := <-r.queue:
			batch := append(make([]ask, 0, maxBatch), first)
			for range min(len(r.queue), maxBatch-1) {
				batch = append(batch, <-r.queue)
			}
			r.sendBatch(ctx, batch)
		}
	}
}

func (r *Redis) sendBatch(ctx context.Context, batch []ask) {
	if r.breaker.closed() {
		answers, err := r.runScript(ctx, r.deadline, batch...)
		if ctx.Err() == nil {
			r.breaker.asked(err)
		}
		for i, got := range answers {
			r.noteAnswer(batch[i].key, batch[i].policy, got)
		}
		if err == nil {
			return
		}
	}
	for _, a := range batch {
		r.chargeHere(ctx, a)
	}
}
