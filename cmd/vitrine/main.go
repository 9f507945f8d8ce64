// Command vitrine publishes a catalogue directory as a fast, multilingual,
// read-only JSON API. Its commands are in package cli.
package main

import (
	"os"

	"vitrine/internal/cli"
)

func main() { os.Exit(cli.Main()) }
