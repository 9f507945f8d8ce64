package main

import (
	"sync"
	"time"
)

// shown is how many wrong answers are told in words.
const shown = 20

// tally is what came of requests. It is safe for concurrent use until the load
// has ended; its fields are for afterwards.
type tally struct {
	mu       sync.Mutex
	statuses map[string]int // answers by status, and by code where it is 503
	events   map[string]int // what happens on purpose, and answers that did not come
	wrong    []string       // some, in words
	faults   int            // all of them
	remarks  []string       // some events, in words
	took     []time.Duration
}

func newTally() *tally { return &tally{statuses: map[string]int{}, events: map[string]int{}} }

// answered counts an answer.
func (t *tally) answered(status string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.statuses[status]++
}

// event counts something that is no answer.
func (t *tally) event(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events[name]++
}

// timed adds how long a good answer took.
func (t *tally) timed(took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.took = append(t.took, took)
}

// fault counts an answer that is wrong.
func (t *tally) fault(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.faults++; t.faults <= shown {
		t.wrong = append(t.wrong, time.Now().Format(time.TimeOnly)+" "+what)
	}
}

// unanswered is the event of a bad request that should have had an answer.
const unanswered = "bad requests without an answer"

// remark counts such an event, with the reason.
func (t *tally) remark(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.events[unanswered]++; t.events[unanswered] <= shown {
		t.remarks = append(t.remarks, time.Now().Format(time.TimeOnly)+" "+what)
	}
}
