package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// quota spends the default one: the sixty-first is told when to come back, and
// may then.
func quota(b *bench) (string, error) {
	s, err := b.site("--rate-limit", "60/m")
	if err != nil {
		return "", err
	}
	first, err := s.Ask("GET", path)
	if err != nil {
		return "", err
	}
	const policy, limit = `"anonymous";q=60;w=60`, `"anonymous";r=59;t=1`
	if p, l := first.Header.Get("RateLimit-Policy"), first.Header.Get("RateLimit"); p != policy || l != limit {
		return "", fmt.Errorf("the first request has RateLimit-Policy %s and RateLimit %s", p, l)
	}
	through, refused, err := spend(s, 70)
	if err != nil {
		return "", err
	}
	if through+1 < 60 || through+1 > 62 { // one comes back in a second
		return "", fmt.Errorf("%d of 60 requests got through", through+1)
	}
	if err := (request{status: 429, left: `"anonymous";r=0;t=1`}).check(refused); err != nil {
		return "", err
	}
	var problem struct{ Code string }
	if err := json.Unmarshal(refused.Body, &problem); err != nil || problem.Code != "rate_limited" || refused.Header.Get("Access-Control-Allow-Origin") != "*" {
		return "", fmt.Errorf("the refusal is %s (%v) with %v", refused.Body, err, refused.Header)
	}
	for i := range 5 {
		if _, err := retry(s, refused); err != nil {
			return "", fmt.Errorf("time %d: %w", i+1, err)
		}
		if _, refused, err = spend(s, 5); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d got through at once, and one each of 5 times after Retry-After", through+1), nil
}

// charged holds each kind of request against what is left after it.
func charged(b *bench) (string, error) {
	s, err := b.site("--rate-limit", "60/h")
	if err != nil {
		return "", err
	}
	left := func(n int) string { return `"anonymous";r=` + strconv.Itoa(n) + ";t=" }
	return "HEAD, 304, 400, 404 and 405 are; OPTIONS, the index and its document are not", expect(s,
		request{"GET", path, nil, 200, left(59)},
		request{"HEAD", path, nil, 200, left(58)},
		request{"GET", path, []string{"If-None-Match", "*"}, 304, left(57)},
		request{"GET", "/api/open/chains?limit=x", nil, 400, left(56)},
		request{"GET", "/api/open/unknown", nil, 404, left(55)},
		request{"POST", path, nil, 405, left(54)},
		request{"OPTIONS", path, nil, 204, ""},
		request{"GET", "/", nil, 200, ""},
		request{"GET", "/api/open/", nil, 200, ""},
		request{"GET", "/openapi.json", nil, 200, ""},
		request{"GET", path, nil, 200, left(53)},
	)
}

// unknownKeys: they are refused at the expense of whoever guesses.
func unknownKeys(b *bench) (string, error) {
	s, err := b.site("--rate-limit", "60/h")
	if err != nil {
		return "", err
	}
	if _, err := s.Keys("add", "known"); err != nil {
		return "", err
	}
	for i := range 60 {
		key := fmt.Sprintf("vitrine_%032d", i)
		if err := expect(s, request{"GET", path, []string{"X-API-Key", key}, 401, fmt.Sprintf(`"anonymous";r=%d;t=`, 59-i)}); err != nil {
			return "", fmt.Errorf("guess %d: %w", i+1, err)
		}
	}
	unknown := []string{"X-API-Key", "vitrine_" + strings.Repeat("z", 32)}
	return "60 guesses are a 401, the next is a 429, and so is a request without a key", expect(s,
		request{"GET", path, unknown, 429, `"anonymous";r=0;t=`},
		request{"GET", path, nil, 429, `"anonymous";r=0;t=`})
}
