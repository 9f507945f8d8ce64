// Simplified generates the table of traditional Chinese characters and their simplified forms
// from TSCharacters.txt of OpenCC:
//
//	go run ./scripts/simplified TSCharacters.txt > internal/fold/simplified.txt
//
// The table has each character that differs from its first simplified form, if both are in the
// Basic Multilingual Plane. All of these take three bytes in UTF-8.
package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: simplified TSCharacters.txt")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "simplified:", err)
		os.Exit(1)
	}
}

func run(path string, to io.Writer) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	table := map[rune]rune{}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		from, size := utf8.DecodeRuneInString(fields[0])
		simple, simpleSize := utf8.DecodeRuneInString(fields[1])
		if size != len(fields[0]) || simpleSize != len(fields[1]) {
			return fmt.Errorf("%s: %q is not two characters", path, line)
		}
		if size == 3 && simpleSize == 3 && from != simple {
			table[from] = simple
		}
	}
	return write(to, table)
}

func write(to io.Writer, table map[rune]rune) error {
	w := bufio.NewWriter(to)
	for _, r := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprintf(w, "%c%c\n", r, table[r])
	}
	return w.Flush()
}
