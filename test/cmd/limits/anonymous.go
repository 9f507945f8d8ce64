package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"vitrine/test/internal/trial"
)

// quota exhausts the default quota: the sixty-first request gets a Retry-After that must suffice.
func quota(b *bench) string {
	s := b.site("--rate-limit", "60/m")
	first := s.Ask("GET", path)
	const policy, limit = `"anonymous";q=60;w=60`, `"anonymous";r=59;t=1`
	if p, l := first.Header.Get("RateLimit-Policy"), first.Header.Get("RateLimit"); p != policy || l != limit {
		trial.Failf("the first request has RateLimit-Policy %s and RateLimit %s", p, l)
	}
	through, refused := spend(s, 70)
	if through+1 < 60 || through+1 > 62 { // one unit is refilled per second
		trial.Failf("%d of 60 requests got through", through+1)
	}
	trial.Check(request{status: 429, left: `"anonymous";r=0;t=1`}.check(refused))
	var problem struct{ Code string }
	if err := json.Unmarshal(refused.Body, &problem); err != nil || problem.Code != "rate_limited" || refused.Header.Get("Access-Control-Allow-Origin") != "*" {
		trial.Failf("the refusal is %s (%v) with %v", refused.Body, err, refused.Header)
	}
	for range 5 {
		retry(s, refused)
		_, refused = spend(s, 5)
	}
	return fmt.Sprintf("%d got through at once, and one each of 5 times after Retry-After", through+1)
}

// charged compares the remaining quota after each kind of request.
func charged(b *bench) string {
	left := func(n int) string { return `"anonymous";r=` + strconv.Itoa(n) + ";t=" }
	expect(b.site("--rate-limit", "60/h"),
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
		request{"GET", path, nil, 200, left(53)})
	return "HEAD, 304, 400, 404 and 405 are; OPTIONS, the index and its document are not"
}

// unknownKeys checks that invalid keys are rejected and charged to the quota of the address.
func unknownKeys(b *bench) string {
	s := b.site("--rate-limit", "60/h")
	trial.Must(s.Keys("add", "known"))
	for i := range 60 {
		key := fmt.Sprintf("vitrine_%032d", i)
		expect(s, request{"GET", path, []string{"X-API-Key", key}, 401, fmt.Sprintf(`"anonymous";r=%d;t=`, 59-i)})
	}
	unknown := []string{"X-API-Key", "vitrine_" + strings.Repeat("z", 32)}
	expect(s,
		request{"GET", path, unknown, 429, `"anonymous";r=0;t=`},
		request{"GET", path, nil, 429, `"anonymous";r=0;t=`})
	return "60 guesses are a 401, the next is a 429, and so is a request without a key"
}
