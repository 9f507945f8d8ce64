package mcp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestErrorsOfMessages checks that every error of a message is a JSON-RPC error with its id,
// without internal details.
func TestErrorsOfMessages(t *testing.T) {
	h := serving(bundledCatalogue(t))
	for _, tt := range []struct {
		message string
		status  int
		id      string
		code    int
	}{
		{``, 400, `null`, -32700},
		{`{`, 400, `null`, -32700},
		{`xx`, 400, `null`, -32700},
		{`{} {}`, 400, `null`, -32700},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\x00", 400, `null`, -32700},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", 400, `null`, -32700},
		{`"text"`, 400, `null`, -32600},
		{`[]`, 400, `null`, -32600},
		{`{}`, 400, `null`, -32600},
		{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, 400, `7`, -32600},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, 400, `null`, -32600},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, 400, `null`, -32600},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, 400, `null`, -32600},
		{`{"jsonrpc":"2.0","id":"a"}`, 400, `"a"`, -32600},
		{`{"jsonrpc":"2.0","id":"a","method":5}`, 400, `"a"`, -32600},
		{`{"jsonrpc":"2.0","method":"ping"}`, 400, `null`, -32600},
		{`{"jsonrpc":"2.0","id":"a","method":"ping","error":5}`, 400, `"a"`, -32600},
		{`{"jsonrpc":"2.0","id":"a","error":5}`, 400, `null`, -32600}, // a response, like the next ones
		{`{"jsonrpc":"2.0","id":"a","error":{"code":1.5,"message":"m"}}`, 400, `null`, -32600},
		{`{"jsonrpc":"2.0","id":"a","error":{"code":1}}`, 400, `null`, -32600},
		{`{"jsonrpc":"2.0","id":"a","error":null}`, 400, `null`, -32600},
		{`{"jsonrpc":"2.0","id":"a","result":{},"error":{"code":1,"message":"m"}}`, 400, `null`, -32600},
		{`{"jsonrpc":"2.0","result":{}}`, 400, `null`, -32600},
		{`{"jsonrpc":"2.0","id":{},"result":{}}`, 400, `null`, -32600},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, 400, `1`, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":[]}`, 400, `1`, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, 400, `1`, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/read"}`, 400, `1`, -32602},
		{`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":"x"}`, 400, `"a"`, -32602},
		{`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":5}}`, 200, `"a"`, -32602},
		{`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"none"}}`, 200, `"a"`, -32602},
		{`{"jsonrpc":"2.0","id":"a","method":"nothing/here"}`, 400, `"a"`, -32601},
		{`{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"catalogue://none"}}`, 200, `"a"`, -32602},
	} {
		status, header, body := post(t, h, "POST", tt.message, nil)
		var answer struct {
			Version string `json:"jsonrpc"`
			ID      json.RawMessage
			Error   struct {
				Code    int
				Message string
			}
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil {
			t.Errorf("%.60q: %d %q: %v", tt.message, status, body, err)
			continue
		}
		if status != tt.status || answer.Version != "2.0" || string(answer.ID) != tt.id || answer.Error.Code != tt.code || header.Get("Content-Type") != "application/json" {
			t.Errorf("%.60q: %d %s, want %d for %s with %d", tt.message, status, body, tt.status, tt.id, tt.code)
		}
		for _, internal := range []string{"unmarshal", "Go ", "json:", "jsonrpc2", "wire"} {
			if strings.Contains(answer.Error.Message, internal) {
				t.Errorf("%.60q: the message tells of %q: %s", tt.message, internal, body)
			}
		}
	}
}

// TestResponsesAreIgnored checks that responses are accepted and ignored, since the server sends
// no requests, also the response to a message that the client could not parse.
func TestResponsesAreIgnored(t *testing.T) {
	h := serving(bundledCatalogue(t))
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1.5,"result":null}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m","data":5}}`, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}`,
	} {
		if status, _, body := post(t, h, "POST", message, nil); status != 202 || body != "" {
			t.Errorf("%s: %d %s", message, status, body)
		}
	}
}

