package cli

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

type versionCmd struct{}

func (versionCmd) Run(to streams) error {
	_, err := fmt.Fprintln(to.out, builtFrom())
	return err
}

// versionFlag is `--version`.
type versionFlag bool

// BeforeReset prints the version and ends the process, whatever the other arguments are.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	if _, err := fmt.Fprintln(app.Stdout, builtFrom()); err != nil {
		return err
	}
	app.Exit(0)
	return nil
}

// build describes the build of a binary. Values that the toolchain did not record are "unknown".
type build struct {
	version   string // of the module: a tag or a pseudo-version
	commit    string
	modified  bool // the working tree had uncommitted changes
	toolchain string
	platform  string
}

func (b build) String() string {
	commit := b.commit
	if b.modified {
		commit += " (modified)"
	}
	return fmt.Sprintf("vitrine %s commit %s %s %s", b.version, commit, b.toolchain, b.platform)
}

// builtFrom returns the build of this binary.
func builtFrom() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return describeBuild(&debug.BuildInfo{})
	}
	return describeBuild(info)
}

func describeBuild(info *debug.BuildInfo) build {
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	known := func(s string) string { return cmp.Or(s, "unknown") }
	return build{
		version:   known(info.Main.Version),
		commit:    known(setting["vcs.revision"]),
		modified:  setting["vcs.modified"] == "true",
		toolchain: known(info.GoVersion),
		platform:  known(setting["GOOS"]) + "/" + known(setting["GOARCH"]),
	}
}

// userAgent is the name of this program in requests.
func userAgent() string { return "vitrine/" + builtFrom().version }
