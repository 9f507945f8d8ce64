package cli

import "context"

// helpCmd prints what --help prints, because many users try `vitrine help` first.
type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command, such as serve or keys add."`
}

// Run prints the help of the command and ends the process with status 0, as --help
// does. An unknown command is an error.
func (c *helpCmd) Run(ctx context.Context, to streams) error {
	parser, err := newParser(ctx, new(root), to)
	if err != nil {
		return err
	}
	if _, err := parser.Parse(append(c.Command, "--help")); err != nil {
		return could{notUnderstood(parser, err)}
	}
	return nil
}
