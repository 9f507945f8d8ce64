package server_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNoRequestEndsInTwoPlaces sends two requests at once. If a proxy could see another end of the
// first, the second is not answered and the connection closes. (RFC 9112, sections 5.2, 6.1, 6.3.)
func TestNoRequestEndsInTwoPlaces(t *testing.T) {
	r := runServer(t, time.Minute, func(http.ResponseWriter, *http.Request) {})
	const (
		get    = "GET / HTTP/1.1\r\nHost: a\r\n"
		kept10 = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n"
		chunks = "3\r\nGET\r\n0\r\n\r\n"
	)
	tests := []struct{ name, request, statuses string }{
		{"no body", get + "\r\n", "200 200"},
		{"a length of 0", get + "Content-Length: 0\r\n\r\n", "200 200"},
		{"five at once", strings.Repeat(get+"\r\n", 5), "200 200 200 200 200 200"},
		{"a blank in a line", get + "A: b c\t d\r\n\r\n", "200 200"},

		{"a length", get + "Content-Length: 3\r\n\r\nGET", "200"},
		{"two equal lengths", get + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nGET", "200"},
		{"a folded length", get + "Content-Length:\r\n 3\r\n\r\nGET", "200"},
		{"a folded length of 0", get + "Content-Length:\r\n 0\r\n\r\n", "200"},
		{"chunks", get + "Transfer-Encoding: chunked\r\n\r\n" + chunks, "200"},
		{"no chunks", get + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "200"},
		{"chunks, in capitals", get + "TRANSFER-ENCODING: CHUNKED\r\n\r\n" + chunks, "200"},
		{"chunks with trailers", get + "Transfer-Encoding: chunked\r\nTrailer: A\r\n\r\n0\r\nA: b\r\n\r\n", "200"},
		{"chunks with an extension", get + "Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nGET\r\n0\r\n\r\n", "200"},
		{"chunks after bare line feeds", get + "Transfer-Encoding: chunked\r\n\r\n3\nGET\n0\n\n", "200"},
		{"missing chunks", get + "Transfer-Encoding: chunked\r\n\r\n", "200"},
		{"a length, then chunks", get + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, "200"},
		{"chunks, then a length", get + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n" + chunks, "200"},
		{"chunks and a length of 0", get + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, "200"},
		{"folded chunks", get + "Transfer-Encoding:\r\n chunked\r\n\r\n" + chunks, "200"},
		{"chunks folded with a tab", get + "Transfer-Encoding:\r\n\tchunked\r\n\r\n" + chunks, "200"},
		{"folded chunks and a length", get + "Content-Length: 3\r\nTransfer-Encoding:\r\n chunked\r\n\r\n" + chunks, "200"},
		{"chunks hidden in a fold", get + "A: b\r\n Transfer-Encoding: chunked\r\n\r\n", "200"},
		{"a length hidden in a fold", get + "A: b\r\n\tContent-Length: 3\r\n\r\n", "200"},
		{"a fold after a bare line feed", get + "A: b\n Content-Length: 3\r\n\r\n", "200"},
		{"another method", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, "200"},
		{"the second of two", get + "\r\n" + get + "Transfer-Encoding: chunked\r\n\r\n" + chunks, "200 200"},

		{"HTTP/1.0", kept10 + "\r\n", "200"},
		{"HTTP/1.0, a length", kept10 + "Content-Length: 3\r\n\r\nGET", "200"},
		{"HTTP/1.0, chunks", kept10 + "Transfer-Encoding: chunked\r\n\r\n" + chunks, "200"},
		{"HTTP/1.0, chunks and a length", kept10 + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nGET", "200"},
		{"HTTP/1.0, an unknown coding", kept10 + "Transfer-Encoding: x\r\n\r\n", "200"},

		{"two codings", get + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "501"},
		{"a list of codings", get + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "501"},
		{"chunked is not the last coding", get + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", "501"},
		{"a folded list of codings", get + "Transfer-Encoding: identity,\r\n chunked\r\n\r\n0\r\n\r\n", "501"},
		{"identity", get + "Transfer-Encoding: identity\r\nContent-Length: 3\r\n\r\nGET", "501"},
		{"an empty coding", get + "Transfer-Encoding:\r\nContent-Length: 3\r\n\r\nGET", "501"},
		{"nearly chunked", get + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "501"},
		{"a quoted coding", get + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n", "501"},
		{"a coding after a vertical tab", get + "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n", "400"},
		{"a coding before a bare return", get + "Transfer-Encoding: chunked\rA: b\r\n\r\n0\r\n\r\n", "400"},
		{"a blank before the colon", get + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", "400"},
		{"a name folded from its colon", get + "Transfer-Encoding\r\n : chunked\r\n\r\n0\r\n\r\n", "400"},
		{"a fold first", "GET / HTTP/1.1\r\n Host: a\r\nContent-Length: 3\r\n\r\nGET", "400"},
		{"two lengths", get + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nGET", "400"},
		{"a list of lengths", get + "Content-Length: 3, 3\r\n\r\nGET", "400"},
		{"a length with a sign", get + "Content-Length: +3\r\n\r\nGET", "400"},
		{"an empty length", get + "Content-Length:\r\n\r\nGET", "400"},
		{"a length that overflows", get + "Content-Length: 18446744073709551619\r\n\r\nGET", "400"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			whole := test.request + get + "Connection: close\r\n\r\n"
			if got := statuses(t, r.public, whole); got != test.statuses {
				t.Errorf("statuses %s, want %s", got, test.statuses)
			}
			if !strings.HasPrefix(test.statuses, "200") {
				return // the standard library may close before it reads all, and lose the response
			}
			if got := statuses(t, r.public, strings.Split(whole, "")...); got != test.statuses {
				t.Errorf("byte by byte: statuses %s, want %s", got, test.statuses)
			}
		})
	}
	t.Run("operators", func(t *testing.T) {
		got := statuses(t, r.admin, get+"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"+chunks+get+"\r\n")
		if got != "404" {
			t.Errorf("statuses %s, want 404", got)
		}
	})
}

// statuses sends pieces of bytes and returns the statuses of the responses until the server closes
// the connection.
func statuses(t *testing.T, url string, pieces ...string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	must(t, err)
	defer func() { _ = conn.Close() }()
	must(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	for _, piece := range pieces {
		if _, err := io.WriteString(conn, piece); err != nil {
			break // the server has closed: read its responses
		}
	}
	var got []string
	for r := bufio.NewReader(conn); ; {
		response, err := http.ReadResponse(r, nil)
		if err != nil {
			if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("after %q: %v", got, err)
			}
			return strings.Join(got, " ")
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(response.StatusCode))
	}
}
