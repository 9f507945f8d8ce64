package domain

import (
	"fmt"
	"slices"
	"strings"
)

// Form defines the valid lines of a field. A form without rules allows any text of one line.
type Form struct {
	name    string   // of the shared definition in schemas, "" for none
	values  []string // allowed values, nil for any
	pattern string   // regular expression in schemas, "" for none
	check   func(what, value string) *fault
	samples []string // valid values for tests
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
	formAny       = &Form{samples: []string{"OpenAI", "Öl", "Zoo", "zoo", "AI Arena", "以太坊", "ETH"}}
	formKey       = &Form{name: "key", pattern: "^[a-z0-9][a-z0-9._-]{0,99}$", check: keyFault}
	formHandle    = &Form{pattern: "^@?[A-Za-z0-9_]{1,50}$", check: handleFault}
	formChannelID = &Form{pattern: "^[A-Za-z0-9_-]{1,100}$", check: channelIDFault}
	formAsset     = &Form{check: assetFault}
	formLocale    = &Form{}
	formScheme    = &Form{check: schemeFault, samples: []string{"celo", "ton"}}
	formEditURL   = &Form{pattern: `^https://[^{}]+(\{(file|line)\}[^{}]*)+$`, check: editURLFault, samples: []string{"https://github.com/o/r/edit/main/{file}#L{line}", "https://git.example.org/{file}"}}
	formRule      = &Form{values: Convert[string](AcceptableRules())}
	formKind      = &Form{} // see Values
	formScope     = &Form{name: "scope", values: Convert[string](Modules())}
	formStatus    = &Form{values: Convert[string](Statuses())}
	formLinkType  = &Form{values: Convert[string](LinkTypes())}
	formOlder     = &Form{values: Convert[string](Olders())}
	formPlatform  = &Form{values: Convert[string](Platforms())}
	formGateRule  = &Form{pattern: gateRulePattern, check: gateRuleFault, samples: []string{"shrink:chains", "moved:apps.link"}}
	formExpected  = &Form{samples: []string{"name", "description"}}
	formSeverity  = &Form{values: Convert[string](GateSeverities())}
	formColour    = &Form{pattern: "^#[0-9a-fA-F]{6}$", check: colourFault, samples: []string{"#1a2b3c", "#FFAA00"}}
	formWord      = &Form{pattern: "^[a-zA-Z_.-]+(#(zero|one|two|few|many))?$", samples: []string{"nav.apps", "skip", "count.chains#one"}} // see checker.words
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

// schema returns the schema of a line. Optional lines may be null or empty.
func (f *Form) schema(s *Schemas, required bool) Object {
	values := f.Values()
	switch {
	case f.name != "" && required:
		return s.Shared(f.name)
	case values != nil && required:
		return Object{{"enum", values}}
	case values != nil:
		return Object{{"enum", append(anyOf(values), nil)}}
	case f.pattern != "" && required:
		return Object{{"type", "string"}, {"minLength", 1}, {"pattern", f.pattern}}
	case f.pattern != "":
		return Object{{"type", orNull("string")}, {"pattern", "^$|" + f.pattern}}
	case required:
		return Object{{"type", "string"}, {"minLength", 1}, {"pattern", `\S`}}
	}
	return Object{{"type", orNull("string")}}
}

func anyOf(values []string) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}
