// Package openapi has the OpenAPI document of the public API, which is written by hand in
// openapi.yaml, and its JSON form.
//
// It must not know the implementation of operations: the tests of package operations compare
// every response with the document. All exported values are shared and must not be modified.
package openapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v4"
)

// YAML is the document as written. It must not be modified.
//
//go:embed openapi.yaml
var YAML []byte

// JSON returns the document as compact JSON, with members in the order of the file. The result is
// shared and must not be modified. It panics if openapi.yaml is invalid, which a test excludes.
func JSON() []byte { return compact() }

// compact converts the document once: the API and the pages need it.
var compact = sync.OnceValue(func() []byte {
	converted, err := toJSON(YAML)
	if err != nil {
		panic(err)
	}
	return converted
})

func toJSON(document []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Load(document, &root); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	var out bytes.Buffer
	if err := appendJSON(&out, root.Content[0]); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	return out.Bytes(), nil
}

// appendJSON writes a YAML value. Maps of Go would lose the order of members.
func appendJSON(out *bytes.Buffer, value *yaml.Node) error {
	switch value.Kind {
	case yaml.MappingNode:
		return appendObject(out, value.Content)
	case yaml.SequenceNode:
		return appendArray(out, value.Content)
	case yaml.AliasNode:
		return appendJSON(out, value.Alias)
	}
	return appendScalar(out, value)
}

// appendObject writes members; content alternates names and values.
func appendObject(out *bytes.Buffer, content []*yaml.Node) error {
	out.WriteByte('{')
	for i := 0; i < len(content); i += 2 {
		name, value := content[i], content[i+1]
		if name.Tag != "!!str" {
			return fmt.Errorf("line %d: key %s is not a string: quote it", name.Line, name.Value)
		}
		if i > 0 {
			out.WriteByte(',')
		}
		if err := appendScalar(out, name); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := appendJSON(out, value); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func appendArray(out *bytes.Buffer, values []*yaml.Node) error {
	out.WriteByte('[')
	for i, value := range values {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := appendJSON(out, value); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

func appendScalar(out *bytes.Buffer, scalar *yaml.Node) error {
	var value any = scalar.Value // text, and what YAML takes for a date
	switch scalar.Tag {
	case "!!null", "!!bool", "!!int", "!!float":
		if err := scalar.Decode(&value); err != nil {
			return err
		}
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the encoder's line feed
	return nil
}
