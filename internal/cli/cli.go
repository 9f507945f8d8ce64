// Package cli is the command line of vitrine: it reads flags, environment and
// configuration, wires the other packages together and prints the results.
//
// It is the only package that knows the concrete types of all others. Rules of
// catalogues, stores and the API are in other packages.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"vitrine/internal/contain"
	"vitrine/internal/store"
)

// Exit statuses beside 0. statusUnable means that the command could not do its work: an
// invalid command line, or an error of a file or a store.
const (
	statusFailed = 1
	statusUnable = 2
	statusHeld   = 3 // the gate holds the publish until an operator accepts it
)

// root is the command line. Flags override VITRINE_* variables, which override
// the config file.
type root struct {
	Config configFile `help:"YAML file with settings. Their names are those of the flags." placeholder:"FILE"`

	ShowVersion versionFlag `name:"version" env:"-" help:"Print the version and the build."`

	Serve    serveCmd    `cmd:"" help:"Serve the revisions of a store, or a catalogue directory."`
	MCP      mcpCmd      `cmd:"" name:"mcp" help:"Serve a catalogue to one agent over the Model Context Protocol, on standard input and output."`
	Init     initCmd     `cmd:"" help:"Write a small example catalogue with comments."`
	New      newCmd      `cmd:"" help:"Add a record to a catalogue directory, with comments on what to write."`
	Check    checkCmd    `cmd:"" help:"Check a catalogue directory."`
	Coverage coverageCmd `cmd:"" help:"Count the texts of each field that are written in each locale."`
	Import   importCmd   `cmd:"" help:"Check a catalogue directory, print its changes and publish them as a revision."`
	Export   exportCmd   `cmd:"" help:"Write the newest or another revision as a catalogue directory or a distribution."`
	Mirror   mirrorCmd   `cmd:"" help:"Copy a distribution into a directory, once or continuously."`
	CSV      csvCmd      `cmd:"" name:"csv" help:"Print a long list as CSV, for spreadsheets."`
	History  historyCmd  `cmd:"" help:"List the revisions of the store."`
	Diff     diffCmd     `cmd:"" help:"Print the differences between two revisions, directories or git refs."`
	Gate     gateCmd     `cmd:"" help:"Compare the meaning of two catalogues, and print changes that are probably mistakes."`
	Preview  previewCmd  `cmd:"" help:"Compare the responses of two catalogues, for the review of a pull request."`
	Show     showCmd     `cmd:"" help:"Print one record in the form of the directory."`
	Explain  explainCmd  `cmd:"" help:"Print the origin and age of each value of a record."`
	Log      logCmd      `cmd:"" help:"Print the revisions that changed a record, newest first, with its values before and after."`
	Rollback rollbackCmd `cmd:"" help:"Publish the editors' records of an old revision again, as a new revision."`
	Prune    pruneCmd    `cmd:"" help:"Remove old revisions."`
	Purge    purgeCmd    `cmd:"" help:"Remove a record and its values from all revisions, for legal requests."`
	Migrate  migrateCmd  `cmd:"" help:"Create the store, or migrate it to the schema of this version, once all processes that use it have this version."`
	Keys     keysCmd     `cmd:"" help:"Add, list, rotate and revoke API keys."`
	Convert  convertCmd  `cmd:"" help:"Convert a recording of an upstream into records of a catalogue."`
	Propose  proposeCmd  `cmd:"" help:"Compare a catalogue directory with an upstream, and print proposed changes as a diff."`
	Sync     syncCmd     `cmd:"" help:"Observe figures of an upstream, and publish them as a revision."`
	Verify   verifyCmd   `cmd:"" help:"Compare a live service with the revision, responses and ages that it should have."`
	Probe    probeCmd    `cmd:"" help:"Check websites, logos and endpoints of the served catalogue, and print which cannot be reached."`
	Schema   schemaCmd   `cmd:"" help:"Print a JSON Schema of the catalogue directory, for editors."`
	Settings configCmd   `cmd:"" name:"config" help:"Print the settings of serve and the origin of each."`
	Health   healthCmd   `cmd:"" help:"Check whether the server of this configuration is ready: status 0 if ready, 1 if not."`
	Version  versionCmd  `cmd:"" help:"Print the version."`

	Completion completionCmd `cmd:"" help:"Print the script that completes commands and flags in a shell."`
	Complete   completeCmd   `cmd:"" hidden:""`
	Man        manCmd        `cmd:"" hidden:""`

	Help helpCmd `cmd:"" help:"Print the help of all commands, or of one."`
}

