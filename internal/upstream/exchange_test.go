package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"vitrine/internal/upstream"
)

func TestDo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "Text/Plain; charset=utf-8")
		if r.URL.Path == "/limited" {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
		}
		fmt.Fprintf(w, "%s %s %s %s", r.Method, r.UserAgent(), r.Header.Get("Content-Type"), body)
	}))
	defer server.Close()
	client := upstream.New(upstream.Options{UserAgent: "v", AllowPrivate: true, MaxBytes: 100})
	defer client.Close()
	tests := []struct {
		call upstream.Call
		want upstream.Answer
	}{
		{upstream.Call{Method: "GET"}, upstream.Answer{Status: 200, Body: []byte("GET v  ")}},
		{upstream.Call{Method: "GET", StatusOnly: true}, upstream.Answer{Status: 200}},
		{upstream.Call{Method: "HEAD", StatusOnly: true}, upstream.Answer{Status: 200}},
		{upstream.Call{Method: "POST", Body: []byte("{}")}, upstream.Answer{Status: 200, Body: []byte("POST v application/json {}")}},
		{upstream.Call{Method: "GET", URL: "/limited", StatusOnly: true}, upstream.Answer{Status: 429, After: 7 * time.Second}},
	}
	for _, tt := range tests {
		tt.call.URL, tt.want.Type = server.URL+tt.call.URL, "text/plain"
		got, err := client.Do(t.Context(), tt.call)
		if err != nil || fmt.Sprintf("%+v", *got) != fmt.Sprintf("%+v", tt.want) {
			t.Errorf("%s %s: %+v, %v, want %+v", tt.call.Method, tt.call.URL, got, err, tt.want)
		}
	}
	for _, url := range []string{"ftp://example.org/", "", "http://"} {
		if _, err := client.Do(t.Context(), upstream.Call{Method: "GET", URL: url}); err == nil {
			t.Errorf("%q is requested", url)
		}
	}
}

// TestFailureOf: each failure has its class, and no error has the path.
func TestFailureOf(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/secret-slow":
			<-r.Context().Done()
		case "/secret-closes":
			panic(http.ErrAbortHandler)
		case "/secret-large":
			fmt.Fprint(w, strings.Repeat("0", 101))
		case "/secret-truncated":
			w.Header().Set("Content-Length", "10")
		}
	}))
	defer server.Close()
	closed := httptest.NewServer(nil)
	closed.Close()
	client := upstream.New(upstream.Options{AllowPrivate: true, MaxBytes: 100, Resolver: upstream.ResolverAt(newDNS(t))})
	defer client.Close()
	hasty := upstream.New(upstream.Options{AllowPrivate: true, Timeout: 50 * time.Millisecond})
	defer hasty.Close()
	public := upstream.New(upstream.Options{Resolver: upstream.ResolverAt(newDNS(t))})
	defer public.Close()
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	tests := []struct {
		client *upstream.Client
		url    string
		want   upstream.Failure
	}{
		{hasty, server.URL + "/secret-slow", upstream.FailureTimeout},
		{client, server.URL + "/secret-closes", upstream.FailureOther},
		{client, server.URL + "/secret-large", upstream.FailureOther},
		{client, server.URL + "/secret-truncated", upstream.FailureOther},
		{client, closed.URL + "/secret", upstream.FailureConnect},
		{client, "http://unknown.example/secret", upstream.FailureName},
		{public, "http://known.example:" + port + "/secret", upstream.FailurePrivate},
		{public, server.URL + "/secret", upstream.FailurePrivate},
	}
	for _, tt := range tests {
		_, err := tt.client.Do(t.Context(), upstream.Call{Method: "GET", URL: tt.url})
		if err == nil || upstream.FailureOf(err) != tt.want || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v is %d, want %d", tt.url, err, upstream.FailureOf(err), tt.want)
		}
	}
	if _, err := client.Do(t.Context(), upstream.Call{Method: "GET", URL: "http://known.example:" + port + "/"}); err != nil {
		t.Errorf("a name that the resolver knows: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Do(ctx, upstream.Call{Method: "GET", URL: server.URL}); upstream.FailureOf(err) != upstream.FailureCancelled {
		t.Errorf("cancelled: %v", err)
	}
}

// newDNS returns the address of a DNS server that knows known.example alone, as 127.0.0.1.
func newDNS(t *testing.T) string {
	t.Helper()
	listener, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		buffer := make([]byte, 1500)
		for {
			n, from, err := listener.ReadFrom(buffer)
			if err != nil {
				return
			}
			if reply, err := dnsReply(buffer[:n]); err == nil {
				listener.WriteTo(reply, from)
			}
		}
	}()
	return listener.LocalAddr().String()
}

func dnsReply(query []byte) ([]byte, error) {
	var message dnsmessage.Message
	if err := message.Unpack(query); err != nil {
		return nil, err
	}
	if len(message.Questions) != 1 {
		return nil, errors.New("not one question")
	}
	question := message.Questions[0]
	message.Response, message.Additionals = true, nil
	switch {
	case question.Name.String() != "known.example.":
		message.RCode = dnsmessage.RCodeNameError
	case question.Type == dnsmessage.TypeA:
		message.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: question.Name, Class: question.Class},
			Body:   &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
		}}
	}
	return message.Pack()
}
