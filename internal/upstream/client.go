// Package upstream fetches documents of other services over HTTP, for connectors and probes. It
// limits size, time, redirects and attempts, refuses private addresses when it dials, and keeps
// secrets out of errors.
//
// It must not know what a document means. A [*Client] is safe for concurrent use.
package upstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// Limits of a fetch.
const (
	DefaultMaxBytes = 64 << 20 // of a document after decompression
	DefaultTimeout  = 60 * time.Second
	DefaultAttempts = 4
	maxRedirects    = 5
	maxWait         = 2 * time.Minute // between two attempts
)

// Options configure a [Client]. The zero value selects the defaults.
type Options struct {
	UserAgent string
	MaxBytes  int64         // of a document after decompression; 0 for DefaultMaxBytes
	Timeout   time.Duration // of one attempt, the body included; 0 for DefaultTimeout
	Attempts  int           // total; 0 for DefaultAttempts

	// AllowPrivate permits private and loopback addresses. Without it they are refused when
	// dialling, so that no host name, redirect or proxy setting leads to them.
	AllowPrivate bool

	// Resolver resolves host names; nil for that of the system. A proxy resolves names itself.
	Resolver *net.Resolver

	// Sleep waits between attempts; nil for the real clock. It returns early with the error of
	// the context.
	Sleep func(ctx context.Context, d time.Duration) error
	// Jitter returns a random number in [0, 1); nil for the real one.
	Jitter func() float64
	// Now is the clock for reset headers; nil for the real one.
	Now func() time.Time
}

// Client fetches documents.
type Client struct {
	options Options
	proxies []string // addresses
	http    *http.Client
}

// New returns a client. It reads proxies from the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
// A proxy may have a private address. It connects to any host, but IP addresses in URLs are
// checked here.
func New(options Options) *Client {
	options = options.withDefaults()
	proxies := httpproxy.FromEnvironment()
	c := &Client{options: options, proxies: []string{proxyAddress(proxies.HTTPProxy), proxyAddress(proxies.HTTPSProxy)}}
	proxyOf := proxies.ProxyFunc()
	c.http = &http.Client{
		Timeout:       options.Timeout,
		CheckRedirect: c.checkRedirect,
		Transport: &http.Transport{
			Proxy:       func(r *http.Request) (*url.URL, error) { return proxyOf(r.URL) },
			DialContext: c.dial, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: options.Timeout,
			MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second, MaxResponseHeaderBytes: 64 << 10,
		},
	}
	return c
}

// proxyAddress returns host and port of a proxy, "" for none.
func proxyAddress(proxy string) string {
	if proxy == "" {
		return ""
	}
	if !strings.Contains(proxy, "://") {
		proxy = "http://" + proxy
	}
	u, err := url.Parse(proxy)
	if err != nil {
		return ""
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443", "socks5": "1080"}[u.Scheme])
	return net.JoinHostPort(u.Hostname(), port)
}

// dial connects to a public address, or to a configured proxy.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, Resolver: c.options.Resolver}
	if !c.options.AllowPrivate && !slices.Contains(c.proxies, address) {
		dialer.Control = refusePrivate
	}
	return dialer.DialContext(ctx, network, address)
}

// checkHost refuses a URL with a private IP address. [Client.dial] checks host names.
func (c *Client) checkHost(u *url.URL) error {
	if addr, err := netip.ParseAddr(u.Hostname()); err == nil && !c.options.AllowPrivate && !isPublic(addr.Unmap()) {
		return fmt.Errorf("%w: %s", ErrPrivate, addr)
	}
	return nil
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// ErrPrivate reports an address that is not public.
var ErrPrivate = errors.New("the address is not public")

// refusePrivate refuses connections to private addresses. It runs after name resolution, so the
// checked address is the one that is used.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	host, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrPrivate, address)
	}
	if !isPublic(host.Addr().Unmap()) {
		return fmt.Errorf("%w: %s", ErrPrivate, host.Addr())
	}
	return nil
}

// special are the ranges of the IANA registries of special-purpose addresses that netip does not
// know as private.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2001::/23"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("3fff::/20"),
}

func isPublic(addr netip.Addr) bool {
	if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLoopback() || addr.IsLinkLocalUnicast() {
		return false
	}
	for _, prefix := range special {
		if prefix.Contains(addr) {
			return false
		}
	}
	return true
}

// errRedirect reports a redirect that is not followed.
var errRedirect = errors.New("the redirect is refused")

// checkRedirect limits redirects and refuses those from https to http and to other schemes, with
// errRedirect. net/http drops sensitive headers when the host changes. It would tell the new host the
// old address, which may hold a key.
func (c *Client) checkRedirect(r *http.Request, via []*http.Request) error {
	r.Header.Del("Referer")
	if len(via) > maxRedirects {
		return fmt.Errorf("%w: more than %d", errRedirect, maxRedirects)
	}
	if r.Context().Value(noRedirects{}) != nil {
		return fmt.Errorf("%w: only documents may have one", errRedirect)
	}
	if r.URL.Scheme != "https" && via[len(via)-1].URL.Scheme == "https" {
		return fmt.Errorf("%w: it leads from https to %s", errRedirect, r.URL.Scheme)
	}
	if r.URL.Scheme != "https" && r.URL.Scheme != "http" {
		return fmt.Errorf("%w: it leads to %s", errRedirect, r.URL.Scheme)
	}
	return c.checkHost(r.URL)
}

