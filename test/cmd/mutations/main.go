// Command mutations changes the source in many small ways, one at a time, and
// requires a test to fail and to name what was changed.
//
// The working tree is unchanged: changed files are an overlay of the go command. Mutations of one
// group share a test binary, in which an environment variable selects the mutation.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"vitrine/test/internal/trial"
)

func main() {
	root := flag.String("root", "..", "the root of the repository")
	only := flag.String("run", "", "only mutations whose class and name match this regular expression")
	dryRun := flag.Bool("dry-run", false, "check that every mutation applies, and run nothing")
	list := flag.Bool("list", false, "list mutations, and run nothing")
	verbose := flag.Bool("v", false, "print the output of the tests")
	parallel := flag.Int("parallel", 2, "mutations at a time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	trial.Main("mutations", func(dir string) bool {
		r := runner{ctx: ctx, root: *root, dir: dir, verbose: *verbose, slots: make(chan struct{}, *parallel)}
		selected := r.selected(regexp.MustCompile(*only))
		if *list {
			for _, g := range selected {
				for _, m := range g.mutations {
					fmt.Printf("%s: %s (%s)\n", m.class, m.name, m.word)
				}
			}
			return true
		}
		if *dryRun {
			n := 0
			for _, g := range selected {
				n += len(g.mutations)
			}
			fmt.Printf("%d mutations apply\n", n)
			return true
		}
		return report(r.run(selected))
	})
}

// selected returns the groups with the mutations that match, without empty
// groups. It panics with [trial.Check] if a mutation does not apply.
func (r *runner) selected(only *regexp.Regexp) []group {
	var selected []group
	for _, g := range groups(r.root) {
		g.mutations = slices.DeleteFunc(g.mutations, func(m mutation) bool { return !only.MatchString(m.class + ": " + m.name) })
		if len(g.mutations) > 0 {
			selected = append(selected, g)
		}
	}
	return selected
}

// run runs all mutations and returns their verdicts by class.
func (r *runner) run(all []group) map[string]map[verdict]int {
	counts := map[string]map[verdict]int{}
	var mutex sync.Mutex
	var wait sync.WaitGroup
	for i, g := range all {
		wait.Go(func() {
			r.group(fmt.Sprintf("group%d", i), g, func(m mutation, v verdict, detail string) {
				mutex.Lock()
				defer mutex.Unlock()
				if counts[m.class] == nil {
					counts[m.class] = map[verdict]int{}
				}
				counts[m.class][v]++
				fmt.Printf("%s %s: %s: %s\n", trial.Verdict(v == caught), m.class, m.name, cmp.Or(detail, string(v)))
			})
		})
	}
	wait.Wait()
	return counts
}

// report prints a table, and reports whether every mutation was caught by a test that names it.
func report(counts map[string]map[verdict]int) bool {
	well := true
	fmt.Printf("\n%-14s %9s %9s %9s %9s\n", "class", caught, unnamed, missed, broken)
	total := map[verdict]int{}
	line := func(class string, n map[verdict]int) {
		fmt.Printf("%-14s %9d %9d %9d %9d\n", class, n[caught], n[unnamed], n[missed], n[broken])
	}
	for _, class := range slices.Sorted(maps.Keys(counts)) {
		line(class, counts[class])
		for v, n := range counts[class] {
			total[v] += n
			well = well && v == caught
		}
	}
	line(strings.ToUpper("all"), total)
	return well
}
