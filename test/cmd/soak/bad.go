package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// bad is an invalid request with its status; 0 means that the client disconnects before the
// response.
type bad struct {
	status  int
	request string
}

// badRequests are sent on separate connections.
var badRequests = []bad{
	{400, "NONSENSE\r\n\r\n"},
	{400, "GET /api/open/chains HTTP/1.1\r\n\r\n"}, // no Host
	{400, get("/api/open/chains", "Host: twice")},
	{400, get("/api/open/chains", "no colon")},
	{400, get("/api/open/chains?sort=x")},
	{400, get("/api/open/chains?limit=0")},
	{400, get("/api/open/chains?limit=1001")},
	{400, get("/api/open/chains?offset=-1")},
	{400, get("/api/open/chains?q=%zz")},
	{400, get("/api/open/chains?q=%ff")},
	{400, get("/api/open/chains?q=%00")},
	{400, get("/api/open/chains?q=" + strings.Repeat("a", 201))},
	{400, get("/api/open/meta?locale=en&locale=ja")},
	{400, get("/api/open/categories?includeI18n=yes")},
	{400, get("/api/open/category-groups")},
	{401, get("/api/open/meta", "X-API-Key: vitrine_guessed")},
	{401, get("/api/open/meta", "X-API-Key: a", "X-API-Key: b")},
	{404, get("/nope")},
	{404, get("/api/open/nope")},
	{404, get("/api/open/chains/")},
	{404, get("/api/open//chains")},
	{404, get("/api/open/../open/chains")},
	{404, get("/api/open/ch%61ins")},
	{404, get("/api/open/nav/menus/nope")},
	{405, "DELETE /api/open/chains HTTP/1.1\r\nHost: soak\r\n\r\n"},
	{405, "POST /api/open/chains HTTP/1.1\r\nHost: soak\r\nContent-Length: 5\r\n\r\nhello"},
	{405, "POST / HTTP/1.1\r\nHost: soak\r\n\r\n"},
	{200, get("/api/open/meta", "Content-Length: 3", "Transfer-Encoding: chunked") + "0\r\n\r\n"},
	{200, "GET /api/open/meta HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"},
	{406, get("/api/open/meta", "Accept-Encoding: *;q=0")},
	{414, get("/api/open/chains?x=" + strings.Repeat("a", 9000))},
	{431, get("/api/open/chains", "X-Large: "+strings.Repeat("a", 20000))},
	{431, get("/api/open/chains", strings.TrimSuffix(strings.Repeat("X-Many: a\r\n", 150), "\r\n"))},
	{0, get("/api/open/chains", "X-Huge: "+strings.Repeat("a", 200000))}, // may be reset before the response is read
	{0, "POST /api/open/chains HTTP/1.1\r\nHost: soak\r\nContent-Length: 100000\r\n\r\nbroken off"},
	{0, "POST /api/open/chains HTTP/1.1\r\nHost: soak\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"},
	{0, "GET /api/open/chains HTTP/1.1\r\nHost: so"},
	{0, get("/api/open/chains")},
	{0, strings.Repeat(get("/api/open/chains"), 20)},
	{0, ""},
}

// get returns a GET request with header lines.
func get(path string, lines ...string) string {
	lines = append([]string{"GET " + path + " HTTP/1.1", "Host: soak"}, lines...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

// misbehave sends rate bad requests per second until ctx is done.
func misbehave(ctx context.Context, addr string, t *tally, rate float64) {
	for pause(ctx, rate) {
		b := pick(badRequests)
		if err := b.send(addr, t); err != nil {
			t.remark(fmt.Sprintf("no answer to %.60q: %v", b.request, err))
		}
	}
}

// send sends a bad request and checks the response. It fails if an expected response is missing,
// for example if another connection displaced this one.
func (b bad) send(addr string, t *tally) error {
	conn, err := somewhere().Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if b.status == 0 {
		t.event("connections cut")
		return cut(conn, b.request)
	}
	status, err := exchange(conn, bufio.NewReader(conn), b.request)
	if err != nil {
		return err
	}
	if t.answered(status); status != strconv.Itoa(b.status) && !declared(status) {
		t.fault(fmt.Sprintf("%.60q: %s, not %d", b.request, status, b.status))
	}
	return nil
}

// exchange sends a request unchanged, and returns the status of the response; see statusOf. in
// reads from conn.
func exchange(conn net.Conn, in *bufio.Reader, request string) (string, error) {
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return "", err
	}
	if _, err := io.WriteString(conn, request); err != nil {
		return "", err
	}
	response, err := http.ReadResponse(in, nil)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return statusOf(response, body), err
}

// cut sends a request, reads part of the response or nothing, and closes or resets the
// connection.
func cut(conn net.Conn, request string) error {
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return err
	}
	_, _ = io.WriteString(conn, request) // the server may have closed the connection
	if rand.IntN(2) == 0 {
		if err := conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
			return err
		}
		_, _ = conn.Read(make([]byte, 100)) // the content is irrelevant
	}
	if rand.IntN(2) == 0 {
		return conn.(*net.TCPConn).SetLinger(0)
	}
	return nil
}