// Request describes a document to fetch, or another request.
type Request struct {
	URL    string
	Header http.Header // sent as it is; may hold secrets

	// Method and Body are for [Client.Send].
	Method, Body string

	// ETag and LastModified are the validators of the document that the caller has; "" for none.
	ETag, LastModified string

	// MaxBytes is the size limit of this document; 0 for that of the client.
	MaxBytes int64
}

// Document is a fetched document.
type Document struct {
	Body        []byte // nil if NotModified
	NotModified bool   // the caller's document is current

	ETag, LastModified string // validators for the next request, "" for none
	Date               time.Time
	Header             http.Header
}

// StatusError is an unsuccessful response.
type StatusError struct {
	Status int
	Body   []byte        // its first bytes
	After  time.Duration // wait until the next allowed request; 0 if unknown
	host   string
}

// Error names the host and the status, never the path, query or headers: they may hold a key.
func (e *StatusError) Error() string {
	s := fmt.Sprintf("%s answers %d %s", e.host, e.Status, http.StatusText(e.Status))
	if e.After > 0 {
		s += fmt.Sprintf("; it allows the next request in %s", e.After.Round(time.Second))
	}
	return s
}

// ErrTooLarge reports a document over the size limit.
var ErrTooLarge = errors.New("the document is too large")

// Get fetches a document. It retries transient failures (connection errors, 408, 429, 500, 502,
// 503, 504, truncated bodies) after the time that the upstream asks for, or with exponential
// backoff and jitter. Errors name only the host. A [*StatusError] has the status.
func (c *Client) Get(ctx context.Context, r Request) (*Document, error) {
	r.Method, r.Body = http.MethodGet, ""
	return c.send(ctx, r)
}

// Send sends a request whose result is its status. Any status from 200 to 299 is a success. It retries
// like Get and follows no redirects. The request must be idempotent, and its method not GET.
func (c *Client) Send(ctx context.Context, r Request) error {
	_, err := c.send(context.WithValue(ctx, noRedirects{}, true), r)
	return err
}

// noRedirects is the key of contexts of requests that follow no redirects.
type noRedirects struct{}

func (c *Client) send(ctx context.Context, r Request) (*Document, error) {
	target, err := url.Parse(r.URL)
	if err != nil || target.Host == "" || target.Scheme != "https" && target.Scheme != "http" {
		return nil, errors.New("the address of the upstream is not an http or https URL")
	}
	if err := c.checkHost(target); err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		document, err := c.attempt(ctx, r, target)
		if err == nil {
			return document, nil
		}
		if attempt == c.options.Attempts || !isTransient(err) || ctx.Err() != nil {
			return nil, err
		}
		wait, ok := c.backoff(attempt, err)
		if !ok {
			return nil, err
		}
		if slept := c.options.Sleep(ctx, wait); slept != nil {
			return nil, err
		}
	}
}

func (c *Client) attempt(ctx context.Context, r Request, target *url.URL) (*Document, error) {
	request, err := http.NewRequestWithContext(ctx, r.Method, r.URL, strings.NewReader(r.Body))
	if err != nil {
		return nil, errors.New("the address of the upstream cannot be requested")
	}
	for name, values := range r.Header {
		request.Header[name] = values
	}
	request.Header.Set("User-Agent", c.options.UserAgent)
	if r.ETag != "" {
		request.Header.Set("If-None-Match", r.ETag)
	}
	if r.LastModified != "" {
		request.Header.Set("If-Modified-Since", r.LastModified)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, withoutURL(err, target)
	}
	defer response.Body.Close()
	document := &Document{
		ETag: response.Header.Get("ETag"), LastModified: response.Header.Get("Last-Modified"), Header: response.Header,
	}
	document.Date, _ = http.ParseTime(response.Header.Get("Date"))
	switch {
	case response.StatusCode == http.StatusNotModified && (r.ETag != "" || r.LastModified != ""):
		document.NotModified = true
		return document, nil
	case r.Method != http.MethodGet && response.StatusCode/100 == 2:
		return document, nil
	case response.StatusCode != http.StatusOK:
		return nil, c.statusError(response, target)
	}
	document.Body, err = read(response, cmp.Or(r.MaxBytes, c.options.MaxBytes))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", target.Host, err)
	}
	return document, nil
}

// read reads a whole body of at most limit bytes after decompression.
func read(response *http.Response, limit int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	switch {
	case int64(len(body)) > limit:
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	case err != nil:
		return nil, errBroken{err}
	}
	return body, nil
}

// errBroken reports a truncated body.
type errBroken struct{ error }

func (e errBroken) Error() string { return "the document was truncated: " + e.error.Error() }
func (e errBroken) Unwrap() error { return e.error }

func (c *Client) statusError(response *http.Response, target *url.URL) error {
	const most = 4 << 10
	e := &StatusError{Status: response.StatusCode, host: target.Host, After: retryAfter(response.Header, c.options.Now())}
	e.Body, _ = io.ReadAll(io.LimitReader(response.Body, most)) // part of an error page is enough
	return e
}

// withoutURL removes the URL from an error of net/http: its path or query may hold a key.
func withoutURL(err error, target *url.URL) error {
	if of, ok := errors.AsType[*url.Error](err); ok {
		err = of.Err
	}
	return fmt.Errorf("%s: %w", target.Host, err)
}

// Redacted returns a URL for logs, reduced to scheme and host.
func Redacted(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "an invalid address"
	}
	return strings.ToLower(u.Scheme) + "://" + u.Host
}
