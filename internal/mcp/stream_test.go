package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// recorder is a buffer with a Close method.
type recorder struct{ bytes.Buffer }

func (*recorder) Close() error { return nil }

// TestEndOfTheStream checks that all calls are answered if the input ends before.
func TestEndOfTheStream(t *testing.T) {
	const calls = 20
	var messages strings.Builder
	messages.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n")
	messages.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\r\n")
	for i := range calls {
		fmt.Fprintf(&messages, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list_chains","arguments":{}}}`+"\n", i+1)
	}
	for _, text := range []string{messages.String(), strings.TrimSuffix(messages.String(), "\n")} {
		var out recorder
		if err := serving(bundledCatalogue(t)).Serve(t.Context(), io.NopCloser(strings.NewReader(text)), &out); err != nil {
			t.Fatal(err)
		}
		answers := 0
		for line := range strings.Lines(out.String()) {
			var message struct{ Result map[string]any }
			if err := json.Unmarshal([]byte(line), &message); err != nil || message.Result == nil {
				t.Errorf("%.200s %v", line, err)
			}
			answers++
		}
		if answers != calls+1 {
			t.Errorf("%d answers, want %d", answers, calls+1)
		}
	}
}

// TestNoise checks that an invalid line gets an error and the messages after it are processed.
func TestNoise(t *testing.T) {
	const next = `{"jsonrpc":"2.0","id":"next","method":"ping"}` + "\n"
	for _, tt := range []struct{ line, want string }{
		{"", ""},
		{" \t", ""},
		{"{", `"code":-32700`},
		{"[]", `"code":-32600`},
		{"null", `"code":-32600`},
		{`{"jsonrpc":"2.0","id":1,"error":5}`, `"code":-32600`},
		{`{"jsonrpc":"2.0","method":"ping","error":5}`, `"code":-32600`},
		{`{"jsonrpc":"2.0","result":{}}`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":7,"method":5,"method":"ping"}`, `"id":7,"result":{}`},
		{`{"jsonrpc":"2.0","id":7,"method":"ping","Method":5,"ID":{},"Error":5}`, `"id":7,"result":{}`},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`, ""},
		{`{"jsonrpc":"2.0","id":7,"method":"initialize"}`, `"code":-32602`},
		{strings.Repeat("a", 100_000), `"code":-32600`},
		{`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 100_000) + `"}`, `"code":-32600`},
	} {
		var out recorder
		if err := serving(bundledCatalogue(t)).Serve(t.Context(), io.NopCloser(strings.NewReader(tt.line+"\n"+next)), &out); err != nil {
			t.Errorf("%.20q: %v", tt.line, err)
		}
		const nextAnswer = `{"jsonrpc":"2.0","id":"next","result":{}}` + "\n"
		others, found := out.String(), false
		if before, after, ok := strings.Cut(others, nextAnswer); ok { // answers have no order
			others, found = before+after, true
		}
		if !found || !strings.Contains(others, tt.want) || tt.want == "" && others != "" || strings.Count(others, "\n") > 1 {
			t.Errorf("%.20q: answers %.300q", tt.line, out.String())
		}
	}
}

// TestCancelledCallsAreNotWaitedFor checks that a cancellation identifies the call by any id that
// the client chose. The call is answered if it finished before, otherwise not.
func TestCancelledCallsAreNotWaitedFor(t *testing.T) {
	var out recorder
	messages := `{"jsonrpc":"2.0","id":1.50,"method":"ping"}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.50,"reason":"t"}}` + "\n"
	if err := serving(bundledCatalogue(t)).Serve(t.Context(), io.NopCloser(strings.NewReader(messages)), &out); err != nil {
		t.Error(err)
	}
	answered := `{"jsonrpc":"2.0","id":1.50,"result":{}}` + "\n"
	if got := out.String(); got != "" && got != answered {
		t.Errorf("answers %q, want none or %q", got, answered)
	}
}
