// Package bundled holds the catalogue that comes with the program: a
// demonstration with real chains, accounts, channels and menus, in the form
// that every catalogue directory has. README.md says how it was made, NOTICE
// where its facts come from.
//
// It holds files and no code that reads them. FS is read only and safe to
// share.
package bundled

import "embed"

// FS is the catalogue directory; catalog.yaml is at its root.
//
//go:embed catalog.yaml categories.yaml apps.yaml chains twitter.yaml youtube.yaml nav.yaml nav
var FS embed.FS
