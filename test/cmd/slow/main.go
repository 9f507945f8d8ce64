// Command slow measures a well-behaved client with and without slow clients in turns, and fails
// if it waits twice as long for responses.
package main

import (
	"context"
	"flag"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"vitrine/test/internal/trial"
)

// attackTime is the duration of the attack of slow clients.
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
	trial.Main("slow", func(dir string) bool { return run(*binary, dir, *rounds, *connections, *most) })
}

func run(binary, dir string, rounds, connections, most int) (well bool) {
	addr := trial.FreeAddr()
	p := trial.Start(context.Background(), binary, dir, nil,
		"--listen", addr, "--admin-listen", "off", "--drain", "2s", "--max-connections", strconv.Itoa(most))
	defer p.Terminate()
	well = true
	for _, attack := range attacks {
		var calm, busy []*trial.Tally
		for range rounds {
			calm = append(calm, measure(addr, attackTime/2))
			busy = append(busy, beside(addr, attack.flags, connections))
		}
		unharmed := failures(calm)+failures(busy) == 0 && middle(busy, 99) <= 2*middle(calm, 99)
		well = well && unharmed
		fmt.Printf("%s %s: p50 %v, p99 %v; without: p50 %v, p99 %v; failed: %d; without: %d\n", trial.Verdict(unharmed), attack.name,
			middle(busy, 50), middle(busy, 99), middle(calm, 50), middle(calm, 99), failures(busy), failures(calm))
	}
	return well
}

// beside measures while slow clients are connected.
func beside(addr, flags string, connections int) *trial.Tally {
	args := append(strings.Fields(flags), "-c", strconv.Itoa(connections), "-r", "1000",
		"-l", strconv.Itoa(int(attackTime.Seconds())), "-u", "http://"+addr+"/api/open/chains")
	slow := exec.Command("slowhttptest", args...)
	trial.Check(slow.Start())
	time.Sleep(attackTime / 4) // until most are connected
	tally := measure(addr, attackTime/2)
	trial.Check(slow.Wait())
	return tally
}

func measure(addr string, long time.Duration) *trial.Tally {
	load := trial.Load{Addr: addr, Path: "/api/open/chains?limit=20", Rate: 200, Kept: 5}
	return load.During(func() { time.Sleep(long) })
}

// middle returns the median over rounds of a percentile.
func middle(tallies []*trial.Tally, p float64) time.Duration {
	var values []time.Duration
	for _, t := range tallies {
		values = append(values, t.Percentile(p))
	}
	return trial.Median(values).Round(time.Microsecond)
}

func failures(tallies []*trial.Tally) (n int) {
	for _, t := range tallies {
		n += t.Bad("")
	}
	return n
}
