package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// kept is a writer that remembers.
type kept struct{ bytes.Buffer }

func (*kept) Close() error { return nil }

// Messages from a file have their answers, though the file ends before they are made.
func TestEndOfTheStream(t *testing.T) {
	const calls = 20
	var messages strings.Builder
	messages.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n")
	messages.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\r\n")
	for i := range calls {
		fmt.Fprintf(&messages, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list_chains","arguments":{}}}`+"\n", i+1)
	}
	for _, text := range []string{messages.String(), strings.TrimSuffix(messages.String(), "\n")} {
		var out kept
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

// What is no message ends the stream with an error, and no panic.
func TestNoise(t *testing.T) {
	for _, text := range []string{"", "\n", "{", "[]\n", "null\n", strings.Repeat("a", 100_000), `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 100_000) + `"}` + "\n"} {
		var out kept
		if err := serving(bundledCatalogue(t)).Serve(t.Context(), io.NopCloser(strings.NewReader(text)), &out); err == nil && text != "" && text != "\n" {
			t.Errorf("%.20q: no error, %.200s", text, out.String())
		}
	}
}
