// Command replace holds the sockets of a server as a service manager does and
// replaces the process under load, side by side and one after the other. It
// fails if a single request does.
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
	failed, err := replace(*binary, *rate, *times)
	if err != nil {
		fmt.Fprintln(os.Stderr, "replace:", err)
		os.Exit(2)
	}
	if failed {
		fmt.Println("FAIL replace")
		os.Exit(1)
	}
	fmt.Println("ok   replace")
}

func replace(binary string, rate, times int) (failed bool, err error) {
	dir, err := os.MkdirTemp("", "replace")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	api, addr, err := socket()
	if err != nil {
		return false, err
	}
	admin, _, err := socket()
	if err != nil {
		return false, err
	}
	start := func() (*trial.Process, error) {
		return trial.Start(context.Background(), binary, dir, []*os.File{api, admin}, "--drain", "6s")
	}
	current, err := start()
	if err != nil {
		return false, err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	tallies := make(chan *trial.Tally)
	go func() {
		tallies <- trial.Load{Addr: addr, Path: "/api/open/chains?limit=20", Rate: rate, Kept: 100}.Run(ctx)
	}()
	time.Sleep(time.Second)
	for i := range times {
		var next *trial.Process
		how := "after the end of the one before"
		if i%2 == 0 {
			how = "beside the one before"
			if next, err = start(); err != nil {
				return false, err
			}
		}
		took, ended := current.Terminate()
		if ended != nil {
			return false, fmt.Errorf("the process ended with %w", ended)
		}
		if next == nil {
			if next, err = start(); err != nil {
				return false, err
			}
		}
		fmt.Printf("     process %d was started %s, which ended after %v\n", i+2, how, took.Round(time.Millisecond))
		current = next
		time.Sleep(time.Second)
	}
	stop()
	tally := <-tallies
	_, ended := current.Terminate()
	fmt.Printf("     %d answers, slowest %v; failed: %v\n", tally.Answers, tally.Percentile(100).Round(time.Millisecond), tally.Failed)
	for _, e := range tally.Errors {
		fmt.Println("     ", e)
	}
	return tally.Bad("") > 0 || tally.Answers < rate || ended != nil, nil
}

// socket returns a listening socket that stays open as long as this process.
func socket() (*os.File, string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	defer l.Close()
	file, err := l.(*net.TCPListener).File()
	return file, l.Addr().String(), err
}
