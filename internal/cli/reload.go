package cli

import (
	"context"
	"io"
	"log/slog"
	"reflect"
	"slices"

	"vitrine/internal/store"
)

// arguments are those of the process, without its name.
type arguments []string

// reloader reads the configuration again and applies what can change while the
// process runs. It is not safe for concurrent use.
type reloader struct {
	args    arguments
	log     *slog.Logger
	values  map[string]any // in effect, by the names of settings
	changes []change
}

// change applies settings that can change.
type change struct {
	names []string
	apply func(*serveCmd) error
}

// newReloader returns one that can change nothing yet.
func newReloader(args arguments, log *slog.Logger) (*reloader, error) {
	_, values, err := readServe(args)
	if err != nil {
		return nil, err
	}
	return &reloader{args: args, log: log, values: values}, nil
}

// on makes apply be called when one of the settings was changed. An error of it
// must leave everything as it was.
func (r *reloader) on(apply func(*serveCmd) error, names ...string) {
	r.changes = append(r.changes, change{names, apply})
}

// readServe reads the settings of serve from the flags, the environment and the
// config file as they are now.
func readServe(args arguments) (*serveCmd, map[string]any, error) {
	var commands root
	parser, err := newParser(context.Background(), &commands, streams{out: io.Discard, err: io.Discard})
	if err != nil {
		return nil, nil, err
	}
	command, err := parser.Parse(args)
	if err != nil {
		return nil, nil, err
	}
	values := map[string]any{}
	for _, flag := range command.Selected().Flags {
		values[flag.Name] = flag.Target.Interface()
	}
	return &commands.Serve, values, nil
}

// reload says what it changed and what only a restart would. A configuration
// with an error changes nothing.
func (r *reloader) reload() {
	settings, values, err := readServe(r.args)
	if err != nil {
		r.log.Error("the configuration was not reloaded and nothing changes", "error", store.RedactDSN(err.Error()))
		return
	}
	var applied []string
	for _, c := range r.changes {
		if names := r.differing(values, c.names); len(names) > 0 {
			if err := c.apply(settings); err != nil {
				r.log.Error("a setting was not reloaded and stays as it was", "settings", names, "error", store.RedactDSN(err.Error()))
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

// differing returns those of the names whose values are not those in effect.
func (r *reloader) differing(values map[string]any, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return reflect.DeepEqual(values[name], r.values[name])
	})
}

// fixed returns the settings that nothing applies, sorted.
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
