package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"vitrine/test/internal/trial"
)

// verdict is the result of a mutation.
type verdict string

const (
	caught  verdict = "caught"
	unnamed verdict = "unnamed" // a test failed, and no line of its output names the mutation
	missed  verdict = "missed"  // all tests passed
	broken  verdict = "broken"  // it does not compile, no test matches, or tests fail without it
)

// limit is how long the tests of one mutation may take, without their compilation.
const limit = 3 * time.Minute

// longLine is the length above which a line names nothing: a body with all fields is no message.
const longLine = 400

// variable selects one mutation of a group.
const variable = "VITRINE_MUTATION"

type runner struct {
	ctx     context.Context
	root    string
	dir     string // of temporary files
	verbose bool
	slots   chan struct{}
}

// do runs f when a slot is free.
func (r *runner) do(f func()) {
	r.slots <- struct{}{}
	defer func() { <-r.slots }()
	f()
}

// group compiles the tests of a group once, and runs them for each mutation.
func (r *runner) group(name string, g group, done func(mutation, verdict, string)) {
	var binary, detail string
	r.do(func() { binary, detail = r.compile(name, g) })
	if detail == "" && g.guarded {
		r.do(func() {
			if output, err := r.test(binary, g, ""); err != nil {
				detail = "tests fail without a mutation\n" + output
			}
		})
	}
	for i, m := range g.mutations {
		if detail != "" {
			if i > 0 {
				detail = string(broken) + ", as for the previous mutation"
			}
			done(m, broken, detail)
			continue
		}
		r.do(func() {
			output, err := r.test(binary, g, m.name)
			v := judge(output, err, m.word)
			if r.verbose || v == unnamed {
				output = "\n" + output
			} else {
				output = ""
			}
			done(m, v, string(v)+output)
		})
	}
	os.Remove(binary)
}

// compile returns the test binary of a group, or the reason of a failure.
func (r *runner) compile(name string, g group) (binary, failure string) {
	replace := map[string]string{}
	for path, content := range g.files {
		changed := filepath.Join(r.dir, name, path)
		trial.Check(os.MkdirAll(filepath.Dir(changed), 0o755))
		trial.Check(os.WriteFile(changed, []byte(content), 0o644))
		replace[filepath.Join(r.root, path)] = changed
	}
	overlay := filepath.Join(r.dir, name+".json")
	trial.Check(os.WriteFile(overlay, trial.Must(json.Marshal(map[string]any{"Replace": replace})), 0o644))
	binary = filepath.Join(r.dir, name+".test")
	command := exec.CommandContext(r.ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, "./"+g.pkg)
	command.Dir = r.root
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Sprintf("%v\n%s", err, output)
	}
	return binary, ""
}

// errNoTest is the error for a group whose pattern matches no test.
var errNoTest = errors.New("no test matches")

// test runs the tests of a group with one mutation, "" for none, and returns
// their output. The error is nil if they passed.
func (r *runner) test(binary string, g group, mutation string) (string, error) {
	ctx, cancel := context.WithTimeout(r.ctx, limit)
	defer cancel()
	command := exec.CommandContext(ctx, binary, "-test.run", g.tests)
	command.Dir = filepath.Join(r.root, g.pkg)
	command.Env = append(os.Environ(), variable+"="+mutation)
	output, err := command.CombinedOutput()
	if bytes.Contains(output, []byte("no tests to run")) {
		err = errNoTest
	}
	return string(output), err
}

// judge returns the verdict on the tests of one mutation. They must name the word.
func judge(output string, err error, word string) verdict {
	switch {
	case errors.Is(err, errNoTest):
		return broken
	case err == nil:
		return missed
	}
	named := regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(word) + `($|[^\pL\pN_])`)
	lines := strings.Split(output, "\n")
	if slices.ContainsFunc(lines, func(line string) bool { return len(line) <= longLine && named.MatchString(line) }) {
		return caught
	}
	return unnamed
}
