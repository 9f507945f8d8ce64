package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"vitrine/test/internal/trial"
)

// settle waits until all readers serve the newest revision.
func (s *setting) settle() {
	s.place.fault.Store(int32(sound))
	s.database.open()
	if s.bucket != nil {
		s.bucket.signal(syscall.SIGCONT)
	}
	newest := int64(len(s.lags.times))
	for _, r := range s.readers {
		_, err := trial.Until(30*time.Second, func() bool {
			a, err := get(context.Background(), r.address, "/api/open/meta")
			return err == nil && a.revision == newest
		})
		if err != nil {
			s.note(fmt.Errorf("%s does not serve revision %d at the end", r.name, newest))
		}
	}
}

// report prints the figures and reports whether all is well.
func (s *setting) report() (well bool) {
	wrong, unknown := s.compare()
	longest := time.Duration(0)
	for _, lag := range s.lags.longest {
		longest = max(longest, lag)
	}
	starts := 0
	for _, r := range s.readers {
		starts += r.starts
	}
	a := s.answers
	well = a.failed == 0 && wrong == 0 && s.lags.back == 0 && len(a.problems) == 0 && a.n > 0
	fmt.Printf("%s requests: %d at %d per second, failed %d; median %v, 99 %% %v\n", trial.Verdict(a.failed == 0), a.n, s.rate, a.failed,
		trial.Percentile(a.took, 50).Round(100*time.Microsecond), trial.Percentile(a.took, 99).Round(100*time.Microsecond))
	fmt.Printf("%s bodies: wrong %d, of revisions whose responses are not known %d\n", trial.Verdict(wrong == 0), wrong, unknown)
	fmt.Printf("%s revisions: %d published, %d publishes failed; a reader went back %d times\n", trial.Verdict(s.lags.back == 0), len(s.lags.times), s.lags.fails, s.lags.back)
	fmt.Printf("     readers: started %d times; longest lag %v, mean %v\n", starts, longest.Round(time.Millisecond), (s.lags.sum / time.Duration(max(1, s.lags.n))).Round(time.Millisecond))
	for i, p := range a.problems {
		if i == 20 {
			fmt.Printf("     and %d more\n", len(a.problems)-i)
			break
		}
		fmt.Println("    ", p)
	}
	return well
}

// compare compares the bodies of the fleet with those of the publisher.
func (s *setting) compare() (wrong, unknown int) {
	for b, sums := range s.answers.sums {
		want, known := s.truth.sums[b]
		for sum, n := range sums {
			switch {
			case !known:
				unknown += n
			case sum != want:
				wrong += n
				s.answers.problem(fmt.Sprintf("%s of revision %d differs from the publisher's, %d times", b.path, b.revision, n))
			}
		}
	}
	return wrong, unknown
}
