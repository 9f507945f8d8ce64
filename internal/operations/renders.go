package operations

import (
	"fmt"
	"runtime"
	"sync"

	"vitrine/internal/contain"
	"vitrine/internal/response"
)

// renders renders pages. Concurrent requests for a page share one render, and at most one
// render per processor runs at a time: rendering a large page takes many times its size in
// memory, and more concurrency would finish none sooner. A render that has not started
// when its last request is cancelled is dropped.
type renders struct {
	places chan struct{}

	mu      sync.Mutex
	running map[key]*render // by generation and variant
}

// render is a page that is being rendered.
type render struct {
	done      chan struct{} // closed when made and err are final
	made      response.Document
	err       error
	abandoned chan struct{} // closed when no request waits
	waiting   int           // requests; guarded by renders.mu
}

func newRenders() *renders {
	return &renders{places: make(chan struct{}, runtime.GOMAXPROCS(0)), running: map[key]*render{}}
}

// errGone ends a cancelled request.
var errGone = &response.Problem{Code: response.Overloaded, Detail: "the client has gone before its page was made"}

// document returns the result of produce, which concurrent requests with the same key
// share. A panic is an error of all of them. If gone is closed first, document returns
// errGone to this request alone. A nil gone is never closed.
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

// join adds a waiting request to the render of a key, which it starts if there is none.
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

// leave removes a waiting request from a render. The last one cancels it, unless it has
// started.
func (m *renders) leave(k key, of *render) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of.waiting--; of.waiting == 0 {
		close(of.abandoned)
		m.forget(k, of)
	}
}

// forget makes the next request of the key start another render. The caller holds mu.
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
	case <-of.abandoned: // while it waited for a place
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

// contained returns the error of do, or its panic as an error.
func contained(do func() error) (err error) {
	defer contain.Panic(&err, func(cause string) string { return fmt.Sprintf("panic: %s", cause) })
	return do()
}
