package response

import (
	"regexp"
	"strings"
	"testing"
)

func TestMatches(t *testing.T) {
	const tag = `"abc"`
	tests := []struct {
		name  string
		lines []string
		want  bool
	}{
		{"no header", nil, false},
		{"empty", []string{""}, false},
		{"only separators", []string{" ,\t, "}, false},
		{"the tag", []string{`"abc"`}, true},
		{"white space around", []string{"\t \"abc\" \t"}, true},
		{"weak", []string{`W/"abc"`}, true},
		{"any", []string{`*`}, true},
		{"any, with white space", []string{" *\t"}, true},
		{"second", []string{`"x", "abc"`}, true},
		{"second without a space", []string{`"x","abc"`}, true},
		{"second after white space", []string{"\"x\"\t,\t\"abc\""}, true},
		{"second line", []string{`"x"`, `"abc"`}, true},
		{"empty members", []string{`,, "a,b" , W/"abc" ,`}, true},
		{"weak and strong", []string{`W/"x", "y", W/"abc"`}, true},
		{"no tag of the list", []string{`"x", "y"`}, false},

		{"after a comma within a tag", []string{`"a,b", "abc"`}, true},
		{"after a space within a tag", []string{`"a b", "abc"`}, true},
		{"after a backslash, which escapes nothing", []string{`"a\", "abc"`}, true},
		{"after bytes beyond ASCII", []string{"\"\xe9\xff\", \"abc\""}, true},
		{"after an empty tag", []string{`"", "abc"`}, true},
		{"within another tag", []string{`"x,"abc",y"`}, false},
		{"a list within a tag", []string{`"x, W/abc, *"`}, false},

		{"other case", []string{`"ABC"`}, false},
		{"another encoding", []string{`"abc-gzip"`}, false},
		{"longer", []string{`"abcd"`}, false},
		{"a space within", []string{`"abc "`}, false},
		{"without quotes", []string{`abc`}, false},
		{"weak without quotes", []string{`W/abc`}, false},
		{"open", []string{`"abc`}, false},
		{"only closed", []string{`abc"`}, false},
		{"single quotes", []string{`'abc'`}, false},
		{"weakness in lower case", []string{`w/"abc"`}, false},
		{"weakness with a space", []string{`W/ "abc"`}, false},
		{"weak twice", []string{`W/W/"abc"`}, false},

		{"after what cannot be read", []string{`nonsense, "abc"`}, false},
		{"before what cannot be read", []string{`"abc", nonsense`}, true},
		{"a line beside one that cannot be read", []string{`nonsense`, `"abc"`}, true},
		{"no comma between", []string{`"x" "abc"`}, false},
		{"nothing between", []string{`"x""abc"`}, false},
		{"something behind", []string{`"abc"x`}, false},
		{"semicolon", []string{`"x"; "abc"`}, false},
		{"any in a list", []string{`"x", *`}, false},
		{"any before a list", []string{`*, "abc"`}, false},
		{"any on a second line", []string{`"x"`, `*`}, false},
		{"any and more", []string{`*abc`}, false},
		{"any twice", []string{`**`}, false},
		{"any in quotes", []string{`"*"`}, false},
		{"weak any", []string{`W/*`}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := matches(test.lines, tag); got != test.want {
				t.Errorf("matches(%q) = %v, want %v", test.lines, got, test.want)
			}
		})
	}
}

// FuzzIfNoneMatch compares matching with a regular expression of the grammar, and checks
// invariants for arbitrary input.
func FuzzIfNoneMatch(f *testing.F) {
	for _, seed := range []string{
		`"abc"`, `*`, `W/"abc"`, `"x", "abc"`, `,, "a,b" ,W/"abc",`, `"a b" , "abc"`, `"abc`, `"x" "abc"`, `w/"abc"`, `"abc", x`, `"x""abc"`, ` * `, `*, "abc"`, "\"\xff\",\"abc\"",
	} {
		f.Add(seed, "", "abc")
		f.Add(`"other"`, seed, "abc")
	}
	f.Fuzz(func(t *testing.T, first, second, opaque string) {
		if strings.ContainsAny(opaque, "\" ,*") {
			t.Skip("not a tag that this service makes")
		}
		tag := `"` + opaque + `"`
		lines := []string{first, second}
		if got, want := matches(lines, tag), literally(lines, tag); got != want {
			t.Fatalf("matches(%q, %s) = %v, want %v", lines, tag, got, want)
		}
		if got, want := matches(lines[:1], tag), literally(lines[:1], tag); got != want {
			t.Fatalf("matches(%q, %s) = %v, want %v", lines[:1], tag, got, want)
		}
		if !matches([]string{first, "W/" + tag + ", " + second}, tag) {
			t.Errorf("a line of the tag does not match behind %q", first)
		}
		if matches(lines[:1], tag) && !strings.Contains(first, tag) && strings.Trim(first, " \t") != "*" {
			t.Errorf("%q does not hold the tag %s", first, tag)
		}
	})
}

var (
	anyTag  = regexp.MustCompile(`^[ \t]*\*[ \t]*$`)
	nextTag = regexp.MustCompile(`(?s)^[ \t,]*(?:W/)?("[^"]*")[ \t]*(?:,|$)`)
)

// literally implements matches by its definition: it parses one tag after the other.
func literally(lines []string, tag string) bool {
	if len(lines) == 1 && anyTag.MatchString(lines[0]) {
		return true
	}
	var named []string
	for _, line := range lines {
		for found := nextTag.FindStringSubmatch(line); found != nil; found = nextTag.FindStringSubmatch(line) {
			named = append(named, found[1])
			line = line[len(found[0]):]
		}
	}
	for _, candidate := range named {
		if candidate == tag {
			return true
		}
	}
	return false
}

// BenchmarkMatchesWorst measures the largest header that a request may have.
func BenchmarkMatchesWorst(b *testing.B) {
	for _, member := range []string{",", `"",`, `W/"abd" , `} {
		lines := []string{strings.Repeat(member, 16384/len(member))}
		b.Run(member, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				matches(lines, `"abc"`)
			}
		})
	}
}
