package propose

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"vitrine/internal/bundle"
)

// around is the number of unchanged lines around a change.
const around = 3

// WriteUnified writes edits of a file, which are in the order of lines and do not overlap, as a
// unified diff. data is nil for a file that does not exist yet.
func WriteUnified(w io.Writer, name string, data []byte, edits []bundle.Edit) error {
	if len(edits) == 0 {
		return nil
	}
	var lines []string
	for line := range bytes.Lines(data) {
		lines = append(lines, string(line))
	}
	old := "a/" + name
	if data == nil {
		old = "/dev/null"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ b/%s\n", old, name)
	shift := 0 // lines added before
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].Line-(edits[n-1].Line+edits[n-1].Gone) <= 2*around {
			n++
		}
		shift += writeHunk(&out, lines, edits[:n], shift)
		edits = edits[n:]
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// writeHunk writes edits that are near each other, and returns by how many lines they lengthen the
// file.
func writeHunk(w *strings.Builder, lines []string, edits []bundle.Edit, shift int) int {
	last := edits[len(edits)-1]
	from, to := max(edits[0].Line-around, 1), min(last.Line+last.Gone+around, len(lines)+1)
	var body strings.Builder
	added, gone := 0, 0
	write := func(mark, line string) {
		body.WriteString(mark + strings.TrimSuffix(line, "\n") + "\n")
		if !strings.HasSuffix(line, "\n") {
			body.WriteString("\\ No newline at end of file\n")
		}
	}
	next := from
	for _, e := range edits {
		for ; next < e.Line && next <= len(lines); next++ {
			write(" ", lines[next-1])
		}
		for ; next < e.Line+e.Gone; next++ {
			write("-", lines[next-1])
			gone++
		}
		for _, line := range e.Added {
			write("+", line)
			added++
		}
	}
	for ; next < to; next++ {
		write(" ", lines[next-1])
	}
	fmt.Fprintf(w, "@@ -%s +%s @@\n%s", span(from, to-from), span(from+shift, to-from+added-gone), body.String())
	return added - gone
}

// span writes a range of lines. An empty one begins after the line before it.
func span(from, n int) string {
	if n == 0 {
		from--
	}
	return fmt.Sprintf("%d,%d", from, n)
}
