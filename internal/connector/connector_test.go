package connector_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/connector"
)

func TestParseChainID(t *testing.T) {
	tests := []struct {
		raw, want string
		bad       bool
	}{
		{raw: ``, want: ""},
		{raw: `null`, want: ""},
		{raw: `0`, want: ""},
		{raw: `"0"`, want: ""},
		{raw: `""`, want: ""},
		{raw: `" "`, want: ""},
		{raw: `1`, want: "1"},
		{raw: `"9001"`, want: "9001"},
		{raw: `" 9001 "`, want: "9001"},
		{raw: `"007"`, want: "7"},
		{raw: `11297108109`, want: "11297108109"},
		{raw: `115792089237316195423570985008687907853269984665640564039457584007913129639936`, want: "115792089237316195423570985008687907853269984665640564039457584007913129639936"},
		{raw: `1` + strings.Repeat("0", 78), bad: true},
		{raw: `-1`, bad: true},
		{raw: `1.0`, bad: true},
		{raw: `1e3`, bad: true},
		{raw: `"0x1"`, bad: true},
		{raw: `"eip155:1"`, bad: true},
		{raw: `"١"`, bad: true},
		{raw: `true`, bad: true},
		{raw: `[1]`, bad: true},
		{raw: `{}`, bad: true},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			got, err := connector.ParseChainID(json.RawMessage(tt.raw))
			if got != tt.want || (err != nil) != tt.bad {
				t.Errorf("ParseChainID(%s) = %q, %v; want %q, error %t", tt.raw, got, err, tt.want, tt.bad)
			}
		})
	}
}

func TestCompareChainIDs(t *testing.T) {
	ids := []string{"10", "9", "", "100", "2", "11297108109"}
	slices.SortFunc(ids, connector.CompareChainIDs)
	if diff := cmp.Diff([]string{"", "2", "9", "10", "100", "11297108109"}, ids); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestArray(t *testing.T) {
	tests := []struct {
		name, doc string
		taken     []int
		refused   []int
		fails     bool
	}{
		{"empty", `[]`, nil, nil, false},
		{"white space around", " [ 1 , 2 ] \n", []int{1, 2}, nil, false},
		{"wrong elements are skipped", `[1, "x", {"a": [1]}, 4]`, []int{1, 4}, []int{1, 2}, false},
		{"cut off", `[1, 2`, []int{1, 2}, nil, true},
		{"nothing", ``, nil, nil, true},
		{"an object", `{"a": 1}`, nil, []int{0}, false},
		{"lines", "\n{\"a\": 1}\n{}\r\n", nil, []int{0, 1}, false},
		{"truncated lines", "{}\n{", nil, []int{0}, true},
		{"lines with an array", "{}\n[]", nil, []int{0, 1}, false},
		{"trailing data after lines", "{} x", nil, []int{0}, true},
		{"a text", `"x"`, nil, nil, true},
		{"more behind", `[1] [2]`, []int{1}, nil, true},
		{"not JSON", `[1, x]`, []int{1}, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var taken, refused []int
			err := connector.Array(strings.NewReader(tt.doc),
				func(_ int, n int) { taken = append(taken, n) },
				func(i int, _ error) { refused = append(refused, i) })
			if (err != nil) != tt.fails {
				t.Errorf("error %v, want one: %t", err, tt.fails)
			}
			if diff := cmp.Diff([][]int{tt.taken, tt.refused}, [][]int{taken, refused}); diff != "" {
				t.Errorf("taken and refused (-want +got):\n%s", diff)
			}
		})
	}
}

// TestObjectNamesTheFault checks that errors name the document or its field, not types of Go.
func TestObjectNamesTheFault(t *testing.T) {
	for document, want := range map[string]string{
		`{"data": [1]}`: "",
		`[]`:            "the document is of the wrong type: a JSON array",
		`{"data": "x"}`: "data is of the wrong type: a JSON string",
		`<html>`:        "the document is not valid JSON near byte 0: ",
		`{"data": [`:    "the document is not valid JSON near byte ",
	} {
		var into struct {
			Data []int `json:"data"`
		}
		err := connector.Object(strings.NewReader(document), &into)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", document, err, want)
		}
	}
}
