package server

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"vitrine/internal/catalog"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// Metrics are what a process says of itself to Prometheus. They are on a
// registry of their own, and safe for concurrent use.
type Metrics struct {
	registry    *prometheus.Registry
	revision    prometheus.Gauge
	lastGood    prometheus.Gauge
	up          prometheus.Gauge
	staleness   prometheus.Gauge
	damage      prometheus.Gauge
	resumed     prometheus.Gauge
	unkept      prometheus.Gauge
	broken      prometheus.Gauge
	compile     prometheus.Gauge
	publishedAt prometheus.Gauge
	servedSince prometheus.Gauge
	locales     prometheus.Gauge
	records     *prometheus.GaugeVec
	loads       *prometheus.CounterVec
	publishes   *prometheus.CounterVec
	held        *prometheus.GaugeVec
	requests    *requestMetrics

	connections prometheus.Gauge
	displaced   prometheus.Counter
	limit       prometheus.Gauge
	draining    prometheus.Gauge
}

// Bounds of reading the metrics.
const (
	maxScrapes = 4
	scrapeTime = 10 * time.Second
)

// The values of the label "result".
const (
	resultOK     = "ok"
	resultFailed = "failed"
	resultHeld   = "held"
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
		resumed: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_last_good_served", Help: "1 while what is served comes from the file of the last good state, since the store fails, else 0.",
		}),
		unkept: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_last_good_failing", Help: "1 while the file of the last good state cannot be written, else 0.",
		}),
		broken: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_catalog_broken", Help: "1 while the catalogue directory cannot be read or published, else 0.",
		}),
		compile: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_last_compile_seconds", Help: "How long it took to check and compile the revision that is served.",
		}),
		publishedAt: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_revision_published_timestamp_seconds", Help: "When the revision that is served was published, 0 while there is none.",
		}),
		servedSince: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_revision_served_timestamp_seconds", Help: "Since when this process serves that revision, 0 while there is none.",
		}),
		locales: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_locales", Help: "Locales of the catalogue that is served.",
		}),
		records: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vitrine_records", Help: "Records of the catalogue that is served, by kind.",
		}, []string{"kind"}),
		requests: newRequestMetrics(),
		loads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_loads_total", Help: "Revisions taken from the store, by result; after a failed one the old one stays.",
		}, []string{"result"}),
		publishes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_publishes_total", Help: "Changes of the catalogue directory that were to be published, by result.",
		}, []string{"result"}),
		held: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vitrine_publish_held", Help: "1 while a rule of the gate keeps the catalogue directory from being published, else 0, by rule.",
		}, []string{"rule"}),
		connections: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_connections", Help: "Open connections of the API.",
		}),
		limit: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_connections_limit", Help: "Connections of the API that may be open at a time.",
		}),
		draining: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "vitrine_draining", Help: "1 once the process was asked to end, else 0.",
		}),
		displaced: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "vitrine_connections_displaced_total", Help: "Connections without a request, or whose client stalled, that were closed to make room for new ones.",
		}),
	}
	m.count(&catalog.Catalog{})
	for _, result := range []string{resultOK, resultFailed} {
		m.loads.WithLabelValues(result)
		m.publishes.WithLabelValues(result)
	}
	m.publishes.WithLabelValues(resultHeld)
	m.holds(nil)
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.revision, m.lastGood, m.up, m.staleness, m.damage, m.resumed, m.unkept, m.broken, m.compile, m.loads, m.publishes, m.held,
		m.publishedAt, m.servedSince, m.locales, m.records,
		m.requests.total, m.requests.duration, m.requests.bytes, m.requests.broken,
		m.connections, m.displaced, m.limit, m.draining,
	)
	return m
}

// Watch adds a metric whose value is asked for whenever the metrics are read,
// which may be from several goroutines at a time: a counter where the name ends
// in _total, else a gauge. Labels are names, each followed by its value; metrics
// of one name must have the same help and the same names of labels. It is for the
// time before the metrics are read first, and panics where the name is taken.
func (m *Metrics) Watch(name, help string, value func() float64, labels ...string) {
	constant := prometheus.Labels{}
	for i := 0; i < len(labels); i += 2 {
		constant[labels[i]] = labels[i+1]
	}
	if strings.HasSuffix(name, "_total") {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: constant}, value))
		return
	}
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: constant}, value))
}

// Teller is told a value and those of the labels, in their order.
type Teller func(value float64, labels ...string)

// WatchEach is [Metrics.Watch] for a counter with labels whose values come and go:
// each tells of all that there are, at most once of each.
func (m *Metrics) WatchEach(name, help string, labels []string, each func(Teller)) {
	m.registry.MustRegister(collector{prometheus.NewDesc(name, help, labels, nil), each})
}

// collector asks for counters whenever the metrics are read.
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

// handler serves the metrics, compressed where the client takes that.
func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		Registry: m.registry, MaxRequestsInFlight: maxScrapes, Timeout: scrapeTime,
	})
}

// taken counts a revision that was taken from the store.
func (m *Metrics) taken(compile time.Duration) {
	m.compile.Set(compile.Seconds())
	m.loads.WithLabelValues(resultOK).Inc()
}

// serves says what is served now, and since when.
func (m *Metrics) serves(state *store.State, since time.Time) {
	m.revision.Set(float64(state.Revision.Number))
	m.publishedAt.Set(float64(state.Revision.PublishedAt.Unix()))
	m.servedSince.Set(float64(since.Unix()))
	m.count(state.Merged())
}

// count says how much a catalogue holds.
func (m *Metrics) count(c *catalog.Catalog) {
	m.locales.Set(float64(len(c.Locales)))
	for _, d := range catalog.Descriptions() {
		if d.Kind != catalog.KindCatalog {
			m.records.WithLabelValues(string(d.Kind)).Set(float64(d.Size(c)))
		}
	}
}

func (m *Metrics) kept(number int64)     { m.lastGood.Set(float64(number)) }
func (m *Metrics) storeUp(is bool)       { m.up.Set(figure(is)) }
func (m *Metrics) stale(is bool)         { m.staleness.Set(figure(is)) }
func (m *Metrics) damaged(is bool)       { m.damage.Set(figure(is)) }
func (m *Metrics) resumes(is bool)       { m.resumed.Set(figure(is)) }
func (m *Metrics) keeps(is bool)         { m.unkept.Set(figure(!is)) }
func (m *Metrics) catalogBroken(is bool) { m.broken.Set(figure(is)) }
func (m *Metrics) loadFailed()           { m.loads.WithLabelValues(resultFailed).Inc() }
func (m *Metrics) published()            { m.publishes.WithLabelValues(resultOK).Inc() }
func (m *Metrics) publishFailed()        { m.publishes.WithLabelValues(resultFailed).Inc() }

func (m *Metrics) publishHeld() { m.publishes.WithLabelValues(resultHeld).Inc() }

// holds says which rules hold, by the families of their names.
func (m *Metrics) holds(holds []publish.Hold) {
	for _, family := range publish.Families() {
		is := slices.ContainsFunc(holds, func(h publish.Hold) bool { return h.Family() == family })
		m.held.WithLabelValues(family).Set(figure(is))
	}
}

// connected and madeRoom may be called without metrics: nobody counts the
// connections of operators.
func (m *Metrics) connected(n int) {
	if m != nil {
		m.connections.Set(float64(n))
	}
}

// bounded and drains say how many connections there may be, and that the end
// has begun.
func (m *Metrics) bounded(max int) {
	if m != nil {
		m.limit.Set(float64(max))
	}
}

func (m *Metrics) drains() {
	if m != nil {
		m.draining.Set(1)
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
