package probe

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/upstream"
)

// faulty answers each path as its name says.
func faulty(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	rpc := func(result string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, result)
	}
	switch strings.TrimPrefix(r.URL.Path, "/") {
	case "ok":
	case "picture":
		w.Header().Set("Content-Type", "image/svg+xml")
	case "page":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	case "limited":
		w.Header().Set("Retry-After", "90")
		w.WriteHeader(429)
	case "broken":
		w.WriteHeader(500)
	case "forbidden":
		w.WriteHeader(403)
	case "gone":
		w.WriteHeader(404)
	case "nohead":
		if r.Method == "HEAD" {
			w.WriteHeader(405)
		}
	case "aborts":
		panic(http.ErrAbortHandler)
	case "slow":
		<-r.Context().Done()
	case "truncated":
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, `{"result":`)
	case "bomb":
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for range 4 {
			if _, err := z.Write(bytes.Repeat([]byte("0"), 1<<20)); err != nil {
				return
			}
		}
		z.Close()
	case "ftp":
		http.Redirect(w, r, "ftp://a.example/", http.StatusFound)
	case "inside":
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusTemporaryRedirect)
	case "one", "solana", "polkadot":
		switch {
		case bytes.Contains(body, []byte("eth_chainId")):
			rpc(`"0x1"`)
		case bytes.Contains(body, []byte("getGenesisHash")):
			rpc(`"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"`)
		case bytes.Contains(body, []byte("chain_getBlockHash")):
			rpc(`"0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3"`)
		}
	case "number":
		rpc("1")
	case "words":
		rpc(`"mainnet"`)
	case "nothing":
		rpc("null")
	case "quota":
		fmt.Fprint(w, `{"id":1,"error":{"code":-32005,"message":"daily request count exceeded"}}`)
	case "key":
		fmt.Fprint(w, `{"id":1,"error":{"code":-32000,"message":"Unauthorized: You must authenticate your request with an API key"}}`)
	case "unknown":
		fmt.Fprint(w, `{"id":1,"error":{"code":-32601,"message":"no\nsuch method"}}`)
	case "cosmos/status":
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":-1,"result":{"node_info":{"network":"cosmoshub-4"}}}`)
	case "cosmos2/status":
		fmt.Fprint(w, `{"node_info":{"network":"cosmoshub-4"}}`)
	case "rest", "rest/status":
		w.WriteHeader(501)
	default:
		w.WriteHeader(404)
	}
}

