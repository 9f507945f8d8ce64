package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// codings are the codings that Vitrine sends; "" is identity.
var codings = []string{"", "gzip", "br", "zstd"}

// form is a body in one coding.
type form struct {
	tag string
	sum [sha256.Size]byte
}

// answer is Vitrine's own response to a target at one revision.
type answer struct {
	status   int
	code     string // of an error
	language string
	forms    map[string]form // by coding; none for an error
}

// equal reports whether two answers are equal. nil equals none.
func (a *answer) equal(b *answer) bool {
	return a != nil && b != nil && a.status == b.status && a.code == b.code && a.language == b.language && maps.Equal(a.forms, b.forms)
}

// hasTag reports whether a tag, without W/, is one of the answer's.
func (a *answer) hasTag(tag string) bool {
	for _, f := range a.forms {
		if f.tag == tag {
			return true
		}
	}
	return false
}

// truth has Vitrine's own responses by revision and target. It is safe for concurrent use.
type truth struct {
	lock     sync.Mutex
	answers  map[int64]map[string]*answer
	replaced map[int64]time.Time // when a revision was replaced
	tags     map[string][]string // by target: all tags so far, for conditional requests
}

func newTruth() *truth {
	return &truth{answers: map[int64]map[string]*answer{}, replaced: map[int64]time.Time{}, tags: map[string][]string{}}
}

// learn requests all targets from Vitrine. All responses must have one revision.
func (t *truth) learn(client *http.Client, address string, revision int64, targets []string) error {
	answers := map[string]*answer{}
	for _, target := range targets {
		a, err := direct(client, address, revision, target)
		if err != nil {
			return fmt.Errorf("%s at revision %d: %w", target, revision, err)
		}
		answers[target] = a
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	t.answers[revision] = answers
	for target, a := range answers {
		for _, f := range a.forms {
			t.tags[target] = append(t.tags[target], f.tag)
		}
	}
	return nil
}

// replace records that a revision is no longer the newest.
func (t *truth) replace(revision int64, at time.Time) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.replaced[revision] = at
}

// tagsOf returns the tags of a target so far.
func (t *truth) tagsOf(target string) []string {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.tags[target]
}

func direct(client *http.Client, address string, revision int64, target string) (*answer, error) {
	a := &answer{forms: map[string]form{}}
	for _, coding := range codings {
		accept := "identity"
		if coding != "" {
			accept = coding + ", identity;q=0"
		}
		response, body, err := ask(client, "GET", address, target, http.Header{"Accept-Encoding": {accept}})
		if err != nil {
			return nil, err
		}
		if got := revisionOf(response); got != revision {
			return nil, fmt.Errorf("revision %d", got)
		}
		a.status, a.language = response.StatusCode, response.Header.Get("Content-Language")
		if a.status >= 400 {
			a.code = codeOf(body)
			return a, nil
		}
		if got := response.Header.Get("Content-Encoding"); got != coding {
			return nil, fmt.Errorf("Content-Encoding %q to Accept-Encoding %q", got, accept)
		}
		a.forms[coding] = form{response.Header.Get("ETag"), sha256.Sum256(body)}
	}
	return a, nil
}

// ask sends one request and reads the whole response without decoding it.
func ask(client *http.Client, method, address, target string, header http.Header) (*http.Response, []byte, error) {
	request, err := http.NewRequest(method, "http://"+address+target, nil)
	if err != nil {
		return nil, nil, err
	}
	request.Header = header
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

// revisionOf returns the revision in a response, 0 for none.
func revisionOf(response *http.Response) int64 {
	n, _ := strconv.ParseInt(response.Header.Get("Catalog-Revision"), 10, 64)
	return n
}

// codeOf returns the code of an error body.
func codeOf(body []byte) string {
	_, after, _ := strings.Cut(string(body), `"code":"`)
	code, _, _ := strings.Cut(after, `"`)
	return code
}
