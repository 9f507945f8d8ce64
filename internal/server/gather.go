package server

import (
	"math"

	"github.com/prometheus/client_golang/prometheus"

	"vitrine/internal/overview"
)

// Names of metrics.
const (
	requestsMetric = "vitrine_http_requests_total"
	durationMetric = "vitrine_http_request_duration_seconds"
)

// gathered are the metrics of a scrape by name.
type gathered map[string][]measured

// measured is one metric of a name.
type measured struct {
	labels    map[string]string
	value     float64
	histogram overview.Histogram
}

// gather reads all metrics of a registry. With an error, the result has the readable ones.
func gather(registry *prometheus.Registry) (gathered, error) {
	families, err := registry.Gather()
	all := gathered{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			one := measured{labels: map[string]string{}}
			for _, pair := range metric.GetLabel() {
				one.labels[pair.GetName()] = pair.GetValue()
			}
			switch {
			case metric.GetGauge() != nil:
				one.value = metric.GetGauge().GetValue()
			case metric.GetCounter() != nil:
				one.value = metric.GetCounter().GetValue()
			case metric.GetHistogram() != nil:
				one.histogram.Total = metric.GetHistogram().GetSampleCount()
				for _, b := range metric.GetHistogram().GetBucket() {
					one.histogram.Bounds = append(one.histogram.Bounds, b.GetUpperBound())
					one.histogram.Counts = append(one.histogram.Counts, b.GetCumulativeCount())
				}
			}
			all[family.GetName()] = append(all[family.GetName()], one)
		}
	}
	return all, err
}

// of returns the sum of the metrics with a name and labels, which are pairs of name and value; NaN
// for none.
func (g gathered) of(name string, labels ...string) float64 {
	sum, found := 0.0, false
	for _, one := range g[name] {
		if one.has(labels) {
			sum, found = sum+one.value, true
		}
	}
	if !found {
		return math.NaN()
	}
	return sum
}

func (m measured) has(labels []string) bool {
	for i := 0; i < len(labels); i += 2 {
		if m.labels[labels[i]] != labels[i+1] {
			return false
		}
	}
	return true
}
