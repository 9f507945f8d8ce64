package domain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// GateSettings configure the comparison of each publish with the served catalogue. The zero value
// and nil mean the default thresholds and severities.
type GateSettings struct {
	Shrink *Threshold // of lost records
	Values *Threshold // of changed values
	Window float64    // days over which gradual losses count; 0 for [StandardWindow]
	Rules  *GateRules // nil for the default severities
	Accept []GateAcceptance
}

// StandardWindow is the number of days over which gradual losses count.
const StandardWindow = 30

// Threshold is the share of records from which a change is large. 0 means the default.
type Threshold struct {
	Share float64 // above 0, at most 1
	Min   float64 // records; a whole number
}

// GateSeverity is the effect of a finding of the gate on a publish.
type GateSeverity string

// The severities, strictest first.
const (
	GateStop GateSeverity = "stop" // held; only an entry of gate.accept accepts it
	GateAsk  GateSeverity = "ask"  // held until accepted
	GateWarn GateSeverity = "warn" // published with a warning
)

// GateSeverities returns all severities, strictest first.
func GateSeverities() []GateSeverity { return []GateSeverity{GateStop, GateAsk, GateWarn} }

// GateFamily is the part of a rule of the gate before the colon.
type GateFamily string

// The families of the rules that compare two catalogues.
const (
	GateShrink    GateFamily = "shrink"    // shrink:KIND: readers lose many records of a kind
	GateExpect    GateFamily = "expect"    // expect:KIND.FIELD.LOCALE: an expectation is not met
	GateEmptied   GateFamily = "emptied"   // emptied:KIND.FIELD: many records lose a value
	GateIdentical GateFamily = "identical" // identical:KIND.FIELD: many records get the same value
	GateBulk      GateFamily = "bulk"      // bulk:KIND.FIELD: a stable value changes in many records
	GateMoved     GateFamily = "moved"     // moved:KIND.FIELD: an identifying value moves to another record
	GateReplaced  GateFamily = "replaced"  // replaced:KIND: a key gets another record
	GateCurrency  GateFamily = "currency"  // currency:chains: a chain's currency or its decimals change
	GateCategory  GateFamily = "category"  // category:KEY: many records leave a category
	GateJump      GateFamily = "jump"      // jump:FIGURE: figures change by an implausible factor
	GateBackwards GateFamily = "backwards" // backwards:FIGURE: dates of figures become older
	GateLookalike GateFamily = "lookalike" // lookalike:KIND.FIELD: a new name or host resembles a known one
)

// GateFamilies returns the families in the order in which findings are listed.
func GateFamilies() []GateFamily {
	return []GateFamily{
		GateShrink, GateExpect, GateEmptied, GateIdentical, GateBulk, GateMoved, GateReplaced, GateCurrency,
		GateCategory, GateJump, GateBackwards, GateLookalike,
	}
}

// GateRules has the severities of families by index in [GateFamilies]; "" for the default.
type GateRules [12]GateSeverity

// Severity returns the configured severity of a family, "" for the default.
func (r *GateRules) Severity(family GateFamily) GateSeverity {
	i := slices.Index(GateFamilies(), family)
	if r == nil || i < 0 {
		return ""
	}
	return r[i]
}

// GateAcceptance is an acceptance of a rule of the gate in the directory, with an end date.
type GateAcceptance struct {
	Rule    string // as in holds
	Key     string // of a record; "" for all that the rule holds
	Reason  string
	Author  string
	Expires Date // last day
}

// Expired reports whether the acceptance has ended. With today "" it has not.
func (a GateAcceptance) Expired(today Date) bool { return today != "" && a.Expires < today }

// String returns a text that is unique for each acceptance.
func (a GateAcceptance) String() string {
	s := a.Rule
	if a.Key != "" {
		s += "=" + a.Key
	}
	return fmt.Sprintf("%s until %s by %q: %q", s, a.Expires, a.Author, a.Reason)
}

