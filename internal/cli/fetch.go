package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"time"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
	"vitrine/internal/upstream"
)

// fetcher reads documents of an upstream, or recordings of them.
type fetcher struct {
	client *upstream.Client
	kept   *upstream.Kept // for conditional requests
}

func newFetcher(allowPrivate bool) fetcher {
	client := upstream.New(upstream.Options{UserAgent: "vitrine/" + builtFrom().version, MaxBytes: connector.MaxBytes, AllowPrivate: allowPrivate})
	return fetcher{client, new(upstream.Kept)}
}

func (f fetcher) close() { f.client.Close() }

// fetched is a document of an upstream.
type fetched struct {
	body      io.Reader
	asOf      domain.Date // of its figures
	unchanged bool        // since the last fetch
}

// fetch returns a document or a recording. The date of its figures is asOf or, if that is "", the
// date of the response.
func (f fetcher) fetch(ctx context.Context, from, asOf string) (fetched, error) {
	if !isAddress(from) {
		if asOf == "" {
			return fetched{}, errors.New("--from names a file, whose date is not known; pass --as-of DATE")
		}
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
func (f fetcher) get(ctx context.Context, request upstream.Request) (*upstream.Document, error) {
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

// shownAddress returns a source without secrets.
func shownAddress(from string) string {
	if isAddress(from) {
		return upstream.Redacted(from)
	}
	return from
}
