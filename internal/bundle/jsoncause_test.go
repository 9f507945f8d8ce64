package bundle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// TestCausesOfBrokenJSON checks that a mistake in JSON is reported where it must be corrected, in
// terms of the mistake, for files read as a whole and for streamed ones.
func TestCausesOfBrokenJSON(t *testing.T) {
	for _, tt := range []struct{ name, json, want string }{
		{"missing comma between fields", "{\n \"title\": \"x\"\n \"a\": 1}", "2:14: a comma is missing here"},
		{"missing comma between elements", "[\n{\"a\": 1}\n{\"a\": 2}]", "2:9: a comma is missing here"},
		{"missing comma after a list", "{\"a\": [1, 2]\n\"b\": 1}", "1:13: a comma is missing here"},
		{"comma at the end of a list", "[{\"a\": [1,\n2,\n]}]", "2:2: there is a comma with nothing behind it"},
		{"comma at the end of a map", "{\"a\": 1,\n}", "1:8: there is a comma with nothing behind it"},
		{"two commas", "[1,,2]", "1:4: there is a comma with nothing before it"},
		{"list that is not closed", "[\n{\"a\": [1, 2,\n\"b\": 3}\n]", "2:7: the list that begins here is not closed before the field in line 3"},
		{"map that is not closed", "[\n  {\"a\": 1,\n  {\"a\": 2}\n]", "2:3: the map that begins here is not closed before the { in line 3"},
		{"map that is closed as a list", "[\n  {\"a\": 1]\n]", "2:3: the map that begins here is not closed before the ] in line 2"},
		{"list that never ends", "\n[{\"a\": 1},\n{\"a\": 2}\n\n", "2:1: the list that begins here is not closed before the end of the file"},
		{"map that never ends", "[{\"a\": 1},\n{\"a\": 2\n\n", "2:1: the map that begins here is not closed before the end of the file"},
		{"text that is not closed", "{\"a\": \"b,\n \"c\": 1}", "1:7: the quotes that begin here are not closed in this line"},
		{"text that never ends", "[{\"a\": \"b", "1:8: the quotes that begin here are not closed"},
		{"quote in a text", `[{"a": "say "hello""}]`, "1:14: the text ends before here"},
		{"no value", "{\"a\":, \"b\": 1}", "1:5: this field has no value"},
		{"no value at the end", "{\"b\": 1, \"a\": }", "1:13: this field has no value"},
		{"no colon", "{\"a\" 1}", "1:5: there is no colon after the name of this field"},
		{"single quotes", "[{'a': 1}]", "1:3: texts and names stand in double quotes in JSON"},
		{"curly quotes", "[{\"a\": “b”}]", "1:8: texts and names stand in double quotes in JSON"},
		{"name without quotes", "{a: 1}", "1:2: the name of a field stands in double quotes in JSON"},
		{"text without quotes", "{\"a\": abc}", "1:7: \"abc\" is not JSON"},
		{"Python", "{\"a\": True, \"b\": None}", "1:7: \"True\" is not JSON"},
		{"no number", "{\"a\": NaN}", "1:7: \"NaN\" is not JSON"},
		{"hexadecimal", "[{\"a\": 0x10}]", "1:8: \"0x10\" is not a number of JSON"},
		{"leading zero", "[{\"a\": 007}]", "1:8: \"007\" is not a number of JSON"},
		{"comment", "[1, // one\n2]", "1:5: JSON has no comments"},
		{"comment behind a value", "[1 # one\n]", "1:4: JSON has no comments"},
		{"backslash", `{"a": "C:\dir"}`, "1:10: this backslash begins nothing that JSON knows"},
		{"tab in a text", "{\"a\": \"b\tc\"}", "1:9: a text holds the control character U+0009"},
		{"half a character", `["\ud800"]`, ""}, // text of the decoder
		{"more", "[]\n]", "2:1: there is more after the end of the value"},
		{"a bracket too many", "]", "1:1: there is one ] too many"},
		{"conflict", "[\n{\"a\": 1},\n<<<<<<< HEAD\n{\"a\": 2}\n=======\n{\"a\": 3}\n>>>>>>> b\n]", "3:1: git left a merge conflict here"},
		{"half a conflict", "[\n{\"a\": 1}\n=======\n]", "3:1: git left a merge conflict here"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, name := range []string{"nav/more.json", "chains/x.json"} {
				d := read(t, with(base(t), map[string]string{name: tt.json}))
				var got []string
				for _, p := range d.Problems {
					if p.Rule == domain.RuleSyntax || p.Rule == domain.RuleMergeConflict {
						got = append(got, strings.TrimPrefix(p.Place(), name+":")+": "+p.Message)
					}
				}
				if len(got) != 1 || tt.want != "" && got[0] != tt.want {
					t.Errorf("%s: got %q, want %q\n%s", name, got, tt.want, strings.Join(lines(d.Problems), "\n"))
				}
			}
		})
	}
}

