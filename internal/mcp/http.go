package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vitrine/internal/admission"
	"vitrine/internal/response"
)

const (
	// maxBody bounds a request body in bytes: a call of a tool has less than 2 KiB.
	maxBody = 64 << 10
	// maxTime bounds how long a message is read, and how long it is worked on.
	maxTime = 10 * time.Second

	methods = "POST, OPTIONS"
	// sendable are the headers that a web page may send.
	sendable = "Content-Type, Accept, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, X-API-Key, Authorization, X-Request-Id"
)

// ServeHTTP handles a POST with one message of the protocol and returns one JSON
// document. There are no sessions and no streams, so GET and DELETE are 405. HTTP errors
// are those of the API; errors of a message are JSON-RPC errors.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodOptions {
		response.Preflight(w, methods, sendable)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	text, err := h.read(w, r)
	if err != nil {
		response.Fail(w, r, err)
		return
	}
	m, invalid := parseMessage(text)
	if invalid == nil && !acceptsJSON(r.Header) {
		invalid = invalidRequest("Accept must allow application/json")
	}
	if invalid == nil {
		invalid = checkVersion(r.Header)
	}
	if invalid != nil {
		response.RelayInvalid(w, r, failure(m.id, invalid))
		return
	}
	if m.text == nil {
		response.RelayAccepted(w, r)
		return
	}
	select {
	case h.atWork <- struct{}{}:
	case <-ctx.Done():
		response.Fail(w, r, &response.Problem{Code: response.Overloaded, Detail: "too many calls at a time; try again in a moment"})
		return
	}
	var answer buffered
	func() {
		defer func() { <-h.atWork }()
		asked := r.Clone(ctx)
		asked.Header.Set("Accept", "application/json, text/event-stream") // the SDK requires both, and sends JSON
		asked.Body = io.NopCloser(bytes.NewReader(m.text))
		h.http.ServeHTTP(&answer, asked)
	}()
	content := answer.content(m)
	response.Relay(w, r, answer.status, answer.header, content)
}

// checkVersion returns the error for an unsupported revision in MCP-Protocol-Version, nil
// for none. The SDK lists the supported revisions only for some values.
func checkVersion(header http.Header) *jsonrpc.Error {
	requested, supported := header.Get("Mcp-Protocol-Version"), sdk.SupportedProtocolVersions()
	if requested == "" || slices.Contains(supported, requested) {
		return nil
	}
	return &jsonrpc.Error{
		Code: sdk.CodeUnsupportedProtocolVersion, Message: "unsupported protocol version; supported are " + strings.Join(supported, ", "),
		Data: encode(sdk.UnsupportedProtocolVersionData{Supported: supported, Requested: shortened(requested)}),
	}
}

// acceptsJSON reports whether a client accepts JSON, also by sending no Accept.
func acceptsJSON(header http.Header) bool {
	values := header["Accept"]
	for _, value := range values {
		for accepted := range strings.SplitSeq(value, ",") {
			media, _, _ := strings.Cut(accepted, ";")
			switch strings.ToLower(strings.TrimSpace(media)) {
			case "application/json", "application/*", "*/*":
				return true
			}
		}
	}
	return len(values) == 0
}

// read returns the body of a request that may be answered. The error is a
// [*response.Problem].
func (h *Handler) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Method != http.MethodPost {
		return nil, &response.Problem{Code: response.MethodNotAllowed, Detail: "send messages of the Model Context Protocol with POST; there are no streams here", Allow: methods}
	}
	if !h.knows(r.Host) && admission.PageMayPose(r) {
		return nil, &response.Problem{Code: response.Forbidden, Detail: "use an IP address or localhost as host; other names are rejected, because a web page could control them, unless --mcp-origin lists them"}
	}
	if origin := r.Header["Origin"]; len(origin) > 0 && (len(origin) > 1 || !h.mayAsk(origin[0], r.Host)) {
		return nil, &response.Problem{Code: response.Forbidden, Detail: "pages of this origin may not ask here; --mcp-origin allows one"}
	}
	// Without a connection, as in a test, there is no deadline.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(maxTime))
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return nil, &response.Problem{Code: response.TooLarge, Detail: fmt.Sprintf("the message is too large: at most %d bytes", maxBody)}
	}
	if err != nil {
		return nil, &response.Problem{Code: response.InvalidRequest, Detail: "the message did not arrive as a whole"}
	}
	return text, nil
}

// mayAsk reports whether pages of an origin may send requests to this host.
func (h *Handler) mayAsk(origin, host string) bool {
	if slices.ContainsFunc(h.config.Origins, func(o string) bool { return o == "*" || strings.EqualFold(o, origin) }) {
		return true
	}
	return isHostOf(origin, host)
}

// knows reports whether a host is that of a configured origin.
func (h *Handler) knows(host string) bool {
	return slices.ContainsFunc(h.config.Origins, func(origin string) bool { return isHostOf(origin, host) })
}

// isHostOf reports whether an origin has a host.
func isHostOf(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, host)
}

// serverOf returns the one server, which has no state of any client.
func (h *Handler) serverOf(*http.Request) *sdk.Server { return h.server }

// buffered collects a response, so that its length is known before it is sent.
type buffered struct {
	header http.Header
	status int // 0 for the usual one
	body   bytes.Buffer
}

func (b *buffered) Header() http.Header {
	if b.header == nil {
		b.header = http.Header{}
	}
	return b.header
}

func (b *buffered) WriteHeader(status int) {
	if b.status == 0 {
		b.status = status
	}
}

func (b *buffered) Write(p []byte) (int, error) { return b.body.Write(p) }

// content returns the response to a message as JSON. The SDK sends some errors as plain
// text.
func (b *buffered) content(m message) []byte {
	if !strings.HasPrefix(b.Header().Get("Content-Type"), "text/plain") {
		return outgoing(b.body.Bytes())
	}
	b.header.Set("Content-Type", jsonType)
	if strings.Contains(b.body.String(), "not handled") {
		return failure(m.id, notFound(m.method))
	}
	detail := strings.TrimPrefix(strings.TrimSpace(b.body.String()), "Bad Request: ")
	return failure(m.id, polished(invalidRequest(strings.TrimPrefix(detail, "invalid request: "))))
}
