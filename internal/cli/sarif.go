package cli

import (
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
)

// maxResults bounds the results of a SARIF log. GitHub shows no more.
const maxResults = 5000

// sarifLog is a log in the Static Analysis Results Interchange Format, version 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type (
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
		Properties *sarifOmitted `json:"properties,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
	sarifOmitted struct {
		Omitted int `json:"omitted"` // results beyond maxResults
	}
)

// writeSARIF prints remarks as a SARIF log.
func writeSARIF(to io.Writer, remarks []remark) error {
	shown := remarks[:min(len(remarks), maxResults)]
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}, Tool: sarifTool{sarifDriver{Name: "vitrine", Rules: []sarifRule{}}}}
	if omitted := len(remarks) - len(shown); omitted > 0 {
		run.Properties = &sarifOmitted{omitted}
	}
	rules := rulesOf(shown)
	for _, rule := range rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{rule})
	}
	for _, r := range shown {
		i, _ := slices.BinarySearch(rules, r.rule)
		result := sarifResult{RuleID: r.rule, RuleIndex: i, Level: string(r.severity), Message: sarifMessage{r.message}}
		if r.file != "" {
			result.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{fileURI(r.file)}, sarifRegion{max(r.line, 1), max(r.column, 1)}}}}
		}
		run.Results = append(run.Results, result)
	}
	return writeJSON(to, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
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
