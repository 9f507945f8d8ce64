package server

import (
	"context"
	"log/slog"
	"time"
)

// logEvery is the interval of log lines during shutdown.
const logEvery = 2 * time.Second

// progress logs the progress of a shutdown.
type progress struct {
	log      *slog.Logger
	on       *connections
	began    time.Time
	deadline context.Context
}

func newProgress(deadline context.Context, log *slog.Logger, on *connections) progress {
	return progress{log: log, on: on, began: time.Now(), deadline: deadline}
}

func (p progress) logLine(message string) {
	open, answering := p.on.count()
	args := []any{"connections", open, "requests", answering}
	if until, ok := p.deadline.Deadline(); ok {
		args = append(args, "left", time.Until(until).Round(100*time.Millisecond))
	}
	p.log.Info(message, args...)
}

// during calls do, and logs a message before it and every logEvery until it returns.
func (p progress) during(message string, do func()) {
	p.logLine(message)
	ended, stop := context.WithCancel(p.deadline)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for pause(ended, logEvery); ended.Err() == nil; pause(ended, logEvery) {
			p.logLine("still " + message)
		}
	}()
	do()
	stop()
	<-done
}

// end logs the result, including what was aborted.
func (p progress) end(brokenOff bool) {
	took := time.Since(p.began).Round(time.Millisecond)
	if open, answering := p.on.count(); brokenOff {
		p.log.Warn("requests were aborted", "requests", answering, "connections", open, "after", took)
		return
	}
	p.log.Info("drained: every request was answered", "after", took)
}
