package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
	"vitrine/internal/upstream"
)

// fetcher reads documents of an upstream, or recordings of them.
type fetcher struct{ client *upstream.Client }

func newFetcher(allowPrivate bool) fetcher {
	return fetcher{upstream.New(upstream.Options{UserAgent: "vitrine/" + builtFrom().version, MaxBytes: connector.MaxBytes, AllowPrivate: allowPrivate})}
}

func (f fetcher) close() { f.client.Close() }

// fetch returns a document, and the date of its figures: asOf or, if that is "", the date of the
// response.
func (f fetcher) fetch(ctx context.Context, from, asOf string) (io.Reader, domain.Date, error) {
	if !isAddress(from) {
		if asOf == "" {
			return nil, "", errors.New("--from names a file, whose date is not known; pass --as-of DATE")
		}
		body, err := readRecording(from)
		return bytes.NewReader(body), domain.Date(asOf), err
	}
	document, err := f.get(ctx, upstream.Request{URL: from})
	if err != nil {
		return nil, "", err
	}
	return bytes.NewReader(document.Body), domain.Date(cmp.Or(asOf, string(dayOf(document)))), nil
}

func (f fetcher) get(ctx context.Context, request upstream.Request) (*upstream.Document, error) {
	if request.Header == nil {
		request.Header = map[string][]string{}
	}
	request.Header["Accept"] = []string{"application/json"}
	return f.client.Get(ctx, request)
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
