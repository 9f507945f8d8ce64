package cli

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/gate"
	"vitrine/internal/preview"
)

func TestWorkflowCommand(t *testing.T) {
	for _, c := range []struct {
		remark remark
		want   string
	}{
		{remark{message: "all"}, "::error ::all"},
		{remark{rule: "shrink:chains", message: "50 % gone: a, b"}, "::error title=shrink%3Achains::50 %25 gone: a, b"},
		{remark{rule: "r", message: "m", file: "a,b:c%.yaml", line: 3, column: 4}, "::error file=a%2Cb%3Ac%25.yaml,line=3,col=4,title=r::m"},
		{remark{rule: "r", message: "m", file: "x"}, "::error file=x,line=1,col=1,title=r::m"},
		{remark{rule: "r", message: "one\r\ntwo\n::error::three"}, "::error title=r::one%0D%0Atwo%0A::error::three"},
		{remark{rule: "r", message: "%0A"}, "::error title=r::%250A"},
	} {
		if got := workflowCommand("error", c.remark); got != c.want {
			t.Errorf("%+v: %s, want %s", c.remark, got, c.want)
		}
	}
}

// TestWorkflowCommandIsOneLine checks that no text begins another command or property.
func TestWorkflowCommandIsOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := remark{rule: rapid.String().Draw(t, "rule"), message: rapid.String().Draw(t, "message"), file: rapid.String().Draw(t, "file")}
		command := workflowCommand("warning", r)
		if strings.ContainsAny(command, "\r\n") {
			t.Fatalf("%q has several lines", command)
		}
		properties, message, _ := strings.Cut(strings.TrimPrefix(command, "::warning "), "::")
		unescape := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace
		if unescape(message) != r.message {
			t.Fatalf("the message of %q is %q, want %q", command, unescape(message), r.message)
		}
		for property := range strings.SplitSeq(properties, ",") {
			if name, value, _ := strings.Cut(property, "="); name == "file" && unescape(value) != r.file || name == "title" && unescape(value) != r.rule {
				t.Fatalf("%q has the property %q", command, property)
			}
		}
	})
}

func TestGitHubIsBounded(t *testing.T) {
	var remarks []remark
	for range 25 {
		remarks = append(remarks, remark{severity: domain.Error, rule: "e", message: "m"}, remark{severity: domain.Warning, rule: "w", message: "m"})
	}
	var out strings.Builder
	must(t, writeGitHub(&out, "vitrine check", remarks, "errors: 25, warnings: 25"))
	if n := strings.Count(out.String(), "\n"); n != 2*maxAnnotations+1 {
		t.Errorf("%d lines", n)
	}
	if !strings.HasSuffix(out.String(), "\n::notice title=vitrine check::errors: 25, warnings: 25; without annotation: 30\n") {
		t.Error(out.String())
	}
}

// TestSARIF checks what SARIF 2.1.0 requires, and that positions and references are valid.
func TestSARIF(t *testing.T) {
	remarks := []remark{
		{domain.Error, "unknown-field", "a \"quoted\" message", "catalog/a b%.yaml", 3, 4},
		{domain.Warning, "shrink:chains", "gone", "", 0, 0},
		{domain.Warning, "old-figure", "old", "/elsewhere/é.yaml", 0, 0},
		{domain.Error, "unknown-field", "again", "a:b.yaml", 1, 1},
	}
	var out strings.Builder
	must(t, writeSARIF(&out, remarks))
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID, Level string
				RuleIndex     int
				Message       struct{ Text string }
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	must(t, json.Unmarshal([]byte(out.String()), &log))
	if log.Version != "2.1.0" || !strings.HasSuffix(log.Schema, "sarif-2.1.0.json") || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name != "vitrine" {
		t.Errorf("%+v", log)
	}
	run := log.Runs[0]
	if len(run.Tool.Driver.Rules) != 3 || len(run.Results) != len(remarks) {
		t.Fatalf("%+v", run)
	}
	uris := []string{"catalog/a%20b%25.yaml", "", "file:///elsewhere/%C3%A9.yaml", "./a:b.yaml"}
	for i, result := range run.Results {
		if run.Tool.Driver.Rules[result.RuleIndex].ID != remarks[i].rule || result.RuleID != remarks[i].rule || result.Message.Text != remarks[i].message {
			t.Errorf("%+v", result)
		}
		if result.Level != string(remarks[i].severity) {
			t.Errorf("level %s", result.Level)
		}
		if uris[i] == "" {
			continue
		}
		at := result.Locations[0].PhysicalLocation
		if _, err := url.Parse(at.ArtifactLocation.URI); err != nil || at.ArtifactLocation.URI != uris[i] {
			t.Errorf("%q, want %q: %v", at.ArtifactLocation.URI, uris[i], err)
		}
		if at.Region.StartLine < 1 || at.Region.StartColumn < 1 {
			t.Errorf("%+v", at.Region)
		}
	}
	out.Reset()
	must(t, writeSARIF(&out, nil))
	if want := `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"vitrine","rules":[]}},"columnKind":"unicodeCodePoints","results":[]}]}` + "\n"; out.String() != want {
		t.Error(out.String())
	}
}

