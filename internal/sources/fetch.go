package sources

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"time"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
	"vitrine/internal/upstream"
)

// Fetcher reads documents of an upstream, or recordings of them. It is safe for concurrent use.
type Fetcher struct {
	client *upstream.Client
	kept   *upstream.Kept // for conditional requests
}

// NewFetcher returns a fetcher that sends a user agent. Only with allowPrivate it connects to private
// addresses.
func NewFetcher(agent string, allowPrivate bool) Fetcher {
	client := upstream.New(upstream.Options{UserAgent: agent, MaxBytes: connector.MaxBytes, AllowPrivate: allowPrivate})
	return Fetcher{client, new(upstream.Kept)}
}

// Close closes idle connections.
func (f Fetcher) Close() { f.client.Close() }

// Read returns the content of an address or a file, of at most [connector.MaxBytes].
func (f Fetcher) Read(ctx context.Context, from string) ([]byte, error) {
	if !IsAddress(from) {
		return readRecording(from)
	}
	document, err := f.get(ctx, upstream.Request{URL: from})
	if err != nil {
		return nil, err
	}
	return document.Body, nil
}

// fetched is a document of an upstream.
type fetched struct {
	body      io.Reader
	asOf      domain.Date // of its figures
	unchanged bool        // since the last fetch
}

// fetch returns a document or a recording. The date of its figures is asOf or, if that is "", the
// date of the response.
func (f Fetcher) fetch(ctx context.Context, from, asOf string) (fetched, error) {
	if !IsAddress(from) {
		body, err := readRecording(from)
		return fetched{body: bytes.NewReader(body), asOf: domain.Date(asOf)}, err
	}
	document, err := f.get(ctx, upstream.Request{URL: from})
	if err != nil {
		return fetched{}, err
	}
	return fetched{bytes.NewReader(document.Body), domain.Date(cmp.Or(asOf, string(dayOf(document)))), document.NotModified}, nil
}

// get returns a JSON document, with a conditional request if it is known.
func (f Fetcher) get(ctx context.Context, request upstream.Request) (*upstream.Document, error) {
	header := map[string][]string{"Accept": {"application/json"}}
	maps.Copy(header, request.Header)
	request.Header = header
	return f.kept.Get(ctx, f.client, request)
}

// dayOf returns the date of a response, which is not in the future.
func dayOf(document *upstream.Document) domain.Date {
	day := document.Date
	if day.IsZero() || day.After(time.Now()) {
		day = time.Now()
	}
	return domain.DateOf(day)
}

func readRecording(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	body, err := io.ReadAll(io.LimitReader(file, connector.MaxBytes+1))
	if err == nil && len(body) > connector.MaxBytes {
		err = fmt.Errorf("%s: %w", path, connector.ErrTooLarge)
	}
	return body, err
}

// IsAddress reports whether the origin of a document is an address instead of a file.
func IsAddress(from string) bool {
	return strings.HasPrefix(from, "http://") || strings.HasPrefix(from, "https://")
}

// Shown returns the origin of a document without secrets.
func Shown(from string) string {
	if IsAddress(from) {
		return upstream.Redacted(from)
	}
	return from
}
