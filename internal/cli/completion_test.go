package cli

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestComplete checks the candidates for the last word.
func TestComplete(t *testing.T) {
	for _, tt := range []struct{ words, want string }{
		{"imp", "import"},
		{"keys ", "add list rotate revoke"},
		{"keys --store sqlite:x.db r", "rotate revoke"}, // a value is no command
		{"import --dry", "--dry-run"},
		{"import --vers", "--version"}, // of all commands
		{"gate --format ", "text json github sarif"},
		{"gate --format = s", "sarif"}, // as bash splits it
		{"gate --format =", "text json github sarif"},
		{"gate --format=js", "--format=json"},
		{"import -m keys --for", "--format"},
		{"completion ", "bash zsh fish"},
		{"completion bash ", ""},
		{"check ", ""}, // files
		{"check --unknown=", ""},
		{"co", "coverage convert config completion"}, // not the hidden complete
		{"unknown com", "completion"},                // the command of a mistyped one is unknown
	} {
		status, out := runCommand(append([]string{"complete", "--"}, strings.Split(tt.words, " ")...)...)
		var got []string
		for line := range strings.Lines(out) {
			word, _, _ := strings.Cut(line, "\t")
			got = append(got, word)
		}
		if strings.Join(got, " ") != tt.want || status != 0 {
			t.Errorf("%q: %q (status %d), want %q", tt.words, got, status, tt.want)
		}
	}
}

// TestBashCompletion checks the syntax of the script.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("NOT TESTED: there is no bash")
	}
	_, script := runCommand("completion", "bash")
	if out, err := exec.CommandContext(t.Context(), bash, "-n", "-c", script).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestManual checks that the manual page has each visible command and flag, and that no line of text
// is a macro.
func TestManual(t *testing.T) {
	status, page := runCommand("man")
	if status != 0 {
		t.Fatal(page)
	}
	lines := strings.Split(page, "\n")
	parser, err := newParser(t.Context(), new(root), streams{})
	if err != nil {
		t.Fatal(err)
	}
	var walk func(node *kong.Node)
	walk = func(node *kong.Node) {
		for _, flag := range node.Flags {
			if !flag.Hidden && !slices.Contains(lines, `\fB`+escaped(flag.String())+`\fR`) {
				t.Errorf("the page lacks the flag %s of %s", flag, node.FullPath())
			}
		}
		for _, c := range node.Children {
			if !c.Hidden && !strings.Contains(page, `.SS "`+escaped(c.FullPath())) {
				t.Errorf("the page lacks %s", c.FullPath())
			}
			if !c.Hidden {
				walk(c)
			}
		}
	}
	walk(parser.Model.Node)
	for _, line := range lines {
		if macro, _, _ := strings.Cut(line, " "); strings.HasPrefix(line, ".") && !slices.Contains([]string{".TH", ".SH", ".SS", ".TP"}, macro) {
			t.Errorf("the line %q is a macro", line)
		}
	}
}
