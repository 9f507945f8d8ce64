package response

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Counted is the size in bytes from which on a body counts for a [Budget]. Smaller bodies
// take less memory than the connection that they are sent on.
const Counted = 16 << 10

// ErrNoRoom means that there was no memory for a body in time.
var ErrNoRoom = errors.New("no room for the body in time")

// The bounds of waiting for room.
const (
	maxWait    = 10 * time.Second
	maxWaiting = 256 // requests
)

// Client identifies a client: an address or an API key.
type Client [16]byte

// Budget bounds the memory of bodies that are being made and sent. Memory for a body is
// reserved before it is made, and released when its clients have received it. A body counts
// once toward the budget, and once toward each client that receives it.
//
// A client gets memory for one body if there is any. It gets more as long as it holds no
// more than is then left for others. So a single client gets half of the budget, and no client
// locks the others out. Places in the queue are shared by the same rule. Clients take turns, not
// requests, so that many requests of one client do not delay those of another.
//
// A body larger than the whole budget is allowed in addition, one at a time: at most the budget
// and the largest body are held. A *Budget is safe for concurrent use.
type Budget struct {
	most   int64
	makers int // 0 for no bound

	mu       sync.Mutex
	held     int64
	oversize int // bodies larger than the budget, which do not count in held
	making   int // bodies that are being made
	turn     uint64
	accounts map[Client]*account // of clients that hold memory or wait
	spare    []*account          // for reuse
	waiting  []*waiter           // in the order of arrival
}

// account is the memory of a client.
type account struct {
	client  Client
	held    int64
	claims  []claim
	making  int
	waiting int
	turn    uint64 // when it last got memory for a body to be made
}

// claim is a body that is being sent to one or more requests of a client.
type claim struct {
	body     *Body
	weight   int64
	requests int
}

// audience counts the clients that are being sent a body. The lock of the budget guards it.
type audience struct {
	clients int
	weight  int64 // of the body in bytes when the first of them requested it
}

// want is the memory that a request needs: that of a body, or a number of bytes for one to be
// made.
type want struct {
	body  *Body
	bytes int64 // if body is nil
}

type waiter struct {
	account *account
	want    want
	granted chan Hold // of capacity 1
}

// Hold is the memory that a request holds in a budget. The zero Hold holds none.
type Hold struct {
	budget  *Budget
	account *account
	want    want
}

// NewBudget returns a budget of most bytes. At most makers bodies are made concurrently; 0
// means no bound.
func NewBudget(most int64, makers int) *Budget {
	return &Budget{most: most, makers: makers, accounts: map[Client]*account{}}
}

// Take holds the memory of an existing body. It waits for the memory if necessary.
func (b *Budget) Take(ctx context.Context, c Client, body *Body) (Hold, error) {
	return b.hold(ctx, c, want{body: body})
}

// TryTake is Take without waiting.
func (b *Budget) TryTake(c Client, body *Body) (Hold, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tryHold(c, want{body: body})
}

// Reserve holds bytes of memory for a body that is to be made. It waits for the memory, and for
// its turn, if necessary. See [Hold.Keep].
func (b *Budget) Reserve(ctx context.Context, c Client, bytes int64) (Hold, error) {
	return b.hold(ctx, c, want{bytes: bytes})
}

// TryReserve is Reserve without waiting.
func (b *Budget) TryReserve(c Client, bytes int64) (Hold, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tryHold(c, want{bytes: bytes})
}

// hold returns ErrNoRoom if there is no memory in time, if too many requests wait, and if ctx
// ends.
func (b *Budget) hold(ctx context.Context, c Client, w want) (Hold, error) {
	b.mu.Lock()
	h, ok := b.tryHold(c, w)
	if ok {
		b.mu.Unlock()
		return h, nil
	}
	me, ok := b.enqueue(c, w)
	b.mu.Unlock()
	if !ok {
		return Hold{}, ErrNoRoom
	}
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	select {
	case h := <-me.granted:
		return h, nil
	case <-ctx.Done():
		return b.giveUp(me)
	}
}

func (b *Budget) tryHold(c Client, w want) (Hold, bool) {
	a := b.accounts[c]
	if !b.fits(a, w) {
		return Hold{}, false
	}
	if a == nil {
		a = b.open(c)
	}
	return b.grant(a, w), true
}

// fits reports whether a client can get the memory that it wants. a is nil for a client without
// memory.
func (b *Budget) fits(a *account, w want) bool {
	weight, more := w.bytes, w.bytes
	if w.body == nil {
		if b.makers > 0 && b.making >= b.makers {
			return false
		}
	} else {
		if a != nil && a.claim(w.body) != nil {
			return true
		}
		weight = w.body.audience.weight
		if w.body.audience.clients == 0 {
			weight = int64(w.body.Weight())
			more = weight
		}
	}
	if more > b.most {
		return b.oversize == 0 && (a == nil || a.held == 0)
	}
	if b.held+more > b.most {
		return false
	}
	return a == nil || a.held == 0 || a.held+weight <= b.most-b.held-more
}