func TestFileBelow(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	must(t, os.Mkdir("real", 0o700))
	must(t, os.Symlink(filepath.Join(here, "real"), "link"))
	for _, c := range []struct{ root, file, want string }{
		{".", "chains.yaml", "chains.yaml"},
		{"real", "nav/a.yaml", "real/nav/a.yaml"},
		{filepath.Join(here, "real"), "chains.yaml", "real/chains.yaml"},
		{"link", "chains.yaml", "link/chains.yaml"},
		{"/elsewhere", "chains.yaml", "/elsewhere/chains.yaml"},
	} {
		if got := fileBelow(c.root, c.file); got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.file, c.root, got, c.want)
		}
	}
}

// TestMarkdownCode checks that a text stays within its code span.
func TestMarkdownCode(t *testing.T) {
	for text, want := range map[string]string{
		"":            "(empty)",
		" \n":         "(empty)",
		"a":           "`a`",
		"a`b":         "``a`b``",
		"`":           "`` ` ``",
		"a``b`c":      "```a``b`c```",
		"@ann <b>|":   "`@ann <b>|`",
		"one\ntwo":    "`one two`",
		" both ":      "`  both  `",
		"https://a.b": "`https://a.b`",
	} {
		if got := markdownCode(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("a` \n@<"))).Draw(t, "text")
		code := markdownCode(text)
		fence := code[:len(code)-len(strings.TrimLeft(code, "`"))]
		inner := strings.TrimSuffix(strings.TrimPrefix(code, fence), fence)
		for run := range strings.FieldsFuncSeq(inner, func(r rune) bool { return r != '`' }) {
			if run == fence {
				t.Fatalf("%q ends within %q", code, text)
			}
		}
	})
}

func TestMarkdownIsBounded(t *testing.T) {
	s := section{title: "Many", folded: true}
	for i := range 10_000 {
		s.add(0, plainText("line %d ", i), catalogText(strings.Repeat("é", 100)))
	}
	var out strings.Builder
	must(t, writeMarkdown(&out, "Preview", "held", "much", []section{s}))
	if n := out.Len(); n > maxMarkdown+200 || !utf8.ValidString(out.String()) {
		t.Errorf("%d bytes", n)
	}
	if strings.Count(out.String(), "<details>") != 1 || strings.Count(out.String(), "</details>") != 1 {
		t.Error("an element is not closed once")
	}
	if !strings.Contains(out.String(), "more lines; `vitrine preview` prints them") {
		t.Error("nothing says what is cut")
	}
}

// TestPlacesLink checks that the place of a record has a link by the template, and that nothing ends it
// early.
func TestPlacesLink(t *testing.T) {
	for _, tt := range []struct{ at, template, want string }{
		{"", "https://example.org/{file}", ""},
		{"chains.yaml:2", "", " (`chains.yaml:2`)"},
		{"nav/a b).yaml:2", "https://example.org/edit/{file}?x=<>#L{line}", " ([`nav/a b).yaml:2`](<https://example.org/edit/nav/a%20b%29.yaml?x=%3C%3E#L2>))"},
	} {
		if got := markdownOf(placeText(tt.at, tt.template)); got != tt.want {
			t.Errorf("%q in %q: %s, want %s", tt.at, tt.template, got, tt.want)
		}
	}
}

func TestPlural(t *testing.T) {
	for _, tt := range []struct {
		n    int
		noun string
		want string
	}{{1, "member", "1 member"}, {2, "member", "2 members"}, {1, "group of locales", "1 group of locales"}, {1200, "group of locales", "1,200 groups of locales"}, {3, "added", "3 added"}} {
		if got := plural(tt.n, tt.noun); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestAlikeIsFolded checks that findings about the same records are together, and warnings of a rule are
// counted from the fourth on.
func TestAlikeIsFolded(t *testing.T) {
	one, two := []gate.Record{{Kind: domain.KindChain, Key: "one", Field: "rpc"}}, []gate.Record{{Kind: domain.KindChain, Key: "one", Field: "website"}}
	findings := []gate.Finding{{Rule: "moved:chains.rpc", Records: one, Total: 1}, {Rule: "expect:chains"}, {Rule: "lookalike:chains.website", Records: two, Total: 1},
		{Rule: "expect:apps"}}
	var got []int
	for _, group := range sameRecords(findings) {
		got = append(got, len(group))
	}
	if !slices.Equal(got, []int{2, 1, 1}) {
		t.Errorf("groups of findings of %v", got)
	}
	r := review{report: &preview.Report{}}
	for line := range 9 {
		r.warnings = append(r.warnings, bundle.Problem{File: "chains.yaml", Line: line + 1, Column: 1, Rule: domain.RuleUnusedCategory})
	}
	r.warnings = append(r.warnings, bundle.Problem{File: "chains.yaml", Line: 10, Column: 1, Rule: domain.RuleUnlistedMenu})
	lines := r.warningsSection().lines
	if text := markdownOf(lines[len(lines)-2].fragments); len(lines) != 5 || text != "… and 6 more `unused-category`" {
		t.Errorf("%d lines, %q", len(lines), text)
	}
}
