package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

func excerpt(t *testing.T) (chains []object) {
	t.Helper()
	source, err := os.ReadFile("testdata/chains.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(source, &chains); err != nil {
		t.Fatal(err)
	}
	return chains
}

// TestRoundTrip converts every chain of the excerpt to a record and back, without a store.
func TestRoundTrip(t *testing.T) {
	chains := excerpt(t)
	records := newRegistry(chains).records(chains)
	if !compare(chains, records, records) {
		t.Error("not all chains came back")
	}
}

// TestCompareDetectsLosses checks that losses and changes of digits or order are detected.
func TestCompareDetectsLosses(t *testing.T) {
	chains := excerpt(t)
	records := newRegistry(chains).records(chains)
	for name, spoil := range map[string]func(rec object) object{
		"a link":  func(rec object) object { return rec.without("website") },
		"a digit": func(rec object) object { return rec.replace("chain_id", rec.text("chain_id")+"0") },
		"extra":   func(rec object) object { return rec.without("extra") },
		"order": func(rec object) object {
			extra := rec.part("extra")
			return rec.replace("extra", append(extra[1:len(extra):len(extra)], extra[0]))
		},
	} {
		spoiled := append([]object{spoil(records[0])}, records[1:]...)
		if compare(chains, records, spoiled) {
			t.Errorf("%s: the change is not detected", name)
		}
	}
	if compare(chains, records, records[1:]) {
		t.Error("a missing chain is not detected")
	}
}

func TestNumbersAreComparedDigitByDigit(t *testing.T) {
	for _, tt := range []struct {
		before, after string
		equal         bool
	}{
		{`{"a":1.10}`, `{"a":1.10}`, true},
		{`{"a":1.10}`, `{"a":1.1}`, false},
		{`{"a":12345678901234567890123}`, `{"a":12345678901234567890124}`, false},
		{`{"a":{"x":1,"y":[2]}}`, `{"a":{"y":[2],"x":1}}`, true},
		{`{"a":"\u00e9&"}`, `{"a":"é&"}`, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
	} {
		var before, after object
		if json.Unmarshal([]byte(tt.before), &before) != nil || json.Unmarshal([]byte(tt.after), &after) != nil {
			t.Fatalf("%s or %s is no object", tt.before, tt.after)
		}
		if got := difference(before, after); (got == "") != tt.equal {
			t.Errorf("%s and %s: %q", tt.before, tt.after, got)
		}
	}
}

func TestObjectsKeepOrderAndDigits(t *testing.T) {
	const doc = `{"b":1.10,"a":{"z":12345678901234567890123,"y":["<é>",1e5]}}`
	var o object
	if err := json.Unmarshal([]byte(doc), &o); err != nil {
		t.Fatal(err)
	}
	if got := o.encode(); !bytes.Equal(got, []byte(doc)) {
		t.Errorf("%s became %s", doc, got)
	}
	if json.Unmarshal([]byte(`{"a":1,"a":2}`), &o) == nil {
		t.Error("a member that is there twice is not seen")
	}
}