// streams are the standard output and standard error of a command.
type streams struct {
	out, err io.Writer
}

// exit is an error that has been printed already. It ends the process with its status.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// could marks an error for [statusUnable].
type could struct{ error }

func (c could) Unwrap() error { return c.error }

// Main runs the command line of this process and returns its status.
func Main() int {
	return run(context.Background(), os.Args[1:], streams{out: os.Stdout, err: os.Stderr})
}

func run(ctx context.Context, args []string, to streams) int {
	parser, err := newParser(ctx, new(root), to, onlyNamed(args))
	if err != nil {
		return fail(to, err)
	}
	command, err := parser.Parse(args)
	if err != nil {
		return fail(to, could{notUnderstood(parser, err)})
	}
	return fail(to, command.Run(arguments(args)))
}

// notUnderstood adds the existing commands to an error about an unknown one, and names the
// command whose help applies. It returns an error of printing help or version unchanged.
func notUnderstood(parser *kong.Kong, err error) error {
	if failed, ok := errors.AsType[printError](err); ok {
		return failed
	}
	at := parser.Model.Node
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok && wrong.Context.Selected() != nil {
		at = wrong.Context.Selected()
	}
	// The message may repeat a DSN, with its password.
	message := store.RedactDSN(err.Error())
	if strings.HasPrefix(message, "unexpected argument") && len(at.Children) > 0 {
		var names []string
		for _, command := range at.Children {
			names = append(names, command.Name)
		}
		message = strings.TrimSuffix(message, "?") + "; the commands are " + strings.Join(names, ", ")
	}
	if name, found := strings.CutPrefix(message, "unexpected argument "); found && (at.Name == "serve" || at.Name == "mcp") && isDirectory(name) {
		message += "; name a catalogue directory as --catalog " + shellWord(name)
	}
	return fmt.Errorf("%s (see %s --help)", message, at.FullPath())
}

// onlyNamed returns an option that drops all commands but the one that the first argument names.
// Otherwise, kong expands and resets the flags of all, a fifth of the time of a short command.
// The option has no effect with a config file, whose names may be flags of any command.
func onlyNamed(args []string) kong.Option {
	return kong.PostBuild(func(k *kong.Kong) error {
		isConfig := func(arg string) bool { return strings.HasPrefix(arg, "--config") }
		if _, set := os.LookupEnv("VITRINE_CONFIG"); set || len(args) == 0 || slices.ContainsFunc(args, isConfig) {
			return nil
		}
		isOther := func(command *kong.Node) bool { return command.Name != args[0] }
		if kept := slices.DeleteFunc(slices.Clone(k.Model.Children), isOther); len(kept) > 0 {
			k.Model.Children = kept
		}
		return nil
	})
}

func newParser(ctx context.Context, commands *root, to streams, more ...kong.Option) (*kong.Kong, error) {
	return kong.New(commands, append(more,
		kong.Name("vitrine"),
		kong.Description("Publishes a catalogue directory as a fast, multilingual, read-only JSON API."),
		kong.DefaultEnvars("VITRINE"),
		kong.Vars{"kinds": kindNames(anyKind), "longKinds": kindNames(longKind), "newKinds": kindNames(newKind)},
		kong.Writers(printer{to.out}, to.err),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(to),
	)...)
}

// printer is the output of the parser. It returns errors as printErrors.
type printer struct{ io.Writer }

func (p printer) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	if err != nil {
		err = printError{err}
	}
	return n, err
}

// printError is an error of the output, not of the command line.
type printError struct{ error }

func (e printError) Unwrap() error { return e.error }

// fail prints an error that has not been printed yet, and returns its status.
func fail(to streams, err error) int {
	if err == nil {
		return 0
	}
	if status, ok := errors.AsType[exit](err); ok {
		return int(status)
	}
	// The error may contain a DSN with its password.
	fmt.Fprintf(to.err, "vitrine: error: %s\n", store.RedactDSN(err.Error()))
	if panicked, ok := errors.AsType[*contain.Error](err); ok {
		fmt.Fprintln(to.err, panicked.Stack) // the message asks for a bug report
	}
	if unable(err) {
		return statusUnable
	}
	return statusFailed
}

// unable reports whether the status of an error is [statusUnable]: it is marked so, or the
// operating system returned it for a file, including standard output.
func unable(err error) bool {
	_, classified := errors.AsType[could](err)
	_, path := errors.AsType[*fs.PathError](err)
	_, link := errors.AsType[*os.LinkError](err)
	return classified || path || link
}
