package gate

import (
	"fmt"

	"vitrine/internal/domain"
)

// expected holds expectations of the candidate that it does not meet, unless the served catalogue
// misses them by at least as much.
func (c *comparison) expected() []Finding {
	var all []Finding
	for _, e := range c.candidate.Expect {
		have, of := e.Measure(c.candidate)
		few, many := e.TooFew(have, of), e.TooMany(have)
		if few == "" && many == "" {
			continue
		}
		had, hadOf := e.Measure(c.served)
		fewer := have < had || have*hadOf < had*of
		switch {
		case few != "" && fewer:
			all = append(all, expectation(e, domain.GateStop, few))
		case many != "" && have > had:
			all = append(all, expectation(e, domain.GateAsk, many))
		}
	}
	return all
}

func expectation(e domain.Expectation, severity domain.GateSeverity, message string) Finding {
	return Finding{Rule: fmt.Sprintf("%s:%s", domain.GateExpect, e.Name()), Severity: severity, Message: message, Why: "expect in catalog.yaml says so"}
}
