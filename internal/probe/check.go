package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"vitrine/internal/upstream"
)

// Outcome is the result of one check.
type Outcome string

// The outcomes. OutcomeLimited, OutcomeRefused and OutcomeUnchecked are neither up nor down.
const (
	OutcomeUp         Outcome = "up"
	OutcomeWrongChain Outcome = "wrong-chain" // the endpoint answers for another chain
	OutcomeLimited    Outcome = "limited"     // the host limits requests
	OutcomeRefused    Outcome = "refused"     // the host answers, and refuses this client
	OutcomeUnchecked  Outcome = "unchecked"   // it leads to a private address, or the prober cannot send requests
	OutcomeHostGone   Outcome = "host-gone"   // the name does not resolve, or nothing accepts connections
	OutcomeSlow       Outcome = "slow"        // no complete answer in time
	OutcomeError      Outcome = "error"       // an answer that is of no use
)

// failed reports whether the outcome counts towards down.
func (o Outcome) failed() bool {
	return o == OutcomeHostGone || o == OutcomeSlow || o == OutcomeError
}

// finding is an outcome with its reason.
type finding struct {
	outcome Outcome
	detail  string        // for people, "" for none
	after   time.Duration // wait until the next allowed request to the host; 0 if unknown
	single  bool          // found through one resolver only
}

// Client sends requests. [*upstream.Client] implements it.
type Client interface {
	Do(ctx context.Context, call upstream.Call) (*upstream.Answer, error)
}

// check checks a target through one client after the other, which have different resolvers. Only
// what all of them find is wrong with a target.
func check(ctx context.Context, clients []Client, t Target) finding {
	var found finding
	for _, client := range clients {
		again := checkWith(ctx, client, t)
		if !again.outcome.failed() && again.outcome != OutcomeWrongChain {
			return again
		}
		found = again
	}
	found.single = len(clients) < 2
	return found
}

func checkWith(ctx context.Context, client Client, t Target) finding {
	if t.use() == useEndpoint {
		return checkEndpoint(ctx, client, t)
	}
	return checkPage(ctx, client, t)
}

// checkPage asks with HEAD and, if that fails, with GET.
func checkPage(ctx context.Context, client Client, t Target) finding {
	var found finding
	for _, method := range []string{"HEAD", "GET"} {
		answer, err := client.Do(ctx, upstream.Call{Method: method, URL: t.URL, StatusOnly: true})
		found = judge(answer, err)
		if found.outcome == OutcomeUp && t.use() == usePicture && answer.Type == "text/html" {
			found = finding{outcome: OutcomeError, detail: "the picture is of the type text/html"}
		}
		// Servers that do not know HEAD answer with a status, or close the connection.
		if o := found.outcome; o == OutcomeUp || o == OutcomeLimited || o == OutcomeUnchecked || o == OutcomeSlow || answer == nil && o == OutcomeHostGone {
			return found
		}
	}
	return found
}

// judge returns the outcome of a response by its status.
func judge(a *upstream.Answer, err error) finding {
	if err != nil {
		return finding{outcome: outcomeOf(upstream.FailureOf(err)), detail: short(err.Error())}
	}
	detail := fmt.Sprintf("answers %d", a.Status)
	switch {
	case a.Status == 429:
		return finding{outcome: OutcomeLimited, detail: detail, after: a.After}
	case a.Status == 401 || a.Status == 402 || a.Status == 403 || a.Status == 407 || a.Status == 451:
		return finding{outcome: OutcomeRefused, detail: detail, after: a.After}
	case a.Status < 200 || a.Status > 299:
		return finding{outcome: OutcomeError, detail: detail, after: a.After}
	}
	return finding{outcome: OutcomeUp}
}

func outcomeOf(f upstream.Failure) Outcome {
	switch f {
	case upstream.FailureName, upstream.FailureConnect:
		return OutcomeHostGone
	case upstream.FailureTimeout:
		return OutcomeSlow
	case upstream.FailurePrivate, upstream.FailureLocal:
		return OutcomeUnchecked
	}
	return OutcomeError
}

// checkEndpoint asks for the id of the chain, by the means of its family. Over WebSocket, Solana only
// has subscriptions; such endpoints only have to accept connections.
func checkEndpoint(ctx context.Context, client Client, t Target) finding {
	namespace, reference, qualified := strings.Cut(t.ChainID, ":")
	switch {
	case isDigits(t.ChainID):
		return askRPC(ctx, client, t.URL, "eth_chainId", "[]", sameNumber(t.ChainID))
	case namespace == "eip155":
		return askRPC(ctx, client, t.URL, "eth_chainId", "[]", sameNumber(reference))
	case namespace == "solana" && !t.isWebSocket():
		return askRPC(ctx, client, t.URL, "getGenesisHash", "[]", beginsWith(reference))
	case namespace == "polkadot":
		return askRPC(ctx, client, t.URL, "chain_getBlockHash", "[0]", beginsWith("0x"+reference))
	case t.isWebSocket():
		return judge(client.Do(ctx, upstream.Call{URL: t.URL, StatusOnly: true}))
	case namespace == "cosmos":
		return askCosmos(ctx, client, t.URL, reference)
	case !qualified:
		return askCosmos(ctx, client, t.URL, t.ChainID)
	}
	return reachable(ctx, client, t.URL)
}

