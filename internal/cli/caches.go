package cli

import (
	"context"
	"errors"
	"fmt"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"vitrine/internal/upstream"
)

// cacheFlags are about the caches in front of a server.
type cacheFlags struct {
	CacheTags       string `enum:"off,cache-tag,surrogate-key" default:"off" help:"Header with the kinds of a response, by which caches purge: ${enum} (default ${default})."`
	PurgeURL        string `placeholder:"URL" help:"Address that is requested after each publish, once it is served, to purge caches (default: none)."`
	PurgeMethod     string `enum:"POST,PUT,DELETE,PURGE,BAN" default:"POST" help:"Method of --purge-url: ${enum} (default ${default})."`
	PurgeBody       string `placeholder:"TEXT" help:"Body for --purge-url (default: none)."`
	PurgeHeaderFile string `placeholder:"FILE" help:"File with a secret header line for --purge-url, such as Authorization: Bearer TOKEN (default: the variable VITRINE_PURGE_HEADER, or none)."`
}

// purgeTimeout limits a request to --purge-url.
const purgeTimeout = 10 * time.Second

// purge returns the function that purges caches, nil for none.
func (f *cacheFlags) purge() (func(context.Context) error, error) {
	if f.PurgeURL == "" {
		if f.PurgeBody != "" || f.PurgeHeaderFile != "" {
			return nil, errors.New("--purge-body and --purge-header-file need --purge-url")
		}
		return nil, nil
	}
	if u, err := url.Parse(f.PurgeURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("--purge-url is not an http or https URL")
	}
	request := upstream.Request{URL: f.PurgeURL, Method: f.PurgeMethod, Body: f.PurgeBody, Header: map[string][]string{}}
	if strings.HasPrefix(f.PurgeBody, "{") {
		request.Header["Content-Type"] = []string{"application/json"}
	}
	name, value, err := f.header()
	if err != nil {
		return nil, err
	}
	if name != "" {
		request.Header[name] = []string{value}
	}
	client := upstream.New(upstream.Options{UserAgent: userAgent(), Timeout: purgeTimeout, AllowPrivate: true})
	return func(ctx context.Context) error { return client.Send(ctx, request) }, nil
}

// header returns the secret header of a purge, "" for none. Errors do not contain it.
func (f *cacheFlags) header() (name, value string, err error) {
	line, err := readSecret(f.PurgeHeaderFile, "VITRINE_PURGE_HEADER")
	if err != nil {
		return "", "", fmt.Errorf("--purge-header-file: %w", err)
	}
	if line == "" && f.PurgeHeaderFile == "" {
		return "", "", nil
	}
	name, value, _ = strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	isName := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-'
	}
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !isName(r) }) ||
		value == "" || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "", "", errors.New("--purge-header-file or VITRINE_PURGE_HEADER is not one line NAME: VALUE")
	}
	return textproto.CanonicalMIMEHeaderKey(name), value, nil
}

// tagHeader returns the name of the header with cache tags, "" for none.
func (f *cacheFlags) tagHeader() string {
	if f.CacheTags == "off" {
		return ""
	}
	return textproto.CanonicalMIMEHeaderKey(f.CacheTags)
}
