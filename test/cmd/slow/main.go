// Command slow measures a well-behaved client with and without slow ones beside
// it, in turn, and fails if it waits for its answers twice as long.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"vitrine/test/internal/trial"
)

// attackTime is how long slow clients go on.
const attackTime = 14 * time.Second

// attacks are flags of slowhttptest.
var attacks = []struct {
	name  string
	flags string
}{
	{"slow headers", "-H -i 3 -t GET -x 24 -p 3"},
	{"slow bodies", "-B -i 3 -s 8192 -t POST -x 10 -p 3"},
	{"slow reading", "-X -w 1 -y 512 -n 5 -z 32 -k 3 -p 3"},
}

func main() {
	binary := flag.String("vitrine", "", "the binary, an absolute path")
	rounds := flag.Int("rounds", 3, "how often each is measured")
	connections := flag.Int("connections", 4000, "slow connections")
	most := flag.Int("max-connections", 10000, "of the server; below -connections it tries what happens at the limit")
	flag.Parse()
	failed, err := run(*binary, *rounds, *connections, *most)
	if err != nil {
		fmt.Fprintln(os.Stderr, "slow:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

func run(binary string, rounds, connections, most int) (failed bool, err error) {
	dir, err := os.MkdirTemp("", "slow")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	addr, err := trial.FreeAddr()
	if err != nil {
		return false, err
	}
	p, err := trial.Start(context.Background(), binary, dir, nil,
		"--listen", addr, "--admin-listen", "off", "--drain", "2s", "--max-connections", strconv.Itoa(most))
	if err != nil {
		return false, err
	}
	defer p.Terminate()
	for _, attack := range attacks {
		var calm, busy []*trial.Tally
		for range rounds {
			calm = append(calm, measure(addr, attackTime/2))
			tally, err := beside(addr, attack.flags, connections)
			if err != nil {
				return false, err
			}
			busy = append(busy, tally)
		}
		verdict := "ok  "
		if bad := failures(calm) + failures(busy); bad > 0 || middle(busy, 99) > 2*middle(calm, 99) {
			verdict, failed = "FAIL", true
		}
		fmt.Printf("%s %s: p50 %v, p99 %v; without: p50 %v, p99 %v; failed: %d; without: %d\n", verdict, attack.name,
			middle(busy, 50), middle(busy, 99), middle(calm, 50), middle(calm, 99), failures(busy), failures(calm))
	}
	return failed, nil
}

// beside measures while slow clients are there.
func beside(addr, flags string, connections int) (*trial.Tally, error) {
	args := append(strings.Fields(flags), "-c", strconv.Itoa(connections), "-r", "1000",
		"-l", strconv.Itoa(int(attackTime.Seconds())), "-u", "http://"+addr+"/api/open/chains")
	slow := exec.Command("slowhttptest", args...)
	if err := slow.Start(); err != nil {
		return nil, err
	}
	time.Sleep(attackTime / 4) // until most are connected
	tally := measure(addr, attackTime/2)
	return tally, slow.Wait()
}

func measure(addr string, long time.Duration) *trial.Tally {
	ctx, cancel := context.WithTimeout(context.Background(), long)
	defer cancel()
	return trial.Load{Addr: addr, Path: "/api/open/chains?limit=20", Rate: 200, Kept: 5}.Run(ctx)
}

// middle returns the median of a percentile over rounds.
func middle(tallies []*trial.Tally, p float64) time.Duration {
	var values []time.Duration
	for _, t := range tallies {
		values = append(values, t.Percentile(p))
	}
	slices.Sort(values)
	return values[len(values)/2].Round(time.Microsecond)
}

func failures(tallies []*trial.Tally) (n int) {
	for _, t := range tallies {
		n += t.Bad("")
	}
	return n
}
