// Package cli is the command line of vitrine: it reads flags, environment and
// configuration, wires the other packages together and says what came of it.
//
// It is the only package that knows the concrete types of all others. No rule
// of a catalogue, of a store or of the API is decided here.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"vitrine/internal/contain"
	"vitrine/internal/store"
)

// Statuses of the process beside 0. What `check` could not check and what was
// asked in a way that is not understood are both "could not".
const (
	statusFailed = 1
	statusUnable = 2
	statusHeld   = 3 // it could be published, and waits for somebody to accept what it does
)

// root is the command line. Settings are taken from flags, then VITRINE_*
// variables, then the config file.
type root struct {
	Config configFile `help:"YAML file with settings, named as the flags are." placeholder:"FILE"`

	ShowVersion versionFlag `name:"version" env:"-" help:"Print the version and what it was built from."`

	Serve    serveCmd    `cmd:"" help:"Serve what the store holds and follow its revisions."`
	MCP      mcpCmd      `cmd:"" name:"mcp" help:"Serve a catalogue to one agent, by the Model Context Protocol on standard input and output."`
	Init     initCmd     `cmd:"" help:"Write a small, commented catalogue to start from."`
	Check    checkCmd    `cmd:"" help:"Validate a catalogue directory."`
	Import   importCmd   `cmd:"" help:"Check a catalogue directory, show what it changes, publish it as one new revision."`
	Export   exportCmd   `cmd:"" help:"Write what is served, or a revision, back as a catalogue directory."`
	History  historyCmd  `cmd:"" help:"List the revisions of the store."`
	Diff     diffCmd     `cmd:"" help:"Print how what two revisions serve differs."`
	Show     showCmd     `cmd:"" help:"Print one record as the directory has it."`
	Explain  explainCmd  `cmd:"" help:"Print where each value of a record comes from, and since when."`
	Rollback rollbackCmd `cmd:"" help:"Publish what editors wrote in an old revision again, as a new one."`
	Prune    pruneCmd    `cmd:"" help:"Remove old revisions."`
	Migrate  migrateCmd  `cmd:"" help:"Make the store, or bring it to the schema of this version; serve and what writes do that by themselves."`
	Keys     keysCmd     `cmd:"" help:"Add, list and revoke API keys."`
	Convert  convertCmd  `cmd:"" help:"Turn an upstream's records into records of a catalogue."`
	Schema   schemaCmd   `cmd:"" help:"Print a JSON Schema of the catalogue directory, for editors."`
	Settings configCmd   `cmd:"" name:"config" help:"Print the settings that serve would have, and where each comes from."`
	Health   healthCmd   `cmd:"" help:"Ask the server of this configuration whether it is ready; status 0 if it is, 1 if not."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
	Help     helpCmd     `cmd:"" help:"Print help for all commands, or for one of them."`
}

// streams are where a command writes to.
type streams struct {
	out, err io.Writer
}

// exit is an error that has been shown already: it only ends the process with
// a status.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// could is an error that kept a command from finding out what was asked.
type could struct{ error }

func (c could) Unwrap() error { return c.error }

// Main runs the command line of this process and returns its status.
func Main() int {
	return run(context.Background(), os.Args[1:], streams{out: os.Stdout, err: os.Stderr})
}

func run(ctx context.Context, args []string, to streams) int {
	parser, err := newParser(ctx, new(root), to)
	if err != nil {
		return fail(to, err)
	}
	command, err := parser.Parse(args)
	if err != nil {
		return fail(to, could{notUnderstood(parser, err)})
	}
	return fail(to, command.Run(arguments(args)))
}

// notUnderstood returns an error of the parser with the commands that exist, if one is
// unknown, and with the command whose help to read. An error of printing the help or the
// version is returned as it is.
func notUnderstood(parser *kong.Kong, err error) error {
	if failed, ok := errors.AsType[printError](err); ok {
		return failed
	}
	at := parser.Model.Node
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok && wrong.Context.Selected() != nil {
		at = wrong.Context.Selected()
	}
	// A DSN in the wrong place is repeated without its password.
	told := store.RedactDSN(err.Error())
	if strings.HasPrefix(told, "unexpected argument") && len(at.Children) > 0 {
		var names []string
		for _, command := range at.Children {
			names = append(names, command.Name)
		}
		told = strings.TrimSuffix(told, "?") + "; the commands are " + strings.Join(names, ", ")
	}
	return fmt.Errorf("%s (see %s --help)", told, at.FullPath())
}

func newParser(ctx context.Context, commands *root, to streams) (*kong.Kong, error) {
	return kong.New(commands,
		kong.Name("vitrine"),
		kong.Description("Publishes a catalogue directory as a fast, multilingual, read-only JSON API."),
		kong.DefaultEnvars("VITRINE"),
		kong.Writers(printer{to.out}, to.err),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(to),
	)
}

// printer is where the parser prints to. Its errors are printErrors.
type printer struct{ io.Writer }

func (p printer) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	if err != nil {
		err = printError{err}
	}
	return n, err
}

// printError is an error of the output, so that the command line is not at fault.
type printError struct{ error }

func (e printError) Unwrap() error { return e.error }

// stackOf returns where a panic was that an error tells of, "" for none.
func stackOf(err error) string {
	if panicked, ok := errors.AsType[*contain.Error](err); ok {
		return panicked.Stack
	}
	return ""
}

// fail shows an error, if it is one that has not been shown, and returns its
// status.
func fail(to streams, err error) int {
	if err == nil {
		return 0
	}
	if status, ok := errors.AsType[exit](err); ok {
		return int(status)
	}
	// A DSN may stand where it does not belong, and its password in the error.
	fmt.Fprintf(to.err, "vitrine: error: %s\n", store.RedactDSN(err.Error()))
	if stack := stackOf(err); stack != "" {
		fmt.Fprintln(to.err, stack) // for the report that the error asks for
	}
	if unable(err) {
		return statusUnable
	}
	return statusFailed
}

// unable reports whether an error kept a command from doing what was asked: one that was
// classified so, or one of the operating system about a file, as standard output is.
func unable(err error) bool {
	_, classified := errors.AsType[could](err)
	_, path := errors.AsType[*fs.PathError](err)
	_, link := errors.AsType[*os.LinkError](err)
	return classified || path || link
}
