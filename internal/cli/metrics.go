package cli

import (
	"sync"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/follow"
	"vitrine/internal/operations"
	"vitrine/internal/response"
	"vitrine/internal/server"
)

// watch adds to the metrics what the server does not count itself.
func watch(m *server.Metrics, h *operations.Handler) {
	watchBuild(m)
	m.Watch("vitrine_http_requests_in_flight", "Requests to the API that have not ended.",
		func() float64 { return float64(h.Stats().InFlight) })
	m.Watch("vitrine_http_requests_shed_total", "Requests that were told to come back: too many were in flight, or there was no memory for their response.",
		func() float64 { return float64(h.Stats().Shed) })
	m.Watch("vitrine_cache_hits_total", "Answers that were found among those kept.",
		func() float64 { return float64(h.Stats().Hits) })
	m.Watch("vitrine_cache_misses_total", "Answers that were made, for a request or, after a publish, ahead of it.",
		func() float64 { return float64(h.Stats().Misses) })
	m.Watch("vitrine_cache_answers", "Answers that are kept.",
		func() float64 { return float64(h.Stats().Answers) })
	m.Watch("vitrine_cache_bodies", "Different bodies that are kept.",
		func() float64 { return float64(h.Stats().Bodies) })
	m.Watch("vitrine_cache_bytes", "Memory of the answers and bodies that are kept, roughly.",
		func() float64 { return float64(h.Stats().Bytes) })
	m.Watch("vitrine_cache_limit_bytes", "Memory that answers and bodies may take (--cache-bytes).",
		func() float64 { return float64(h.Stats().Budget) })
	for size, usage := range map[string]func() response.Usage{
		"middle": func() response.Usage { return h.Stats().Middle },
		"large":  func() response.Usage { return h.Stats().Large },
	} {
		m.Watch("vitrine_answers_bytes", "Memory of responses that are being made and sent, by their size.",
			func() float64 { return float64(usage().Held) }, "size", size)
		m.Watch("vitrine_answers_limit_bytes", "Memory that responses may take that are being made and sent (--answer-bytes), by their size.",
			func() float64 { return float64(usage().Most) }, "size", size)
		m.Watch("vitrine_answers_waiting", "Requests that wait for memory or for their turn, by the size of the response.",
			func() float64 { return float64(usage().Waiting) }, "size", size)
	}
}

// statsEvery is how long what the limiter says of itself is good for: it goes
// through all that it knows to say it, and a scrape asks for several figures.
const statsEvery = time.Second

// watchLimits adds what the gate does.
func watchLimits(m *server.Metrics, l *limits) {
	stats := sampled(l.stats, statsEvery)
	const decisions, help = "vitrine_limiter_decisions_total", "Decisions on requests, by where they were made."
	m.Watch(decisions, help, func() float64 { return float64(stats().Local) }, "store", "local")
	if l.redis != nil {
		m.Watch(decisions, help, func() float64 { return float64(stats().Redis) }, "store", "redis")
		m.Watch("vitrine_limiter_redis_up", "1 while servers count together in Redis, 0 while this one counts for itself.",
			func() float64 {
				if stats().Open {
					return 0
				}
				return 1
			})
	}
	m.Watch("vitrine_limiter_clients", "Clients and keys that have spent something of a quota.",
		func() float64 { return float64(stats().Entries) })
	m.Watch("vitrine_limiter_spills_total", "Times that a client had to share what is counted, for want of a place of its own.",
		func() float64 { return float64(stats().Spills) })
	watchKeys(m, l.keys)
}

// watchKeys adds what is known of the API keys.
func watchKeys(m *server.Metrics, keys *follow.KeyFollower) {
	m.Watch("vitrine_api_keys", "API keys that are valid, 0 while they are not known.",
		func() float64 { return float64(keys.Keys().Valid(time.Now())) })
	m.Watch("vitrine_api_keys_known", "1 if it is known which API keys are valid, else 0: requests with a key are refused then.",
		func() float64 {
			if keys.Keys() == nil {
				return 0
			}
			return 1
		})
	m.WatchEach("vitrine_api_key_requests_total", "Requests with a valid API key, by its name and whether its quota had room.",
		[]string{"key", "result"}, func(tell server.Teller) {
			for _, use := range named(keys.Keys().Uses(time.Now())) {
				tell(float64(use.Admitted), use.Name, "admitted")
				tell(float64(use.Refused), use.Name, "limited")
			}
		})
	m.Watch("vitrine_api_keys_age_seconds", "Time since the API keys were read from the store, or since the process tries to.",
		func() float64 { return keys.Age().Seconds() })
}

// maxNamed bounds the names of keys among the labels of metrics.
const maxNamed = 1000

// others is what all keys are called beyond maxNamed, and those whose names no
// command gives.
const others = "(others)"

// named returns uses by names that are fit for labels.
func named(uses []admission.Use) []admission.Use {
	var fit []admission.Use
	rest := admission.Use{Name: others}
	for _, use := range uses {
		if len(fit) < maxNamed && keyName.MatchString(use.Name) {
			fit = append(fit, use)
			continue
		}
		rest.Admitted += use.Admitted
		rest.Refused += use.Refused
	}
	if len(fit) < len(uses) {
		fit = append(fit, rest)
	}
	return fit
}

// sampled returns a function that asks for a value at most so often.
func sampled[T any](ask func() T, every time.Duration) func() T {
	var (
		mu    sync.Mutex
		value T
		asked time.Time
	)
	return func() T {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); asked.IsZero() || now.Sub(asked) >= every {
			value, asked = ask(), now
		}
		return value
	}
}

// watchBuild adds what the binary was built from, as far as the toolchain
// recorded it.
func watchBuild(m *server.Metrics) {
	b := builtFrom()
	m.Watch("vitrine_build_info", "Always 1; the labels say what the binary was built from.",
		func() float64 { return 1 }, "version", b.version, "revision", b.commit, "goversion", b.toolchain)
}
