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
	"os"

	"github.com/alecthomas/kong"
)

// Statuses of the process beside 0. What `check` could not check and what was
// asked in a way that is not understood are both "could not".
const (
	statusFailed = 1
	statusUnable = 2
)

// root is the command line. Settings are taken from flags, then VITRINE_*
// variables, then the config file.
type root struct {
	Config configFile `help:"YAML file with settings, named as the flags are." placeholder:"FILE"`

	Serve   serveCmd   `cmd:"" help:"Serve what the store holds and follow its revisions."`
	Init    initCmd    `cmd:"" help:"Write a small, commented catalogue to start from."`
	Check   checkCmd   `cmd:"" help:"Validate a catalogue directory."`
	Convert convertCmd `cmd:"" help:"Turn an upstream's records into records of a catalogue."`
	Schema  schemaCmd  `cmd:"" help:"Print a JSON Schema of the catalogue directory, for editors."`
	Version versionCmd `cmd:"" help:"Print the version."`
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
		return fail(to, could{fmt.Errorf("%w (see vitrine --help)", err)})
	}
	return fail(to, command.Run())
}

func newParser(ctx context.Context, commands *root, to streams) (*kong.Kong, error) {
	return kong.New(commands,
		kong.Name("vitrine"),
		kong.Description("Publishes a catalogue directory as a fast, multilingual, read-only JSON API."),
		kong.DefaultEnvars("VITRINE"),
		kong.Writers(to.out, to.err),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(to),
	)
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
	fmt.Fprintf(to.err, "vitrine: error: %v\n", err)
	if _, ok := errors.AsType[could](err); ok {
		return statusUnable
	}
	return statusFailed
}
