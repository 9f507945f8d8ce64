package domain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/fold"
)

// acceptances are those of a catalogue.
type acceptances struct {
	at    map[Acceptance]int // their indices, without reasons, keys folded
	keyed map[Rule]bool      // the accepted rules: true if an acceptance has a key
	met   []bool             // those that match a warning, by index
}

func newAcceptances(list []Acceptance) acceptances {
	a := acceptances{at: make(map[Acceptance]int), keyed: make(map[Rule]bool), met: make([]bool, len(list))}
	for i, of := range list {
		of = of.folded()
		if _, repeated := a.at[of]; !repeated {
			a.at[of] = i
		}
		a.keyed[of.Rule] = a.keyed[of.Rule] || of.Key != ""
	}
	return a
}

// folded returns the canonical form of equivalent acceptances.
func (a Acceptance) folded() Acceptance {
	a.Key, a.Reason = fold.Text(a.Key), ""
	return a
}

// accepts reports whether the editors accept a warning. locale is that of a missing translation,
// else "".
func (ck *checker) accepts(rule Rule, at Ref, locale string) bool {
	keyed, some := ck.accept.keyed[rule]
	if !some {
		return false
	}
	keys := []string{""}
	if keyed {
		keys = append(keys, fold.Text(ck.keyOf(at)))
	}
	accepted := false
	for _, key := range keys {
		for _, kind := range []Kind{"", at.Kind} {
			for _, l := range []string{"", locale} {
				if i, ok := ck.accept.at[Acceptance{Rule: rule, Kind: kind, Key: key, Locale: l}]; ok {
					accepted, ck.accept.met[i] = true, true // all matching ones are met
				}
			}
		}
	}
	return accepted
}

// keyOf returns the key of a record, as [Change] has it.
func (ck *checker) keyOf(at Ref) string {
	d := Describe(at.Kind)
	return d.Key(d.Record(ck.cat, at.Index))
}

// acceptances checks the acceptances of warnings.
func (ck *checker) acceptances(at Ref) {
	for i, a := range ck.cat.Accept {
		here := at.in("accept").at(i)
		ck.acceptance(here, a)
		if first := ck.accept.at[a.folded()]; first != i {
			ck.repeats(here, at.in("accept").at(first), RuleDuplicate, "this is accepted twice", "remove one of them")
		}
	}
}

func (ck *checker) acceptance(at Ref, a Acceptance) {
	switch {
	case a.Rule == "": // which is reported
	case a.Rule.Severity() == Error && slices.Contains(Rules(), a.Rule):
		ck.report(at.in("rule"), RuleUnknownValue, fmt.Sprintf("rule %s is an error, which cannot be accepted", quote(string(a.Rule))),
			"write one of "+strings.Join(formRule.values, ", "))
	case !slices.Contains(AcceptableRules(), a.Rule):
		ck.reportFault(at.in("rule"), unknownValue("rule", string(a.Rule), formRule.values))
	case a.Locale != "" && a.Rule != RuleMissingTranslation:
		ck.report(at.in("locale"), RuleUnknownValue, fmt.Sprintf("warnings of %s have no locale", a.Rule), "remove it")
	case a.Locale != "" && ck.locales != nil && !ck.locales[a.Locale]:
		ck.report(at.in("locale"), RuleUndeclaredLocale, fmt.Sprintf("locale %s is not declared", quote(a.Locale)), "write one of locales, as it stands there")
	}
	if a.Kind != "" && !slices.Contains(Kinds(), a.Kind) {
		ck.reportFault(at.in("kind"), unknownValue("kind", string(a.Kind), formKind.Values()))
	}
}

// unused reports unused categories and apps, and acceptances without a warning. It requires a
// catalogue without errors.
func (ck *checker) unused() {
	if ck.stored || ck.reading.Broken || ck.unread.some() || ck.found.Of(Error) > 0 {
		return
	}
	for i, c := range ck.cat.Categories {
		if !ck.usedCategories[i] {
			ck.report(Ref{Kind: KindCategory, Index: i}.in("key"), RuleUnusedCategory,
				fmt.Sprintf("no record has category %s, and no other category is below it", quote(c.Key)), "give it to a record, or remove it")
		}
	}
	for i, used := range ck.usedApps {
		if !used {
			ck.report(Ref{Kind: KindApp, Index: i}.in("key"), RuleUnusedApp, fmt.Sprintf("no card names app %s, so no menu shows it", quote(ck.cat.Apps[i].Key)),
				"name it in a card of a menu, or remove it")
		}
	}
	for i, used := range ck.usedAssets {
		if !used {
			ck.report(Ref{Kind: KindAsset, Index: i}, RuleUnusedAsset, "no record has this picture", "name it in a logo or an image, or remove the file")
		}
	}
	for i, met := range ck.accept.met {
		if !met {
			ck.report(Ref{Kind: KindCatalog}.in("accept").at(i), RuleUnusedAcceptance, "this accepts no warning that there is", "remove it")
		}
	}
}

// String returns a text that is unique for each acceptance.
func (a Acceptance) String() string {
	s := string(a.Rule)
	for _, part := range []struct{ name, value string }{
		{"kind", string(a.Kind)}, {"key", a.Key}, {"locale", a.Locale}, {"reason", a.Reason},
	} {
		if part.value != "" {
			s += " " + part.name + "=" + strconv.Quote(part.value)
		}
	}
	return s
}
