package main

import (
	"sync"
	"time"
)

// shown is the number of wrong responses that are printed.
const shown = 20

// tally has the results of requests. It is safe for concurrent use during the load; its fields
// may be read afterwards.
type tally struct {
	mu       sync.Mutex
	statuses map[string]int // responses by status, for 503 also by code
	events   map[string]int // intended events, and missing responses
	wrong    []string       // some of them, as text
	faults   int            // number of all
	remarks  []string       // some events, as text
	took     []time.Duration
}

func newTally() *tally { return &tally{statuses: map[string]int{}, events: map[string]int{}} }

// answered counts a response.
func (t *tally) answered(status string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.statuses[status]++
}

// event counts an event without a response.
func (t *tally) event(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events[name]++
}

// timed adds the duration of a good response.
func (t *tally) timed(took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.took = append(t.took, took)
}

// fault counts a wrong response.
func (t *tally) fault(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.faults++; t.faults <= shown {
		t.wrong = append(t.wrong, time.Now().Format(time.TimeOnly)+" "+what)
	}
}

// unanswered is the event of a bad request without its response.
const unanswered = "bad requests without an answer"

// remark counts such an event with its reason.
func (t *tally) remark(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.events[unanswered]++; t.events[unanswered] <= shown {
		t.remarks = append(t.remarks, time.Now().Format(time.TimeOnly)+" "+what)
	}
}
