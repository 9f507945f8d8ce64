package server

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are what a process says of itself to Prometheus. They are on a
// registry of their own, and safe for concurrent use.
type Metrics struct {
	registry  *prometheus.Registry
	revision  prometheus.Gauge
	lastGood  prometheus.Gauge
	up        prometheus.Gauge
	staleness prometheus.Gauge
	damage    prometheus.Gauge
	compile   prometheus.Gauge
	loads     *prometheus.CounterVec
	publishes *prometheus.CounterVec

	connections prometheus.Gauge
	displaced   prometheus.Counter
}

// The values of the label "result".
const (
	resultOK     = "ok"
	resultFailed = "failed"
)

// NewMetrics makes metrics that are all 0, beside those of the process and of
// the Go runtime.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		revision: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_revision", Help: "Number of the revision that is served, 0 while there is none.",
		}),
		lastGood: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_last_good_revision", Help: "Number of the revision in the file of the last good state, 0 while it is not known.",
		}),
		up: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_store_up", Help: "1 if the store answered at the last look, else 0.",
		}),
		staleness: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_stale", Help: "1 while what is served may be older than what was published, else 0.",
		}),
		damage: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_store_damaged", Help: "1 if the last check of the whole store found damage, else 0.",
		}),
		compile: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_last_compile_seconds", Help: "How long it took to check and compile the revision that is served.",
		}),
		loads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_loads_total", Help: "Revisions taken from the store, by result; after a failed one the old one stays.",
		}, []string{"result"}),
		publishes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_publishes_total", Help: "Changes of the catalogue directory that were to be published, by result.",
		}, []string{"result"}),
		connections: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_connections", Help: "Open connections of the API.",
		}),
		displaced: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "vitrine_connections_displaced_total", Help: "Connections without a request, or whose client stalled, that were closed to make room for new ones.",
		}),
	}
	for _, result := range []string{resultOK, resultFailed} {
		m.loads.WithLabelValues(result)
		m.publishes.WithLabelValues(result)
	}
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.revision, m.lastGood, m.up, m.staleness, m.damage, m.compile, m.loads, m.publishes,
		m.connections, m.displaced,
	)
	return m
}

func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// taken counts a revision that was taken from the store.
func (m *Metrics) taken(compile time.Duration) {
	m.compile.Set(compile.Seconds())
	m.loads.WithLabelValues(resultOK).Inc()
}

func (m *Metrics) serves(number int64) { m.revision.Set(float64(number)) }
func (m *Metrics) kept(number int64)   { m.lastGood.Set(float64(number)) }
func (m *Metrics) storeUp(is bool)     { m.up.Set(figure(is)) }
func (m *Metrics) stale(is bool)       { m.staleness.Set(figure(is)) }
func (m *Metrics) damaged(is bool)     { m.damage.Set(figure(is)) }
func (m *Metrics) loadFailed()         { m.loads.WithLabelValues(resultFailed).Inc() }
func (m *Metrics) published()          { m.publishes.WithLabelValues(resultOK).Inc() }
func (m *Metrics) publishFailed()      { m.publishes.WithLabelValues(resultFailed).Inc() }

// connected and madeRoom may be called without metrics: nobody counts the
// connections of operators.
func (m *Metrics) connected(n int) {
	if m != nil {
		m.connections.Set(float64(n))
	}
}

func (m *Metrics) madeRoom() {
	if m != nil {
		m.displaced.Inc()
	}
}

func figure(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
