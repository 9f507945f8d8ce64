package server

import (
	"bytes"
	"context"
	"net"
	"net/http"
)

// Where a request ends must not be a matter of opinion on a connection that is
// kept: a proxy in front that sees the end elsewhere would take the answer to
// what is left over for the answer to somebody else's request (request smuggling,
// RFC 9112, section 11.2). Nothing here needs a body, so whatever could be read
// in two ways is answered, and is the last request of its connection:
//
//   - one with a body, however its length is said: this has every chunked one,
//     with a Content-Length beside it or not (section 6.1 asks for it), and a
//     length in two equal lines;
//   - one of HTTP/1.0: the standard library takes a Transfer-Encoding out of it
//     unseen, after which section 6.1 asks for it as well;
//   - one with a folded line (section 5.2), in which a proxy that does not know
//     these may see another header.
//
// What is plainly wrong, the standard library answers and closes.

type connectionKey struct{}

// connContext is for [http.Server]: it lets a handler find the connection.
func connContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// endAfterDoubt makes a request whose end could be read in two ways the last of
// its connection. The handler is one of a server with connContext.
func endAfterDoubt(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn := r.Context().Value(connectionKey{}).(*connection)
		if r.ContentLength != 0 || !r.ProtoAtLeast(1, 1) || conn.folded.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// Read notes whether a line begins with a blank. In a header that is a folded
// one, which the standard library joins to the line before; anywhere else it
// does no harm to close the connection. The HTTP server reads from one goroutine
// at a time.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	for sent := p[:n]; len(sent) > 0; {
		if c.lineBegins && (sent[0] == ' ' || sent[0] == '\t') {
			c.folded.Store(true)
		}
		end := bytes.IndexByte(sent, '\n')
		c.lineBegins = end >= 0
		if end < 0 {
			break
		}
		sent = sent[end+1:]
	}
	return n, err
}
