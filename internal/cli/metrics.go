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

// watch adds the metrics of the handler.
func watch(m *server.Metrics, h *operations.Handler) {
	watchBuild(m)
	m.Watch("vitrine_http_requests_in_flight", "Unfinished requests, including those being sent.",
		func() float64 { return float64(h.Stats().InFlight) })
	m.Watch("vitrine_http_requests_shed_total", "Requests refused with 503 overloaded: too many in flight, or no memory for the response.",
		func() float64 { return float64(h.Stats().Shed) })
	m.Watch("vitrine_cache_hits_total", "Responses found in the cache.",
		func() float64 { return float64(h.Stats().Hits) })
	m.Watch("vitrine_cache_misses_total", "Responses that were computed, for a request or to warm the cache after a publish.",
		func() float64 { return float64(h.Stats().Misses) })
	m.Watch("vitrine_cache_answers", "Cached responses.",
		func() float64 { return float64(h.Stats().Answers) })
	m.Watch("vitrine_cache_bodies", "Cached bodies. Equal bodies are stored once.",
		func() float64 { return float64(h.Stats().Bodies) })
	m.Watch("vitrine_cache_bytes", "Approximate memory of the cache.",
		func() float64 { return float64(h.Stats().Bytes) })
	m.Watch("vitrine_cache_limit_bytes", "Maximum memory of the cache (--cache-bytes).",
		func() float64 { return float64(h.Stats().Budget) })
	for size, usage := range map[string]func() response.Usage{
		"middle": func() response.Usage { return h.Stats().Middle },
		"large":  func() response.Usage { return h.Stats().Large },
	} {
		m.Watch("vitrine_answers_bytes", "Memory of responses being computed and sent. The size is middle from 16 KiB, large from 1 MiB.",
			func() float64 { return float64(usage().Held) }, "size", size)
		m.Watch("vitrine_answers_limit_bytes", "Maximum memory of responses being computed and sent (--answer-bytes).",
			func() float64 { return float64(usage().Most) }, "size", size)
		m.Watch("vitrine_answers_waiting", "Requests waiting for memory or for their turn.",
			func() float64 { return float64(usage().Waiting) }, "size", size)
	}
}

// statsEvery is how long statistics of the limiter are reused. Computing them visits all its
// entries, and a scrape reads several figures.
const statsEvery = time.Second

// watchLimits adds the metrics of the limiter and the API keys.
func watchLimits(m *server.Metrics, l *limits) {
	stats := sampled(l.stats, statsEvery)
	const decisions, help = "vitrine_limiter_decisions_total", "Quota decisions, by where they were made: local, or redis with --rate-limit-store."
	m.Watch(decisions, help, func() float64 { return float64(stats().Local) }, "store", "local")
	if l.shared {
		m.Watch(decisions, help, func() float64 { return float64(stats().Redis) }, "store", "redis")
		m.Watch("vitrine_limiter_redis_up", "1 while quotas are shared in Redis, 0 while this process counts locally. Check Redis on 0.",
			func() float64 {
				if stats().Open {
					return 0
				}
				return 1
			})
	}
	m.Watch("vitrine_limiter_clients", "Clients and API keys that have spent part of a quota.",
		func() float64 { return float64(stats().Entries) })
	m.Watch("vitrine_limiter_spills_total", "Clients that had to share a counter because too many were active.",
		func() float64 { return float64(stats().Spills) })
	if l.keys != nil {
		watchKeys(m, l.keys)
	}
}

// watchKeys adds the metrics of the API keys.
func watchKeys(m *server.Metrics, keys *follow.KeyFollower) {
	m.Watch("vitrine_api_keys", "Valid API keys, 0 while they are unknown.",
		func() float64 { return float64(keys.Keys().Valid(time.Now())) })
	m.Watch("vitrine_api_keys_known", "0 while the API keys are unknown and requests with a key are refused. Alert on 0.",
		func() float64 {
			if keys.Keys() == nil {
				return 0
			}
			return 1
		})
	m.WatchEach("vitrine_api_key_requests_total", "Requests with a valid API key, by its name. The result is admitted, or limited if its quota was spent. Keys beyond the first thousand are counted as (others).",
		[]string{"key", "result"}, func(collect server.Teller) {
			for _, use := range named(keys.Keys().Uses(time.Now())) {
				collect(float64(use.Admitted), use.Name, "admitted")
				collect(float64(use.Refused), use.Name, "limited")
			}
		})
	m.Watch("vitrine_api_keys_age_seconds", "Time since the API keys were read, or since the first attempt. Alert on minutes: keys revoked since then are still valid.",
		func() float64 { return keys.Age().Seconds() })
}

// maxNamed is the maximum number of key names in labels.
const maxNamed = 1000

// others is the label of keys beyond maxNamed, and of keys with an invalid name.
const others = "(others)"

// named returns uses with names that are valid labels.
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

// sampled returns a function that calls ask at most once per interval.
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

// watchBuild adds the build of the binary.
func watchBuild(m *server.Metrics) {
	b := builtFrom()
	m.Watch("vitrine_build_info", "Always 1. The labels name the build.",
		func() float64 { return 1 }, "version", b.version, "revision", b.commit, "goversion", b.toolchain)
}
