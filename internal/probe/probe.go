package probe

import (
	"context"
	"sync"
	"time"
)

// Limits of a run.
const (
	saveEvery    = 500              // checks, …
	saveAfter    = 15 * time.Second // …or so long after the last save
	defaultLimit = 10 * time.Minute
	maxLimit     = 24 * time.Hour
	shortLimit   = 5 * time.Second // waited for within a run
)

// Prober checks targets. A check fails only if it fails through each client, so Clients should have
// different resolvers. All fields are required. It is safe for concurrent use.
type Prober struct {
	Clients []Client
	Workers int           // hosts that are asked at the same time
	Pause   time.Duration // between two checks of a host
	MinAge  time.Duration // targets that were checked more recently are not checked
	Now     func() time.Time
	Sleep   func(ctx context.Context, d time.Duration) error
	// Save keeps the history, so that a later run continues. It is called by one goroutine at a time.
	Save func(h *History) error
}

// Run checks what is due, the least recently checked first, and adds the results to h. One request at
// a time is sent to a host. When ctx ends, it returns what was checked until then. It returns the
// number of checks that were made and that are left, and the error of Save.
func (p *Prober) Run(ctx context.Context, targets []Target, h *History) (made, left int, err error) {
	h.retain(targets, p.Now())
	hosts := p.due(targets, h)
	for _, host := range hosts {
		left += len(host)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	results, saved := p.start(ctx, hosts), p.Now()
	for r := range results { // only this goroutine uses the history
		now := p.Now()
		h.record(r.target.id(), r.found, now)
		if r.found.outcome == OutcomeLimited || r.found.after > 0 {
			h.Hosts[r.target.hostID()] = now.Add(limit(r.found.after)).UTC().Truncate(time.Second)
		}
		made++
		left--
		if (made%saveEvery == 0 || now.Sub(saved) >= saveAfter) && err == nil {
			saved = now
			if err = p.Save(h); err != nil {
				stop()
			}
		}
	}
	if err == nil && made > 0 {
		err = p.Save(h)
	}
	return made, left, err
}

func limit(asked time.Duration) time.Duration {
	if asked <= 0 {
		return defaultLimit
	}
	return min(asked, maxLimit)
}

// result is a checked target.
type result struct {
	target Target
	found  finding
}

// due returns the targets to check by host, each check once.
func (p *Prober) due(targets []Target, h *History) [][]Target {
	now := p.Now()
	var checks []Target
	seen := map[string]bool{}
	for _, t := range targets {
		id := t.id()
		if last := h.Checks[id].Last; !seen[id] && (last.IsZero() || now.Sub(last) >= p.MinAge || last.After(now)) && !now.Before(h.Hosts[t.hostID()]) {
			checks = append(checks, t)
		}
		seen[id] = true
	}
	h.leastRecent(checks)
	var hosts [][]Target
	places := map[string]int{}
	for _, t := range checks {
		host := t.host()
		at, ok := places[host]
		if !ok {
			at = len(hosts)
			places[host] = at
			hosts = append(hosts, nil)
		}
		hosts[at] = append(hosts[at], t)
	}
	return hosts
}

// start checks the targets of hosts in the background. The channel is closed when all are checked or
// ctx is done.
func (p *Prober) start(ctx context.Context, hosts [][]Target) <-chan result {
	queue, results := make(chan []Target, len(hosts)), make(chan result)
	for _, host := range hosts {
		queue <- host
	}
	close(queue)
	var workers sync.WaitGroup
	for range min(p.Workers, len(hosts)) {
		workers.Go(func() {
			for host := range queue {
				p.checkHost(ctx, host, results)
			}
		})
	}
	go func() {
		workers.Wait()
		close(results)
	}()
	return results
}

// checkHost checks the targets of a host one after another. It leaves a host that limits requests,
// and does not ask one again that is gone.
func (p *Prober) checkHost(ctx context.Context, targets []Target, results chan<- result) {
	pause := time.Duration(0)
	gone := map[string]finding{} // by host and port
	for _, t := range targets {
		if found, ok := gone[t.port()]; ok {
			results <- result{t, found}
			continue
		}
		if ctx.Err() != nil || p.Sleep(ctx, pause) != nil {
			return
		}
		found := check(ctx, p.Clients, t)
		if ctx.Err() != nil {
			return // the end of the run is not a fault of the host
		}
		results <- result{t, found}
		if found.outcome == OutcomeHostGone {
			gone[t.port()] = found
		}
		if found.outcome == OutcomeLimited && limit(found.after) > shortLimit {
			return
		}
		pause = max(p.Pause, found.after)
		if pause > shortLimit {
			return
		}
	}
}
