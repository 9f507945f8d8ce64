// Lookalikes generates the table of letters that look like Latin ones from confusables.txt of
// Unicode Security Mechanisms (UTS #39):
//
//	go run ./scripts/lookalikes confusables.txt > internal/fold/lookalikes.txt
//
// The table has each code point that folded texts may contain, whose script is neither Latin nor
// shared, and whose prototype has only Latin letters.
package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vitrine/internal/fold"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: lookalikes confusables.txt")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "lookalikes:", err)
		os.Exit(1)
	}
}

func run(path string, to io.Writer) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	table := map[rune]string{}
	version := ""
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if v, ok := strings.CutPrefix(line, "# Version: "); ok {
			version = strings.TrimSpace(v)
		}
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Split(line, ";")
		if len(fields) < 3 {
			continue
		}
		from, err := codePoints(fields[0])
		if err != nil {
			return err
		}
		prototype, err := codePoints(fields[1])
		if err != nil {
			return err
		}
		if len(from) == 1 && isOfOther(from[0]) && isLatin(prototype) {
			table[from[0]] = fold.Text(string(prototype))
		}
	}
	return write(to, version, table)
}

func codePoints(field string) ([]rune, error) {
	var runes []rune
	for code := range strings.FieldsSeq(field) {
		r, err := strconv.ParseInt(code, 16, 32)
		if err != nil {
			return nil, err
		}
		runes = append(runes, rune(r))
	}
	return runes, nil
}

// isOfOther reports whether folded texts may contain r, and r is of one script other than Latin.
func isOfOther(r rune) bool {
	return fold.Text(string(r)) == string(r) && !unicode.In(r, unicode.Latin, unicode.Common, unicode.Inherited) && isAssigned(r)
}

func isAssigned(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S)
}

func isLatin(prototype []rune) bool {
	for _, r := range prototype {
		if !unicode.IsLetter(r) || !unicode.Is(unicode.Latin, r) {
			return false
		}
	}
	return len(prototype) > 0
}

func write(to io.Writer, version string, table map[rune]string) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "# Letters that look like Latin ones, made by scripts/lookalikes from confusables.txt of version %s of UTS #39.\n", version)
	for _, r := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprintf(w, "%c %s\n", r, table[r])
	}
	return w.Flush()
}
