// Package openapi holds the OpenAPI document of the public API, written by
// hand in openapi.yaml, and its form as JSON.
//
// It must not know how the operations are implemented: the document is the
// contract that the tests of package api hold every response against. All of
// it is read only and safe to share.
package openapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/goccy/go-yaml"
)

// YAML is the document as it is written. It must not be changed.
//
//go:embed openapi.yaml
var YAML []byte

// JSON returns the document as compact JSON with its members in the order in
// which they are written. The bytes are the caller's and the same each time;
// an error means that openapi.yaml is broken, which a test rules out.
func JSON() ([]byte, error) {
	var document any
	if err := yaml.UnmarshalWithOptions(YAML, &document, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	var out bytes.Buffer
	if err := appendJSON(&out, document); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	return out.Bytes(), nil
}

// appendJSON writes a YAML value. The library has a converter of its own, but
// it escapes strings by the rules of YAML.
func appendJSON(out *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case yaml.MapSlice:
		return appendObject(out, v)
	case []any:
		return appendArray(out, v)
	default:
		return appendScalar(out, v)
	}
}

func appendObject(out *bytes.Buffer, members yaml.MapSlice) error {
	out.WriteByte('{')
	for i, member := range members {
		name, ok := member.Key.(string)
		if !ok {
			return fmt.Errorf("key %v is not a string: quote it", member.Key)
		}
		if i > 0 {
			out.WriteByte(',')
		}
		if err := appendScalar(out, name); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := appendJSON(out, member.Value); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func appendArray(out *bytes.Buffer, values []any) error {
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

func appendScalar(out *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the encoder's line feed
	return nil
}
