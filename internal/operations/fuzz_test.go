package operations_test

import (
	"bufio"
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// FuzzWire sends arbitrary bytes to the handler behind a real HTTP server. The handler must not
// panic or fail with an internal error, and each response must be valid HTTP with the common
// headers.
func FuzzWire(f *testing.F) {
	for _, rules := range wireRules() {
		for _, test := range rules {
			if request := written(test.lines); len(request) < 1000 {
				f.Add([]byte(request))
			}
		}
	}
	for _, seed := range []string{
		"GET /api/open/meta HTTP/1.1\r\nHost: a\r\n\r\nHEAD /api/open/spec HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n",
		"POST /api/open/chains HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nGET / HTTP/1.0\r\n\r\n",
		"GET /api/open/chains?limit=1&offset=99999999999999999999&sort=platforms&sortDir=asc&locale=zh_TW&q=%40a+0g&tag=l2,x HTTP/1.1\nHost:\n\n",
		"GET /api/open/nav/menus/tools HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET %zz HTTP/1.1\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a\r\n\r\nHEAD /api/open HTTP/1.1\r\nHost: a\r\n\r\nPOST /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n",
		"GET /api/open/?locale=zh HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\nGET /openapi.json HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n",
		"GET /api/open/category-groups?module=chain HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc",
	} {
		f.Add([]byte(seed))
	}
	h := serving(f, compile(f, fixture(f), 42))
	f.Fuzz(func(t *testing.T, sent []byte) {
		methods, received := converse(h, sent)
		reader := bufio.NewReader(bytes.NewReader(received))
		for _, method := range methods {
			response, err := http.ReadResponse(reader, &http.Request{Method: method})
			if err != nil {
				t.Fatalf("%q: the answer to %s is no HTTP: %v\n%q", sent, method, err, received)
			}
			content, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatalf("%q: the answer to %s is broken off: %v\n%q", sent, method, err, received)
			}
			if !slices.Contains([]int{200, 204, 304, 400, 404, 405, 406, 414, 431}, response.StatusCode) {
				t.Errorf("%q: status %d", sent, response.StatusCode)
			}
			ofEvery(t, response, string(content))
		}
		theirs(t, sent, reader)
	})
}

// theirs reads the response of the standard library itself, if any. Only an error may follow, as
// the last response of a connection.
func theirs(t *testing.T, sent []byte, reader *bufio.Reader) {
	if _, err := reader.Peek(1); err != nil {
		return
	}
	last, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatalf("%q: the last answer is no HTTP: %v", sent, err)
	}
	if !slices.Contains([]int{400, 417, 431, 501, 505}, last.StatusCode) {
		t.Errorf("%q: the standard library answers %d", sent, last.StatusCode)
	}
	content, err := io.ReadAll(last.Body)
	if err != nil {
		t.Fatalf("%q: the last answer is broken off: %v", sent, err)
	}
	if strings.Contains(string(content), "HTTP/1.") {
		t.Errorf("%q: more follows the last answer: %q", sent, content)
	}
}

// converse sends bytes to a server at once. It returns the methods that the handler saw, and the
// received bytes.
func converse(h http.Handler, sent []byte) (methods []string, received []byte) {
	client := &memory{in: bytes.NewReader(sent), closed: make(chan struct{})}
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			methods = append(methods, r.Method)
			h.ServeHTTP(w, r)
		}),
		DisableGeneralOptionsHandler: true, MaxHeaderBytes: 60 << 10, ErrorLog: log.New(io.Discard, "", 0),
	}
	_ = server.Serve(&once{conn: client}) // returns when the connection is closed
	return methods, client.out.Bytes()
}

// memory is a connection whose client has sent everything and reads everything.
type memory struct {
	lock   sync.Mutex // the server reads ahead while it writes
	in     *bytes.Reader
	out    bytes.Buffer
	once   sync.Once
	closed chan struct{}
}

func (c *memory) Read(p []byte) (int, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.in.Read(p)
}

func (c *memory) Write(p []byte) (int, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.out.Write(p)
}

func (c *memory) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

func (*memory) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (*memory) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (*memory) SetDeadline(time.Time) error      { return nil }
func (*memory) SetReadDeadline(time.Time) error  { return nil }
func (*memory) SetWriteDeadline(time.Time) error { return nil }

// once is a listener with one connection. It closes with the connection.
type once struct {
	conn  *memory
	taken bool
}

func (l *once) Accept() (net.Conn, error) {
	if !l.taken {
		l.taken = true
		return l.conn, nil
	}
	<-l.conn.closed
	return nil, io.EOF
}

func (*once) Close() error   { return nil }
func (*once) Addr() net.Addr { return &net.TCPAddr{} }
