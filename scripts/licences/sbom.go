package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ownLicence is the licence of Vitrine, as in the file LICENSE.
const ownLicence = "Apache-2.0"

// declare copies a bill of materials of the binary (CycloneDX, JSON) from r to w, with the licences of the
// binary and of each component. It fails for a component that is not one of modules.
func declare(w io.Writer, r io.Reader, modules []module) error {
	decoder := json.NewDecoder(r)
	decoder.UseNumber()
	var bom map[string]any
	if err := decoder.Decode(&bom); err != nil {
		return fmt.Errorf("read the bill of materials: %w", err)
	}
	metadata, _ := bom["metadata"].(map[string]any)
	binary, _ := metadata["component"].(map[string]any)
	components, _ := bom["components"].([]any)
	if binary == nil || len(components) == 0 {
		return errors.New("the bill of materials has no binary or no components")
	}
	binary["licenses"] = licensesOf([]string{ownLicence})
	known := map[string][]string{}
	for _, m := range modules {
		known[m.path] = m.licences
	}
	known["std"] = known[standardLibrary]
	for _, c := range components {
		component, _ := c.(map[string]any)
		name, _ := component["name"].(string)
		if known[name] == nil {
			return fmt.Errorf("component %q of the bill of materials is not linked into the binary for Linux: its licence is unknown", name)
		}
		component["licenses"] = licensesOf(known[name])
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(bom)
}

// licensesOf returns the member licenses of a component. ids are identifiers of SPDX.
func licensesOf(ids []string) []any {
	var licenses []any
	for _, id := range ids {
		licenses = append(licenses, map[string]any{"license": map[string]any{"id": id}})
	}
	return licenses
}