// Expectation is the editors' expectation of a kind, or of a field of its records that are not
// retired. A figure of 0 sets no limit.
type Expectation struct {
	Kind   Kind
	Field  string // "" for the records themselves
	Locale string // of a text; "" for any
	Min    float64
	Max    float64
	Fill   float64 // share of the records that have the field
}

// Name returns the subject of the expectation: `chains`, `chains.website`, `apps.title.ja`.
func (e Expectation) Name() string {
	name := string(e.Kind)
	for _, part := range []string{e.Field, e.Locale} {
		if part != "" {
			name += "." + part
		}
	}
	return name
}

// String returns a text that is unique for each expectation.
func (e Expectation) String() string {
	s := e.Name()
	for _, limit := range []struct {
		name  string
		value float64
	}{{"min", e.Min}, {"max", e.Max}, {"fill", e.Fill}} {
		if limit.value != 0 {
			s += " " + limit.name + " " + formatNumber(limit.value)
		}
	}
	return s
}

// Measure returns the number of records that are not retired, and of those with the field;
// without a field, have equals of. Both are 0 for an unknown kind or field.
func (e Expectation) Measure(c *Catalog) (have, of int) {
	d := Describe(e.Kind)
	if d == nil {
		return 0, 0
	}
	field := d.Shape.Field(e.Field)
	if field == nil && e.Field != "" {
		return 0, 0
	}
	for i := range d.Size(c) {
		record := d.Record(c, i)
		if IsRetired(record) {
			continue
		}
		of++
		if e.isIn(field, record) {
			have++
		}
	}
	return have, of
}

func (e Expectation) isIn(field *Field, record any) bool {
	if field == nil {
		return true
	}
	if e.Locale != "" && field.Type == TypeText {
		return slices.ContainsFunc(*field.Text(record), func(t Translation) bool { return t.Locale == e.Locale })
	}
	return !field.IsEmpty(record)
}

// TooFew describes how the catalogue has less than expected, "" if it does not.
func (e Expectation) TooFew(have, of int) string {
	switch {
	case float64(have) < e.Min:
		return fmt.Sprintf("%s has %d records, at least %s are expected", e.Name(), have, formatNumber(e.Min))
	case e.Fill > 0 && of > 0 && float64(have) < e.Fill*float64(of):
		return fmt.Sprintf("%s has a value in %d of %d records (%d %%), at least %s %% are expected",
			e.Name(), have, of, 100*have/of, formatNumber(100*e.Fill))
	}
	return ""
}

// TooMany describes how the catalogue has more than expected, "" if it does not.
func (e Expectation) TooMany(have int) string {
	if e.Max == 0 || float64(have) <= e.Max {
		return ""
	}
	return fmt.Sprintf("%s has %d records, at most %s are expected", e.Name(), have, formatNumber(e.Max))
}

// IsRetired reports whether a record has the status retired.
func IsRetired(record any) bool {
	switch r := record.(type) {
	case *Chain:
		return r.Status.Retired()
	case *App:
		return r.Status.Retired()
	}
	return false
}

// gateRulePattern matches the rules of the gate: a family and its subject.
const gateRulePattern = "^[a-z]+(:[A-Za-z0-9._/-]+)?$"

var gateRules = regexp.MustCompile(gateRulePattern)

// IsGateRule reports whether a name is valid for a rule of the gate.
func IsGateRule(name string) bool {
	family, of, _ := strings.Cut(name, ":")
	return name == "older" || of != "" && gateRules.MatchString(name) && (family == "rollback" || family == "purged" || slices.Contains(GateFamilies(), GateFamily(family)))
}

func gateRuleFault(what, value string) *fault {
	if IsGateRule(value) {
		return nil
	}
	return &fault{RuleUnknownValue, fmt.Sprintf("%s %s is not known", what, quote(value)), "write the rule as the hold names it, such as shrink:chains"}
}
