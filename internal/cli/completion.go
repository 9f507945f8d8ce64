package cli

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completionScripts ask the hidden command complete for candidates, so they fit every version.
//
//go:embed completion
var completionScripts embed.FS

// completionCmd prints the script that completes commands and flags in a shell.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

func (c *completionCmd) Run(to streams) error {
	script, err := completionScripts.ReadFile("completion/vitrine." + c.Shell)
	if err == nil {
		_, err = to.out.Write(script)
	}
	return printed(err)
}

// completeCmd prints the candidates for the last of the words after `vitrine`, which may be empty:
// one per line, with a tab and its help. No candidates mean a file or a free text.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

func (c *completeCmd) Run(ctx context.Context, to streams) error {
	parser, err := newParser(ctx, new(root), to)
	if err != nil {
		return err
	}
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, candidate := range candidates(parser.Model.Node, words) {
		if _, err := fmt.Fprintf(to.out, "%s\t%s\n", candidate.word, candidate.help); err != nil {
			return printed(err)
		}
	}
	return nil
}

// candidate is a word that may follow, with its help.
type candidate struct{ word, help string }

// candidates returns the candidates for the last word, in the order of the help.
func candidates(node *kong.Node, words []string) []candidate {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	var pending *kong.Flag // the flag that needs the next word as its value
	arguments := 0
	for _, word := range words[:len(words)-1] {
		switch {
		case word == "=": // bash splits --flag=value into three words
		case pending != nil:
			pending = nil
		case strings.HasPrefix(word, "-"):
			pending = valued(node, word)
		case child(node, word) != nil:
			node = child(node, word)
		default:
			arguments++
		}
	}
	if pending != nil {
		return starting(values(pending.Value, ""), strings.TrimPrefix(last, "="))
	}
	if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(last, "--") {
		if flag := valued(node, name); flag != nil {
			return starting(values(flag.Value, name+"="), name+"="+value)
		}
		return nil
	}
	if strings.HasPrefix(last, "-") {
		return starting(flagNames(node), last)
	}
	if len(node.Children) > 0 {
		return starting(commandNames(node), last)
	}
	if arguments < len(node.Positional) {
		return starting(values(node.Positional[arguments], ""), last)
	}
	return nil
}

func starting(all []candidate, prefix string) []candidate {
	return slices.DeleteFunc(all, func(c candidate) bool { return !strings.HasPrefix(c.word, prefix) })
}

func child(node *kong.Node, name string) *kong.Node {
	for _, c := range node.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// valued returns the flag of a word if it needs a value that the word does not contain, else nil.
func valued(node *kong.Node, word string) *kong.Flag {
	for _, flag := range visibleFlags(node) {
		if !flag.IsBool() && !flag.IsCounter() && (word == "--"+flag.Name || flag.Short != 0 && word == "-"+string(flag.Short)) {
			return flag
		}
	}
	return nil
}

// visibleFlags returns the visible flags of a command, then those of the commands above it.
func visibleFlags(node *kong.Node) []*kong.Flag {
	var flags []*kong.Flag
	for _, group := range slices.Backward(node.AllFlags(true)) {
		flags = append(flags, group...)
	}
	return flags
}

func flagNames(node *kong.Node) (all []candidate) {
	for _, flag := range visibleFlags(node) {
		all = append(all, candidate{"--" + flag.Name, firstSentence(flag.Help)})
	}
	return all
}

func commandNames(node *kong.Node) (all []candidate) {
	for _, c := range node.Children {
		if !c.Hidden {
			all = append(all, candidate{c.Name, firstSentence(c.Help)})
		}
	}
	return all
}

// values returns the possible values of a flag or an argument, nil if they are not a list.
func values(value *kong.Value, prefix string) (all []candidate) {
	for _, word := range value.EnumSlice() {
		if word != "" {
			all = append(all, candidate{prefix + word, ""})
		}
	}
	return all
}

// firstSentence returns the first sentence of a help text, without its full stop.
func firstSentence(help string) string {
	sentence, _, _ := strings.Cut(help, ". ")
	return strings.TrimSuffix(sentence, ".")
}
