package mcp

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The SDK decodes ids as float64, ends a stream at a message that it cannot decode, and sends
// texts of encoding/json to clients. So this package validates and re-encodes messages before the
// SDK reads them, replaces ids that it would change by tokens, and rewrites its errors.

// message is what this package needs of a JSON-RPC 2.0 request, notification or
// response that a client sent.
type message struct {
	text   []byte          // for the SDK; nil for a response, since the server sends no requests
	id     json.RawMessage // as the client wrote it; null for none, and of a response
	method string          // "" for a response
	isCall bool            // the client waits for an answer
}

var noID = json.RawMessage("null")

// parseMessage checks one message. The error is for the client, in response to the id of
// the returned message.
func parseMessage(text []byte) (message, *jsonrpc.Error) {
	m := message{id: noID}
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	if !utf8.Valid(trimmed) {
		return m, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "parse error: the message is not valid UTF-8"}
	}
	if err := json.Unmarshal(trimmed, new(json.RawMessage)); err != nil {
		return m, parseError(err)
	}
	if trimmed[0] == '[' { // each message but the first would be free of charge
		return m, invalidRequest("batches are not supported; send one message per request")
	}
	var members map[string]json.RawMessage
	if trimmed[0] != '{' || json.Unmarshal(trimmed, &members) != nil {
		return m, invalidRequest("a message is a JSON object")
	}
	method, isRequest := members["method"]
	_, hasResult := members["result"]
	_, hasError := members["error"]
	isResponse := !isRequest && (hasResult || hasError)
	if id, ok := members["id"]; ok && !isResponse {
		if !isID(id) {
			return m, invalidRequest("id must be a string or a number")
		}
		m.id, m.isCall = id, true
	}
	switch {
	case string(members["jsonrpc"]) != `"2.0"`:
		return m, invalidRequest(`jsonrpc must be "2.0"`)
	case isResponse:
		return m, checkResponse(members)
	case !isRequest:
		return m, invalidRequest("method is missing")
	case hasResult || hasError:
		return m, invalidRequest("a message with a method has neither result nor error")
	case json.Unmarshal(method, &m.method) != nil || method[0] != '"':
		return m, invalidRequest("method must be a string")
	}
	if params, ok := members["params"]; ok && params[0] != '{' {
		return m, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "params must be an object"}
	}
	m.text = m.encoded(members)
	return m, nil
}

// checkResponse checks a message without a method. It has either a result and an id, or an
// error, whose id may be null or absent.
func checkResponse(members map[string]json.RawMessage) *jsonrpc.Error {
	id, hasID := members["id"]
	failed, hasError := members["error"]
	_, hasResult := members["result"]
	switch {
	case hasResult && hasError:
		return invalidRequest("a response has either a result or an error")
	case hasResult && !isID(id), hasID && !isID(id) && string(id) != "null":
		return invalidRequest("the id of a response must be a string or a number")
	case hasResult:
		return nil
	}
	var e struct {
		Code    *int64
		Message *string
	}
	if json.Unmarshal(failed, &e) != nil || e.Code == nil || e.Message == nil {
		return invalidRequest("error must be an object with an integer code and a message")
	}
	return nil
}

// encoded returns a request for the SDK: its members once each, with tokens for ids that
// the SDK would change, that of the message and the one that a cancellation names.
func (m message) encoded(members map[string]json.RawMessage) []byte {
	request := map[string]json.RawMessage{}
	for _, name := range []string{"jsonrpc", "id", "method", "params"} {
		if value, ok := members[name]; ok {
			request[name] = value
		}
	}
	if m.isCall && !isKept(m.id) {
		request["id"] = tokenOf(m.id)
	}
	if m.method == "notifications/cancelled" {
		var params map[string]json.RawMessage
		if json.Unmarshal(members["params"], &params) == nil && isID(params["requestId"]) && !isKept(params["requestId"]) {
			params["requestId"] = tokenOf(params["requestId"])
			request["params"] = encode(params)
		}
	}
	return encode(request)
}

// isID reports whether a JSON value may be an id: MCP forbids null.
func isID(value json.RawMessage) bool {
	return len(value) > 0 && (value[0] == '"' || value[0] == '-' || '0' <= value[0] && value[0] <= '9')
}

// maxExact is the largest integer up to which a float64 has all integers.
const maxExact = 1 << 53

// tokenPrefix is the prefix of ids that replace others.
const tokenPrefix = "vitrine-id-"

// isKept reports whether the SDK returns an id unchanged.
func isKept(id json.RawMessage) bool {
	if id[0] == '"' {
		plain := !bytes.ContainsFunc(id, func(r rune) bool { return r == '\\' || r >= 0x7f })
		return plain && !bytes.HasPrefix(id[1:], []byte(tokenPrefix))
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -maxExact <= n && n <= maxExact && strconv.FormatInt(n, 10) == string(id)
}

func tokenOf(id json.RawMessage) json.RawMessage {
	return json.RawMessage(`"` + tokenPrefix + hex.EncodeToString(id) + `"`)
}

// answerBegins is the beginning of each message of the SDK.
const answerBegins = `{"jsonrpc":"2.0","id":"` + tokenPrefix

// restored returns a message of the SDK with the id that the client wrote.
func restored(answer []byte) []byte {
	rest, ok := bytes.CutPrefix(answer, []byte(answerBegins))
	if !ok {
		return answer
	}
	token, rest, ok := bytes.Cut(rest, []byte(`"`))
	if !ok {
		return answer
	}
	id, err := hex.DecodeString(string(token))
	if err != nil {
		return answer
	}
	return slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), id, rest)
}

// outgoing returns a message of the SDK for a client: with the original id, and without
// Go terms in errors.
func outgoing(answer []byte) []byte {
	answer = restored(answer)
	if !bytes.Contains(answer, []byte(`"error":{`)) { // most have none; a quotation mark in a text is escaped
		return answer
	}
	var failed struct {
		ID    json.RawMessage
		Error *jsonrpc.Error
	}
	if json.Unmarshal(answer, &failed) != nil || failed.Error == nil {
		return answer
	}
	return failure(failed.ID, polished(failed.Error))
}

// isCancelled reports whether the SDK answers a call that its client has cancelled.
func isCancelled(answer []byte) bool {
	return bytes.HasPrefix(answer, []byte(`{"jsonrpc":"2.0","id":`)) && bytes.HasSuffix(answer, []byte(`"message":"context canceled"}}`))
}

// polished returns an error of the SDK for clients, without Go terms and with the code of
// the specification.
func polished(e *jsonrpc.Error) *jsonrpc.Error {
	sent := *e
	switch {
	case strings.Contains(sent.Message, "unmarshal"):
		sent.Code, sent.Message = jsonrpc.CodeInvalidParams, "invalid params: a member has the wrong type"
	case strings.Contains(sent.Message, `missing required "params"`): // the SDK has -32600
		sent.Code, sent.Message = jsonrpc.CodeInvalidParams, "invalid params: the method needs params"
	case sent.Code == 0: // the SDK names none
		sent.Code = jsonrpc.CodeInvalidRequest
	}
	return &sent
}

// failure returns a message that answers id with an error; a nil id is null.
func failure(id json.RawMessage, e *jsonrpc.Error) []byte {
	if id == nil {
		id = noID
	}
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, e})
}

func parseError(err error) *jsonrpc.Error {
	sent := &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "parse error: the message is not valid JSON"}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		sent.Message += fmt.Sprintf(" at byte %d", syntax.Offset)
	}
	return sent
}

func invalidRequest(detail string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "invalid request: " + detail}
}
