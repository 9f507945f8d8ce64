package server

import (
	"bytes"
	"context"
	"net"
	"net/http"
)

// The end of a request must be unambiguous on a kept connection. If a proxy sees another end than
// the server, it assigns a response to another client's request (request smuggling, RFC 9112,
// section 11.2). No operation needs a body, so a request with an ambiguous end is answered as the
// last one of its connection:
//
//   - a request with a body, whatever declares its length: this includes all chunked ones, also
//     with a Content-Length (section 6.1 requires it), and two equal lengths;
//   - a request of HTTP/1.0: the standard library removes its Transfer-Encoding unseen (section
//     6.1 requires it too);
//   - a request with a folded line (section 5.2), which a proxy may read as another header.
//
// The standard library rejects other invalid requests.

type connectionKey struct{}

// connContext is for [http.Server]. It gives handlers access to the connection.
func connContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// endAfterDoubt closes the connection after a request with an ambiguous end. The server must use
// connContext.
func endAfterDoubt(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn := r.Context().Value(connectionKey{}).(*connection)
		if r.ContentLength != 0 || !r.ProtoAtLeast(1, 1) || conn.folded.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// Read records whether a line begins with a blank. In a header that is a folded line, which the
// standard library joins to the previous one; elsewhere closing the connection is harmless. The
// HTTP server reads from one goroutine at a time.
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
