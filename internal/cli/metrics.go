package cli

import (
	"runtime/debug"
	"sync"
	"time"

	"vitrine/internal/api"
	"vitrine/internal/server"
)

// watch adds to the metrics what the server does not count itself.
func watch(m *server.Metrics, h *api.Handler) {
	watchBuild(m)
	m.Watch("vitrine_http_requests_in_flight", "Requests to the API that have not ended.",
		func() float64 { return float64(h.Stats().InFlight) })
	m.Watch("vitrine_http_requests_shed_total", "Requests that were told to come back, because too many were in flight.",
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
	m.Watch("vitrine_api_keys", "API keys that are valid, 0 while they are not known.",
		func() float64 { return float64(l.keys.Keys().Len()) })
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
	version, revision, toolchain := "unknown", "unknown", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version, toolchain = info.Main.Version, info.GoVersion
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = s.Value
			}
		}
	}
	m.Watch("vitrine_build_info", "Always 1; the labels say what the binary was built from.",
		func() float64 { return 1 }, "version", version, "revision", revision, "goversion", toolchain)
}
