// Command replace holds the sockets of a server like a service manager, and replaces the process
// under load, overlapping and sequentially. It fails if any request fails.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"time"

	"vitrine/test/internal/trial"
)

func main() {
	binary := flag.String("vitrine", "", "the binary, an absolute path")
	rate := flag.Int("rate", 2000, "requests a second")
	times := flag.Int("times", 6, "how often the process is replaced")
	flag.Parse()
	trial.Main("replace", func(dir string) bool {
		well := replace(*binary, dir, *rate, *times)
		fmt.Println(trial.Verdict(well), "replace")
		return well
	})
}

func replace(binary, dir string, rate, times int) (well bool) {
	api, addr := socket()
	admin, _ := socket()
	start := func() *trial.Process {
		return trial.Start(context.Background(), binary, dir, []*os.File{api, admin}, "--drain", "6s")
	}
	current := start()
	tally := trial.Load{Addr: addr, Path: "/api/open/chains?limit=20", Rate: rate, Kept: 100}.During(func() {
		time.Sleep(time.Second)
		for i := range times {
			var next *trial.Process
			how := "after its predecessor ended"
			if i%2 == 0 {
				how = "beside its predecessor"
				next = start()
			}
			took, err := current.Terminate()
			trial.Check(err, "the process ended")
			if next == nil {
				next = start()
			}
			fmt.Printf("     process %d was started %s, which ended after %v\n", i+2, how, took.Round(time.Millisecond))
			current = next
			time.Sleep(time.Second)
		}
	})
	_, ended := current.Terminate()
	fmt.Printf("     %d answers, slowest %v; failed: %v\n", tally.Answers, tally.Percentile(100).Round(time.Millisecond), tally.Failed)
	tally.PrintErrors()
	return tally.Bad("") == 0 && tally.Answers >= rate && ended == nil
}

// socket returns a listening socket that stays open until this process ends.
func socket() (*os.File, string) {
	l := trial.Must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	return trial.Must(l.(*net.TCPListener).File()), l.Addr().String()
}