// askRPC sends a JSON-RPC request. compare returns which other chain a result is of, "" for none.
func askRPC(ctx context.Context, client Client, address, method, params string, compare func(result string) (wrong string, malformed bool)) finding {
	body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	answer, err := client.Do(ctx, upstream.Call{Method: "POST", URL: address, Body: body})
	found := judge(answer, err)
	if found.outcome != OutcomeUp {
		return found
	}
	var reply struct {
		Result *string `json:"result"`
		Error  *struct {
			Code    int64  `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(answer.Body, &reply) != nil {
		return finding{outcome: OutcomeError, detail: "the answer is not JSON-RPC"}
	}
	switch {
	case reply.Error != nil && isLimit(reply.Error.Code, reply.Error.Message):
		return finding{outcome: OutcomeLimited, detail: short(reply.Error.Message), after: answer.After}
	case reply.Error != nil && isRefusal(reply.Error.Message):
		return finding{outcome: OutcomeRefused, detail: short(reply.Error.Message)}
	case reply.Error != nil:
		return finding{outcome: OutcomeError, detail: short("answers with the error " + reply.Error.Message)}
	case reply.Result == nil:
		return finding{outcome: OutcomeError, detail: "the answer has no result"}
	}
	wrong, malformed := compare(*reply.Result)
	switch {
	case malformed:
		return finding{outcome: OutcomeError, detail: "the result of " + method + " is malformed"}
	case wrong != "":
		return finding{outcome: OutcomeWrongChain, detail: short(wrong)}
	}
	return finding{outcome: OutcomeUp}
}

// isLimit reports whether an error of JSON-RPC is a limit (EIP-1474 has -32005).
func isLimit(code int64, message string) bool {
	message = strings.ToLower(message)
	return code == -32005 || code == 429 || strings.Contains(message, "rate limit") || strings.Contains(message, "too many requests")
}

// isRefusal reports whether an error of JSON-RPC asks for a key.
func isRefusal(message string) bool {
	message = strings.ToLower(message)
	return slices.ContainsFunc([]string{"api key", "apikey", "unauthorized", "authenticat", "forbidden"}, func(word string) bool {
		return strings.Contains(message, word)
	})
}

// sameNumber returns a comparison of a hexadecimal result with a decimal id.
func sameNumber(id string) func(string) (wrong string, malformed bool) {
	return func(result string) (string, bool) {
		digits, ok := strings.CutPrefix(strings.ToLower(result), "0x")
		got, isNumber := new(big.Int).SetString(digits, 16)
		want, _ := new(big.Int).SetString(id, 10)
		switch {
		case !ok || !isNumber || len(digits) > 64 || got.Sign() < 0 || want == nil:
			return "", true
		case got.Cmp(want) != 0:
			return "answers for the chain id " + got.String(), false
		}
		return "", false
	}
}

// beginsWith returns a comparison of a result with a reference that CAIP-2 cuts.
func beginsWith(reference string) func(string) (wrong string, malformed bool) {
	return func(result string) (string, bool) {
		switch {
		case len(result) < len(reference):
			return "", true
		case !strings.HasPrefix(result, reference):
			return "answers for the chain " + result, false
		}
		return "", false
	}
}

// askCosmos asks a node for the id of its network. Other addresses only have to be reachable: an id
// without a namespace does not say which software the chain has.
func askCosmos(ctx context.Context, client Client, address, id string) finding {
	answer, err := client.Do(ctx, upstream.Call{Method: "GET", URL: strings.TrimRight(address, "/") + "/status"})
	if found := judge(answer, err); answer == nil || found.outcome == OutcomeLimited {
		return found
	}
	type node struct {
		Info struct {
			Network string `json:"network"`
		} `json:"node_info"`
	}
	var reply struct {
		Result node `json:"result"`
		node
	}
	if json.Unmarshal(answer.Body, &reply) == nil {
		switch network := reply.Result.Info.Network + reply.Info.Network; network {
		case "":
		case id:
			return finding{outcome: OutcomeUp}
		default:
			return finding{outcome: OutcomeWrongChain, detail: short("answers for the network " + network)}
		}
	}
	return reachable(ctx, client, address)
}

// reachable accepts any answer that does not say that the server is broken: most endpoints do not
// answer GET.
func reachable(ctx context.Context, client Client, address string) finding {
	answer, err := client.Do(ctx, upstream.Call{Method: "GET", URL: address, StatusOnly: true})
	found := judge(answer, err)
	if found.outcome == OutcomeError && answer != nil && (answer.Status < 500 || answer.Status == 501) {
		return finding{outcome: OutcomeUp}
	}
	return found
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// short returns a text of others for a report: printable ASCII, bounded.
func short(text string) string {
	const most = 100
	plain := bytes.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, []byte(text))
	return string(plain[:min(len(plain), most)])
}
