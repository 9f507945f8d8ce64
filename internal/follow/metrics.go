package follow

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// Metrics are the Prometheus metrics of following. They are safe for concurrent use.
type Metrics struct {
	revision            prometheus.Gauge
	newest              prometheus.Gauge
	confirmed           atomic.Int64 // Unix nanoseconds since which the served revision may be outdated, 0 for never
	roles               *prometheus.GaugeVec
	lastGood            prometheus.Gauge
	up                  flag
	stale               flag
	damaged             flag
	resumed             flag
	lastGoodFailing     flag
	broken              flag
	distributionFailing flag
	changesFailing      flag
	distributed         prometheus.Gauge
	compile             prometheus.Gauge
	publishedAt         prometheus.Gauge
	servedSince         prometheus.Gauge
	locales             prometheus.Gauge
	records             *prometheus.GaugeVec
	loads               results
	publishes           results
	purges              results
	purgeFailing        flag
	held                *prometheus.GaugeVec
	heldSince           prometheus.Gauge
	waiting             prometheus.Gauge
	edits               prometheus.Gauge
	syncs               syncMetrics
}

// syncMetrics are the metrics of jobs by source.
type syncMetrics struct {
	runs      *prometheus.CounterVec
	failing   *prometheus.GaugeVec
	succeeded *prometheus.GaugeVec
}

// expect creates the metrics of a source.
func (m syncMetrics) expect(source string) {
	for _, result := range []string{"ok", "failed", "held", "lost"} {
		m.runs.WithLabelValues(source, result)
	}
	m.state(source, jobState{})
}

func (m syncMetrics) count(source, result string) { m.runs.WithLabelValues(source, result).Inc() }

// state records the state that all processes share.
func (m syncMetrics) state(source string, t jobState) {
	m.failing.WithLabelValues(source).Set(figure(t.Problem != ""))
	at := 0.0
	if !t.Succeeded.IsZero() {
		at = float64(t.Succeeded.Unix())
	}
	m.succeeded.WithLabelValues(source).Set(at)
}

// flag is a gauge that is 1 or 0.
type flag struct{ prometheus.Gauge }

func (f flag) set(is bool) { f.Set(figure(is)) }

// results counts by the label "result". All its values exist from the start.
type results struct{ ok, failed, held prometheus.Counter }

