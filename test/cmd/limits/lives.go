package main

import (
	"fmt"
	"os"
	"time"

	"vitrine/test/internal/trial"
)

// expiring makes a key that ends by itself, and looks when it does.
func expiring(b *bench) (string, error) {
	const life = 4 * time.Second
	s, err := b.site("--rate-limit", "off", "--rate-limit-key", "off")
	if err != nil {
		return "", err
	}
	before := time.Now()
	key, _, err := newKey(s, "short", "--expires", life.String())
	if err != nil {
		return "", err
	}
	made := time.Now() // at the latest
	if err := expect(s, request{"GET", path, []string{"X-API-Key", key}, 200, ""}); err != nil {
		return "", err
	}
	if _, err := until(s, key, 401, 2*life); err != nil {
		return "", err
	}
	lasted := time.Since(before)
	if lasted < life || time.Since(made) > life+time.Second/2 {
		return "", fmt.Errorf("a key of %v lasted %v", life, lasted)
	}
	return fmt.Sprintf("a key of %v is a 401 %v after the command that made it began", life, lasted.Round(time.Millisecond)), nil
}

// until asks with a key until the status is another, and returns how long that
// took.
func until(s *trial.Site, key string, status int, longest time.Duration) (time.Duration, error) {
	took, err := trial.Until(longest, func() (bool, error) {
		a, err := s.Ask("HEAD", path, "X-API-Key", key)
		return a.Status == status, err
	})
	if err != nil {
		err = fmt.Errorf("waiting for a %d: %w", status, err)
	}
	return took, err
}

// replaced rotates a key while it is in use: nobody is refused before the overlap
// is over, and both spend one quota.
func replaced(b *bench) (string, error) {
	const overlap = 4 * time.Second
	s, err := b.site("--rate-limit", "off")
	if err != nil {
		return "", err
	}
	old, _, err := newKey(s, "rotated", "--limit", "40/h")
	if err != nil {
		return "", err
	}
	start := time.Now()
	next, _, err := newKey(s, "rotated")
	if err == nil {
		return "", fmt.Errorf("a second key of the name was made: %s…", next[:10])
	}
	if next, err = s.Keys("rotate", "rotated", "--overlap", overlap.String()); err != nil {
		return "", err
	}
	if _, err := until(s, next, 200, aware); err != nil {
		return "", err
	}
	if err := expect(s, request{"GET", path, []string{"X-API-Key", old}, 200, `"key";r=38;t=`}); err != nil {
		return "", fmt.Errorf("the key before: %w", err)
	}
	if _, err := until(s, old, 401, 2*overlap); err != nil {
		return "", err
	}
	lasted := time.Since(start)
	if lasted < overlap {
		return "", fmt.Errorf("the key before lasted %v of %v", lasted, overlap)
	}
	if a, err := s.Ask("GET", path, "X-API-Key", next); err != nil || a.Status == 401 {
		return "", fmt.Errorf("the new key after the overlap: status %d (%v)", a.Status, err)
	}
	return fmt.Sprintf("both are valid for %v and share a quota; then the old one is a 401", overlap), nil
}

// atStart starts servers and asks at once: no answer may come from one that does
// not know the keys.
func atStart(b *bench) (string, error) {
	const starts = 5
	first, err := b.site("--rate-limit", "60/h")
	if err != nil {
		return "", err
	}
	key, _, err := newKey(first, "early")
	if err != nil {
		return "", err
	}
	for range starts {
		s, err := b.site("--rate-limit", "60/h")
		if err != nil {
			return "", err
		}
		if err := expect(s,
			request{"GET", path, []string{"X-API-Key", key}, 200, `"key";r=299;t=`},
			request{"GET", path, []string{"X-API-Key", "vitrine_made_up"}, 401, `"anonymous";r=59;t=`},
		); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d starts, and the first answer knows a valid key from a made up one", starts), nil
}

// withoutStore starts a server whose store is gone.
func withoutStore(b *bench) (string, error) {
	const life = 6 * time.Second
	s, err := b.site("--rate-limit", "60/h")
	if err != nil {
		return "", err
	}
	valid, _, err := newKey(s, "valid")
	if err != nil {
		return "", err
	}
	revoked, _, err := newKey(s, "revoked")
	if err != nil {
		return "", err
	}
	if _, err := s.Keys("revoke", "revoked"); err != nil {
		return "", err
	}
	if _, err := until(s, revoked, 401, aware); err != nil {
		return "", err
	}
	short, _, err := newKey(s, "short", "--expires", life.String())
	if err != nil {
		return "", err
	}
	time.Sleep(time.Second) // the last good state is written beside everything else
	if _, err := s.Terminate(); err != nil {
		return "", err
	}
	file := s.StoreFile()
	if err := os.Rename(file, file+".away"); err != nil {
		return "", err
	}
	if s, err = b.site("--rate-limit", "60/h", "--store", "sqlite:"+file); err != nil {
		return "", err
	}
	if err := expect(s,
		request{"GET", path, []string{"X-API-Key", valid}, 200, `"key";r=299;t=`},
		request{"GET", path, []string{"X-API-Key", short}, 200, `"key";r=299;t=`},
		request{"GET", path, []string{"X-API-Key", revoked}, 401, `"anonymous";r=59;t=`},
		request{"GET", path, nil, 200, `"anonymous";r=58;t=`},
	); err != nil {
		return "", err
	}
	if _, err := until(s, short, 401, 2*life); err != nil {
		return "", err
	}
	age, err := s.Metric("vitrine_api_keys_age_seconds")
	if err != nil || age <= 0 {
		return "", fmt.Errorf("the age of the keys is %v (%v)", age, err)
	}
	return fmt.Sprintf("a valid key has its quota, a revoked one is a 401, one of %v ends in its time; the keys are %.1f s old", life, age), nil
}
