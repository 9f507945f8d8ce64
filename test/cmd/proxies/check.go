package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The times of Vitrine's Cache-Control, and additions to them: Varnish serves an error for ten
// more seconds while it fetches, and busy machines are slow.
const (
	fresh      = 60 * time.Second
	stale      = 300 * time.Second
	freshError = 10 * time.Second
	graceError = 10 * time.Second
	slack      = 5 * time.Second
)

// exchange is a request through a chain with its response.
type exchange struct {
	chain    *chain
	method   string
	target   string
	accept   acceptance
	tags     string // If-None-Match, "" for none
	at       time.Time
	response *http.Response
	body     []byte
}

// behind returns for how long Vitrine had had a different response when the request was sent.
func (t *truth) behind(e *exchange) time.Duration {
	t.lock.Lock()
	defer t.lock.Unlock()
	revision := revisionOf(e.response)
	said := t.answers[revision][e.target]
	for said.equal(t.answers[revision+1][e.target]) {
		revision++
	}
	replaced, ok := t.replaced[revision]
	if !ok {
		return 0
	}
	return max(0, e.at.Sub(replaced))
}

// wrong returns the fault of an exchange, nil for none. It must be called when all revisions are
// known.
func (t *truth) wrong(e *exchange) error {
	revision, header := revisionOf(e.response), e.response.Header
	t.lock.Lock()
	want := t.answers[revision][e.target]
	t.lock.Unlock()
	if want == nil {
		return fmt.Errorf("revision %q was never served", header.Get("Catalog-Revision"))
	}
	if got := header.Get("Content-Language"); got != want.language && (got != "" || e.response.StatusCode != http.StatusNotModified) {
		return fmt.Errorf("Content-Language %q, revision %d has %q", got, revision, want.language)
	}
	behind := t.behind(e)
	switch status := e.response.StatusCode; {
	case status == http.StatusNotModified:
		return e.wrong304(want)
	case status != want.status:
		return fmt.Errorf("status %d, revision %d has %d", status, revision, want.status)
	case status >= 400:
		if limit := time.Duration(e.chain.layers)*(freshError+graceError) + slack; behind > limit {
			return fmt.Errorf("an error that was wrong for %v, at most %v", behind, limit)
		}
		return e.wrongError(want)
	default:
		if limit := time.Duration(e.chain.layers)*(fresh+stale) + slack; behind > limit {
			return fmt.Errorf("a body that was old for %v, at most %v", behind, limit)
		}
		return e.wrongBody(want)
	}
}

// wrong304 checks that the client has the content of the tag.
func (e *exchange) wrong304(want *answer) error {
	tag := strong(e.response.Header.Get("ETag"))
	if !want.hasTag(tag) {
		return fmt.Errorf("304 with %s, which is no tag of its revision", tag)
	}
	if e.tags != "*" && !strings.Contains(e.tags, tag) {
		return fmt.Errorf("304 with %s to If-None-Match: %s", tag, e.tags)
	}
	return nil
}

func (e *exchange) wrongError(want *answer) error {
	if e.method == http.MethodHead {
		return nil
	}
	body, err := e.unzipped()
	if err != nil {
		return err
	}
	if got := codeOf(body); got != want.code {
		return fmt.Errorf("code %q, want %q", got, want.code)
	}
	if id := e.response.Header.Get("X-Request-Id"); !bytes.Contains(body, []byte(`"requestId":"`+id+`"`)) {
		return fmt.Errorf("X-Request-Id %q is not that of the body", id)
	}
	return nil
}

// wrongBody checks coding, tag and bytes. A proxy that changes the coding must make the tag weak.
func (e *exchange) wrongBody(want *answer) error {
	header := e.response.Header
	coding, tag := header.Get("Content-Encoding"), header.Get("ETag")
	if !e.accept.takes(coding) && (!e.chain.unpacks || coding != "") {
		return fmt.Errorf("encoded as %q, requested %q", coding, e.accept.value)
	}
	if !strings.Contains(header.Get("Vary"), "Accept-Encoding") {
		return fmt.Errorf("no Accept-Encoding in Vary %q", header.Values("Vary"))
	}
	body, is := e.body, want.forms[coding]
	if weak := strings.HasPrefix(tag, "W/"); weak && !want.hasTag(strong(tag)) || !weak && tag != is.tag {
		return fmt.Errorf("tag %s of coding %q, Vitrine has %s", tag, coding, is.tag)
	}
	if e.method == http.MethodHead {
		return nil
	}
	if coding == "gzip" && strings.HasPrefix(tag, "W/") {
		var err error
		if body, err = e.unzipped(); err != nil {
			return err
		}
		is = want.forms[""]
	}
	if sha256.Sum256(body) != is.sum {
		return fmt.Errorf("%d bytes with Content-Encoding %q are not those of Vitrine", len(e.body), coding)
	}
	return nil
}

// unzipped returns the body without gzip, which a proxy may have added.
func (e *exchange) unzipped() ([]byte, error) {
	if e.response.Header.Get("Content-Encoding") != "gzip" {
		return e.body, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(e.body))
	if err != nil {
		return nil, fmt.Errorf("the body is not gzip: %w", err)
	}
	return io.ReadAll(reader)
}

// strong returns a tag without W/.
func strong(tag string) string { return strings.TrimPrefix(tag, "W/") }

// acceptance is a value of Accept-Encoding with the accepted codings.
type acceptance struct {
	absent  bool
	value   string
	codings []string
}

func (a acceptance) takes(coding string) bool { return slices.Contains(a.codings, coding) }
