package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"vitrine/test/internal/trial"
)

// goal is the maximum number of false alarms per 100 honest merges.
const goal = 1.0

// readLabels returns the labels by commit. Lines with # are comments.
func readLabels(path string) map[string]string {
	labels := map[string]string{}
	if path == "" {
		return labels
	}
	file := trial.Must(os.Open(path))
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		columns := strings.Split(lines.Text(), "\t")
		if len(columns) < 2 || !slices.Contains([]string{"honest", "doubtful", "bad"}, columns[1]) {
			trial.Failf("%s: %q is no label", path, lines.Text())
		}
		labels[columns[0]] = columns[1]
	}
	trial.Check(lines.Err())
	return labels
}

// tally counts the outcomes of merges.
type tally struct {
	labels                    map[string]string
	merges, changing, refused int
	held                      map[string]int // held merges by label
	sampled                   map[string]int // changing merges by label
	rules                     map[string]int
}

func newTally(labels map[string]string) *tally {
	return &tally{labels: labels, held: map[string]int{}, sampled: map[string]int{}, rules: map[string]int{}}
}

// add counts an outcome and prints it if something was found.
func (t *tally) add(o outcome) {
	t.merges++
	label := t.labels[o.commit]
	if label == "" {
		label = "unlabelled"
	}
	if o.published {
		t.changing++
		t.sampled[label]++
	}
	if len(o.refused) > 0 {
		t.refused++
		fmt.Printf("%5d %s check refuses: %s\n", o.number, o.commit, strings.Join(o.refused, ", "))
	}
	if len(o.holds) == 0 {
		return
	}
	t.held[label]++
	for _, h := range o.holds {
		family, _, _ := strings.Cut(h.Rule, ":")
		t.rules[family]++
		fmt.Printf("%5d %s %s: held by %s: %s\n", o.number, o.commit, label, h.Rule, h.Message)
	}
}

// report prints the figures and a verdict: a hold is a false alarm unless its merge is bad or
// doubtful.
func (t *tally) report() (well bool) {
	fmt.Printf("     %d merges, %d change what is served, %d with values that check refuses\n", t.merges, t.changing, t.refused)
	fmt.Printf("     held: %v; by rule: %v\n", t.held, t.rules)
	alarms := t.held["honest"] + t.held["unlabelled"]
	honest := t.changing - t.sampled["bad"] - t.sampled["doubtful"]
	rate := 100 * float64(alarms) / float64(max(honest, 1))
	well = rate <= goal
	fmt.Printf("%s history: %d false alarms among %d other merges, %.2f per 100 (at most %g)\n", trial.Verdict(well), alarms, honest, rate, goal)
	return well
}
