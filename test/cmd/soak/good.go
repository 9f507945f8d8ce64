package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// words are the words of names and searches.
var words = []string{"Alpha", "Binary", "Coral", "Delta", "Ember", "Falcon", "Granite", "Harbour", "Indigo", "Juniper", "Kelvin", "Lumen", "Metis", "Nova", "Onyx", "Prism", "Quartz"}

var locales = []string{"", "en", "EN_gb", "zh", "zh-CN", "zh_hans", "ZH-TW", "de-", "fr"}

// target returns the path and query of a valid request for any operation.
func target() string {
	path := pick([]string{
		"/categories", "/categories?scope=chain", "/categories?includeI18n=1", "/category-groups?module=chain", "/spec", "/meta", "", "/",
		"/nav/groups", "/nav/groups/learn", "/nav/menus/start", "/twitter/users", "/twitter/users?tag=foundation&limit=5",
		"/youtube/channels", "/youtube/channels?q=foundation", "/chains", "/chains?limit=20", "/chains?limit=20&offset=40",
		"/chains?sort=name&sortDir=asc", "/chains?sort=chainId&limit=50", "/chains?sort=platforms&limit=9", "/chains?tag=layer-1&limit=3",
		"/chains?q=" + term(), "/chains?limit=10&q=" + term(), "/twitter/users?q=" + term(),
	})
	if locale := pick(locales); locale != "" {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		path += separator + "locale=" + locale
	}
	return "/api/open" + path
}

// term returns a search: parts of words, numbers, characters, or random text.
func term() string {
	word := pick(words)
	begin := rand.IntN(len(word))
	switch rand.IntN(5) {
	case 0:
		return url.QueryEscape(word[begin:] + " " + strconv.Itoa(rand.IntN(chains)))
	case 1:
		return strconv.Itoa(rand.IntN(10000))
	case 2:
		return url.QueryEscape(pick([]string{"区块", "链 " + strconv.Itoa(rand.IntN(chains)), "以太坊", "已编辑"}))
	case 3:
		return strconv.FormatUint(rand.Uint64(), 36)
	default:
		return word[begin:min(len(word), begin+1+rand.IntN(4))]
	}
}

// caller sends requests sequentially, like a well-behaved client.
type caller struct {
	addr, key string
	tally     *tally
	bodies    *bodies
	client    *http.Client
	tags      map[string]string // the last entity tag of a target
	newest    int64             // newest revision seen
}

func newCaller(addr, key string, t *tally, b *bodies) *caller {
	return &caller{addr: addr, key: key, tally: t, bodies: b, tags: map[string]string{}, client: &http.Client{
		Transport: &http.Transport{DisableCompression: true, DialContext: somewhere().DialContext},
		Timeout:   30 * time.Second,
	}}
}

// somewhere returns a dialer from one of many local addresses.
func somewhere() *net.Dialer {
	return &net.Dialer{Timeout: 15 * time.Second, LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, byte(1+rand.IntN(4)), byte(1+rand.IntN(250)))}}
}

// call sends rate requests per second until ctx is done.
func (c *caller) call(ctx context.Context, rate float64) {
	for pause(ctx, rate) {
		if rand.IntN(10) == 0 {
			c.client.CloseIdleConnections()
		}
		c.ask()
	}
	c.client.CloseIdleConnections()
}

// pause waits for a random time with the mean of the rate, and reports whether to continue.
func pause(ctx context.Context, rate float64) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Duration(min(5, rand.ExpFloat64()) / rate * float64(time.Second))):
		return ctx.Err() == nil
	}
}

