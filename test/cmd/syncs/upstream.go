package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// upstream answers as DefiLlama and YouTube do, with figures that differ in each response.
type upstream struct {
	chains, channels int

	mu     sync.Mutex
	n      int               // number of the last response with chains
	at     map[int]time.Time // when each was sent
	videos int
}

// first is the figure of every chain and channel at the beginning. Responses add small numbers to it.
const first = 1_000_000

// ServeHTTP answers `/v2/chains` and `/youtube/v3/channels`.
func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	var body string
	switch r.URL.Path {
	case "/v2/chains":
		body = u.figures()
	case "/youtube/v3/channels":
		body = u.subscribers(strings.Split(r.URL.Query().Get("id"), ","))
	default:
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write([]byte(body)) // the server of the trial repeats a request that failed
}

// figures returns rows of all chains. The first and two others differ from the last response.
func (u *upstream) figures() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n++
	u.at[u.n] = time.Now()
	var rows []string
	for i := range u.chains {
		value := first + (u.n+u.chains-i)/u.chains*2
		if i == 0 {
			value = first + u.n
		}
		rows = append(rows, fmt.Sprintf(`{"name":"Chain %d","chainId":%d,"tvl":%d}`, i, i+1, value))
	}
	return "[" + strings.Join(rows, ",") + "]"
}

// subscribers returns the channels with the ids. The first differs from the last response.
func (u *upstream) subscribers(ids []string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.videos++
	var items []string
	for _, id := range ids {
		n := first
		if id == channelID(0) {
			n += u.videos
		}
		items = append(items, fmt.Sprintf(`{"id":%q,"statistics":{"subscriberCount":"%d","hiddenSubscriberCount":false}}`, id, n))
	}
	return fmt.Sprintf(`{"pageInfo":{"totalResults":%d},"items":[%s]}`, len(items), strings.Join(items, ","))
}

// sent returns when the response with a value of the first chain was sent.
func (u *upstream) sent(value int) time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.at[value-first]
}
