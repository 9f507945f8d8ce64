package operations_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bundled "vitrine/catalog"
	"vitrine/internal/admission"
	"vitrine/internal/bundle"
	"vitrine/internal/operations"
	"vitrine/internal/ratelimit"
	"vitrine/internal/snapshot"
)

// benchRequests are requests for the bundled catalogue.
var benchRequests = []struct {
	name, path string
	header     http.Header
}{
	{"page", "/api/open/chains?limit=20", nil},
	{"menu", "/api/open/nav/menus/defi", nil},
	{"menu-br", "/api/open/nav/menus/defi", http.Header{"Accept-Encoding": {"gzip, deflate, br, zstd"}}},
	{"not-modified", "/api/open/chains?limit=20", http.Header{"If-None-Match": {"*"}}},
	{"list-56K", "/api/open/chains?limit=290", nil},
	{"list-gzip", "/api/open/chains", http.Header{"Accept-Encoding": {"gzip"}}},
	{"list", "/api/open/chains", nil},
}

// bundledHandler serves the bundled catalogue.
func bundledHandler(b testing.TB, limits *admission.Gate) *operations.Handler {
	b.Helper()
	dir, err := bundle.Read(context.Background(), bundled.FS, bundle.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s := compile(b, dir.Catalog, 42)
	return newHandler(b, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, Gate: limits, CacheBytes: 64 << 20, MaxInFlight: 4096})
}

// BenchmarkHandler measures requests without the HTTP server.
func BenchmarkHandler(b *testing.B) { benchmarkHandler(b, bundledHandler(b, nil)) }

// BenchmarkLimitedHandler is BenchmarkHandler with a quota that is never exhausted.
func BenchmarkLimitedHandler(b *testing.B) {
	benchmarkHandler(b, bundledHandler(b, gate(1<<40, ratelimit.Policy{})))
}

func benchmarkHandler(b *testing.B, h *operations.Handler) {
	for _, request := range benchRequests {
		b.Run(request.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, request.path, nil)
			r.Header = request.header
			w := &nowhere{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				h.ServeHTTP(w, r)
			}
		})
	}
}

// BenchmarkObserved measures the first request of BenchmarkHandler with and without an observer.
func BenchmarkObserved(b *testing.B) {
	s := compile(b, fixture(b), 42)
	for _, observed := range []bool{false, true} {
		b.Run(fmt.Sprintf("observed=%v", observed), func(b *testing.B) {
			config := operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, CacheBytes: 1 << 20, MaxInFlight: 4096}
			var bytes atomic.Int64
			if observed {
				config.Observe = func(o operations.Outcome) { bytes.Add(int64(o.Bytes)) }
			}
			h := newHandler(b, config)
			r := httptest.NewRequest(http.MethodGet, "/api/open/chains", nil)
			w := &nowhere{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				h.ServeHTTP(w, r)
			}
		})
	}
}

// BenchmarkNewSearch measures searches that are not cached.
func BenchmarkNewSearch(b *testing.B) {
	h := bundledHandler(b, nil)
	w := &nowhere{header: http.Header{}}
	r := httptest.NewRequest(http.MethodGet, "/api/open/chains", nil)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		// A tag without records makes each search different.
		r.URL.RawQuery = fmt.Sprintf("q=net+%s&tag=mainnet,t%d&limit=20", []string{"eth", "one", "a", "main"}[i%4], i)
		clear(w.header)
		h.ServeHTTP(w, r)
	}
}

// BenchmarkNewPage measures pages that are not cached, compressed: the longest with the fields of
// lists and with all details, and 100 records by name.
func BenchmarkNewPage(b *testing.B) {
	h := bundledHandler(b, nil)
	w := &nowhere{header: http.Header{}}
	r := httptest.NewRequest(http.MethodGet, "/api/open/chains", nil)
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	names := "0x1"
	for id := 2; id <= 100; id++ {
		names += fmt.Sprintf(",%d", id)
	}
	for name, query := range map[string]string{"rows": "limit=1000", "details": "view=full", "names": "id=" + names} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				// A tag without records makes each request different.
				r.URL.RawQuery = fmt.Sprintf("%s&tag=mainnet,testnet,t%d", query, i)
				clear(w.header)
				h.ServeHTTP(w, r)
			}
		})
	}
}

