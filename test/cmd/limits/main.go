// Command limits checks the quotas of the built binary from outside, with requests only, and
// fails if one of them differs from the documentation.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vitrine/test/internal/trial"
)

// check tests one aspect on its own sites and returns its figures.
type check struct {
	name string
	try  func(*bench) (figures string)
}

var checks = []check{
	{"a quota, its headers, and coming back", quota},
	{"what is charged", charged},
	{"unknown keys", unknownKeys},
	{"a key from its making to its end", keys},
	{"a key that expires", expiring},
	{"a key that is replaced", replaced},
	{"keys from the first answer on", atStart},
	{"keys without the store", withoutStore},
	{"forwarded headers of strangers", spoofed},
	{"behind a trusted proxy", proxied},
	{"a network of one subscriber, and many", networks},
	{"bytes", bytes},
	{"a new limit without a restart", reloaded},
	{"a crowd", crowd},
	{"two processes, one Redis", shared},
}

func main() {
	binary := flag.String("vitrine", "", "the binary, an absolute path")
	clients := flag.Int("clients", 300_000, "clients of the crowd")
	only := flag.String("only", "", "the one check to run, by its name")
	flag.Parse()
	failed, tried := false, 0
	for _, c := range checks {
		if *only != "" && *only != c.name {
			continue
		}
		tried++
		figures, err := run(c, *binary, *clients)
		if err != nil {
			failed = true
			fmt.Printf("FAIL %s: %v\n", c.name, err)
			continue
		}
		fmt.Printf("ok   %s: %s\n", c.name, figures)
	}
	fmt.Println("     not tried here: jumps of the wall clock, which a static binary does not let itself be told, and ten million clients.\n" +
		"     TestMonotonic, TestClock and TestTenMillion of internal/ratelimit show them.")
	if tried == 0 {
		fmt.Printf("FAIL there is no check %q\n", *only)
	}
	if failed || tried == 0 {
		os.Exit(1)
	}
}

func run(c check, binary string, clients int) (figures string, err error) {
	err = trial.Try(func() {
		dir := trial.Must(os.MkdirTemp("", "limits"))
		defer os.RemoveAll(dir)
		b := &bench{binary: binary, dir: dir, clients: clients}
		defer b.end()
		figures = c.try(b)
	})
	return figures, err
}

// bench has the resources of a check.
type bench struct {
	binary, dir string
	clients     int
	sites       []*trial.Site
	redis       *trial.Redis
}

// site starts a site, which ends with the check. All sites of a bench share a store.
func (b *bench) site(flags ...string) *trial.Site {
	s := trial.Serve(b.binary, b.dir, flags...)
	b.sites = append(b.sites, s)
	return s
}

// config writes a config file and returns its path.
func (b *bench) config(lines ...string) string {
	path := filepath.Join(b.dir, "vitrine.yaml")
	trial.Check(os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return path
}

func (b *bench) end() {
	for _, s := range b.sites {
		s.End()
	}
	if b.redis != nil {
		_ = b.redis.Kill() // best effort
	}
}
