// Command memory has one address ask a server of a large catalogue, within its
// quota, for as much as it can, and others for little and for much at the same time. It
// fails if the server takes more memory than it should, or the others are
// harmed.
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
	cacheBytes  = 64 << 20 // --cache-bytes
	answersPart = 8        // of the limit: one of so many is for answers
	// quick is how long small answers may take at the 99th percentile in any case,
	// on a machine of two cores that also has all clients; else four times as long as without an attack.
	quick = 500 * time.Millisecond
)

func main() {
	binary := flag.String("vitrine", "", "the binary under its limit, an absolute path")
	store := flag.String("store", "", "with the catalogue")
	limit := flag.Int("limit", 1<<30, "of memory, in bytes")
	long := flag.Duration("for", 20*time.Second, "how long each attack goes on")
	flag.Parse()
	failed, err := run(*binary, *store, *limit, *long)
	if err != nil {
		fmt.Fprintln(os.Stderr, "memory:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

// attacks are ways to ask for much.
var attacks = []hostile{
	{name: "nobody attacks"},
	{name: "searches, br", target: search, encoding: "br"},
	{name: "searches, br, read slowly", target: search, encoding: "br", slow: true},
	{name: "lists, identity", target: list, encoding: "identity"},
	{name: "lists, identity, read slowly", target: list, encoding: "identity", slow: true},
	{name: "lists, gzip, read slowly", target: list, encoding: "gzip", slow: true},
	{name: "lists, zstd, not read", target: list, encoding: "zstd", slow: true, still: true},
	{name: "pages, identity, read slowly", target: page, encoding: "identity", slow: true},
}

func run(binary, store string, limit int, long time.Duration) (failed bool, err error) {
	dir, err := os.MkdirTemp("", "memory")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	api, err := trial.FreeAddr()
	if err != nil {
		return false, err
	}
	p, err := trial.Start(context.Background(), binary, dir, nil, "--listen", api, "--admin-listen", "off", "--drain", "1s",
		"--store", store, "--last-good", "off", "--rate-limit", "60/m")
	if err != nil {
		return false, err
	}
	defer func() { _, _ = p.Terminate() }() // it may have been killed
	if err := served(api); err != nil {
		return false, err
	}
	time.Sleep(3 * time.Second) // what the start took is given back
	rest, err := p.Resident()
	if err != nil {
		return false, err
	}
	bound := min((rest+cacheBytes+limit/answersPart)*3/2, limit)
	fmt.Printf("at rest %d MiB, bound %d MiB\n", rest>>20, bound>>20)
	var calm time.Duration
	for i, attack := range attacks {
		if err := p.ForgetPeak(); err != nil {
			return true, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), long)
		ended := make(chan counts, 1)
		go func() { ended <- attack.run(ctx, i, api) }()
		good := measure(ctx, i, api)
		attacker := <-ended
		cancel()
		peak, err := p.Peak()
		if err != nil {
			return true, fmt.Errorf("%s: the server is gone (its log is %s): %w", attack.name, p.Log, err)
		}
		verdict := "ok  "
		if attack.target == nil {
			calm = percentile(good.small, 99)
		}
		if peak > bound || good.harmed(max(quick, 4*calm)) {
			verdict, failed = "FAIL", true
		}
		fmt.Printf("%s %-29s peak %3d MiB; %v; the attacker: %v\n", verdict, attack.name+":", peak>>20, good, attacker)
	}
	return failed, nil
}

// served returns when the catalogue is there: on a busy machine a start takes its
// time.
func served(api string) error {
	client := asker("127.3.0.1")
	_, err := trial.Until(3*time.Minute, func() (bool, error) {
		time.Sleep(time.Second) // within the quota
		return whole(client, "http://"+api+users+"?limit=1", "identity") == "", nil
	})
	return err
}
