package operations_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// An answer that is kept costs two allocations, its request id and the header
// that it stands in, whatever its size: what it takes to make an answer, and to share
// out the memory for it, is not paid by those who find one.
func TestKeptAnswersAllocateLittle(t *testing.T) {
	h := bundledHandler(t, nil)
	for _, request := range benchRequests {
		t.Run(request.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, request.path, nil)
			r.Header = request.header
			w := &nowhere{header: http.Header{}}
			answer := func() {
				clear(w.header)
				h.ServeHTTP(w, r)
			}
			answer() // and make it
			h.AwaitPrepared()
			if n := testing.AllocsPerRun(200, answer); n > 2 {
				t.Errorf("%v allocations, want 2", n)
			}
		})
	}
}