// TestForeignContent checks that a file of another format is identified, and reported once.
func TestForeignContent(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	const page = "\ufeff\n<!DOCTYPE html>\n<html><body>404: Not Found</body></html>\n"
	conflict := "- {slug: a, name: A, chain_id: a1}\n<<<<<<< HEAD\n- {slug: b, name: B, chain_id: b1}\n=======\n- {slug: c, name: C, chain_id: c1}\n>>>>>>> main\n"
	for content, want := range map[string]string{
		pointer:                       "wrong-content: this is a pointer of Git LFS, not the file that it stands for; fetch the file: git lfs pull",
		page:                          "wrong-content: this is a page of HTML, as servers send instead of a file that they do not have; fetch the file itself",
		"<?xml version=\"1.0\"?><a/>": "wrong-content: this is XML or HTML; write it as YAML or JSON, or fetch the file itself",
		"\x1f\x8b\x08\x00":            "wrong-content: the file is compressed; unpack it",
		"\x28\xb5\x2f\xfd\x04":        "wrong-content: the file is compressed; unpack it",
		"BZh91AY&SY":                  "wrong-content: the file is compressed; unpack it",
		"\xfd7zXZ\x00":                "wrong-content: the file is compressed; unpack it",
		"\x00\x00\x00\x00":            "wrong-content: the file begins with zero bytes, as a crash or a full disk leaves it; write it again, from where it came",
		"[\x00]\x00":                  "invalid-utf8: the file is UTF-16, not UTF-8; save it as UTF-8",
		"\x00[\x00]":                  "invalid-utf8: the file is UTF-16, not UTF-8; save it as UTF-8",
		conflict:                      "merge-conflict: git left a merge conflict here; decide for one side of each conflict, and take out the lines of <<<<<<<, ======= and >>>>>>>",
		strings.ReplaceAll(conflict, "\n", "\r\n"): "merge-conflict: git left a merge conflict here; decide for one side of each conflict, and take out the lines of <<<<<<<, ======= and >>>>>>>",
	} {
		for _, name := range []string{"chains/x.yaml", "chains/x.json", "chains/x.ndjson", "nav/start.yaml", "nav/more.json"} {
			if strings.HasPrefix(content, "- ") && !strings.HasSuffix(name, "yaml") {
				continue
			}
			line := "1:1"
			if strings.HasPrefix(content, "- ") {
				line = "2:1"
			}
			want := []string{name + ":" + line + ": error: " + want}
			if diff := cmp.Diff(want, lines(read(t, with(base(t), map[string]string{name: content})).Problems)); diff != "" {
				t.Errorf("%s: %.20q (-want +got):\n%s", name, content, diff)
			}
		}
	}
}

// TestCauseFarInAList checks that the end of the buffer is not reported as the end of the file.
func TestCauseFarInAList(t *testing.T) {
	list := "[" + strings.Repeat("{\"slug\":\"x\",\"name\":\"X\"},\n", 20_000) + "{\"slug\" \"y\"}]"
	want := "chains/x.json:20001:8: error: syntax: there is no colon after the name of this field; write `\"name\": value`"
	if got := lines(read(t, with(base(t), map[string]string{"chains/x.json": list})).Problems); got[0] != want {
		t.Errorf("got %q, want %q", got[0], want)
	}
}
