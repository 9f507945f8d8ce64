package main

import (
	"fmt"
	"os"
	"time"

	"vitrine/test/internal/trial"
)

// expiring creates a key that expires, and checks the time.
func expiring(b *bench) string {
	const life = 4 * time.Second
	s := b.site("--rate-limit", "off", "--rate-limit-key", "off")
	before := time.Now()
	key, _ := newKey(s, "short", "--expires", life.String())
	made := time.Now() // upper bound
	expect(s, request{"GET", path, []string{"X-API-Key", key}, 200, ""})
	awaitStatus(s, key, 401, 2*life)
	lasted := time.Since(before)
	if lasted < life || time.Since(made) > life+time.Second/2 {
		trial.Failf("a key of %v lasted %v", life, lasted)
	}
	return fmt.Sprintf("a key of %v is a 401 %v after the command that made it began", life, lasted.Round(time.Millisecond))
}

// replaced rotates a key in use: no request is rejected during the overlap, and both keys share
// one quota.
func replaced(b *bench) string {
	const overlap = 4 * time.Second
	s := b.site("--rate-limit", "off")
	old, _ := newKey(s, "rotated", "--limit", "40/h")
	start := time.Now()
	if second, err := s.Keys("add", "rotated"); err == nil {
		trial.Failf("a second key with the name was created: %s…", second[:10])
	}
	next := trial.Must(s.Keys("rotate", "rotated", "--overlap", overlap.String()))
	awaitStatus(s, next, 200, aware)
	expect(s, request{"GET", path, []string{"X-API-Key", old}, 200, `"key";r=38;t=`})
	awaitStatus(s, old, 401, 2*overlap)
	if lasted := time.Since(start); lasted < overlap {
		trial.Failf("the key before lasted %v of %v", lasted, overlap)
	}
	if status := s.Ask("GET", path, "X-API-Key", next).Status; status == 401 {
		trial.Failf("the new key after the overlap: status %d", status)
	}
	return fmt.Sprintf("both are valid for %v and share a quota; then the old one is a 401", overlap)
}

// atStart starts servers and sends requests immediately: no response may come from a server that
// does not know the keys.
func atStart(b *bench) string {
	const starts = 5
	key, _ := newKey(b.site("--rate-limit", "60/h"), "early")
	for range starts {
		expect(b.site("--rate-limit", "60/h"),
			request{"GET", path, []string{"X-API-Key", key}, 200, `"key";r=299;t=`},
			request{"GET", path, []string{"X-API-Key", "vitrine_made_up"}, 401, `"anonymous";r=59;t=`})
	}
	return fmt.Sprintf("%d starts, and the first answer knows a valid key from a made up one", starts)
}

// withoutStore starts a server whose store is missing.
func withoutStore(b *bench) string {
	const life = 6 * time.Second
	s := b.site("--rate-limit", "60/h")
	valid, _ := newKey(s, "valid")
	revoked, _ := newKey(s, "revoked")
	trial.Must(s.Keys("revoke", "revoked"))
	awaitStatus(s, revoked, 401, aware)
	short, _ := newKey(s, "short", "--expires", life.String())
	time.Sleep(time.Second) // the last good state is written in the background
	trial.Must(s.Terminate())
	file := s.StoreFile()
	trial.Check(os.Rename(file, file+".away"))
	s = b.site("--rate-limit", "60/h", "--store", "sqlite:"+file)
	expect(s,
		request{"GET", path, []string{"X-API-Key", valid}, 200, `"key";r=299;t=`},
		request{"GET", path, []string{"X-API-Key", short}, 200, `"key";r=299;t=`},
		request{"GET", path, []string{"X-API-Key", revoked}, 401, `"anonymous";r=59;t=`},
		request{"GET", path, nil, 200, `"anonymous";r=58;t=`})
	awaitStatus(s, short, 401, 2*life)
	age := s.Metric("vitrine_api_keys_age_seconds")
	if age <= 0 {
		trial.Failf("the age of the keys is %v", age)
	}
	return fmt.Sprintf("a valid key has its quota, a revoked one is a 401, one of %v ends in its time; the keys are %.1f s old", life, age)
}
