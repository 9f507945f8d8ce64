package mcp

import (
	"bytes"
	"encoding/json"

	"vitrine/internal/snapshot"
)

// member is a member of a JSON object.
type member = snapshot.Member[[]byte]

// encode returns the JSON of a value. The value must be valid for JSON.
func encode(value any) json.RawMessage {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("mcp: a value that JSON cannot say: " + err.Error())
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
}

func encodeMembers(all []member) json.RawMessage {
	out := []byte{'{'}
	for i, m := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, encode(m.Name)...), ':'), m.Value...)
	}
	return append(out, '}')
}

// cost returns the maximum number of bytes that a piece of JSON takes in a result, which contains
// it twice: unchanged, and within a string. Cost is additive.
func cost(piece []byte) int {
	total := 2 * len(piece)
	for _, c := range piece {
		switch c {
		case '"', '\\':
			total++
		case '<', '>', '&': // \u003c, in both places
			total += 2 * len(`u003c`)
		case 0xE2: // perhaps U+2028
			total += 2 * len(`\u2028`)
		}
	}
	return total
}