// TestUnsupportedVersion checks that the error for an unknown revision of the protocol lists the
// supported ones.
func TestUnsupportedVersion(t *testing.T) {
	h := serving(bundledCatalogue(t))
	for version, want := range map[string]int{"9999": 400, "2020-01-01": 400, "latest": 400, "2025-06-18": 200, "": 200} {
		status, _, body := post(t, h, "POST", ping, map[string]string{"Mcp-Protocol-Version": version})
		if status != want {
			t.Errorf("%q: %d %s, want %d", version, status, body, want)
		}
		if want == 200 {
			continue
		}
		var answer struct {
			ID    json.RawMessage
			Error struct {
				Code    int
				Message string
				Data    struct {
					Supported []string
					Requested string
				}
			}
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Error.Code != -32022 || string(answer.ID) != "1" ||
			answer.Error.Data.Requested != version || !slices.Contains(answer.Error.Data.Supported, "2025-11-25") || !strings.Contains(answer.Error.Message, "2025-11-25") {
			t.Errorf("%q: %s", version, body)
		}
	}
}

// TestIDsAreUnchanged checks that responses have the id as the client wrote it, over HTTP
// and over a stream.
func TestIDsAreUnchanged(t *testing.T) {
	ids := []string{
		`0`, `1`, `-5`, `9007199254740992`, `9007199254740993`, `123456789012345678901234567890`, `1.5`, `1.0`, `1e3`, `-0`,
		`""`, `"a"`, `"é"`, `"\u00e9"`, `"\ud800"`, `"a\"b\\"`, `"<&>"`, `"vitrine-id-00"`, `"` + strings.Repeat("x", 1000) + `"`,
	}
	h := serving(bundledCatalogue(t))
	var lines strings.Builder
	for _, id := range ids {
		call := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
		lines.WriteString(call + "\n")
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		if status, _, body := post(t, h, "POST", call, nil); status != 200 || body != want {
			t.Errorf("%d %s, want %s", status, body, want)
		}
		unknown := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"prompts/list"}`, id)
		if _, _, body := post(t, h, "POST", unknown, nil); !strings.Contains(body, fmt.Sprintf(`"id":%s,"error":{"code":-32601`, id)) {
			t.Errorf("%s gets %s", unknown, body)
		}
	}
	var out recorder
	if err := h.Serve(t.Context(), io.NopCloser(strings.NewReader(lines.String())), &out); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", id); !strings.Contains(out.String(), want) {
			t.Errorf("the stream has no %s", want)
		}
	}
}

func TestAcceptOfClients(t *testing.T) {
	h := serving(bundledCatalogue(t))
	for accept, want := range map[string]int{
		"application/json": 200, "application/json, text/event-stream": 200, "*/*": 200, "application/*;q=0.5": 200,
		"text/event-stream": 400, "text/html": 400,
	} {
		if status, _, body := post(t, h, "POST", ping, map[string]string{"Accept": accept}); status != want {
			t.Errorf("Accept %q: %d %.200s, want %d", accept, status, body, want)
		}
	}
}

func TestNews(t *testing.T) {
	h := serving(bundledCatalogue(t))
	read := func(uri string) (news struct {
		Locale string
		Total  int
		News   []struct{ Date, Change, Kind, Key, Title string }
	}) {
		t.Helper()
		_, _, body := post(t, h, "POST", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`, uri), nil)
		var answer struct {
			Result struct {
				Contents []struct{ URI, MIMEType, Text string }
			}
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Result.Contents) != 1 {
			t.Fatalf("%s: %s %v", uri, body, err)
		}
		if err := json.Unmarshal([]byte(answer.Result.Contents[0].Text), &news); err != nil {
			t.Fatal(err)
		}
		return news
	}
	english, japanese := read("catalogue://news"), read("catalogue://news/ja-JP")
	if english.Locale != "en" || japanese.Locale != "ja" || len(english.News) != min(100, english.Total) || english.Total != japanese.Total {
		t.Errorf("%d of %d in %q, %d in %q", len(english.News), english.Total, english.Locale, japanese.Total, japanese.Locale)
	}
	for i, e := range english.News {
		if i > 0 && e.Date > english.News[i-1].Date || e.Key == "" || e.Title == "" || e.Change != "launched" && e.Change != "ended" {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	_, _, body := post(t, h, "POST", `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, nil)
	if !strings.Contains(body, `"uri":"catalogue://news"`) {
		t.Errorf("the list of resources: %s", body)
	}
}

// FuzzMessages checks that the response to any input is one JSON-RPC message with the id of the
// request, or empty.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{ping, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{`, `[]`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1e3}}`} {
		f.Add(seed)
	}
	h := serving(bundledCatalogue(f))
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		status, _, body := post(t, h, "POST", text, nil)
		if body == "" && status == 202 {
			return
		}
		var answer map[string]json.RawMessage
		if err := json.Unmarshal([]byte(body), &answer); err != nil || string(answer["jsonrpc"]) != `"2.0"` || answer["id"] == nil {
			t.Fatalf("%q: %d %q %v", text, status, body, err)
		}
		if strings.Contains(string(answer["error"]), "unmarshal") {
			t.Errorf("%q: %s", text, body)
		}
		var asked map[string]json.RawMessage
		if id := answer["id"]; json.Unmarshal([]byte(text), &asked) == nil && string(id) != "null" && string(id) != string(asked["id"]) {
			t.Errorf("%q: the id is %s", text, id)
		}
	})
}
