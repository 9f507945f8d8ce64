// Command drain stops a server under load with SIGTERM, several times. It fails if an accepted
// request has no complete response, if a connection is refused before the grace period ends, or
// if the shutdown takes longer than configured.
package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"vitrine/test/internal/trial"
)

const (
	drain = 6 * time.Second
	grace = drain / 2
)

func main() {
	binary := flag.String("vitrine", "", "the binary, an absolute path")
	rate := flag.Int("rate", 2000, "requests a second")
	rounds := flag.Int("rounds", 3, "how many servers are ended")
	flag.Parse()
	trial.Main("drain", func(dir string) bool {
		all := true
		for i := range *rounds {
			well := round(*binary, dir, *rate)
			all = all && well
			fmt.Printf("%s drain, round %d\n", trial.Verdict(well), i+1)
		}
		return all
	})
}

func round(binary, dir string, rate int) (well bool) {
	addr := trial.FreeAddr()
	p := trial.Start(context.Background(), binary, dir, nil, "--listen", addr, "--admin-listen", "off", "--drain", drain.String())
	var asked time.Time
	var took time.Duration
	var ended error
	tally := trial.Load{Addr: addr, Path: "/api/open/chains?limit=20", Rate: rate, Kept: 100}.During(func() {
		time.Sleep(2 * time.Second)
		asked = time.Now()
		took, ended = p.Terminate()
	})
	early := tally.Failed[trial.Refused] > 0 && tally.First[trial.Refused].Sub(asked) < grace
	fmt.Printf("     %d answers, %d kept connections told to close; failed: %v, of which refused is expected after the grace; ended after %v, %v\n",
		tally.Answers, tally.Closed, tally.Failed, took.Round(time.Millisecond), ended)
	tally.PrintErrors()
	return ended == nil && took < drain+time.Second && !early && tally.Bad(trial.Refused) == 0 && tally.Answers > rate
}
