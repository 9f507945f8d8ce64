package server

import (
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitrine/internal/operations"
)

// statuses is greater than every HTTP status. Status 0 is that of requests that were aborted
// before a status was sent.
const statuses = 600

// alerting are the statuses that alerts use. Their counters exist from the first scrape, since a
// counter that appears later has no increase.
var alerting = []int{
	http.StatusOK, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable,
}

// requestMetrics are the metrics of API requests. All counters are looked up once, so counting a
// request does not allocate.
type requestMetrics struct {
	total      *prometheus.CounterVec
	operations []operationMetrics // in the order of operations.Operations
}

// operationMetrics are the metrics of one operation.
type operationMetrics struct {
	name     string
	duration prometheus.Observer
	bytes    prometheus.Counter
	broken   prometheus.Counter
	codes    [statuses]atomic.Pointer[prometheus.Counter] // by status, created at the first request
}

func newRequestMetrics(with promauto.Factory) *requestMetrics {
	byOperation := []string{"operation"}
	m := &requestMetrics{total: with.NewCounterVec(prometheus.CounterOpts{
		Name: requestsMetric, Help: "Finished requests. The code is none if the client left before a status was sent.",
	}, []string{"operation", "code"})}
	duration := with.NewHistogramVec(prometheus.HistogramOpts{
		Name: durationMetric, Help: "Time from the request header to the last byte handed to the connection, so slow readers of large responses count.",
		Buckets: []float64{50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
	}, byOperation)
	bytes := with.NewCounterVec(prometheus.CounterOpts{
		Name: "vitrine_http_response_body_bytes_total", Help: "Bytes of response bodies, as encoded.",
	}, byOperation)
	broken := with.NewCounterVec(prometheus.CounterOpts{
		Name: "vitrine_http_responses_broken_total", Help: "Responses that were not sent completely. A client that leaves after a short response is not noticed.",
	}, byOperation)
	names := operations.Operations()
	m.operations = make([]operationMetrics, len(names))
	for i, name := range names {
		op := &m.operations[i]
		op.name = name
		op.duration, op.bytes, op.broken = duration.WithLabelValues(name), bytes.WithLabelValues(name), broken.WithLabelValues(name)
		for _, status := range alerting {
			m.code(op, status)
		}
	}
	return m
}

// Observe counts a request. It is for [operations.Config].
func (m *Metrics) Observe(o operations.Outcome) {
	op := &m.requests.operations[o.Operation]
	m.requests.code(op, o.Status).Inc()
	op.duration.Observe(o.Took.Seconds())
	op.bytes.Add(float64(o.Bytes))
	if o.Broken {
		op.broken.Inc()
	}
	m.slowest.observe(op.name, o)
}

// code returns the counter of an operation and a status. Concurrent first calls return the same
// one.
func (m *requestMetrics) code(op *operationMetrics, status int) prometheus.Counter {
	if known := op.codes[status].Load(); known != nil {
		return *known
	}
	label := "none"
	if status != 0 {
		label = strconv.Itoa(status)
	}
	counter := m.total.WithLabelValues(op.name, label)
	op.codes[status].Store(&counter)
	return counter
}
