package response

import (
	"sync"
	"sync/atomic"
)

// counted is the size in bytes from which on a body counts for a [Budget]. What
// is smaller is little beside the connection that it is sent on.
const counted = 16 << 10

// alike is how many bodies of a size have room whatever their size: the lists of
// a large catalogue, one a locale, must not keep each other from being sent.
const alike = 8

// Budget bounds the memory of the bodies that clients are taking at a time.
// Each body counts once, however many take it. Without a bound, clients that
// ask for ever other bodies and read slowly would fill the memory. It is safe
// for concurrent use.
type Budget struct {
	most int64
	held atomic.Int64
}

// NewBudget returns a budget of so many bytes.
func NewBudget(most int64) *Budget { return &Budget{most: most} }

// audience is who takes a body, as its budget sees it.
type audience struct {
	mu      sync.Mutex
	clients int
	weight  int64 // that the body counts with
}

// Hold counts a client of a body, or returns false: there is no room for the
// body beside the others. Eight bodies of its size always have. Call
// [Budget.Release] when the client has the body.
func (b *Budget) Hold(body *Body) bool {
	if !body.counts() {
		return true
	}
	a := &body.audience
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.clients == 0 {
		weight := int64(body.Weight())
		if held := b.held.Add(weight); held > b.most && held > alike*weight {
			b.held.Add(-weight)
			return false
		}
		a.weight = weight
	}
	a.clients++
	return true
}

// Release takes back a Hold that returned true.
func (b *Budget) Release(body *Body) {
	if !body.counts() {
		return
	}
	a := &body.audience
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.clients--; a.clients == 0 {
		b.held.Add(-a.weight)
	}
}

// Held returns the bytes that count now.
func (b *Budget) Held() int64 { return b.held.Load() }

// counts is the same for all of a body's life, its weight is not.
func (b *Body) counts() bool { return len(b.forms[identity].content) >= counted }
