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

	decideTimeout = 5 * time.Millisecond // after it, the decision is local
	probeTimeout  = time.Second          // connecting included
	probeEvery    = time.Second / 4      // a short outage costs one interval of local counting

	maxConnections = 32   // to Redis
	maxWaiting     = 256  // decisions that wait for Redis at once
	maxQueued      = 4096 // charges that wait to be sent
	maxBatch       = 64   // charges sent together, so that Redis is never busy for long
)

//go:embed take.lua
var script string

// Redis keeps quotas in a Redis, version 5 or later, that several processes share. It uses
// the clock of that Redis, in microseconds. Each decision is one atomic script.
//
// A decision never fails and takes a few milliseconds at most. If Redis is slow, returns
// errors or has too many waiting decisions, the Memory decides. After several failures a
// circuit breaker lets the Memory decide until a probe succeeds. Each decision of Redis
// updates the Memory, which therefore starts from the debts of this process. Each decision
// also sends the local debt as a minimum, so debts survive a loss of the data in Redis. For a
// key that used several processes meanwhile, the largest local debt counts, not the sum.
//
// Redis has only hashes of keys. They do not protect IPv4 addresses from a search of all.
type Redis struct {
	local    *Memory
	client   *redis.Client
	script   *redis.Script
	breaker  breaker
	prefix   string
	deadline time.Duration
	waiting  chan struct{} // a semaphore: one element for each waiting decision
	queue    chan ask
	decided  atomic.Uint64
	unshared atomic.Uint64
}

// ask is one request to the script.
type ask struct {
	key    Key
	policy Policy // which limits
	cost   int64
	charge bool          // even beyond the quota
	owes   time.Duration // minimum debt before it
}

// answer is the result of an ask.
type answer struct {
	allowed bool
	owes    debt
}

// NewRedis returns a store in the Redis at a URL (redis, rediss or unix), with
// local as fallback. It does not connect: until Run does, local decides. An error does not
// include the URL, which may have a password.
func NewRedis(url string, local *Memory, log *slog.Logger) (*Redis, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("this is not the URL of a Redis: write redis://HOST:PORT/DATABASE, rediss:// for TLS, or unix:///PATH; write USER:PASSWORD@ before the host, with special characters percent-encoded")
	}
	options.Protocol = 2                // newer features are not needed
	options.DisableIdentity = true      // saves a command per connection
	options.MaxRetries = -1             // a retry would exceed the deadline
	options.DialerRetries = 1           // the next probe is the retry
	options.DialTimeout = probeTimeout  // continues after a decision timed out
	options.ReadTimeout = probeTimeout  // of commands without a shorter deadline
	options.WriteTimeout = probeTimeout // likewise
	options.ContextTimeoutEnabled = true
	options.PoolSize = maxConnections
	options.MaxActiveConns = maxConnections
	options.PoolTimeout = decideTimeout
	options.MinIdleConns = 0
	redis.SetLogger(&logging.VoidLogger{}) // unstructured lines; errors are returned as well

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

// noteAnswer updates the Memory.
func (r *Redis) noteAnswer(key Key, p Policy, got answer) {
	r.local.oweAtLeast(key, p, time.Duration(got.owes.up())*time.Microsecond)
}

// Charge implements Store. It queues the charge for Redis. If Redis is not available or the
// queue is full, it charges the Memory.
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

// owed returns the local debt of a key, as a minimum for Redis. A debt is a time from the
// moment of its receipt, so each transfer (to the Memory, and back) would add its delay, at
// most a deadline. Both deadlines are subtracted.
func (r *Redis) owed(key Key, p Policy) time.Duration {
	return max(r.local.owed(key, p)-2*r.deadline, 0)
}

// decide asks Redis. ok is false if the breaker is open, too many decisions wait, or Redis
// fails.
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
	// A client that disconnects must not count as a failure of Redis.
	got, err := r.runScript(context.WithoutCancel(ctx), r.deadline, a)
	r.breaker.asked(err)
	if err != nil {
		return answer{}, false
	}
	return got[0], true
}

// runScript runs all asks atomically and returns their answers in the same order.
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

// name returns the name of a key in Redis.
func (r *Redis) name(key Key) string {
	hidden := KeyOf(key[:])
	return r.prefix + hex.EncodeToString(hidden[:])
}

// Run connects to Redis, probes it while the breaker is open, and sends queued charges until
// ctx is done. Then it closes all connections and the Memory decides; Redis loses queued
// charges. It must be called at most once.
func (r *Redis) Run(ctx context.Context) {
	var work sync.WaitGroup
	work.Go(func() { r.probe(ctx) })
	work.Go(func() { r.send(ctx) })
	work.Wait()
	r.breaker.stop()
	_ = r.client.Close() // an error has no consequence
}

// probe pings Redis while the breaker is open.
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

// ping returns an error unless Redis decides within the deadline. A first, slower decision
// connects and loads the script.
func (r *Redis) ping(ctx context.Context) error {
	second := Policy{Quota: 1, Window: time.Second}
	probe := ask{key: KeyOf("probe"), policy: second, cost: 1, charge: true} // checks that Redis is writable
	if _, err := r.runScript(ctx, probeTimeout, probe); err != nil {
		return err
	}
	_, err := r.runScript(ctx, r.deadline, probe)
	return err
}

// send sends queued charges in batches.
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
