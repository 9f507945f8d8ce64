package follow

import (
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// Metrics are what following says of itself to Prometheus. They are safe for
// concurrent use.
type Metrics struct {
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
}

// The values of the label "result".
const (
	resultOK     = "ok"
	resultFailed = "failed"
	resultHeld   = "held"
)

// NewMetrics makes metrics that are all 0, on a registry that has none of them.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	with := promauto.With(registry)
	gauge := func(name, help string) prometheus.Gauge {
		return with.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	m := &Metrics{
		revision:    gauge("vitrine_revision", "Number of the revision that is served, 0 while there is none."),
		lastGood:    gauge("vitrine_last_good_revision", "Number of the revision in the file of the last good state, 0 while it is not known."),
		up:          gauge("vitrine_store_up", "1 if the store answered at the last look, else 0."),
		staleness:   gauge("vitrine_stale", "1 while what is served may be older than what was published, else 0."),
		damage:      gauge("vitrine_store_damaged", "1 if the last check of the whole store found damage, else 0."),
		resumed:     gauge("vitrine_last_good_served", "1 while what is served comes from the file of the last good state, since the store fails, else 0."),
		unkept:      gauge("vitrine_last_good_failing", "1 while the file of the last good state cannot be written, else 0."),
		broken:      gauge("vitrine_catalog_broken", "1 while the catalogue directory cannot be read or published, else 0."),
		compile:     gauge("vitrine_last_compile_seconds", "How long it took to check and compile the revision that is served."),
		publishedAt: gauge("vitrine_revision_published_timestamp_seconds", "When the revision that is served was published, 0 while there is none."),
		servedSince: gauge("vitrine_revision_served_timestamp_seconds", "Since when this process serves that revision, 0 while there is none."),
		locales:     gauge("vitrine_locales", "Locales of the catalogue that is served."),
		records: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vitrine_records", Help: "Records of the catalogue that is served, by kind.",
		}, []string{"kind"}),
		loads: with.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_loads_total", Help: "Revisions taken from the store, by result; after a failed one the old one stays.",
		}, []string{"result"}),
		publishes: with.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_publishes_total", Help: "Changes of the catalogue directory that were to be published, by result.",
		}, []string{"result"}),
		held: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vitrine_publish_held", Help: "1 while a rule of the gate keeps the catalogue directory from being published, else 0, by rule.",
		}, []string{"rule"}),
	}
	m.count(&domain.Catalog{})
	for _, result := range []string{resultOK, resultFailed} {
		m.loads.WithLabelValues(result)
		m.publishes.WithLabelValues(result)
	}
	m.publishes.WithLabelValues(resultHeld)
	m.holds(nil)
	return m
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
func (m *Metrics) count(c *domain.Catalog) {
	m.locales.Set(float64(len(c.Locales)))
	for _, d := range domain.Descriptions() {
		if d.Kind != domain.KindCatalog {
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

func figure(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
