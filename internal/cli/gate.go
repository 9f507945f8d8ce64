package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/gate"
	"vitrine/internal/publish"
)

type gateCmd struct {
	A      string `arg:"" help:"What is served: a catalogue directory, a revision of the store, or a git ref (REF or REF:PATH)."`
	B      string `arg:"" help:"What would replace it: likewise."`
	Format string `enum:"text,json,github,sarif" default:"text" help:"Output format: ${enum}. github and sarif annotate files of B." env:"-"`
	storeFlag
}

// withoutHistory is what a comparison of two catalogues cannot find.
const withoutHistory = "The rules rollback, purged and older need the history of the store, and are not checked. " +
	"import --dry-run checks them."

// Help is the part of the help that only this command prints.
func (gateCmd) Help() string { return withoutHistory }

// Run prints the findings of the gate that the candidate does not accept. The status is 1 if a publish
// would be held, and 2 if the catalogues cannot be compared.
func (c *gateCmd) Run(ctx context.Context, to streams) error {
	served, candidate, err := readBoth(ctx, c.storeFlag, c.A, c.B, to)
	if err != nil {
		return could{err}
	}
	findings := openFindings(served, candidate)
	if err := c.print(to, findings, candidate); err != nil {
		return could{fmt.Errorf("print the findings: %w", err)}
	}
	if slices.ContainsFunc(findings, holds) {
		return exit(statusFailed)
	}
	return nil
}

// openFindings returns the findings of the gate that the candidate does not accept, with the severity
// that they have in an import.
func openFindings(served, candidate operand) []gate.Finding {
	var open []gate.Finding
	for _, f := range gate.Compare(served.catalog, candidate.catalog, nil) {
		if f.Few {
			f.Severity = domain.GateWarn
		}
		if !publish.Accepted(f, candidate.catalog, domain.DateOf(time.Now())) {
			open = append(open, f)
		}
	}
	return open
}

// holds reports whether a finding holds a publish.
func holds(f gate.Finding) bool { return f.Severity != domain.GateWarn }

func (c *gateCmd) print(to streams, findings []gate.Finding, candidate operand) error {
	switch c.Format {
	case "json":
		return writeJSON(to.out, newFindingsJSON(findings))
	case formatGitHub:
		return writeGitHub(to.out, "vitrine gate", findingRemarks(findings, candidate), findingCounts(findings))
	case formatSARIF:
		return writeSARIF(to.out, findingRemarks(findings, candidate))
	}
	return printFindings(to.out, findings)
}

// findingCounts counts the findings by severity, strictest first.
func findingCounts(findings []gate.Finding) string {
	var counts []string
	for _, severity := range domain.GateSeverities() {
		n := 0
		for _, f := range findings {
			if f.Severity == severity {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%s %s", grouped(n), severity))
		}
	}
	return "findings: " + cmp.Or(strings.Join(counts, ", "), "none")
}

func printFindings(to io.Writer, findings []gate.Finding) error {
	w := bufio.NewWriter(to)
	for _, f := range findings {
		fmt.Fprintf(w, "%s %s: %s\n", f.Severity, f.Rule, printable(f.Summary()))
	}
	if len(findings) == 0 {
		fmt.Fprintln(w, "no findings")
	}
	return w.Flush()
}

// findingsJSON is what gate prints with `--format json`.
type findingsJSON struct {
	Findings []findingJSON `json:"findings"`
}

type findingJSON struct {
	Rule     string              `json:"rule"`
	Severity domain.GateSeverity `json:"severity"`
	Message  string              `json:"message"`
	Why      string              `json:"why"`
	Total    int                 `json:"total"` // affected records
	Records  []gate.Record       `json:"records"`
}

func newFindingsJSON(findings []gate.Finding) findingsJSON {
	out := findingsJSON{Findings: []findingJSON{}}
	for _, f := range findings {
		out.Findings = append(out.Findings, findingJSON{f.Rule, f.Severity, f.Message, f.Why, f.Total, findingRecords(f)})
	}
	return out
}

// findingRecords returns the first affected records, by group.
func findingRecords(f gate.Finding) []gate.Record {
	var records []gate.Record
	for _, g := range f.Groups() {
		records = append(records, g.Records...)
	}
	return records[:min(len(records), len(f.Records))]
}