// TestCheck: every fault has its outcome. 429 and refusals are neither up nor down.
func TestCheck(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(faulty))
	defer server.Close()
	closed := httptest.NewServer(nil)
	closed.Close()
	patient := upstream.New(upstream.Options{MaxBytes: 64 << 10, AllowPrivate: true})
	defer patient.Close()
	hasty := upstream.New(upstream.Options{Timeout: 50 * time.Millisecond, AllowPrivate: true})
	defer hasty.Close()
	tests := []struct {
		field, chainID, path string
		want                 Outcome
		detail               string
	}{
		{"website", "", "/ok", OutcomeUp, ""},
		{"website", "", "/page", OutcomeUp, ""},
		{"website", "", "/nohead", OutcomeUp, ""},
		{"website", "", "/limited", OutcomeLimited, "answers 429"},
		{"website", "", "/broken", OutcomeError, "answers 500"},
		{"website", "", "/gone", OutcomeError, "answers 404"},
		{"website", "", "/forbidden", OutcomeRefused, "answers 403"},
		{"website", "", "/slow", OutcomeSlow, ""},
		{"website", "", "/aborts", OutcomeError, ""},
		{"link", "", "/ftp", OutcomeError, "the redirect is refused"},
		{"logo", "", "/picture", OutcomeUp, ""},
		{"image", "", "/page", OutcomeError, "text/html"},
		{"rpc", "1", "/one", OutcomeUp, ""},
		{"rpc", "01", "/one", OutcomeUp, ""},
		{"rpc", "eip155:1", "/one", OutcomeUp, ""},
		{"rpc", "5", "/one", OutcomeWrongChain, "answers for the chain id 1"},
		{"rpc", "1", "/number", OutcomeError, "not JSON-RPC"},
		{"rpc", "1", "/words", OutcomeError, "malformed"},
		{"rpc", "1", "/nothing", OutcomeError, "no result"},
		{"rpc", "1", "/page", OutcomeError, "not JSON-RPC"},
		{"rpc", "1", "/quota", OutcomeLimited, "daily request count"},
		{"rpc", "1", "/key", OutcomeRefused, "Unauthorized"},
		{"rpc", "1", "/unknown", OutcomeError, "no such method"},
		{"rpc", "1", "/limited", OutcomeLimited, "answers 429"},
		{"rpc", "1", "/broken", OutcomeError, "answers 500"},
		{"rpc", "1", "/slow", OutcomeSlow, ""},
		{"rpc", "1", "/truncated", OutcomeError, "truncated"},
		{"rpc", "1", "/bomb", OutcomeError, "too large"},
		{"rpc", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "/solana", OutcomeUp, ""},
		{"rpc", "solana:EAQLJCV2mh23BsK2P9oYpV5CHVLDNHTx", "/solana", OutcomeWrongChain, "5eykt4"},
		{"rpc", "polkadot:91b171bb158e2d3848fa23a9f1c25182", "/polkadot", OutcomeUp, ""},
		{"rpc", "cosmoshub-4", "/cosmos", OutcomeUp, ""},
		{"rpc", "cosmos:cosmoshub-4", "/cosmos2/", OutcomeUp, ""},
		{"rpc", "osmosis-1", "/cosmos", OutcomeWrongChain, "cosmoshub-4"},
		{"rpc", "osmosis-1", "/rest", OutcomeUp, ""},
		{"rpc", "osmosis-1", "/broken", OutcomeError, "answers 500"},
		{"rpc", "aptos:1", "/gone", OutcomeUp, ""},
		{"rpc", "aptos:1", "/limited", OutcomeLimited, ""},
	}
	for _, tt := range tests {
		target := Target{Kind: domain.KindChain, Key: "one", Field: tt.field, URL: server.URL + tt.path, ChainID: tt.chainID}
		client := patient
		if tt.want == OutcomeSlow {
			client = hasty
		}
		got := check(t.Context(), []Client{client}, target)
		if got.outcome != tt.want || !strings.Contains(got.detail, tt.detail) {
			t.Errorf("%s %s %s: %q (%s), want %q (%s)", tt.field, tt.chainID, tt.path, got.outcome, got.detail, tt.want, tt.detail)
		}
		if got.outcome == OutcomeLimited && strings.Contains(tt.path, "limited") && got.after != 90*time.Second {
			t.Errorf("%s: the host allows the next request in %s", tt.path, got.after)
		}
	}
	if got := check(t.Context(), []Client{patient}, Target{Field: "website", URL: closed.URL}); got.outcome != OutcomeHostGone {
		t.Errorf("a closed port: %+v", got)
	}
	t.Setenv("HTTP_PROXY", closed.URL)
	behind := upstream.New(upstream.Options{})
	defer behind.Close()
	if got := check(t.Context(), []Client{behind}, Target{Field: "website", URL: "http://a.example/"}); got.outcome != OutcomeUnchecked {
		t.Errorf("a broken proxy: %+v", got)
	}
	t.Setenv("HTTP_PROXY", server.URL)
	proxied := upstream.New(upstream.Options{})
	defer proxied.Close()
	for _, target := range []Target{{Field: "website", URL: "http://a.example/inside"}, {Field: "rpc", ChainID: "1", URL: "http://a.example/inside"}} {
		if got := check(t.Context(), []Client{proxied}, target); got.outcome != OutcomeUnchecked || !strings.Contains(got.detail, "not public") {
			t.Errorf("a redirect of a %s to a private address: %+v", target.Field, got)
		}
	}
	t.Setenv("HTTP_PROXY", "")
	public := upstream.New(upstream.Options{})
	defer public.Close()
	if got := check(t.Context(), []Client{public}, Target{Field: "rpc", URL: server.URL, ChainID: "1"}); got.outcome != OutcomeUnchecked {
		t.Errorf("a private address: %+v", got)
	}
}
