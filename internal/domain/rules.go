package domain

import "slices"

// Rule is the name of the rule that a problem breaks. Names are stable: scripts may match them.
type Rule string

// Rules of reading, which package bundle applies to files.
const (
	RuleMissingFile    Rule = "missing-file"    // catalog.yaml is missing
	RuleUnknownFile    Rule = "unknown-file"    // an unexpected .yaml, .yml, .json or .ndjson file
	RuleDuplicateFile  Rule = "duplicate-file"  // the same file as .yaml and as .json
	RuleUnreadableFile Rule = "unreadable-file" // a file that cannot be opened, is not a regular file or is over a limit
	RuleInvalidUTF8    Rule = "invalid-utf8"
	RuleWrongContent   Rule = "wrong-content"  // a Git LFS pointer, an HTML page …
	RuleMergeConflict  Rule = "merge-conflict" // lines that git left
	RuleSyntax         Rule = "syntax"
	RuleDuplicateField Rule = "duplicate-field"
	RuleUnknownField   Rule = "unknown-field"
	RuleWrongType      Rule = "wrong-type" // a number where text belongs, a map where a list belongs …
)

// Rules of a valid catalogue, which [Check] applies to records.
const (
	RuleMissingField       Rule = "missing-field"
	RuleMissingText        Rule = "missing-text" // no text in the default locale
	RuleMalformedKey       Rule = "malformed-key"
	RuleMalformedHandle    Rule = "malformed-handle"
	RuleMalformedLocale    Rule = "malformed-locale"
	RuleMalformedScheme    Rule = "malformed-scheme"
	RuleMalformedFigure    Rule = "malformed-figure"
	RuleFutureDate         Rule = "future-date" // a figure of a day that is still to come
	RuleMalformedDate      Rule = "malformed-date"
	RuleStatusConflict     Rule = "status-conflict" // dates, status and successor that do not fit together
	RuleMalformedExtra     Rule = "malformed-extra" // no JSON object, or one that lies too deep
	RuleMalformedLink      Rule = "malformed-link"
	RuleSecretInLink       Rule = "secret-in-link" // a password or a key, which would be published
	RuleInvisibleText      Rule = "invisible-text"
	RuleForbiddenCharacter Rule = "forbidden-character"
	RuleTooLong            Rule = "too-long"
	RuleUnknownValue       Rule = "unknown-value" // outside an enumeration
	RuleUndeclaredLocale   Rule = "undeclared-locale"
	RuleDuplicate          Rule = "duplicate"
	RuleUnknownCategory    Rule = "unknown-category"
	RuleUnknownGroup       Rule = "unknown-group"
	RuleUnknownMenu        Rule = "unknown-menu"
	RuleUnknownChain       Rule = "unknown-chain"
	RuleUnknownApp         Rule = "unknown-app"
	RuleWrongScope         Rule = "wrong-scope" // a reference to a record of another module or scope
	RuleMissingGroup       Rule = "missing-group"
	RuleParentCycle        Rule = "parent-cycle"
	RuleMenuInTwoGroups    Rule = "menu-in-two-groups"
	RuleUnknownAsset       Rule = "unknown-asset"
	RuleMalformedPicture   Rule = "malformed-picture" // no SVG or PNG, or one that may do more than show a picture
	RuleLinkItem           Rule = "link-item"         // an item of type link has one card
	RuleTooFew             Rule = "too-few"           // fewer than expected
)

// Warnings: the catalogue may be published.
const (
	RuleDuplicateChainID   Rule = "duplicate-chain-id"
	RuleConfusableName     Rule = "confusable-name" // it looks like that of another record
	RuleMissingTranslation Rule = "missing-translation"
	RuleUnlistedMenu       Rule = "unlisted-menu"
	RuleHeldBack           Rule = "held-back"      // the followers of an account are unknown
	RuleOldFigure          Rule = "old-figure"     // a figure that exceeds max_age
	RuleOverdueLaunch      Rule = "overdue-launch" // of an upcoming record
	RuleParentScope        Rule = "parent-scope"   // a parent that lacks some scope of its child
	RuleUnusedCategory     Rule = "unused-category"
	RuleUnusedApp          Rule = "unused-app" // no card names it, so no menu has it
	RuleUnusedAsset        Rule = "unused-asset"
	RulePossibleKey        Rule = "possible-key" // a link that may hold a private key
	RulePlaceholderInLink  Rule = "placeholder-in-link"
	RulePrivateHost        Rule = "private-host"       // a page or an image on a host that is not public
	RuleUnusedAcceptance   Rule = "unused-acceptance"  // matches no warning
	RuleTooMany            Rule = "too-many"           // more than expected
	RuleExpiredAcceptance  Rule = "expired-acceptance" // of a rule of the gate
)

// errorRules and warningRules are all rules, in the order of the constants.
var (
	errorRules = []Rule{
		RuleMissingFile, RuleUnknownFile, RuleDuplicateFile, RuleUnreadableFile, RuleInvalidUTF8,
		RuleWrongContent, RuleMergeConflict, RuleSyntax, RuleDuplicateField, RuleUnknownField, RuleWrongType,
		RuleMissingField, RuleMissingText, RuleMalformedKey, RuleMalformedHandle, RuleMalformedLocale,
		RuleMalformedScheme, RuleMalformedFigure, RuleFutureDate, RuleMalformedDate, RuleStatusConflict, RuleMalformedExtra,
		RuleMalformedLink, RuleSecretInLink, RuleInvisibleText, RuleForbiddenCharacter, RuleTooLong,
		RuleUnknownValue, RuleUndeclaredLocale, RuleDuplicate, RuleUnknownCategory, RuleUnknownGroup,
		RuleUnknownMenu, RuleUnknownChain, RuleUnknownApp, RuleWrongScope, RuleMissingGroup, RuleParentCycle, RuleMenuInTwoGroups,
		RuleUnknownAsset, RuleMalformedPicture, RuleLinkItem, RuleTooFew,
	}
	warningRules = []Rule{
		RuleDuplicateChainID, RuleConfusableName, RuleMissingTranslation, RuleUnlistedMenu, RuleHeldBack, RuleOldFigure, RuleOverdueLaunch, RuleParentScope,
		RuleUnusedCategory, RuleUnusedApp, RuleUnusedAsset, RulePossibleKey, RulePlaceholderInLink, RulePrivateHost, RuleUnusedAcceptance,
		RuleTooMany, RuleExpiredAcceptance,
	}
)

// Rules returns all rules: those of reading, those of a valid catalogue, the warnings. The
// documentation has the same order.
func Rules() []Rule { return slices.Concat(errorRules, warningRules) }

// Severity returns Warning for the rules that warn and Error for all others.
func (r Rule) Severity() Severity {
	if slices.Contains(warningRules, r) {
		return Warning
	}
	return Error
}

// AcceptableRules returns the rules whose warnings can be accepted, in the order of [Rules]: all
// except those about acceptances.
func AcceptableRules() []Rule {
	return slices.DeleteFunc(slices.Clone(warningRules), func(r Rule) bool { return r == RuleUnusedAcceptance || r == RuleExpiredAcceptance })
}
