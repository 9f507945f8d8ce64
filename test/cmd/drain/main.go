// Command drain ends a server under load with SIGTERM, several times, and
// fails if a request that was accepted has no complete answer, if a connection
// is refused before the grace is over, or if the end takes longer than asked.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
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
	dir, err := os.MkdirTemp("", "drain")
	exitOn(err)
	defer os.RemoveAll(dir)
	failed := false
	for i := range *rounds {
		good, err := round(*binary, dir, *rate)
		exitOn(err)
		verdict := "ok  "
		if !good {
			verdict, failed = "FAIL", true
		}
		fmt.Printf("%s drain, round %d\n", verdict, i+1)
	}
	if failed {
		os.Exit(1)
	}
}

func round(binary, dir string, rate int) (good bool, err error) {
	addr, err := trial.FreeAddr()
	if err != nil {
		return false, err
	}
	p, err := trial.Start(context.Background(), binary, dir, nil, "--listen", addr, "--admin-listen", "off", "--drain", drain.String())
	if err != nil {
		return false, err
	}
	ctx, stop := context.WithCancel(context.Background())
	tallies := make(chan *trial.Tally)
	go func() {
		tallies <- trial.Load{Addr: addr, Path: "/api/open/chains?limit=20", Rate: rate, Kept: 100}.Run(ctx)
	}()
	time.Sleep(2 * time.Second)
	asked := time.Now()
	took, ended := p.Terminate()
	stop()
	tally := <-tallies
	early := tally.Failed[trial.Refused] > 0 && tally.First[trial.Refused].Sub(asked) < grace
	fmt.Printf("     %d answers, %d kept connections told to close; failed: %v, of which refused is expected after the grace; ended after %v, %v\n",
		tally.Answers, tally.Closed, tally.Failed, took.Round(time.Millisecond), ended)
	for _, e := range tally.Errors {
		fmt.Println("     ", e)
	}
	return ended == nil && took < drain+time.Second && !early && tally.Bad(trial.Refused) == 0 && tally.Answers > rate, nil
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "drain:", err)
		os.Exit(2)
	}
}
