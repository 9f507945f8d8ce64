package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v4"

	"vitrine/internal/spelling"
)

// maxConfigBytes is the maximum size of a config file.
const maxConfigBytes = 1 << 20

// configFile is the path of a file with settings; "" for none.
type configFile string

// BeforeResolve adds the file's settings, which rank below flags and the environment. kong
// calls it when the path is known.
func (configFile) BeforeResolve(command *kong.Context, trace *kong.Path) error {
	path := string(command.FlagValue(trace.Flag).(configFile))
	if path == "" {
		return nil
	}
	values, err := readSettings(path)
	if err != nil {
		return fmt.Errorf("config file %s: %w", path, err)
	}
	command.AddResolver(settings{path: path, values: values})
	return nil
}

func readSettings(path string) (map[string]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, errors.Unwrap(err) // without the path, which the caller names
	}
	if !info.Mode().IsRegular() { // opening a pipe would block
		return nil, errors.New("it is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxConfigBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxConfigBytes {
		return nil, fmt.Errorf("it has more than %d bytes", maxConfigBytes)
	}
	return parseSettings(data)
}

// parseSettings reads a flat map from names to plain values. It returns the values as texts.
func parseSettings(data []byte) (map[string]string, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	if document.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("want one setting a line, such as log-level: info")
	}
	var raw map[string]yaml.Node
	if err := document.Decode(&raw); err != nil {
		return nil, err
	}
	values := make(map[string]string, len(raw))
	for name, value := range raw {
		if value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			return nil, fmt.Errorf("%s: want one plain value; several go into one, with commas", name)
		}
		values[name] = value.Value
	}
	return values, nil
}

// settings are the values of a config file by the names of flags.
type settings struct {
	path   string
	values map[string]string
}

// Validate rejects settings that no command has: misspelt ones, and flags for one run, such as accept.
func (s settings) Validate(app *kong.Application) error {
	known := settingNames(app.Node)
	unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(s.values)), func(name string) bool { return slices.Contains(known, name) })
	if len(unknown) == 0 {
		return nil
	}
	for i, name := range unknown {
		if near := spelling.Nearest(name, known); near != "" {
			unknown[i] = fmt.Sprintf("%s (did you mean %s?)", name, near)
		}
	}
	return fmt.Errorf("config file %s: unknown settings: %s; vitrine config prints all", s.path, strings.Join(unknown, ", "))
}

// isSetting reports whether a file may set a flag. Flags for one run have no variable either: in a
// file, accept would switch off the gate for all later publishes.
func isSetting(flag *kong.Flag) bool { return len(flag.Envs) > 0 && flag.Name != "config" }

// settingNames returns the flags of all commands that a file may set, sorted.
func settingNames(node *kong.Node) []string {
	var names []string
	for _, flag := range node.Flags {
		if isSetting(flag) {
			names = append(names, flag.Name)
		}
	}
	for _, child := range node.Children {
		names = append(names, settingNames(child)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Resolve returns nil for flags for one run, and for variables that are set: kong would rank the file above the
// environment.
func (s settings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if !isSetting(flag) {
		return nil, nil
	}
	for _, variable := range flag.Envs {
		if _, set := os.LookupEnv(variable); set {
			return nil, nil
		}
	}
	if value, ok := s.values[flag.Name]; ok {
		return value, nil
	}
	return nil, nil
}
