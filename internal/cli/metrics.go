package cli

import (
	"runtime/debug"

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
