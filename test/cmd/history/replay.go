package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/test/internal/trial"
)

// Exit statuses of `vitrine import`.
const (
	refused = 1
	held    = 3
)

// outcome is what happened to a merge.
type outcome struct {
	number    int
	commit    string
	published bool
	refused   []string // rules of check, whose values were left out
	holds     []hold
}

// hold is a finding of the gate that was then accepted.
type hold struct {
	Rule     string `json:"rule"`
	Message  string `json:"message"`
	Severity string `json:"severity"`
	Accepted bool   `json:"accepted"`
}

// result is what `vitrine import --format json` prints.
type result struct {
	Published bool   `json:"published"`
	Held      []hold `json:"held"`
	Problems  []struct {
		Line     int    `json:"line"`
		Column   int    `json:"column"`
		Severity string `json:"severity"`
		Rule     string `json:"rule"`
		Message  string `json:"message"`
	} `json:"problems"`
}

// publisher imports directories into one store.
type publisher struct {
	binary, dir string
	catalogue   *catalogue
}

// replay imports the registry before the first merge, then after each. see gets each outcome.
func replay(binary, dir string, merges []merge, see func(outcome)) {
	p := publisher{binary, dir, newCatalogue(merges)}
	p.publish(outcome{number: -1})
	for i, m := range merges {
		p.catalogue.apply(m)
		see(p.publish(outcome{number: i, commit: m.Commit}))
	}
}

// publish imports the catalogue. It leaves out what check refuses, and accepts what the gate holds.
func (p *publisher) publish(o outcome) outcome {
	var accept []string
	for range 20 {
		p.catalogue.write(filepath.Join(p.dir, "catalogue"))
		status, r := p.run(accept)
		switch status {
		case 0:
			o.published = r.Published
			return o
		case refused:
			o.refused = append(o.refused, p.leaveOut(r)...)
		case held:
			accept = nil
			for _, h := range r.Held {
				if h.Severity != "warn" {
					o.holds, accept = append(o.holds, h), append(accept, h.Rule)
				}
			}
		}
	}
	trial.Failf("merge %d: no attempt was published", o.number)
	return o
}

// run imports the directory and returns the status.
func (p *publisher) run(accept []string) (int, result) {
	args := []string{"import", filepath.Join(p.dir, "catalogue"), "--store", "sqlite:" + filepath.Join(p.dir, "store.db"), "--format", "json"}
	if accept != nil {
		args = append(args, "--accept", strings.Join(accept, ","))
	}
	out, err := exec.Command(p.binary, args...).Output()
	status := 0
	if exit, is := errors.AsType[*exec.ExitError](err); is {
		if status = exit.ExitCode(); status != refused && status != held {
			trial.Failf("vitrine import: %v: %s", err, exit.Stderr)
		}
	} else {
		trial.Check(err)
	}
	var r result
	trial.Check(json.Unmarshal(out, &r), "the output of import")
	return status, r
}

// leaveOut leaves out each value with an error, and returns the rules.
func (p *publisher) leaveOut(r result) (rules []string) {
	progress := false
	for _, problem := range r.Problems {
		if problem.Severity != "error" {
			continue
		}
		if p.catalogue.drop(problem.Line, problem.Column) {
			progress = true
		}
		if !slices.Contains(rules, problem.Rule) {
			rules = append(rules, problem.Rule)
		}
	}
	if !progress {
		trial.Failf("check refuses what cannot be left out: %s", fmt.Sprint(r.Problems))
	}
	return rules
}
