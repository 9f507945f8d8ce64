package operations

import (
	"runtime"
	"strconv"

	"golang.org/x/sync/singleflight"

	"vitrine/internal/response"
)

// renders makes pages: one at a time for all requests that ask for it meanwhile, and no
// more at a time than there are processors. A page that is large takes many times its
// size while it is made, and nobody has it sooner if all are begun at once.
type renders struct {
	running singleflight.Group // by generation and variant
	places  chan struct{}
}

func newRenders() *renders { return &renders{places: make(chan struct{}, runtime.GOMAXPROCS(0))} }

// document returns what make returns, or what it returned to another request of the key
// that is waited for. A panic is that of all who wait.
func (m *renders) document(k key, make func() (response.Document, error)) (response.Document, error) {
	made, err, _ := m.running.Do(strconv.FormatUint(k.generation, 10)+" "+k.variant, func() (any, error) {
		m.places <- struct{}{}
		defer func() { <-m.places }()
		return make()
	})
	if err != nil {
		return response.Document{}, err
	}
	return made.(response.Document), nil
}