// NewMetrics registers metrics that are all 0. The registry must not have them yet.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	with := promauto.With(registry)
	gauge := func(name, help string) prometheus.Gauge {
		return with.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	loads := with.NewCounterVec(prometheus.CounterOpts{
		Name: "vitrine_loads_total", Help: "Revisions loaded from the store. After a failed load, the previous revision stays.",
	}, []string{"result"})
	publishes := with.NewCounterVec(prometheus.CounterOpts{
		Name: "vitrine_publishes_total", Help: "Attempts to publish a change of the catalogue directory.",
	}, []string{"result"})
	purges := with.NewCounterVec(prometheus.CounterOpts{
		Name: "vitrine_purges_total", Help: "Purges of caches (--purge-url).",
	}, []string{"result"})
	m := &Metrics{
		revision: gauge("vitrine_revision", "Number of the served revision, 0 without one."),
		newest:   gauge("vitrine_newest_revision", "Number of the newest revision that this process knows of its store or distribution, 0 for none."),
		roles: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vitrine_role", Help: "1 for the role of this process: a reader serves a distribution, a publisher writes one, a standalone server does neither.",
		}, []string{"role"}),
		lastGood:            gauge("vitrine_last_good_revision", "Number of the revision in the last good file, 0 while it is unknown."),
		up:                  flag{gauge("vitrine_store_up", "1 if the last access to the store succeeded.")},
		stale:               flag{gauge("vitrine_stale", "1 while the served revision may be older than the published one. Alert on 1.")},
		damaged:             flag{gauge("vitrine_store_damaged", "1 if the last check of the whole store found damage. Alert on 1.")},
		resumed:             flag{gauge("vitrine_last_good_served", "1 while the served revision comes from the last good file because the store fails.")},
		lastGoodFailing:     flag{gauge("vitrine_last_good_failing", "1 while the last good file cannot be written.")},
		broken:              flag{gauge("vitrine_catalog_broken", "1 while the catalogue directory cannot be read or published. Alert on 1.")},
		distributionFailing: flag{gauge("vitrine_distribution_failing", "1 while the distribution or its tables cannot be written. Alert on 1.")},
		changesFailing:      flag{gauge("vitrine_changes_failing", "1 while the log of changes of the distribution cannot be read, so that changes before the served revision are a 410. Alert on 1.")},
		distributed:         gauge("vitrine_distribution_revision", "Number of the served revision that the distribution has, 0 while it is unknown or there is none."),
		compile:             gauge("vitrine_last_compile_seconds", "Time to check and compile the served revision; of the first one of a demonstration, without indexes and orders."),
		publishedAt:         gauge("vitrine_revision_published_timestamp_seconds", "Unix time at which the served revision was published, 0 without one."),
		servedSince:         gauge("vitrine_revision_served_timestamp_seconds", "Unix time since which this process serves that revision, 0 without one."),
		locales:             gauge("vitrine_locales", "Locales of the served catalogue."),
		records: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vitrine_records", Help: "Records of the served catalogue.",
		}, []string{"kind"}),
		loads:        results{ok: loads.WithLabelValues("ok"), failed: loads.WithLabelValues("failed")},
		publishes:    results{ok: publishes.WithLabelValues("ok"), failed: publishes.WithLabelValues("failed"), held: publishes.WithLabelValues("held")},
		purges:       results{ok: purges.WithLabelValues("ok"), failed: purges.WithLabelValues("failed")},
		purgeFailing: flag{gauge("vitrine_purge_failing", "1 while caches cannot be purged. Alert on 1.")},
		held: with.NewGaugeVec(prometheus.GaugeOpts{
			Name: "vitrine_publish_held", Help: "1 while a rule of the gate, by its family, holds the catalogue directory.",
		}, []string{"rule"}),
		heldSince: gauge("vitrine_publish_held_since_timestamp_seconds", "Unix time at which the hold of the catalogue directory began, 0 without a hold."),
		waiting:   gauge("vitrine_publish_waiting_records", "Records of a held catalogue directory that differ from the served ones."),
		syncs: syncMetrics{
			runs: with.NewCounterVec(prometheus.CounterOpts{
				Name: "vitrine_syncs_total", Help: "Syncs of this process. The result is held if the gate or a check rejects what the upstream has, lost if another process took over.",
			}, []string{"source", "result"}),
			failing: with.NewGaugeVec(prometheus.GaugeOpts{
				Name: "vitrine_sync_failing", Help: "1 while the last sync of any process failed or was held. Alert on 1.",
			}, []string{"source"}),
			succeeded: with.NewGaugeVec(prometheus.GaugeOpts{
				Name: "vitrine_sync_success_timestamp_seconds", Help: "Unix time of the last successful sync of any process, 0 for none.",
			}, []string{"source"}),
		},
		edits: gauge("vitrine_publish_waiting_edits", "Unpublished edits of the catalogue directory since the hold began."),
	}
	with.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "vitrine_lag_seconds", Help: "Time since the served revision was last known to be the newest one of the store or distribution, or since the start. Alert on minutes.",
	}, m.lag)
	m.count(&domain.Catalog{})
	m.holds(nil)
	return m
}

// Role is what a process does with a distribution.
type Role string

// The roles.
const (
	Standalone Role = "standalone"
	Publisher  Role = "publisher" // writes a distribution of its store
	Reader     Role = "reader"    // serves a distribution
)

// Roles returns all roles.
func Roles() []Role { return []Role{Standalone, Publisher, Reader} }

// has records the role of the process.
func (m *Metrics) has(role Role) {
	for _, one := range Roles() {
		m.roles.WithLabelValues(string(one)).Set(figure(one == role))
	}
}

// confirm records a time at which the served revision was the newest one.
func (m *Metrics) confirm(at time.Time) { m.confirmed.Store(at.UnixNano()) }

// lag returns the seconds since the served revision was last known to be the newest one.
func (m *Metrics) lag() float64 {
	confirmed := m.confirmed.Load()
	if confirmed == 0 {
		return 0 // nothing is followed yet
	}
	return max(0, time.Since(time.Unix(0, confirmed)).Seconds())
}

// serves records the served state, and since when it is served.
func (m *Metrics) serves(state *store.State, since time.Time) {
	m.revision.Set(float64(state.Revision.Number))
	m.publishedAt.Set(float64(state.Revision.PublishedAt.Unix()))
	m.servedSince.Set(float64(since.Unix()))
	m.count(state.Merged())
}

// count records the number of records of a catalogue.
func (m *Metrics) count(c *domain.Catalog) {
	m.locales.Set(float64(len(c.Locales)))
	for _, d := range domain.Descriptions() {
		if d.Kind != domain.KindCatalog {
			m.records.WithLabelValues(string(d.Kind)).Set(float64(d.Size(c)))
		}
	}
}

// holds records the holds by family and the waiting edits; nil for none.
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