// grant reserves the memory for a client, whether it fits or not.
func (b *Budget) grant(a *account, w want) Hold {
	if w.body != nil {
		b.claim(a, w.body)
		return Hold{b, a, w}
	}
	b.count(w.bytes)
	a.held += w.bytes
	a.making++
	b.making++
	b.turn++
	a.turn = b.turn
	return Hold{b, a, w}
}

// claim counts a body for a client, whether it fits or not.
func (b *Budget) claim(a *account, body *Body) {
	if c := a.claim(body); c != nil {
		c.requests++
		return
	}
	if body.audience.clients == 0 {
		body.audience.weight = int64(body.Weight())
		b.count(body.audience.weight)
	}
	body.audience.clients++
	a.held += body.audience.weight
	a.claims = append(a.claims, claim{body, body.audience.weight, 1})
}

// Held reports whether the hold holds memory.
func (h *Hold) Held() bool { return h.budget != nil }

// Keep turns a reservation into the hold of the body that was made, or of an equal one that
// another request made. The body must not be larger than the reservation. The next body may
// then be made.
func (h *Hold) Keep(body *Body) {
	b := h.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.claim(h.account, body)
	b.unreserve(h.account, h.want.bytes)
	h.want = want{body: body}
	b.grantWaiting()
}

// Release releases the memory. Later calls do nothing.
func (h *Hold) Release() {
	b := h.budget
	if b == nil {
		return
	}
	h.budget = nil
	b.mu.Lock()
	defer b.mu.Unlock()
	if h.want.body == nil {
		b.unreserve(h.account, h.want.bytes)
	} else {
		b.unclaim(h.account, h.want.body)
	}
	b.close(h.account)
	b.grantWaiting()
}

func (b *Budget) unreserve(a *account, bytes int64) {
	b.discount(bytes)
	a.held -= bytes
	a.making--
	b.making--
}

func (b *Budget) unclaim(a *account, body *Body) {
	c := a.claim(body)
	if c.requests--; c.requests > 0 {
		return
	}
	a.held -= c.weight
	last := len(a.claims) - 1
	*c = a.claims[last]
	a.claims[last] = claim{}
	a.claims = a.claims[:last]
	if body.audience.clients--; body.audience.clients == 0 {
		b.discount(body.audience.weight)
	}
}

// grantWaiting grants waiting requests what fits now.
func (b *Budget) grantWaiting() {
	for {
		best := -1
		for i, w := range b.waiting {
			if b.fits(w.account, w.want) && (best < 0 || w.account.turn < b.waiting[best].account.turn) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		w := b.waiting[best]
		b.waiting = slices.Delete(b.waiting, best, best+1)
		w.account.waiting--
		w.granted <- b.grant(w.account, w.want)
	}
}

// enqueue adds a request to the queue; ok is false if the client has no place left.
func (b *Budget) enqueue(c Client, w want) (me *waiter, ok bool) {
	a := b.accounts[c]
	if left := maxWaiting - len(b.waiting); left == 0 || a != nil && a.waiting >= left {
		return nil, false
	}
	if a == nil {
		a = b.open(c)
	}
	a.waiting++
	me = &waiter{account: a, want: w, granted: make(chan Hold, 1)}
	b.waiting = append(b.waiting, me)
	return me, true
}

// giveUp leaves the queue, unless memory was granted meanwhile.
func (b *Budget) giveUp(me *waiter) (Hold, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.Index(b.waiting, me)
	if at < 0 {
		return <-me.granted, nil
	}
	b.waiting = slices.Delete(b.waiting, at, at+1)
	me.account.waiting--
	b.close(me.account)
	return Hold{}, ErrNoRoom
}

// count adds bytes to the held ones.
func (b *Budget) count(bytes int64) {
	if bytes > b.most {
		b.oversize++
	} else {
		b.held += bytes
	}
}

// discount reverts count.
func (b *Budget) discount(bytes int64) {
	if bytes > b.most {
		b.oversize--
	} else {
		b.held -= bytes
	}
}

// open returns a new account of a client.
func (b *Budget) open(c Client) *account {
	var a *account
	if last := len(b.spare) - 1; last >= 0 {
		a, b.spare = b.spare[last], b.spare[:last]
	} else {
		a = &account{}
	}
	a.client = c
	b.accounts[c] = a
	return a
}

// close forgets an account that holds nothing and does not wait.
func (b *Budget) close(a *account) {
	if len(a.claims)+a.making+a.waiting > 0 {
		return
	}
	delete(b.accounts, a.client)
	if len(b.spare) < maxSpare {
		*a = account{claims: a.claims}
		b.spare = append(b.spare, a)
	}
}

// maxSpare bounds the accounts that are kept for reuse.
const maxSpare = 64

func (a *account) claim(body *Body) *claim {
	for i := range a.claims {
		if a.claims[i].body == body {
			return &a.claims[i]
		}
	}
	return nil
}

// Usage is the usage of a budget.
type Usage struct {
	Held    int64 // bytes, without a body that is larger than the budget
	Most    int64 // bytes
	Clients int   // that hold memory or wait
	Waiting int   // requests
}

// Usage returns the current usage of the budget.
func (b *Budget) Usage() Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Usage{Held: b.held, Most: b.most, Clients: len(b.accounts), Waiting: len(b.waiting)}
}
