package probe

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"vitrine/internal/upstream"
)

// sockets accepts a connection at each path and answers a message as the name of the path says.
func sockets(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/")
	switch path {
	case "limited":
		w.Header().Set("Retry-After", "90")
		w.WriteHeader(429)
		return
	case "page":
		fmt.Fprint(w, "hello")
		return
	case "gone":
		w.WriteHeader(404)
		return
	case "slow":
		<-r.Context().Done()
		return
	}
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer conn.CloseNow()
	ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
	defer cancel()
	if _, _, err := conn.Read(ctx); err != nil || path == "closes" {
		return
	}
	answer := `{"jsonrpc":"2.0","id":1,"result":"0x1"}`
	switch path {
	case "silent":
		conn.Read(ctx)
		return
	case "large":
		answer = strings.Repeat("0", 100<<10)
	case "subscribes":
		answer = `{"id":1,"error":{"code":-32601,"message":"no such method"}}`
	}
	conn.Write(ctx, websocket.MessageText, []byte(answer))
}

// TestCheckWebSocket: endpoints with WebSocket are asked as others are.
func TestCheckWebSocket(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(sockets))
	defer server.Close()
	patient := upstream.New(upstream.Options{MaxBytes: 64 << 10, AllowPrivate: true})
	defer patient.Close()
	hasty := upstream.New(upstream.Options{Timeout: 50 * time.Millisecond, AllowPrivate: true})
	defer hasty.Close()
	strict := upstream.New(upstream.Options{})
	defer strict.Close()
	for _, tt := range []struct {
		client        *upstream.Client
		chainID, path string
		want          Outcome
		detail        string
	}{
		{patient, "1", "/one", OutcomeUp, ""},
		{patient, "5", "/one", OutcomeWrongChain, "answers for the chain id 1"},
		{patient, "1", "/limited", OutcomeLimited, "answers 429"},
		{patient, "1", "/gone", OutcomeError, "answers 404"},
		{patient, "1", "/page", OutcomeError, "101 but got 200"},
		{patient, "1", "/large", OutcomeError, "read limited"},
		{patient, "1", "/closes", OutcomeError, ""},
		{hasty, "1", "/slow", OutcomeSlow, ""},
		{hasty, "1", "/silent", OutcomeSlow, ""},
		{strict, "1", "/one", OutcomeUnchecked, "not public"},
		{patient, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "/subscribes", OutcomeUp, ""},
		{patient, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "/gone", OutcomeError, "answers 404"},
	} {
		target := Target{Field: "rpc", URL: "ws" + strings.TrimPrefix(server.URL, "http") + tt.path, ChainID: tt.chainID}
		if got := check(t.Context(), []Client{tt.client}, target); got.outcome != tt.want || !strings.Contains(got.detail, tt.detail) || strings.Contains(got.detail, tt.path) {
			t.Errorf("%s %s: %+v, want %s (%s)", tt.chainID, tt.path, got, tt.want, tt.detail)
		}
	}
}

// TestCheckWebSocketHost: a host name is refused when it is dialled, not only an IP address.
func TestCheckWebSocketHost(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(sockets))
	defer server.Close()
	strict := upstream.New(upstream.Options{})
	defer strict.Close()
	target := Target{Field: "rpc", URL: strings.Replace(server.URL, "http://127.0.0.1", "ws://localhost", 1) + "/one", ChainID: "1"}
	if got := check(t.Context(), []Client{strict}, target); got.outcome != OutcomeUnchecked {
		t.Errorf("%+v", got)
	}
}
