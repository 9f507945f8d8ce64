package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/catalog"
)

// shownLosers is how many candidates of a figure a terminal shows beside the
// one that is served.
const shownLosers = 3

// shownValues is how many values of one revision a terminal shows: a menu has
// thousands.
const shownValues = 20

func (e *explanation) title() string {
	if e.kind == catalog.KindCatalog {
		return "the catalogue's own fields"
	}
	return string(e.kind) + " " + e.key
}

func (e *explanation) writeText(to io.Writer, all bool) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "%s in %s\n", e.title(), describe(e.revision))
	for fields := e.newestFirst(); len(fields) > 0; {
		first := fields[0].since
		fmt.Fprintf(w, "\nwritten %s\n", first)
		n := 0
		for ; n < len(fields) && fields[n].since == first; n++ {
			if all || n < shownValues {
				fmt.Fprintf(w, "  %s: %s\n", printable(fields[n].path), quoted(fields[n].value, all))
			}
		}
		if n > shownValues && !all {
			fmt.Fprintf(w, "  … and %s more values (--all shows them)\n", grouped(n-shownValues))
		}
		fields = fields[n:]
	}
	for _, f := range e.figures {
		writeFigure(w, f, all)
	}
	return w.Flush()
}

// newestFirst returns the fields by the revision since which they are what they
// are, those of one revision in the record's order.
func (e *explanation) newestFirst() []field {
	return slices.SortedStableFunc(slices.Values(e.fields), func(a, b field) int {
		return cmp.Compare(b.since.revision.Number, a.since.revision.Number)
	})
}

func writeFigure(w io.Writer, f figure, all bool) {
	rest := f.candidates
	fmt.Fprintf(w, "\n%s: ", f.name)
	if len(rest) > 0 && rest[0].lost == "" {
		fmt.Fprintf(w, "%s\n  %s\n", number(rest[0].Value), rest[0])
		rest = rest[1:]
	} else {
		fmt.Fprint(w, unknown(f.name), "\n")
	}
	shown := len(rest)
	if !all {
		shown = min(shown, shownLosers)
	}
	for _, c := range rest[:shown] {
		fmt.Fprintf(w, "  not %s, as %s:\n    %s\n", number(c.Value), c.lost, c)
	}
	if n := len(rest) - shown; n > 0 {
		fmt.Fprintf(w, "  … and %s more that were not taken (--all shows them)\n", grouped(n))
	}
}

// unknown says what comes of a figure that nobody knows (contract, "Two layers").
func unknown(name catalog.FigureName) string {
	if name == catalog.FigureFollowers {
		return "not known, so the account is held back from the list"
	}
	return "not known"
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// String says where a figure comes from.
func (c candidate) String() string {
	switch {
	case c.observed && c.id != "":
		return fmt.Sprintf("observed by %s for %s (as %s) in %s", printable(c.Source), c.AsOf, printable(c.id), describe(c.since.revision))
	case c.observed:
		return fmt.Sprintf("observed by %s for %s in %s", printable(c.Source), c.AsOf, describe(c.since.revision))
	case c.Bare():
		return fmt.Sprintf("written without a date %s", c.since)
	}
	return fmt.Sprintf("written with the source %s and the date %s %s", printable(c.Source), c.AsOf, c.since)
}

// String says since when, and where it was written.
func (s since) String() string {
	var b strings.Builder
	if s.origin != "" {
		fmt.Fprintf(&b, "at %s, ", printable(s.origin))
	}
	b.WriteString("since " + describe(s.revision))
	if s.earlier {
		b.WriteString(" or before")
	}
	return b.String()
}

// The shapes of `--format json`. A list without elements is empty, never null.
type (
	explanationJSON struct {
		Kind     catalog.Kind  `json:"kind"`
		Key      string        `json:"key"`
		Revision revisionJSON  `json:"revision"`
		Fields   []writtenJSON `json:"fields"`
		Figures  []figureJSON  `json:"figures"`
	}
	writtenJSON struct {
		Path  string `json:"path"`
		Value string `json:"value"`
		sinceJSON
	}
	sinceJSON struct {
		Since    revisionJSON `json:"since"`
		OrBefore bool         `json:"orBefore,omitempty"`
		Origin   string       `json:"origin,omitempty"`
	}
	figureJSON struct {
		Figure     catalog.FigureName `json:"figure"`
		Candidates []candidateJSON    `json:"candidates"`
	}
	candidateJSON struct {
		Value      float64      `json:"value"`
		Served     bool         `json:"served"`
		Reason     string       `json:"reason,omitempty"` // why it is not served
		Layer      string       `json:"layer"`            // editors or observed
		Source     string       `json:"source,omitempty"`
		AsOf       catalog.Date `json:"asOf,omitempty"`
		UpstreamID string       `json:"upstreamId,omitempty"`
		sinceJSON
	}
)

func (e *explanation) writeJSON(w io.Writer) error {
	out := explanationJSON{
		Kind: e.kind, Key: e.key, Revision: newRevisionJSON(e.revision),
		Fields: make([]writtenJSON, len(e.fields)), Figures: make([]figureJSON, len(e.figures)),
	}
	for i, f := range e.fields {
		out.Fields[i] = writtenJSON{Path: f.path, Value: f.value, sinceJSON: newSinceJSON(f.since)}
	}
	for i, f := range e.figures {
		out.Figures[i] = figureJSON{Figure: f.name, Candidates: make([]candidateJSON, len(f.candidates))}
		for j, c := range f.candidates {
			out.Figures[i].Candidates[j] = newCandidateJSON(c)
		}
	}
	return writeJSON(w, out)
}

func newCandidateJSON(c candidate) candidateJSON {
	layer := "editors"
	if c.observed {
		layer = "observed"
	}
	return candidateJSON{
		Value: c.Value, Served: c.lost == "", Reason: c.lost, Layer: layer,
		Source: c.Source, AsOf: c.AsOf, UpstreamID: c.id, sinceJSON: newSinceJSON(c.since),
	}
}

func newSinceJSON(s since) sinceJSON {
	return sinceJSON{Since: newRevisionJSON(s.revision), OrBefore: s.earlier, Origin: s.origin}
}
