package domain

import (
	"fmt"
	"slices"
	"strings"
)

// Form defines the valid lines of a field. A form without rules allows any text of one line.
type Form struct {
	// Pattern is a regular expression of the valid lines for schemas, "" for none.
	Pattern string

	values []string // allowed values, nil for any
	check  func(what, value string) *fault
}

// Fault returns what is wrong with a value and its remedy, "" if nothing is. what names the value.
func (f *Form) Fault(what, value string) (message, remedy string) {
	if f == nil || f.check == nil {
		return "", ""
	}
	if fault := f.check(what, value); fault != nil {
		return fault.message, fault.remedy
	}
	return "", ""
}

// The forms of lines. Rules of the catalogue check locales, rules, kinds and expected fields.
var (
	formAny       = &Form{}
	formKey       = &Form{Pattern: "^[a-z0-9][a-z0-9._-]{0,99}$", check: keyFault}
	formHandle    = &Form{Pattern: "^@?[A-Za-z0-9_]{1,50}$", check: handleFault}
	formChannelID = &Form{Pattern: "^[A-Za-z0-9_-]{1,100}$", check: channelIDFault}
	formAsset     = &Form{check: assetFault}
	formLocale    = &Form{}
	formScheme    = &Form{check: schemeFault}
	formEditURL   = &Form{Pattern: `^https://[^{}]+(\{(file|line)\}[^{}]*)+$`, check: editURLFault}
	formRule      = &Form{values: Convert[string](AcceptableRules())}
	formKind      = &Form{} // see Values
	formScope     = &Form{values: Convert[string](Modules())}
	formStatus    = &Form{values: Convert[string](Statuses())}
	formLinkType  = &Form{values: Convert[string](LinkTypes())}
	formOlder     = &Form{values: Convert[string](Olders())}
	formPlatform  = &Form{values: Convert[string](Platforms())}
	formGateRule  = &Form{Pattern: gateRulePattern, check: gateRuleFault}
	formExpected  = &Form{}
	formSeverity  = &Form{values: Convert[string](GateSeverities())}
	formColour    = &Form{Pattern: "^#[0-9a-fA-F]{6}$", check: colourFault}
	formWord      = &Form{Pattern: "^[a-zA-Z_.-]+(#(zero|one|two|few|many))?$"} // see checker.words
	formItemType  = &Form{values: []string{string(ItemCategory), string(ItemLink)}}
)

// Values returns the allowed values, nil for any.
func (f *Form) Values() []string {
	if f == formKind { // the descriptions depend on this form
		return Convert[string](Kinds())
	}
	return f.values
}

// fault returns the fault of a non-empty line, nil for none. what is its name in messages.
func (f *Form) fault(ck *checker, what, value string) *fault {
	switch allowed := f.Values(); {
	case allowed == nil && f.check == nil:
		return ck.textFault(what, value, maxName, false)
	case allowed == nil:
		return f.check(what, value)
	case !slices.Contains(allowed, value):
		return unknownValue(what, value, allowed)
	}
	return nil
}

func unknownValue(what, value string, allowed []string) *fault {
	remedy := "write one of " + strings.Join(allowed, ", ")
	if near := nearest(value, allowed); near != "" {
		remedy = fmt.Sprintf("write %s; allowed are %s", near, strings.Join(allowed, ", "))
	}
	return &fault{RuleUnknownValue, fmt.Sprintf("%s %s is not known", what, quote(value)), remedy}
}
