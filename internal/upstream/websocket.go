package upstream

import (
	"context"
	"net/http"
	"net/url"

	"github.com/coder/websocket"
)

func isWebSocket(u *url.URL) bool { return u.Scheme == "wss" || u.Scheme == "ws" }

// doWebSocket opens a connection and, unless only the status is asked for, sends the body of the call
// as a message and reads one message. The status of the answer is 200, or that of a refused handshake,
// which is an error if it is a success without WebSocket.
func (c *Client) doWebSocket(ctx context.Context, call Call, target *url.URL) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	conn, response, err := websocket.Dial(ctx, call.URL, &websocket.DialOptions{
		HTTPClient: c.http, HTTPHeader: http.Header{"User-Agent": {c.options.UserAgent}},
	})
	if response != nil && response.StatusCode >= http.StatusMultipleChoices {
		return &Answer{Status: response.StatusCode, After: retryAfter(response.Header, c.options.Now())}, nil
	}
	if err != nil {
		return nil, withoutURL(err, target)
	}
	defer conn.CloseNow()
	answer := &Answer{Status: http.StatusOK}
	if call.StatusOnly {
		return answer, nil
	}
	conn.SetReadLimit(c.options.MaxBytes)
	if err := conn.Write(ctx, websocket.MessageText, call.Body); err != nil {
		return nil, withoutURL(err, target)
	}
	if _, answer.Body, err = conn.Read(ctx); err != nil {
		return nil, withoutURL(err, target)
	}
	return answer, nil
}
