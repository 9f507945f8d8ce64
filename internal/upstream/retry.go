package upstream

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// withDefaults returns options without zero values.
func (o Options) withDefaults() Options {
	o.UserAgent = cmp.Or(o.UserAgent, "vitrine")
	o.MaxBytes = cmp.Or(o.MaxBytes, DefaultMaxBytes)
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.Attempts = cmp.Or(o.Attempts, DefaultAttempts)
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// transient are the statuses after which another attempt may succeed.
var transient = []int{
	http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
	http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// isTransient reports whether another attempt may succeed.
func isTransient(err error) bool {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return slices.Contains(transient, status.Status)
	}
	return !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrPrivate) && !errors.Is(err, errRedirect)
}

// backoff returns the time before the next attempt: the upstream's, else a random part of an
// interval that doubles with each attempt. ok is false if the upstream asks for more than maxWait.
func (c *Client) backoff(attempt int, err error) (wait time.Duration, ok bool) {
	if status, is := errors.AsType[*StatusError](err); is && status.After > 0 {
		return status.After, status.After <= maxWait
	}
	interval := time.Second << (attempt - 1)
	return interval/2 + time.Duration(c.options.Jitter()*float64(interval)), true
}

// Rest waits until the upstream allows another request, as the header of a response says: a document
// may be the last one that a quota allows. ok is false if that time is unknown or too far away, or
// ctx is done.
func (c *Client) Rest(ctx context.Context, header http.Header) (ok bool) {
	if header.Get("X-Rate-Limit-Remaining") != "0" {
		return true
	}
	if header.Get("Retry-After") == "" && header.Get("X-Rate-Limit-Reset") == "" {
		return false
	}
	wait := retryAfter(header, c.options.Now())
	return wait <= maxWait && c.options.Sleep(ctx, wait) == nil
}

// retryAfter returns the time until an upstream allows another request, 0 if unknown: Retry-After
// in seconds or as a date (RFC 9110, section 10.2.3), or x-rate-limit-reset in Unix seconds, which
// X sends when no request remains.
func retryAfter(header http.Header, now time.Time) time.Duration {
	if value := header.Get("Retry-After"); value != "" {
		if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
			return time.Duration(min(seconds, 1<<20)) * time.Second
		}
		if at, err := http.ParseTime(value); err == nil {
			return max(at.Sub(now), 0)
		}
	}
	if header.Get("X-Rate-Limit-Remaining") == "0" {
		if at, err := strconv.ParseInt(header.Get("X-Rate-Limit-Reset"), 10, 64); err == nil {
			return max(time.Unix(at, 0).Sub(now), 0)
		}
	}
	return 0
}
