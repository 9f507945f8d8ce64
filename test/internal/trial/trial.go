// Package trial has the common parts of trials of the built binary: a client without retries, so
// that every failure counts, and a supervisor of processes.
//
// It depends only on the flags, signals and sockets of vitrine.
//
// A trial ends like a test when it cannot continue: [Check] and [Must] panic with the error, and
// [Try] returns it. They must be called in the goroutine of Try.
package trial

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"time"
)

// failure is the panic value of Check.
type failure struct{ error }

// Try calls do and returns the error that ended it, nil for none.
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

// Check ends the function of Try if err is not nil. tried describes the failed action.
func Check(err error, tried ...any) {
	if err == nil {
		return
	}
	if len(tried) > 0 {
		err = fmt.Errorf("%s: %w", fmt.Sprint(tried...), err)
	}
	panic(failure{err})
}

// Must is Check for calls that also return a value.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Failf ends the function of Try.
func Failf(format string, args ...any) { Check(fmt.Errorf(format, args...)) }

// Main runs a trial in a temporary directory. It ends the process with status 1 if a check
// failed, and with 2 and the error if the trial could not run.
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

// Verdict returns the beginning of a line of a report.
func Verdict(well bool) string {
	if well {
		return "ok  "
	}
	return "FAIL"
}

// Until waits until is returns true, and returns how long that took.
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

// FreeAddr returns an unused local address.
func FreeAddr() string { return FreeAddrs(1)[0] }

// FreeAddrs returns n distinct unused local addresses.
func FreeAddrs(n int) (addrs []string) {
	for range n {
		l := Must(net.Listen("tcp", "127.0.0.1:0"))
		defer l.Close()
		addrs = append(addrs, l.Addr().String())
	}
	return addrs
}

// Percentile returns the maximum duration of the fastest p percent, 0 for none.
func Percentile(took []time.Duration, p float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(len(sorted)-1, int(float64(len(sorted))*p/100))]
}

// Median returns the median of at least one value.
func Median(values []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
