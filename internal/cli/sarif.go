package cli

import (
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"

	"vitrine/internal/domain"
)

// maxResults bounds the results of a SARIF log. GitHub shows no more.
const maxResults = 5000

// writeSARIF prints remarks as a log in the Static Analysis Results Interchange Format, version 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
func writeSARIF(to io.Writer, remarks []remark) error {
	shown, rules, results := remarks[:min(len(remarks), maxResults)], []domain.Object{}, []domain.Object{}
	names := rulesOf(shown)
	for _, name := range names {
		rules = append(rules, domain.Object{{"id", name}})
	}
	for _, r := range shown {
		i, _ := slices.BinarySearch(names, r.rule)
		results = append(results, sarifResult(r, i))
	}
	run := domain.Object{
		{"tool", domain.Object{{"driver", domain.Object{{"name", "vitrine"}, {"rules", rules}}}}},
		{"columnKind", "unicodeCodePoints"},
		{"results", results},
	}
	if omitted := len(remarks) - len(shown); omitted > 0 {
		run = append(run, domain.Member{"properties", domain.Object{{"omitted", omitted}}})
	}
	return writeJSON(to, domain.Object{
		{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", []domain.Object{run}},
	})
}

// sarifResult returns the result for a remark of the rule with an index.
func sarifResult(r remark, rule int) domain.Object {
	result := domain.Object{
		{"ruleId", r.rule}, {"ruleIndex", rule}, {"level", string(r.severity)}, {"message", domain.Object{{"text", r.message}}},
	}
	if r.file == "" {
		return result
	}
	return append(result, domain.Member{"locations", []domain.Object{{{"physicalLocation", domain.Object{
		{"artifactLocation", domain.Object{{"uri", fileURI(r.file)}}},
		{"region", domain.Object{{"startLine", max(r.line, 1)}, {"startColumn", max(r.column, 1)}}},
	}}}}})
}

// rulesOf returns the rules of remarks, sorted.
func rulesOf(remarks []remark) []string {
	var rules []string
	for _, r := range remarks {
		rules = append(rules, r.rule)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// fileURI returns the URI reference of a slash path: a file URI for an absolute one, else a relative
// reference.
func fileURI(name string) string {
	switch {
	case path.IsAbs(name):
		return (&url.URL{Scheme: "file", Path: name}).String()
	case filepath.VolumeName(filepath.FromSlash(name)) != "": // Windows
		return (&url.URL{Scheme: "file", Path: "/" + name}).String()
	}
	return (&url.URL{Path: name}).String()
}
