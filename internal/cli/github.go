package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"vitrine/internal/domain"
)

// maxAnnotations bounds the annotations of each severity. GitHub shows no more of a step.
const maxAnnotations = 10

// writeGitHub prints remarks as workflow commands, which GitHub Actions shows as annotations of files,
// and a summary.
func writeGitHub(to io.Writer, title string, remarks []remark, summary string) error {
	w := bufio.NewWriter(to)
	printed, omitted := map[domain.Severity]int{}, 0
	for _, r := range remarks {
		if printed[r.severity] == maxAnnotations {
			omitted++
			continue
		}
		printed[r.severity]++
		fmt.Fprintln(w, workflowCommand(string(r.severity), r))
	}
	if omitted > 0 {
		summary += fmt.Sprintf("; without annotation: %d", omitted)
	}
	fmt.Fprintln(w, workflowCommand("notice", remark{rule: title, message: summary}))
	return w.Flush()
}

// The escapes of workflow commands. A percent sign is escaped first, as by one pass.
var (
	commandMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// workflowCommand returns the line of a workflow command.
func workflowCommand(name string, r remark) string {
	var properties []string
	add := func(name, value string) {
		properties = append(properties, name+"="+commandProperty.Replace(value))
	}
	if r.file != "" {
		add("file", r.file)
		add("line", fmt.Sprint(max(r.line, 1)))
		add("col", fmt.Sprint(max(r.column, 1)))
	}
	if r.rule != "" {
		add("title", r.rule)
	}
	return fmt.Sprintf("::%s %s::%s", name, strings.Join(properties, ","), commandMessage.Replace(r.message))
}
