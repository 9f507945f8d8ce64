// Command history replays the merges of a registry of chains through the gate: each merge becomes a
// directory and is imported on top of the previous one.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"vitrine/test/internal/trial"
)

func main() {
	binary := flag.String("vitrine", "", "the binary, an absolute path")
	labels := flag.String("labels", "", "the labels of merges, one line each: commit, label, reason")
	diffs := flag.Int("sample", 0, "print the changes of so many random merges instead, to label them")
	seed := flag.Uint64("seed", 22, "of the sample")
	flag.Parse()
	trial.Main("history", func(dir string) bool {
		merges := trial.Must(read(os.Stdin))
		if *diffs > 0 {
			numbers := changing(merges)
			fmt.Printf("%d merges, %d change a record\n", len(merges), len(numbers))
			for _, i := range sample(numbers, *diffs, *seed) {
				printChanges(i, merges[i])
			}
			return true
		}
		t := newTally(readLabels(*labels))
		replay(*binary, dir, merges, t.add)
		return t.report()
	})
}

// read reads a history, one merge a line.
func read(from io.Reader) ([]merge, error) {
	var all []merge
	for decoder := json.NewDecoder(bufio.NewReader(from)); ; {
		var m merge
		switch err := decoder.Decode(&m); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("merge %d: %w", len(all), err)
		}
		all = append(all, m)
	}
}
