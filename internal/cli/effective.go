package cli

import (
	"encoding"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v4"

	"vitrine/internal/store"
)

// configCmd has the flags of serve.
type configCmd struct{ serveCmd }

// Run prints the settings of serve as a config file, without passwords.
func (c *configCmd) Run(command *kong.Context, to streams) error {
	for _, flag := range command.Selected().Flags {
		if err := printSetting(to.out, flag, settingOrigin(command, flag)); err != nil {
			return err
		}
	}
	return nil
}

func printSetting(to io.Writer, flag *kong.Flag, origin string) error {
	text, ok := settingText(flag.Target)
	if !ok {
		_, err := fmt.Fprintf(to, "# %s: # not set\n", flag.Name)
		return err
	}
	shown := store.RedactDSN(text)
	if shown != text {
		origin += "; replace *** by the password"
	}
	value := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: shown, LineComment: origin}
	key := yaml.Node{Kind: yaml.ScalarNode, Value: flag.Name}
	data, err := yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{&key, &value}})
	if err != nil {
		return err
	}
	_, err = to.Write(data)
	return err
}

// settingOrigin returns the origin of a setting: a flag, a variable, the config file or the default.
func settingOrigin(command *kong.Context, flag *kong.Flag) string {
	origin := "default"
	for _, variable := range flag.Envs {
		if _, set := os.LookupEnv(variable); set {
			origin = variable
		}
	}
	for _, given := range command.Path {
		switch {
		case given.Flag != flag:
		case given.Resolved:
			return "config file"
		default:
			return "--" + flag.Name
		}
	}
	return origin
}

// settingText returns a setting in the form of a config file, and whether it is set.
func settingText(value reflect.Value) (string, bool) {
	if value.Kind() == reflect.Pointer {
		if value.IsNil() {
			return "", false
		}
		value = value.Elem()
	}
	switch v := value.Interface().(type) {
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		return string(text), err == nil
	case fmt.Stringer:
		return v.String(), true
	}
	if value.Kind() == reflect.Slice {
		var parts []string
		for i := range value.Len() {
			part, _ := settingText(value.Index(i))
			parts = append(parts, part)
		}
		return strings.Join(parts, ","), len(parts) > 0
	}
	text := fmt.Sprint(value.Interface())
	return text, text != ""
}
