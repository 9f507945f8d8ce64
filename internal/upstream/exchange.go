package upstream

import (
	"bytes"
	"context"
	"errors"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Call is one request of a probe.
type Call struct {
	Method string // GET, HEAD or POST; of no effect for ws and wss addresses
	URL    string
	Body   []byte // JSON, for POST; the message for ws and wss addresses
	// StatusOnly ignores the body of the response.
	StatusOnly bool
}

// Answer is a response with any status.
type Answer struct {
	Status int
	Type   string        // media type in lower case, without parameters; "" if unknown
	Body   []byte        // nil if it is ignored
	After  time.Duration // wait until the next allowed request; 0 if unknown
}

// Do sends one request and follows redirects. It never repeats a request. A response with any status
// is an answer; an error means that there is no complete response of at most MaxBytes. Errors name
// only the host. The address is an http, https, ws or wss URL. A WebSocket call sends one message and
// reads one, whose status is 200.
func (c *Client) Do(ctx context.Context, call Call) (*Answer, error) {
	target, err := url.Parse(call.URL)
	if err != nil || target.Host == "" || !slices.Contains([]string{"https", "http", "wss", "ws"}, target.Scheme) {
		return nil, errors.New("the address is not an http, https, ws or wss URL")
	}
	if err := c.checkHost(target); err != nil {
		return nil, err
	}
	if isWebSocket(target) {
		return c.doWebSocket(ctx, call, target)
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, call.URL, bytes.NewReader(call.Body))
	if err != nil {
		return nil, errors.New("the address cannot be requested")
	}
	request.Header.Set("User-Agent", c.options.UserAgent)
	if call.Body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, withoutURL(err, target)
	}
	defer response.Body.Close()
	answer := &Answer{Status: response.StatusCode, After: retryAfter(response.Header, c.options.Now())}
	if kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type")); err == nil {
		answer.Type = strings.ToLower(kind)
	}
	if call.StatusOnly {
		return answer, nil
	}
	if answer.Body, err = read(response, c.options.MaxBytes); err != nil {
		return nil, withoutURL(err, target)
	}
	return answer, nil
}

// ResolverAt returns a resolver that asks the DNS server at host:port.
func ResolverAt(address string) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, network, address)
	}}
}

// Failure is why a request has no answer.
type Failure int

// The failures.
const (
	FailureOther     Failure = iota // a broken or too large response, TLS
	FailureName                     // the host name does not resolve
	FailureConnect                  // the host does not accept connections
	FailureTimeout                  // no complete answer in time
	FailurePrivate                  // the address is not public
	FailureLocal                    // the configured proxy or this machine cannot send requests
	FailureCancelled                // the caller's context was cancelled
)

// isLocal reports whether this machine has no route, or too many open files.
func isLocal(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENETUNREACH, syscall.ENETDOWN, syscall.EADDRNOTAVAIL}, func(local error) bool {
		return errors.Is(err, local)
	})
}

// FailureOf classifies an error of [Client.Do].
func FailureOf(err error) Failure {
	var timeout interface{ Timeout() bool }
	_, isName := errors.AsType[*net.DNSError](err)
	operation, isOperation := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, ErrPrivate):
		return FailurePrivate
	case isOperation && operation.Op == "proxyconnect", isLocal(err):
		return FailureLocal
	case errors.Is(err, context.Canceled):
		return FailureCancelled
	case isName:
		return FailureName
	case errors.As(err, &timeout) && timeout.Timeout():
		return FailureTimeout
	case isOperation && operation.Op == "dial":
		return FailureConnect
	}
	return FailureOther
}
