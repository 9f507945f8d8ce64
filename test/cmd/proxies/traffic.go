package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

// targets returns the requested targets: all operations, locales in several spellings, pages,
// searches, errors, and menus that only later revisions have.
func targets(revisions int) []string {
	list := []string{
		"/categories", "/categories?scope=chain", "/categories?includeI18n=1", "/category-groups?module=chain", "/spec", "", "/", "/?locale=zh",
		"/twitter/users", "/twitter/users?tag=ai&limit=5", "/youtube/channels", "/youtube/channels?q=education",
		"/chains?limit=20", "/chains?limit=20&offset=20", "/chains?offset=20&limit=20", "/chains?q=eth", "/chains?q=%E4%BB%A5%E5%A4%AA", "/chains?sort=name&sortDir=asc&limit=50",
		"/nav/menus/wallets", "/nav/menus/wallets?locale=ja",
		"/chains?limit=0", "/chains?sort=x", "/meta?locale=%zz", "/nope", "/nav/groups/nope", "/meta/",
	}
	for _, locale := range []string{"en", "EN_gb", "zh", "zh-CN", "zh_hans", "ZH-TW", "zh-hant", "ja-JP", "es-AR", "fr", "de-", "es&locale="} {
		list = append(list, "/meta?locale="+locale, "/nav/groups?locale="+locale, "/chains?limit=5&locale="+locale)
	}
	for n := range revisions {
		list = append(list, fmt.Sprintf("/nav/menus/later-%d", n+2))
	}
	for i := range list {
		list[i] = "/api/open" + list[i]
	}
	return append(list, "/", "/openapi.json", "/openapi.yaml")
}

func acceptances() []acceptance {
	all := []string{"", "gzip", "br", "zstd"}
	return []acceptance{
		{true, "", all}, {false, "", []string{""}}, {false, "gzip", []string{"", "gzip"}}, {false, "br", []string{"", "br"}},
		{false, "zstd", []string{"", "zstd"}}, {false, "gzip, deflate, br, zstd", all}, {false, "GZIP , BR", []string{"", "gzip", "br"}},
		{false, "gzip, deflate", []string{"", "gzip"}}, {false, "br;q=0, gzip", []string{"", "gzip"}}, {false, "x-gzip", []string{"", "gzip"}},
		{false, "gzip;q=0.5, br;q=0.1", []string{"", "gzip", "br"}}, {false, "identity", []string{""}}, {false, "deflate", []string{""}},
		{false, "identity;q=0, gzip", []string{"gzip"}}, {false, "zstd;q=0.9, gzip;q=0.8", []string{"", "gzip", "zstd"}},
		{false, "*", all}, {false, "identity;q=0.5, *;q=0", []string{""}}, {false, "gzip;q=0, br;q=0, *", []string{"", "zstd"}},
	}
}

// traffic sends about rate requests per second by eight clients until ctx is done, and passes the
// exchanges to see.
func traffic(ctx context.Context, chains []chain, t *truth, targets []string, rate int, see func(*exchange)) error {
	const clients = 8
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			client := newClient()
			pace := time.NewTicker(time.Second * clients / time.Duration(rate))
			defer pace.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-pace.C:
				}
				e := random(chains, t, targets)
				if err := e.send(client); err != nil {
					cancel(fmt.Errorf("%s, %s %s: %w", e.chain.name, e.method, e.target, err))
					return
				}
				see(e)
			}
		})
	}
	running.Wait()
	if err := context.Cause(ctx); err != context.DeadlineExceeded && err != context.Canceled {
		return err
	}
	return nil
}

func random(chains []chain, t *truth, targets []string) *exchange {
	e := &exchange{chain: &chains[rand.IntN(len(chains))], method: http.MethodGet, target: pick(targets), accept: pick(acceptances())}
	if rand.IntN(8) == 0 {
		e.method = http.MethodHead
	}
	known := t.tagsOf(e.target)
	switch rand.IntN(8) {
	case 0, 1: // fresh, stale, or of another coding
		if len(known) > 0 {
			e.tags = pick(known)
		}
	case 2:
		if len(known) > 0 {
			e.tags = "W/" + pick(known)
		}
	case 3:
		if len(known) > 0 {
			e.tags = `"x", W/"a,b", ` + pick(known) + ", " + pick(known)
		}
	case 4:
		e.tags = pick([]string{"*", `"x"`, `"`, strings.Repeat(`"y",`, 20)})
	}
	return e
}

func pick[T any](from []T) T { return from[rand.IntN(len(from))] }

// send sends the request of an exchange.
func (e *exchange) send(client *http.Client) (err error) {
	header := http.Header{}
	if !e.accept.absent {
		header["Accept-Encoding"] = []string{e.accept.value}
	}
	if e.tags != "" {
		header["If-None-Match"] = []string{e.tags}
	}
	e.at = time.Now()
	e.response, e.body, err = ask(client, e.method, e.chain.address, e.target, header)
	return err
}

// newClient returns a client that changes no encodings and follows no redirects.
func newClient() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       20 * time.Second,
	}
}