func (c *caller) ask() {
	request, err := http.NewRequest(pick([]string{"GET", "GET", "GET", "GET", "HEAD"}), "http://"+c.addr+target(), nil)
	if err != nil {
		c.tally.fault(err.Error())
		return
	}
	c.dress(request)
	start := time.Now()
	response, err := c.client.Do(request)
	if err != nil {
		c.tally.fault("no answer: " + err.Error())
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	took := time.Since(start)
	status := statusOf(response, body)
	if c.tally.answered(status); declared(status) {
		return
	}
	if err == nil {
		err = c.wrong(request, response, body)
	}
	if err != nil {
		c.tally.fault(fmt.Sprintf("%s %s, %v: %s: %v", request.Method, request.URL.RequestURI(), request.Header, response.Status, err))
		return
	}
	c.tally.timed(took)
}

// dress adds headers that clients and proxies send.
func (c *caller) dress(r *http.Request) {
	if coding := pick([]string{"", "gzip", "br", "zstd", "gzip, deflate, br, zstd", "gzip;q=0.5, br;q=0.1", "identity;q=0.5, *;q=0", "deflate"}); coding != "" {
		r.Header.Set("Accept-Encoding", coding)
	}
	if tag := c.tags[r.URL.RequestURI()]; tag != "" && rand.IntN(2) == 0 {
		r.Header.Set("If-None-Match", pick([]string{tag, "W/" + tag, `"x", ` + tag}))
	}
	if rand.IntN(4) == 0 {
		r.Header.Set("X-API-Key", c.key)
	}
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.%d.%d", rand.IntN(114), rand.IntN(256)))
}

// wrong returns the fault of a response, nil for none.
func (c *caller) wrong(request *http.Request, response *http.Response, body []byte) error {
	number, err := strconv.ParseInt(response.Header.Get("Catalog-Revision"), 10, 64)
	if err != nil || number < c.newest {
		return fmt.Errorf("Catalog-Revision %q after %d", response.Header.Get("Catalog-Revision"), c.newest)
	}
	c.newest = number
	tag := response.Header.Get("ETag")
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotModified:
		if asked := request.Header.Get("If-None-Match"); !strings.Contains(asked, tag) || tag == "" {
			return fmt.Errorf("ETag %s", tag)
		}
		return nil
	default:
		return errors.New("not expected")
	}
	if len(tag) < 4 || !strings.HasPrefix(tag, `"`) || !strings.HasSuffix(tag, `"`) {
		return fmt.Errorf("ETag %s", tag)
	}
	if len(c.tags) > 5000 {
		clear(c.tags)
	}
	c.tags[request.URL.RequestURI()] = tag
	if request.Method == http.MethodHead {
		return nil
	}
	return c.bodies.wrong(tag, response.Header.Get("Content-Encoding"), body)
}

// statusOf returns the status of a response, and the code of a 503.
func statusOf(r *http.Response, body []byte) string {
	status := strconv.Itoa(r.StatusCode)
	if r.StatusCode != http.StatusServiceUnavailable {
		return status
	}
	var problem struct{ Code string }
	if err := json.Unmarshal(body, &problem); err != nil {
		return status
	}
	return status + " " + problem.Code
}

// declared reports whether a status, see statusOf, is a failure that the API documents.
func declared(status string) bool { return status == "503 overloaded" || status == "503 not_ready" }

// bodies has the content of the last entity tags. It is safe for concurrent use.
type bodies struct {
	mu   sync.Mutex
	sums map[string][sha256.Size]byte
}

// wrong returns the fault of a body: it is not JSON, or its tag had other bytes before. The
// content of br and zstd is not checked.
func (b *bodies) wrong(tag, coding string, body []byte) error {
	sum := sha256.Sum256(body)
	b.mu.Lock()
	if len(b.sums) > 20000 {
		clear(b.sums)
	}
	before, known := b.sums[tag]
	b.sums[tag] = sum
	b.mu.Unlock()
	if known && before != sum {
		return fmt.Errorf("ETag %s stood for other bytes", tag)
	}
	if coding == "gzip" {
		reader, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return err
		}
		if body, err = io.ReadAll(reader); err != nil {
			return err
		}
		coding = ""
	}
	if !slices.Contains([]string{"", "br", "zstd"}, coding) || coding == "" && !json.Valid(body) {
		return fmt.Errorf("the body (Content-Encoding %q, %d bytes) is no JSON", coding, len(body))
	}
	return nil
}

func pick[T any](from []T) T { return from[rand.IntN(len(from))] }
