package operations_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestCachedRepliesAllocateLittle checks that a cached reply costs two allocations of any size:
// the request id and the slice of its header. It must not pay for making a body or reserving
// memory.
func TestCachedRepliesAllocateLittle(t *testing.T) {
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
