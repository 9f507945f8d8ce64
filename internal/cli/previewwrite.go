package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// nothingChanges is the body of a preview without sections.
const nothingChanges = "No response changes."

// writeSections prints sections as text.
func writeSections(to io.Writer, verdict, summary string, sections []section) error {
	w := bufio.NewWriter(to)
	fmt.Fprintln(w, verdict+".")
	fmt.Fprintln(w, summary)
	for _, s := range sections {
		fmt.Fprintf(w, "\n%s\n", s.title)
		for _, l := range s.lines {
			fmt.Fprint(w, strings.Repeat("  ", l.depth+1))
			for _, part := range l.fragments {
				fmt.Fprint(w, printable(part.text))
			}
			fmt.Fprintln(w)
		}
	}
	if len(sections) == 0 {
		fmt.Fprintln(w, nothingChanges)
	}
	return w.Flush()
}

// maxMarkdown bounds the bytes of Markdown; a comment of GitHub has at most 65,536 characters.
const maxMarkdown = 60_000

// writeMarkdown prints sections as Markdown. Texts of catalogues are code, in which nothing is
// markup, a link or a mention.
func writeMarkdown(to io.Writer, title, verdict, summary string, sections []section) error {
	w := &bounded{to: bufio.NewWriter(to), left: maxMarkdown}
	w.line("### " + title)
	w.line("")
	w.line("**" + verdict + ".**")
	w.line("")
	w.line(strings.ReplaceAll(summary, "; ", " · "))
	for _, s := range sections {
		w.line("")
		if s.folded {
			w.open("<details><summary>"+s.title+"</summary>", "</details>")
		} else {
			w.line("#### " + s.title)
		}
		w.line("")
		for _, l := range s.lines {
			w.line(strings.Repeat("  ", l.depth) + "- " + markdownOf(l.fragments))
		}
		w.close()
	}
	if len(sections) == 0 {
		w.line("")
		w.line(nothingChanges)
	}
	return w.end()
}

func markdownOf(fragments []fragment) string {
	var text strings.Builder
	for _, s := range fragments {
		switch {
		case s.link != "":
			text.WriteString("[" + markdownCode(s.text) + "](<" + s.link + ">)")
		case s.code:
			text.WriteString(markdownCode(s.text))
		default:
			text.WriteString(strings.NewReplacer("+ ", `\+ `, "- ", `\- `, "~ ", `\~ `).Replace(s.text))
		}
	}
	return text.String()
}

// markdownCode returns a code span (CommonMark 0.31, section 6.1) with a text in one line.
func markdownCode(text string) string {
	text = printable(text)
	if strings.TrimSpace(text) == "" {
		return "(empty)"
	}
	longest, run := 0, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " " // one space on both sides is not shown
	}
	return fence + text + fence
}

// bounded writes whole lines up to a number of bytes.
type bounded struct {
	to      *bufio.Writer
	left    int
	closing string // the end of an open element, for which there is room
	cut     int    // lines
}

// open writes the beginning of an element that is closed even if its lines are cut.
func (b *bounded) open(line, closing string) {
	before := b.cut
	b.left -= len(closing) + 2
	if b.line(line); b.cut == before {
		b.closing = closing
	}
}

// close ends an open element.
func (b *bounded) close() {
	if b.closing != "" {
		fmt.Fprintln(b.to, "\n"+b.closing)
		b.closing = ""
	}
}

func (b *bounded) line(text string) {
	if b.cut > 0 || len(text)+1 > b.left {
		b.cut++
		return
	}
	b.left -= len(text) + 1
	fmt.Fprintln(b.to, text)
}

// end says how many lines are left out, if any.
func (b *bounded) end() error {
	if b.cut > 0 {
		fmt.Fprintf(b.to, "\n… and %s more lines; `vitrine preview` prints them with `--format text`\n", grouped(b.cut))
	}
	return b.to.Flush()
}