// BenchmarkFirstAfterPublish measures the first request for the list of chains after a publish
// that renames one chain, with a warm and a cold cache. Warming is not measured.
func BenchmarkFirstAfterPublish(b *testing.B) {
	dir, err := bundle.Read(context.Background(), bundled.FS, bundle.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var snapshots [2]*snapshot.Snapshot
	for i := range snapshots {
		dir.Catalog.Chains[0].Name[0].Value += "!"
		snapshots[i] = compile(b, dir.Catalog, int64(i))
	}
	for _, warm := range []bool{false, true} {
		for _, encoding := range []string{"identity", "gzip", "br", "zstd"} {
			b.Run(fmt.Sprintf("warm=%v/%s", warm, encoding), func(b *testing.B) {
				current := snapshots[0]
				h := newHandler(b, operations.Config{Snapshot: func() *snapshot.Snapshot { return current }, CacheBytes: 64 << 20})
				r := httptest.NewRequest(http.MethodGet, "/api/open/chains", nil)
				r.Header.Set("Accept-Encoding", encoding)
				w := &nowhere{header: http.Header{}}
				h.ServeHTTP(w, r)
				var first time.Duration
				for i := 1; b.Loop(); i++ {
					current = snapshots[i%2]
					if warm {
						h.Warm(context.Background())
					}
					start := time.Now()
					h.ServeHTTP(w, r)
					first += time.Since(start)
				}
				b.ReportMetric(float64(first.Microseconds())/float64(b.N), "µs/first")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkAgainstBareHandler compares the handler with one that only sends the same headers and
// bytes, both over loopback. The metric is the ratio of requests per second.
func BenchmarkAgainstBareHandler(b *testing.B) {
	h := bundledHandler(b, nil)
	for _, request := range benchRequests {
		b.Run(request.name, func(b *testing.B) {
			ours := newLoad(b, h, request.path, request.header)
			bare := newLoad(b, bareHandler(h, request.path, request.header), request.path, request.header)
			share(b, ours, bare)
		})
	}
}

// share runs two loads in turns and reports the requests per second of the first divided by those
// of the second. It reports the median of the rounds, because other processes disturb some of
// them.
func share(b *testing.B, ours, theirs *load) {
	ours.run(b)
	theirs.run(b)
	var shares []float64
	var all time.Duration
	for b.Loop() {
		mine, other := ours.run(b), theirs.run(b)
		shares = append(shares, float64(other)/float64(mine))
		all += mine
	}
	slices.Sort(shares)
	b.ReportMetric(shares[len(shares)/2], "share")
	b.ReportMetric(float64(all.Microseconds())/float64(len(shares)*requestsPerRun), "µs/request")
	b.ReportMetric(0, "ns/op")
}

// bareHandler returns a handler that always sends the response of h to one request.
func bareHandler(h http.Handler, path string, header http.Header) http.Handler {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header = header
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	status, content, values := w.Code, w.Body.Bytes(), w.Header()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		for name, value := range values {
			header[name] = value
		}
		w.WriteHeader(status)
		if len(content) > 0 {
			_, _ = w.Write(content)
		}
	})
}

const (
	connections    = 16
	requestsPerRun = connections * 32
)

// load is a server with connections that repeat one request.
type load struct {
	conns   []net.Conn
	request []byte
	length  int // of a response, headers included
}

func newLoad(b *testing.B, h http.Handler, path string, header http.Header) *load {
	b.Helper()
	server := httptest.NewServer(h)
	b.Cleanup(server.Close)
	var request strings.Builder
	fmt.Fprintf(&request, "GET %s HTTP/1.1\r\nHost: bench\r\n", path)
	if err := header.Write(&request); err != nil {
		b.Fatal(err)
	}
	request.WriteString("\r\n")
	l := &load{request: []byte(request.String())}
	for range connections {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = conn.Close() })
		l.conns = append(l.conns, conn)
	}
	l.measure(b)
	return l
}

// measure sets the length of a response.
func (l *load) measure(b *testing.B) {
	if _, err := l.conns[0].Write(l.request); err != nil {
		b.Fatal(err)
	}
	var seen bytes.Buffer
	buffered := bufio.NewReader(io.TeeReader(l.conns[0], &seen))
	response, err := http.ReadResponse(buffered, nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		b.Fatal(err)
	}
	l.length = seen.Len()
}

// run sends requestsPerRun requests over all connections concurrently.
func (l *load) run(b *testing.B) time.Duration {
	start := time.Now()
	var wait sync.WaitGroup
	for _, conn := range l.conns {
		wait.Go(func() {
			buffer := make([]byte, min(l.length, 64<<10))
			for range requestsPerRun / connections {
				if err := l.once(conn, buffer); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	return time.Since(start)
}

func (l *load) once(conn net.Conn, buffer []byte) error {
	if _, err := conn.Write(l.request); err != nil {
		return err
	}
	for rest := l.length; rest > 0; {
		n, err := conn.Read(buffer[:min(rest, len(buffer))])
		if err != nil {
			return err
		}
		rest -= n
	}
	return nil
}

// nowhere is a response writer that discards everything.
type nowhere struct{ header http.Header }

func (w *nowhere) Header() http.Header         { return w.header }
func (w *nowhere) WriteHeader(int)             {}
func (w *nowhere) Write(b []byte) (int, error) { return len(b), nil }
