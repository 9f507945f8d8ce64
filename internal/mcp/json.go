package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
)

// member is a member of a JSON object, as it is written.
type member struct {
	name  string
	value json.RawMessage
}

// members returns those of an object that this program encoded, in their order.
func members(body []byte) []member {
	var all []member
	decoder := json.NewDecoder(bytes.NewReader(body))
	must(decoder.Token()) // the brace
	for decoder.More() {
		name := must(decoder.Token()).(string)
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			panic("mcp: a body that is no JSON: " + err.Error())
		}
		all = append(all, member{name, value})
	}
	return all
}

// elements returns those of an array that this program encoded.
func elements(array []byte) []json.RawMessage {
	var all []json.RawMessage
	decode(array, &all)
	return all
}

// decode reads JSON that this program encoded.
func decode(document []byte, into any) {
	if err := json.Unmarshal(document, into); err != nil {
		panic("mcp: a body that is no JSON: " + err.Error())
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic("mcp: a body that is no JSON: " + err.Error())
	}
	return value
}

// encode returns the JSON of a value that JSON can say.
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
		out = append(append(append(out, encode(m.name)...), ':'), m.value...)
	}
	return append(out, '}')
}

func encodeElements(all []json.RawMessage) json.RawMessage {
	return slices.Concat([]byte{'['}, bytes.Join(asBytes(all), []byte{','}), []byte{']'})
}

func asBytes(all []json.RawMessage) [][]byte {
	out := make([][]byte, len(all))
	for i, each := range all {
		out[i] = each
	}
	return out
}

// first returns a document of which every array under a name keeps its first count
// elements, and how many are gone.
func first(document json.RawMessage, name string, count int) (json.RawMessage, int) {
	gone := 0
	switch document[0] {
	case '[':
		all := elements(document)
		for i := range all {
			var n int
			all[i], n = first(all[i], name, count)
			gone += n
		}
		return encodeElements(all), gone
	case '{':
		all := members(document)
		for i, m := range all {
			if m.name == name && m.value[0] == '[' {
				kept := elements(m.value)
				gone += max(0, len(kept)-count)
				all[i].value = encodeElements(kept[:min(count, len(kept))])
				continue
			}
			var n int
			all[i].value, n = first(m.value, name, count)
			gone += n
		}
		return encodeMembers(all), gone
	}
	return document, 0
}

// cost returns how many bytes a piece of JSON takes in a result at most, where it stands
// twice: as it is, and once more within a string. Cost is additive.
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
