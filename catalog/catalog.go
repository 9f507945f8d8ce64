// Package bundled has the catalogue that is included in the program: a demonstration with real
// chains, accounts, channels and menus, in the form of a catalogue directory. README.md describes
// how it was made, NOTICE has its sources.
//
// It has files and no code that reads them. FS must not be modified, and is safe to share.
package bundled

import "embed"

// FS is the catalogue directory; catalog.yaml is at its root.
//
//go:embed catalog.yaml categories.yaml apps.yaml chains twitter.yaml youtube.yaml nav.yaml nav assets
var FS embed.FS
