package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/history"
	"vitrine/internal/store"
)

// shownLosers is how many candidates of a figure are printed beside the served one.
const shownLosers = 3

// shownValues is how many values of a revision are printed: a menu has thousands.
const shownValues = 20

func writeExplanation(to io.Writer, e *history.Explanation, all bool) error {
	title := "the catalogue's own fields"
	if e.Kind != domain.KindCatalog {
		title = string(e.Kind) + " " + e.Key
	}
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "%s in %s\n", title, describe(e.State.Revision))
	for values := newestFirst(e.Values); len(values) > 0; {
		since := values[0].Since
		fmt.Fprintf(w, "\nwritten %s\n", sinceText(since))
		n := 0
		for n < len(values) && values[n].Since == since {
			n++
		}
		shown, more := firstOf(values[:n], shownValues, all)
		for _, v := range shown {
			fmt.Fprintf(w, "  %s: %s\n", printable(v.Path), quoted(v.Text, all))
		}
		printMore(w, "  ", more, "values")
		values = values[n:]
	}
	for _, f := range e.Figures {
		writeFigure(w, f, all)
	}
	for i, p := range e.Probed {
		if i == 0 {
			fmt.Fprintln(w, "\nprobed:")
		}
		fmt.Fprintf(w, "  %s: %s since %s, observed in %s\n", printable(p.Name), cmp.Or(string(p.Reach), "not decided"), p.Since, describe(p.Revision))
	}
	return w.Flush()
}

// newestFirst sorts values by the revision that set them, newest first. Values of one revision
// keep their order.
func newestFirst(values []history.Value) []history.Value {
	return slices.SortedStableFunc(slices.Values(values), func(a, b history.Value) int {
		return cmp.Compare(b.Since.Revision.Number, a.Since.Revision.Number)
	})
}

func writeFigure(w io.Writer, f history.Figure, all bool) {
	rest := f.Candidates
	fmt.Fprintf(w, "\n%s: ", f.Name)
	if len(rest) > 0 && rest[0].Served {
		fmt.Fprintf(w, "%s\n  %s\n", number(rest[0].Value), candidateText(rest[0]))
		rest = rest[1:]
	} else {
		fmt.Fprint(w, unknown(f.Name), "\n")
	}
	shown, more := firstOf(rest, shownLosers, all)
	for _, c := range shown {
		fmt.Fprintf(w, "  not %s, as %s:\n    %s\n", number(c.Value), c.Lost, candidateText(c))
	}
	printMore(w, "  ", more, "that are not served")
}

// unknown returns the consequence of an unknown figure (docs/figures.md#missing-figures).
func unknown(name domain.FigureName) string {
	if name == domain.FigureFollowers {
		return "not known, so the account is held back from the list"
	}
	return "not known"
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// candidateText describes the origin of a figure.
func candidateText(c history.Candidate) string {
	switch {
	case c.Layer == history.Observed && c.UpstreamID != "":
		return fmt.Sprintf("observed by %s for %s (as %s) in %s", printable(c.Source), c.AsOf, printable(c.UpstreamID), describe(c.Revision))
	case c.Layer == history.Observed:
		return fmt.Sprintf("observed by %s for %s in %s", printable(c.Source), c.AsOf, describe(c.Revision))
	case c.AsOf == "":
		return fmt.Sprintf("written without a date %s", sinceText(c.Since))
	}
	return fmt.Sprintf("written with the source %s and the date %s %s", printable(c.Source), c.AsOf, sinceText(c.Since))
}

// sinceText describes since when a value is set, and its origin.
func sinceText(s history.Since) string {
	var b strings.Builder
	if s.Origin != "" {
		fmt.Fprintf(&b, "at %s, ", printable(s.Origin))
	}
	b.WriteString("since " + describe(s.Revision))
	if s.OrBefore {
		b.WriteString(" or before")
	}
	return b.String()
}

// explanationJSON is the output of `--format json`. Empty lists are [], never null.
type explanationJSON struct {
	Kind     domain.Kind      `json:"kind"`
	Key      string           `json:"key"`
	Revision store.Revision   `json:"revision"`
	Fields   []history.Value  `json:"fields"`
	Figures  []history.Figure `json:"figures"`
	Probed   []history.Probed `json:"probed,omitempty"`
}
