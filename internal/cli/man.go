package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// manCmd prints the manual page vitrine(1). Packages contain it.
type manCmd struct{}

func (manCmd) Run(ctx context.Context, to streams) error {
	parser, err := newParser(ctx, new(root), to)
	if err != nil {
		return err
	}
	_, err = io.WriteString(to.out, manual(parser.Model))
	return printed(err)
}

// manual returns the page in the macros of man(7), without a date: equal commands have equal pages.
func manual(app *kong.Application) string {
	var page roff
	page.macro("TH", "VITRINE", "1", "", "Vitrine", "User Commands")
	page.macro("SH", "NAME")
	page.text("vitrine \\- " + escaped(strings.TrimSuffix(app.Help, ".")))
	page.macro("SH", "SYNOPSIS")
	page.text("\\fBvitrine\\fR \\fICOMMAND\\fR [\\fIFLAG\\fR...]")
	page.macro("SH", "COMMANDS")
	for _, command := range app.Children {
		page.command(command)
	}
	page.macro("SH", "OPTIONS OF ALL COMMANDS")
	page.flags(app.Flags)
	page.macro("SH", "ENVIRONMENT")
	page.text("Help names the variable of each flag. Flags override variables, which override the config file.")
	page.macro("SH", "EXIT STATUS")
	for _, status := range [][2]string{
		{"0", "Success."},
		{"1", "The command failed, or it found errors or differences."},
		{"2", "The command could not do its work: a wrong command line, or an error of a file or a store."},
		{"3", "The gate holds the publish until an operator accepts it."},
	} {
		page.item("\\fB"+status[0]+"\\fR", status[1])
	}
	return page.String()
}

// roff writes a manual page.
type roff struct{ strings.Builder }

// escaped returns a text without a meaning in roff.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
}

func (r *roff) macro(name string, arguments ...string) {
	fmt.Fprint(r, ".", name)
	for _, argument := range arguments {
		fmt.Fprintf(r, ` "%s"`, strings.ReplaceAll(argument, `"`, `\(dq`))
	}
	fmt.Fprintln(r)
}

// text writes a line that is escaped already.
func (r *roff) text(line string) {
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	fmt.Fprintln(r, line)
}

func (r *roff) item(term, text string) {
	r.macro("TP")
	r.text(term)
	r.text(escaped(text))
}

// command writes a command and those below it.
func (r *roff) command(node *kong.Node) {
	if node.Hidden {
		return
	}
	words := []string{node.FullPath()}
	for _, argument := range node.Positional {
		words = append(words, argument.Summary())
	}
	r.macro("SS", escaped(strings.Join(words, " ")))
	r.text(escaped(node.Help))
	if node.Detail != "" {
		r.text(escaped(node.Detail))
	}
	for _, argument := range node.Positional {
		r.item("\\fI"+escaped(argument.Summary())+"\\fR", kong.DefaultHelpValueFormatter(argument))
	}
	r.flags(node.Flags)
	for _, below := range node.Children {
		r.command(below)
	}
}

func (r *roff) flags(flags []*kong.Flag) {
	for _, flag := range flags {
		if !flag.Hidden {
			r.item("\\fB"+escaped(flag.String())+"\\fR", kong.DefaultHelpValueFormatter(flag.Value))
		}
	}
}
