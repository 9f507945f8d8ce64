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
	up          flag
	stale       flag
	damaged     flag
	resumed     flag
	unkept      flag
	broken      flag
	compile     prometheus.Gauge
	publishedAt prometheus.Gauge
	servedSince prometheus.Gauge
	locales     prometheus.Gauge
	records     *prometheus.GaugeVec
	loads       results
	publishes   results
	held        *prometheus.GaugeVec
	heldSince   prometheus.Gauge
	waiting     prometheus.Gauge
	edits       prometheus.Gauge
}

// flag is a gauge that is 1 or 0.
type flag struct{ prometheus.Gauge }

func (f flag) set(is bool) { f.Set(figure(is)) }

// results count by the label "result", of which each value is there from the
// beginning.
type results struct{ ok, failed, held prometheus.Counter }

// NewMetrics makes metrics that are all 0, on a registry that has none of them.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	with := promauto.With(registry)
	gauge := func(name, help string) prometheus.Gauge {
		return with.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	loads := with.NewCounterVec(prometheus.CounterOpts{
		Name: "vitrine_loads_total", Help: "Revisions taken from the store, by result; after a failed one the old one stays.",
	}, []string{"result"})
	publishes := with.NewCounterVec(prometheus.CounterOpts{
		Name: "vitrine_publishes_total", Help: "Changes of the catalogue directory that were to be published, by result.",
	}, []string{"result"})
	m := &Metrics{
		revision:    gauge("vitrine_revision", "Number of the revision that is served, 0 while there is none."),
		lastGood:    gauge("vitrine_last_good_revision", "Number of the revision in the file of the last good state, 0 while it is not known."),
		up:          flag{gauge("vitrine_store_up", "1 if the store answered at the last look, else 0.")},
		stale:       flag{gauge("vitrine_stale", "1 while what is served may be older than what was published, else 0.")},
		damaged:     flag{gauge("vitrine_store_damaged", "1 if the last check of the whole store found damage, else 0.")},
		resumed:     flag{gauge("vitrine_last_good_served", "1 while what is served comes from the file of the last good state, since the store fails, else 0.")},
		unkept:      flag{gauge("vitrine_last_good_failing", "1 while the file of the last good state cannot be written, else 0.")},
		broken:      flag{gauge("vitrine_catalog_broken", "1 while the catalogue directory cannot be read or published, else 0.")},
		compile:     gauge("vitrine_last_compile_seconds", "How long it took to check and compile the revision that is served."),
		publishedAt: gauge("vitrine_revision_published_timestamp_seconds", "When the revision that is served was published, 0 while there is none."),
		servedSince: gauge("vitrine_revision_served_timestamp_seconds", "Since when this process serves that revision, 0 while there is none."),
		locales:     gauge("vitrine_locales", "Locales of the catalogue that is served."),
		records: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vitrine_records", Help: "Records of the catalogue that is served, by kind.",
		}, []string{"kind"}),
		loads:     results{ok: loads.WithLabelValues("ok"), failed: loads.WithLabelValues("failed")},
		publishes: results{ok: publishes.WithLabelValues("ok"), failed: publishes.WithLabelValues("failed"), held: publishes.WithLabelValues("held")},
		held: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vitrine_publish_held", Help: "1 while a rule of the gate keeps the catalogue directory from being published, else 0, by rule.",
		}, []string{"rule"}),
		heldSince: gauge("vitrine_publish_held_since_timestamp_seconds", "Unix time at which the hold of the catalogue directory began, 0 without a hold."),
		waiting:   gauge("vitrine_publish_waiting_records", "Records of a held catalogue directory that differ from what is served."),
		edits:     gauge("vitrine_publish_waiting_edits", "Unpublished edits of the catalogue directory since the hold began."),
	}
	m.count(&domain.Catalog{})
	m.holds(nil)
	return m
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

// holds says which rules hold, by the families of their names, and what waits for them;
// nil for nothing.
func (m *Metrics) holds(held *Held) {
	var rules []string
	var since, waiting, edits float64
	if held != nil {
		rules, since = held.Rules, float64(held.Since.Unix())
		waiting, edits = float64(held.Waiting.Records), float64(held.Waiting.Edits)
	}
	for _, family := range publish.Families() {
		is := slices.ContainsFunc(rules, func(rule string) bool { return publish.Hold{Rule: rule}.Family() == family })
		m.held.WithLabelValues(family).Set(figure(is))
	}
	m.heldSince.Set(since)
	m.waiting.Set(waiting)
	m.edits.Set(edits)
}

func figure(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
