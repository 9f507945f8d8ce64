package cli

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
)

// Limits of a printed difference without --all.
const (
	shownRecords = 10  // added, changed or removed records of a kind
	shownFields  = 10  // fields of a record
	shownRunes   = 100 // code points of a value
	shownBefore  = 30  // of these, before the first difference
)

// changeFlags are the format of a difference.
type changeFlags struct {
	Format string `enum:"text,json" default:"text" help:"Output format: ${enum}." env:"-"`
	All    bool   `help:"Print all records, fields and values in full." env:"-"`
}

// tally counts changes.
type tally struct{ added, changed, removed, reordered int }

func count(changes []domain.Change) tally {
	var t tally
	for _, c := range changes {
		switch c.Op {
		case domain.Added:
			t.added++
		case domain.Removed:
			t.removed++
		case domain.Reordered:
			t.reordered++
		default:
			t.changed++
		}
	}
	return t
}

// String returns all three counts, also zero ones, for scripts.
func (t tally) String() string {
	s := fmt.Sprintf("%s added, %s changed, %s removed", grouped(t.added), grouped(t.changed), grouped(t.removed))
	if t.reordered > 0 {
		s += ", order changed"
	}
	return s
}

// short returns the counts that are not 0.
func (t tally) short() string {
	var parts []string
	for _, p := range strings.Split(t.String(), ", ") {
		if !strings.HasPrefix(p, "0 ") {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

// grouped writes a number of 0 or more with commas between thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// changeText prints changes as text: the counts, then the changed, removed and added
// records of each kind.
type changeText struct {
	*bufio.Writer
	colored, all bool
	likely       map[string]string // new key of a record that is likely renamed, by kind and old key
}

// printChanges prints changes. Removed records that are likely renamed have their new key.
func printChanges(to io.Writer, changes []domain.Change, all bool, likely ...domain.FormerSuggestion) error {
	if len(changes) == 0 {
		return nil
	}
	p := changeText{bufio.NewWriter(to), inColor(to), all, map[string]string{}}
	for _, s := range likely {
		p.likely[string(s.Kind)+" "+s.Was] = s.Key
	}
	fmt.Fprintln(p, count(changes))
	for len(changes) > 0 {
		kind := changes[0].Kind
		n := len(changes)
		if i := slices.IndexFunc(changes, func(c domain.Change) bool { return c.Kind != kind }); i >= 0 {
			n = i
		}
		p.kind(kind, changes[:n])
		changes = changes[n:]
	}
	return p.Flush()
}

// inColor reports whether w is a terminal and NO_COLOR is not set (https://no-color.org).
func inColor(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }

func (p changeText) kind(kind domain.Kind, changes []domain.Change) {
	fmt.Fprintf(p, "%s: %s\n", kind, count(changes).short())
	for _, op := range []domain.Op{domain.Reordered, domain.Changed, domain.Removed, domain.Added} {
		of := slices.DeleteFunc(slices.Clone(changes), func(c domain.Change) bool { return c.Op != op })
		shown, more := firstOf(of, shownRecords, p.all)
		for _, c := range shown {
			p.record(c)
		}
		printMore(p, "  ", more, string(op))
	}
}

// firstOf returns the elements of a list that are printed, a few or all, and the number of the others.
func firstOf[T any](list []T, few int, all bool) (shown []T, more int) {
	if all {
		few = len(list)
	}
	shown = list[:min(len(list), few)]
	return shown, len(list) - len(shown)
}

func printMore(to io.Writer, margin string, n int, what string) {
	if n > 0 {
		fmt.Fprintf(to, "%s… and %s more %s (--all shows them)\n", margin, grouped(n), what)
	}
}

func (p changeText) record(c domain.Change) {
	sign, color := "~", "\x1b[33m" // yellow
	switch c.Op {
	case domain.Added:
		sign, color = "+", "\x1b[32m" // green
	case domain.Removed:
		sign, color = "-", "\x1b[31m" // red
	}
	name := c.Key
	switch {
	case c.Op == domain.Reordered:
		name = "their order"
	case name == "":
		name = "the catalogue's own fields"
	case c.Was != "":
		name = c.Was + " -> " + name + " (renamed)"
	case c.Op == domain.Removed && p.likely[string(c.Kind)+" "+name] != "":
		name += " (likely renamed: " + name + " -> " + p.likely[string(c.Kind)+" "+name] + ")"
	}
	line := "  " + sign + " " + printable(name)
	if p.colored {
		line = color + line + "\x1b[0m"
	}
	fmt.Fprintln(p, line)
	shown, more := firstOf(c.Fields, shownFields, p.all)
	for _, f := range shown {
		path := printable(f.Path)
		if path != "" {
			path += ": "
		}
		if f.Moved {
			fmt.Fprintf(p, "      %smoved from %s to %s\n", path, printable(f.Old), printable(f.New))
			continue
		}
		before, after := p.values(f.Old, f.New)
		fmt.Fprintf(p, "      %s%s → %s\n", path, before, after)
	}
	printMore(p, "      ", more, "fields")
}

// values quotes two values, without control characters. Without --all, long ones are cut
// around their first difference.
func (p changeText) values(old, new string) (before, after string) {
	if p.all || old == "" || new == "" {
		return quoted(old, p.all), quoted(new, p.all)
	}
	a, b := []rune(old), []rune(new)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return around(a, same), around(b, same)
}

// around quotes the text around a position; a short text is quoted as a whole.
func around(text []rune, at int) string {
	if len(text) <= shownRunes {
		return strconv.Quote(string(text))
	}
	from := max(0, at-shownBefore)
	to := min(len(text), from+shownRunes)
	out := strconv.Quote(string(text[from:to]))
	if from > 0 {
		out = "…" + out
	}
	if to < len(text) {
		out += "…"
	}
	return out
}

// quoted quotes a value on one line. A long one is cut unless all is set.
func quoted(s string, all bool) string {
	if s == "" {
		return "none"
	}
	if all {
		return strconv.Quote(s)
	}
	return around([]rune(s), 0)
}

// printable replaces control characters and line breaks by spaces.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}

// writeJSON prints a value as one line. Empty lists are [], never null.
func writeJSON(w io.Writer, value any) error {
	err := json.MarshalWrite(w, value, jsonv1.DefaultOptionsV1(), json.FormatNilSliceAsNull(false), jsontext.EscapeForHTML(false))
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	return err
}
