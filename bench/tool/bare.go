package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// answers has the responses of one path by content coding.
type answers struct {
	identity, gzip *answer
}

// answer is a complete response.
type answer struct {
	header http.Header
	body   []byte
}

// bare serves the bytes and headers of another server's responses for some paths, and does
// nothing else: it measures net/http alone. It answers 304 for a matching entity tag, and uses
// gzip if Accept-Encoding has it. It prints its address to standard output.
func bare(ctx context.Context, addr, from string, paths []string) error {
	prepared := map[string]answers{}
	for _, path := range paths {
		identity, err := ask(ctx, from+path, "identity")
		if err != nil {
			return err
		}
		gzip, err := ask(ctx, from+path, "gzip")
		if err != nil {
			return err
		}
		prepared[path] = answers{identity, gzip}
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	server := &http.Server{ // timeouts that every public server needs, so they are part of the cost of a handler
		Handler: handler(prepared), ReadTimeout: 5 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
	}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintf(os.Stdout, "http://%s\n", listener.Addr())
	if err := server.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}

func ask(ctx context.Context, url, coding string) (*answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept-Encoding", coding)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", url, response.Status)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	header := response.Header.Clone()
	header.Del("Date") // net/http sets it
	header.Set("Content-Length", fmt.Sprint(len(body)))
	return &answer{header, body}, nil
}

func handler(prepared map[string]answers) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		of, ok := prepared[r.URL.RequestURI()]
		if !ok {
			http.NotFound(w, r)
			return
		}
		a := of.identity
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			a = of.gzip
		}
		header := w.Header()
		for name, values := range a.header {
			header[name] = values
		}
		if tag := r.Header.Get("If-None-Match"); tag != "" && tag == a.header.Get("Etag") {
			header.Del("Content-Length")
			header.Del("Content-Type")
			w.WriteHeader(304)
			return
		}
		_, _ = w.Write(a.body) // a disconnected client is not an error
	}
}
