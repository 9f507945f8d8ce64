package recordjson

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object with ordered members, each a name and a value.
type (
	Object []Member
	Member [2]any
)

// MarshalJSON implements [json.Marshaler]. It does not escape < and >.
func (o Object) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(m[0]); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(m[1]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
