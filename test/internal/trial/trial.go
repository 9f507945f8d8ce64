// Package trial is what trials of the built binary share: a client that never
// tries again, so that every failure counts, and a supervisor of processes.
//
// It knows vitrine from the outside only: its flags, signals and sockets.
//
// A trial that cannot go on ends as a test does: [Check] and [Must] panic with
// the error, and [Try] returns it. They are for the goroutine that called Try.
package trial

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"time"
)

// failure is what Check panics with.
type failure struct{ error }

// Try calls do and returns the error that ended it, nil if none did.
func Try(do func()) (err error) {
	defer func() {
		switch stopped := recover().(type) {
		case nil:
		case failure:
			err = stopped.error
		default:
			panic(stopped)
		}
	}()
	do()
	return nil
}

// Check ends what Try called if err is not nil. What was tried stands before it.
func Check(err error, tried ...any) {
	if err == nil {
		return
	}
	if len(tried) > 0 {
		err = fmt.Errorf("%s: %w", fmt.Sprint(tried...), err)
	}
	panic(failure{err})
}

// Must is Check for a call that returns a value, too.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Failf ends what Try called.
func Failf(format string, args ...any) { Check(fmt.Errorf(format, args...)) }

// Main runs a trial in a directory of its own and ends the process if not all is
// well: with status 1, or with 2 and the error if it could not be tried.
func Main(name string, run func(dir string) (well bool)) {
	well := false
	err := Try(func() {
		dir := Must(os.MkdirTemp("", name))
		defer os.RemoveAll(dir)
		well = run(dir)
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(2)
	}
	if !well {
		os.Exit(1)
	}
}

// Verdict is how a line of a report begins.
func Verdict(well bool) string {
	if well {
		return "ok  "
	}
	return "FAIL"
}

// Until waits until something is so and returns how long that took.
func Until(longest time.Duration, is func() bool) (time.Duration, error) {
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		done, took := is(), time.Since(start)
		if done {
			return took, nil
		}
		if took > longest {
			return took, errors.New("it did not come about in " + longest.String())
		}
	}
}

// FreeAddr returns an address of this machine that nobody listens on now.
func FreeAddr() string { return FreeAddrs(1)[0] }

// FreeAddrs returns n different ones.
func FreeAddrs(n int) (addrs []string) {
	for range n {
		l := Must(net.Listen("tcp", "127.0.0.1:0"))
		defer l.Close()
		addrs = append(addrs, l.Addr().String())
	}
	return addrs
}

// Percentile returns how long the fastest p percent took at most, 0 if there are
// none.
func Percentile(took []time.Duration, p float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(len(sorted)-1, int(float64(len(sorted))*p/100))]
}

// Median returns the middle one of the values, of which there must be some.
func Median(values []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
