package domain

import (
	"fmt"
	"slices"
	"strings"
)

// gate checks the settings of the gate.
func (ck *checker) gate(at Ref) {
	g := ck.cat.Gate
	if g == nil {
		return
	}
	for _, f := range gateShape.Fields {
		if f.Parts != thresholdShape || f.Size(g) == 0 {
			continue
		}
		if share := f.Part(g, 0).(*Threshold).Share; share < 0 {
			ck.report(at.in(f.Name, "share"), RuleMalformedFigure, "share is below 0", "write a share, as 0.25")
		}
	}
	for i, a := range g.Accept {
		if rule := gateRuleOfKind(a.Rule); rule != a.Rule {
			ck.report(at.in("accept").at(i).in("rule"), RuleUnknownValue, fmt.Sprintf("rule %s is not known", quote(a.Rule)), "write "+rule)
		}
		if a.Expires.valid() && a.Expired(ck.reading.Today) {
			ck.report(at.in("accept").at(i).in("expires"), RuleExpiredAcceptance, fmt.Sprintf("the acceptance of %s expired on %s and no longer applies", a.Rule, a.Expires), "remove it")
		}
	}
}

// gateRuleOfKind returns a rule of the gate with the name of its kind instead of another name of it:
// moved:apps.link for moved:app.link. It returns other rules unchanged.
func gateRuleOfKind(rule string) string {
	family, subject, _ := strings.Cut(rule, ":")
	switch GateFamily(family) {
	case GateCategory, GateJump, GateBackwards: // they have no kind
		return rule
	}
	name, _, _ := strings.Cut(subject, ".")
	d := Named(name)
	if d == nil || !slices.Contains(GateFamilies(), GateFamily(family)) {
		return rule
	}
	return family + ":" + string(d.Kind) + strings.TrimPrefix(subject, name)
}

// expectations validates the editors' expectations, and checks the catalogue against them.
// Expectations of figures are left to the publish, because figures may be observed.
func (ck *checker) expectations(at Ref) {
	for i, e := range ck.cat.Expect {
		here := at.in("expect").at(i)
		if e.Fill > 1 || !ck.expectation(here, e) || ck.reading.Broken || ck.unread.some() || ck.ofFigure(e) {
			continue
		}
		have, of := e.Measure(ck.cat)
		if text := e.TooFew(have, of); text != "" {
			name := "min"
			if float64(have) >= e.Min {
				name = "fill"
			}
			ck.report(here.in(name), RuleTooFew, text, "add what is missing, or expect less")
		}
		if text := e.TooMany(have); text != "" {
			ck.report(here.in("max"), RuleTooMany, text, "remove what should not be there, or expect more")
		}
	}
}

func (ck *checker) ofFigure(e Expectation) bool {
	f := Describe(e.Kind).Shape.Field(e.Field)
	return f != nil && f.Type == TypeFigure
}

// expectation checks one expectation and reports whether it can be measured.
func (ck *checker) expectation(at Ref, e Expectation) bool {
	before := ck.reports
	d := Describe(e.Kind)
	switch {
	case e.Kind == "": // which is reported
		return false
	case d == nil || e.Kind == KindCatalog:
		ck.reportFault(at.in("kind"), unknownValue("kind", string(e.Kind), expectedKinds()))
		return false
	}
	field := d.Shape.Field(e.Field)
	switch {
	case e.Field != "" && field == nil:
		ck.reportFault(at.in("field"), unknownValue("field", e.Field, fieldNames(d.Shape)))
	case e.Locale != "" && (field == nil || field.Type != TypeText):
		ck.report(at.in("locale"), RuleUnknownValue, "only texts have a locale", "remove it, or name the field of a text")
	case e.Locale != "" && ck.locales != nil && !ck.locales[e.Locale]:
		ck.report(at.in("locale"), RuleUndeclaredLocale, fmt.Sprintf("locale %s is not declared", quote(e.Locale)), "write one of locales, as it stands there")
	}
	switch {
	case e.Min == 0 && e.Max == 0 && e.Fill == 0:
		ck.report(at, RuleMissingField, "the expectation has none of min, max and fill", "add one of them, or remove the entry")
	case e.Fill < 0:
		ck.report(at.in("fill"), RuleMalformedFigure, "fill is below 0", "write a share, as 0.9")
	case e.Fill > 0 && e.Field == "":
		ck.report(at.in("fill"), RuleMissingField, "fill has no field", "add the field that records should have")
	}
	return ck.reports == before
}

func expectedKinds() []string {
	return slices.DeleteFunc(Convert[string](Kinds()), func(k string) bool { return k == string(KindCatalog) })
}

func fieldNames(s *Shape) []string {
	names := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		names[i] = f.Name
	}
	return names
}
