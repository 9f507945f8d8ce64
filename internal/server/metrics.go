package server

import (
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"vitrine/internal/follow"
)

// Metrics are the Prometheus metrics of a process, on their own registry. They are safe for
// concurrent use.
type Metrics struct {
	Follow *follow.Metrics // for the follower

	registry    *prometheus.Registry
	requests    *requestMetrics
	connections *connectionMetrics
	slowest     slowest
	empty       emptySearches
	samples     samples
}

// connectionMetrics are the metrics of a listener's connections.
type connectionMetrics struct {
	open      prometheus.Gauge
	displaced prometheus.Counter
	limit     prometheus.Gauge
	draining  prometheus.Gauge
}

// Limits of reading the metrics.
const (
	maxScrapes = 4
	scrapeTime = 10 * time.Second
)

// NewMetrics returns metrics that are all 0, with those of the process and the Go runtime.
func NewMetrics() *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	with := promauto.With(registry)
	requests := newRequestMetrics(with)
	return &Metrics{
		Follow:      follow.NewMetrics(registry),
		registry:    registry,
		requests:    requests,
		connections: newConnectionMetrics(with),
		samples:     newSamples(requests.total),
	}
}

func newConnectionMetrics(with promauto.Factory) *connectionMetrics {
	gauge := func(name, help string) prometheus.Gauge {
		return with.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	return &connectionMetrics{
		open:     gauge("vitrine_connections", "Open connections of the API."),
		limit:    gauge("vitrine_connections_limit", "Maximum of open connections (--max-connections, less if open files are limited)."),
		draining: gauge("vitrine_draining", "1 while the process is shutting down."),
		displaced: with.NewCounter(prometheus.CounterOpts{
			Name: "vitrine_connections_displaced_total", Help: "Idle or stalled connections that were closed to make room for new ones.",
		}),
	}
}

// Watch adds a metric whose function is called at each scrape, possibly concurrently: a counter if
// the name ends in _total, else a gauge. Labels are pairs of name and value; metrics of one name
// must have the same help and label names. Watch must be called before the first scrape, and
// panics on a duplicate.
func (m *Metrics) Watch(name, help string, value func() float64, labels ...string) {
	constant := prometheus.Labels{}
	for i := 0; i < len(labels); i += 2 {
		constant[labels[i]] = labels[i+1]
	}
	with := promauto.With(m.registry)
	if strings.HasSuffix(name, "_total") {
		with.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: constant}, value)
		return
	}
	with.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: constant}, value)
}

// Teller gets a value and the values of the labels, in order.
type Teller func(value float64, labels ...string)

// WatchEach is [Metrics.Watch] for a counter with changing label values. each calls its argument
// at most once per combination.
func (m *Metrics) WatchEach(name, help string, labels []string, each func(Teller)) {
	m.registry.MustRegister(collector{prometheus.NewDesc(name, help, labels, nil), each})
}

// collector calls its function at each scrape.
type collector struct {
	desc *prometheus.Desc
	each func(Teller)
}

func (c collector) Describe(to chan<- *prometheus.Desc) { to <- c.desc }

func (c collector) Collect(to chan<- prometheus.Metric) {
	c.each(func(value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(c.desc, prometheus.CounterValue, value, labels...)
	})
}

// handler serves the metrics, compressed if the client accepts it.
func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		Registry: m.registry, MaxRequestsInFlight: maxScrapes, Timeout: scrapeTime,
	})
}
