// Command memory attacks a server of a large catalogue from one address, within its quota, while
// other clients send small and large requests. It fails if the server takes too much memory, or
// the others are affected.
package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"vitrine/test/internal/trial"
)

const (
	cacheBytes  = 64 << 20 // --cache-bytes
	answersPart = 8        // divisor of the limit, for responses
	// quick is the accepted 99th percentile of small responses on a machine of two cores that
	// also runs all clients. Otherwise up to four times the time without an attack is accepted.
	quick = 500 * time.Millisecond
)

func main() {
	binary := flag.String("vitrine", "", "the binary under its limit, an absolute path")
	store := flag.String("store", "", "with the catalogue")
	limit := flag.Int("limit", 1<<30, "of memory, in bytes")
	long := flag.Duration("for", 20*time.Second, "how long each attack goes on")
	flag.Parse()
	trial.Main("memory", func(dir string) bool { return run(*binary, dir, *store, *limit, *long) })
}

// attacks are kinds of expensive requests.
var attacks = []hostile{
	{name: "no attack"},
	{name: "searches, br", target: search, encoding: "br"},
	{name: "searches, br, read slowly", target: search, encoding: "br", slow: true},
	{name: "lists, identity", target: list, encoding: "identity"},
	{name: "lists, identity, read slowly", target: list, encoding: "identity", slow: true},
	{name: "lists, gzip, read slowly", target: list, encoding: "gzip", slow: true},
	{name: "lists, zstd, not read", target: list, encoding: "zstd", slow: true, still: true},
	{name: "pages, identity, read slowly", target: page, encoding: "identity", slow: true},
}

func run(binary, dir, store string, limit int, long time.Duration) (well bool) {
	api := trial.FreeAddr()
	p := trial.Start(context.Background(), binary, dir, nil, "--listen", api, "--admin-listen", "off", "--drain", "1s",
		"--store", store, "--last-good", "off", "--rate-limit", "60/m")
	defer func() { _, _ = p.Terminate() }() // it may have been killed
	awaitCatalogue(api)
	time.Sleep(3 * time.Second) // the memory of the start is released
	rest := p.Resident()
	bound := min((rest+cacheBytes+limit/answersPart)*3/2, limit)
	fmt.Printf("at rest %d MiB, bound %d MiB\n", rest>>20, bound>>20)
	well = true
	var calm time.Duration
	for i, attack := range attacks {
		trial.Check(p.ForgetPeak())
		ctx, cancel := context.WithTimeout(context.Background(), long)
		ended := make(chan counts, 1)
		go func() { ended <- attack.run(ctx, i, api) }()
		good := measure(ctx, i, api)
		attacker := <-ended
		cancel()
		peak, err := p.Peak()
		trial.Check(err, attack.name, ": the server is gone (its log is ", p.Log, ")")
		if attack.target == nil {
			calm = trial.Percentile(good.small, 99)
		}
		held := peak <= bound && !good.harmed(max(quick, 4*calm))
		well = well && held
		fmt.Printf("%s %-29s peak %3d MiB; %v; the attacker: %v\n", trial.Verdict(held), attack.name+":", peak>>20, good, attacker)
	}
	return well
}

// awaitCatalogue returns when the catalogue is served, which takes long on a busy machine.
func awaitCatalogue(api string) {
	client := asker("127.3.0.1")
	trial.Must(trial.Until(3*time.Minute, func() bool {
		time.Sleep(time.Second) // within the quota
		return whole(client, "http://"+api+users+"?limit=1", "identity") == ""
	}))
}
