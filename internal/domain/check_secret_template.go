package domain

import (
	"regexp"
	"slices"
	"strings"
)

// Placeholders for a key of the user, each a whole segment or value.
var (
	templates     = regexp.MustCompile(`^(?:\$?\{\{?[\p{L}\p{N}_ .:|-]*\p{L}[\p{L}\p{N}_ .:|-]*\}?\}|<[^<>]+>|\[[\p{L}\p{N}_ .:-]*\p{L}[\p{L}\p{N}_ .:-]*\])$`)
	templateWords = regexp.MustCompile(`(?i)^(?:your|my|insert|enter|put|replace|add)(?:[-_ ]?(?:[a-z0-9]+[-_ ])*)(?:api)?[-_ ]?(?:key|token|secret|id|password|credentials?|here)(?:[-_ ]?(?:here|token))?$`)
	templateNames = regexp.MustCompile(`^(?:[A-Z0-9]+[-_])+(?:KEY|TOKEN|SECRET|ID|PASSWORD)$|^(?:API_?KEY|\*{3,}|(?i:x{6,})|…|\.{3,}|[$:](?i:[a-z][a-z0-9_-]*))$`)
)

// isTemplate reports whether s is a placeholder in brackets, such as <API_KEY>, {key}, ${KEY} or
// [KEY], or in capitals, such as YOUR_API_KEY.
func isTemplate(s string) bool {
	return mayBeTemplate(s) && (templates.MatchString(s) || s == strings.ToUpper(s) && templateWords.MatchString(s))
}

// isTemplateWord reports whether s may be a placeholder for a key, but may also be a word of a
// page: your-api-key, API_KEY, :key, xxxxxxxx.
func isTemplateWord(s string) bool {
	return mayBeTemplate(s) && (templateWords.MatchString(s) || templateNames.MatchString(s))
}

// templateEnds are the suffixes of the matches of templateWords and templateNames.
var templateEnds = []string{"key", "token", "secret", "id", "password", "credential", "credentials", "here"}

// mayBeTemplate reports whether s has a beginning or end of a match of the three expressions. It
// is a cheap filter, because the expressions cost more than all other checks of a link.
func mayBeTemplate(s string) bool {
	if s == "" {
		return false
	}
	return strings.IndexByte("${<[*xX.:", s[0]) >= 0 || !isPlainASCII(s) ||
		slices.ContainsFunc(templateEnds, func(end string) bool { return len(s) >= len(end) && strings.EqualFold(s[len(s)-len(end):], end) })
}

// isTemplated reports whether is accepts any segment or value.
func (p linkParts) isTemplated(is func(string) bool) bool {
	return slices.ContainsFunc(p.segments, is) || slices.ContainsFunc(p.params, func(p parameter) bool { return is(p.value) })
}

// asksForSecret reports whether a parameter for a key is empty.
func (p linkParts) asksForSecret() bool {
	return slices.ContainsFunc(p.params, func(p parameter) bool {
		return p.value == "" && parameter{p.name, "x1x1x1"}.secret() != 0
	})
}
