package operations

import (
	"fmt"
	"runtime"
	"sync"

	"vitrine/internal/contain"
	"vitrine/internal/response"
)

// renders makes pages: one at a time for all requests that ask for it meanwhile, and no
// more at a time than there are processors. A page that is large takes many times its
// size while it is made, and nobody has it sooner if all are begun at once. What was not
// begun when the last who asked for it has gone is not made.
type renders struct {
	places chan struct{}

	mu      sync.Mutex
	running map[key]*render // by generation and variant
}

// render is a page in the making.
type render struct {
	done      chan struct{} // closed when made and err are there
	made      response.Document
	err       error
	abandoned chan struct{} // closed when nobody waits any more
	waiting   int           // requests; of renders.mu
}

func newRenders() *renders {
	return &renders{places: make(chan struct{}, runtime.GOMAXPROCS(0)), running: map[key]*render{}}
}

// errGone ends the request of a client that waits no more.
var errGone = &response.Problem{Code: response.Overloaded, Detail: "the client has gone before its page was made"}

// document returns what produce returns, or what it returned to another request of the key
// that is waited for. A panic is an error of all who wait. Where gone is closed first,
// it returns errGone, and the others wait on; nil is never closed.
func (m *renders) document(k key, gone <-chan struct{}, produce func() (response.Document, error)) (response.Document, error) {
	of := m.join(k, produce)
	select {
	case <-of.done:
		return of.made, of.err
	case <-gone:
		m.leave(k, of)
		return response.Document{}, errGone
	}
}

// join returns the render of a key with one more who waits, and begins it where there is
// none.
func (m *renders) join(k key, produce func() (response.Document, error)) *render {
	m.mu.Lock()
	defer m.mu.Unlock()
	of, ok := m.running[k]
	if !ok {
		of = &render{done: make(chan struct{}), abandoned: make(chan struct{})}
		m.running[k] = of
		go m.run(k, of, produce)
	}
	of.waiting++
	return of
}

// leave takes one who waits from a render. The last one ends it, unless it has begun.
func (m *renders) leave(k key, of *render) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of.waiting--; of.waiting == 0 {
		close(of.abandoned)
		m.forget(k, of)
	}
}

// forget makes the next who asks begin anew. The lock is held.
func (m *renders) forget(k key, of *render) {
	if m.running[k] == of {
		delete(m.running, k)
	}
}

func (m *renders) run(k key, of *render, produce func() (response.Document, error)) {
	select {
	case m.places <- struct{}{}:
	case <-of.abandoned:
		return
	}
	defer func() { <-m.places }()
	select {
	case <-of.abandoned: // while it waited for its place
		return
	default:
	}
	of.err = contained(func() (err error) {
		of.made, err = produce()
		return err
	})
	close(of.done)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(k, of)
}

// contained returns the error of a function; a panic is one.
func contained(do func() error) (err error) {
	defer contain.Panic(&err, func(cause string) string { return fmt.Sprintf("panic: %s", cause) })
	return do()
}
