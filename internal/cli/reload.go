package cli

import (
	"context"
	"io"
	"log/slog"
	"reflect"
	"slices"

	"github.com/alecthomas/kong"

	"vitrine/internal/store"
)

// arguments are the arguments of the process, without its name.
type arguments []string

// reloader reads the configuration again and applies the settings that can change at run time. It is
// not safe for concurrent use.
type reloader struct {
	args    arguments
	log     *slog.Logger
	values  map[string]any // in effect, by the names of settings
	changes []change
}

// change applies some settings.
type change struct {
	names []string
	apply func(*serveCmd) error
}

// newReloader returns a reloader that applies no settings yet; see [reloader.on]. command is what args
// were parsed to.
func newReloader(args arguments, command *kong.Context, log *slog.Logger) *reloader {
	return &reloader{args: args, log: log, values: settingsOf(command)}
}

// on registers a function for changes of the named settings. If it returns an error, it must not have
// changed anything.
func (r *reloader) on(apply func(*serveCmd) error, names ...string) {
	r.changes = append(r.changes, change{names, apply})
}

// readServe reads the current settings of serve from flags, environment and config file.
func readServe(args arguments) (*serveCmd, *kong.Context, error) {
	var commands root
	parser, err := newParser(context.Background(), &commands, streams{out: io.Discard, err: io.Discard})
	if err != nil {
		return nil, nil, err
	}
	command, err := parser.Parse(args)
	if err != nil {
		return nil, nil, err
	}
	return &commands.Serve, command, nil
}

// settingsOf returns the values of all flags of a command by their names.
func settingsOf(command *kong.Context) map[string]any {
	values := map[string]any{}
	for _, flag := range command.Selected().Flags {
		values[flag.Name] = flag.Target.Interface()
	}
	return values
}

// reload applies changed settings and logs them, and those that need a restart. An invalid
// configuration changes nothing.
func (r *reloader) reload() {
	settings, command, err := readServe(r.args)
	if err != nil {
		r.log.Error("the configuration is invalid and was not reloaded", "error", store.RedactDSN(err.Error()))
		return
	}
	values := settingsOf(command)
	var applied []string
	for _, c := range r.changes {
		if names := r.differing(values, c.names); len(names) > 0 {
			if err := c.apply(settings); err != nil {
				r.log.Error("a setting was not reloaded and keeps its value", "settings", names, "error", store.RedactDSN(err.Error()))
				continue
			}
			applied = append(applied, names...)
		}
	}
	for _, name := range applied {
		r.values[name] = values[name]
	}
	r.log.Info("configuration reloaded", "changed", applied)
	if fixed := r.differing(values, r.fixed()); len(fixed) > 0 {
		r.log.Warn("a changed setting needs a restart to take effect", "settings", fixed)
	}
}

// differing returns the names whose values differ from those in effect.
func (r *reloader) differing(values map[string]any, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return reflect.DeepEqual(values[name], r.values[name])
	})
}

// fixed returns the settings that need a restart, sorted.
func (r *reloader) fixed() []string {
	var names []string
	for name := range r.values {
		if !slices.ContainsFunc(r.changes, func(c change) bool { return slices.Contains(c.names, name) }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
