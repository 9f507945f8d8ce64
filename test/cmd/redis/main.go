// Command redis makes the Redis of a server fail in all known ways under a steady load, and
// repairs it. It fails if a request fails, if one is much slower during an outage, if a limited
// client is admitted, or if the server does not use Redis again automatically.
package main

import (
	"flag"
	"fmt"
	"slices"
	"time"

	"vitrine/test/internal/trial"
)

const (
	up      = "vitrine_limiter_redis_up"
	decided = `vitrine_limiter_decisions_total{store="redis"}`

	notice = 10 * time.Second     // to detect an outage
	backIn = 5 * time.Second      // to detect the end of one
	longer = 5 * time.Millisecond // accepted increase of the 99th percentile during an outage
)

func main() {
	binary := flag.String("vitrine", "", "the binary, an absolute path")
	rate := flag.Int("rate", 300, "requests a second")
	rounds := flag.Int("rounds", 3, "how often Redis fails in each way")
	long := flag.Duration("long", 3*time.Second, "how long is measured with and without it")
	only := flag.String("only", "", "the one way in which Redis fails, by its name in the table")
	flag.Parse()
	if *only != "" {
		faults = slices.DeleteFunc(faults, func(f fault) bool { return f.name != *only })
	}
	trial.Main("redis", func(dir string) bool {
		well := run(*binary, dir, *rate, *rounds, *long)
		fmt.Println(trial.Verdict(well), "redis")
		return well
	})
}

func run(binary, dir string, rate, rounds int, long time.Duration) (well bool) {
	s := newSetting(binary, dir)
	defer s.end()
	fmt.Printf("ok   started without Redis; counts in it %v after it came\n", s.begin().Round(time.Millisecond))

	load := trial.Load{Addr: s.site.API, Path: "/api/open/chains?limit=20", Rate: rate, Kept: 10}
	limited := s.watch()
	results := make([]result, len(faults))
	for range rounds {
		for i := range faults {
			results[i].try(s, &faults[i], load, long)
		}
	}
	var with []time.Duration
	for _, r := range results {
		with = append(with, r.with...)
	}
	baseline := trial.Median(with)
	fmt.Printf("     with Redis the slowest of a hundred takes %s, in the middle of %d measurements\n", ms(baseline), len(with))
	fmt.Println("     Redis is               p99 without  slowest at first  given up after  back after  answers  failed")
	well = true
	for i := range results {
		well = results[i].report(faults[i].name, baseline) && well
	}
	asked, through, err := limited()
	kept := through == 0 && asked > 0 && err == nil
	fmt.Printf("%s a key whose quota was spent asked %d times all along and was let through %d times (%v)\n", trial.Verdict(kept), asked, through, err)
	return well && kept
}

// result has the results of one fault in all rounds.
type result struct {
	with, without []time.Duration // the 99th percentiles
	slowest       time.Duration   // of the first requests after the fault
	given, back   time.Duration   // the longest times to give Redis up, and to use it again
	answers       int
	failed        map[string]int
	errors        []string
}

// try measures with Redis, makes it fail, measures without it, and repairs it.
func (r *result) try(s *setting, f *fault, load trial.Load, long time.Duration) {
	rest := func() { time.Sleep(long) }
	r.with = append(r.with, r.count(load.During(rest)).Percentile(99))

	met := r.count(load.During(func() {
		trial.Check(f.fail(s), f.name)
		given, err := s.site.Await(up, 0, notice)
		trial.Check(err, f.name, ": given up")
		r.given = max(r.given, given)
	}))
	r.slowest = max(r.slowest, met.Percentile(100))

	r.without = append(r.without, r.count(load.During(rest)).Percentile(99))

	r.count(load.During(func() {
		trial.Check(f.mend(s), f.name)
		back, err := s.used()
		trial.Check(err, f.name, ": used again")
		r.back = max(r.back, back)
	}))
}

// count adds a tally to the result and returns it.
func (r *result) count(t *trial.Tally) *trial.Tally {
	if r.failed == nil {
		r.failed = map[string]int{}
	}
	r.answers += t.Answers
	for kind, count := range t.Failed {
		r.failed[kind] += count
	}
	r.errors = append(r.errors, t.Errors...)
	return t
}

// report prints a line of the table; baseline is the 99th percentile with Redis.
func (r *result) report(name string, baseline time.Duration) (well bool) {
	without := trial.Median(r.without)
	well = len(r.failed) == 0 && without <= baseline+longer && r.back <= backIn
	fmt.Printf("%s %-21s %12s  %16s  %12.1f s  %8.1f s  %7d  %v\n", trial.Verdict(well), name, ms(without), ms(r.slowest),
		r.given.Seconds(), r.back.Seconds(), r.answers, r.failed)
	for _, e := range r.errors {
		fmt.Println("     ", e)
	}
	return well
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }
