package locale

import (
	"errors"
	"regexp"
	"strings"

	"golang.org/x/text/language"
)

// maxBytes is the length of the longest well-formed tag (docs/api.md#languages).
const maxBytes = 64

// Reasons for rejecting a tag.
var (
	errTooLong      = errors.New("too long")
	errMalformed    = errors.New("not a well-formed language tag")
	errUndetermined = errors.New("names no language")
)

// wellFormed is the grammar of RFC 5646, section 2.1, and its irregular tags,
// in lower case. x/text also accepts de-1996-a000.
var wellFormed = regexp.MustCompile(`^(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})` + // language
	`(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?` + // script, region
	`(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*` + // variants
	`(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?$` + // extensions, private use
	`|^(?:en-gb-oed|sgn-(?:be-fr|be-nl|ch-de)` +
	`|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu))$`)

// canonical replaces deprecated codes and those of predominant languages (`iw` by
// `he`, `cmn` by `zh`, `nb` by `no`). It keeps scripts: `kk-Cyrl-CN` without Cyrl
// would be `kk-CN`, which is Arabic.
const canonical = language.All &^ language.SuppressScript

// noScript is the code of an unknown script, noRegion of an unknown region.
const (
	noScript = "Zzzz"
	noRegion = "ZZ"
)

// tag is a language tag that names a language.
type tag struct {
	tag    language.Tag // canonical
	base   string       // the base language
	script string       // explicit or likely; noScript if there is neither
	full   string       // the canonical tag with the script written out
}

// newTag returns t with its script after likely subtags are added.
func newTag(t language.Tag) tag {
	base, _, region := t.Raw()
	script, _ := t.Script()
	full, err := language.Raw.Compose(base, script, region, t.Variants(), t.Extensions())
	if err != nil {
		full = t
	}
	return tag{tag: t, base: base.String(), script: script.String(), full: full.String()}
}

// parse parses a tag. If the error is [isUnknownSubtag], the tag lacks the unknown
// subtags; with any other error there is no tag.
func parse(value string) (tag, error) {
	if len(value) > maxBytes {
		return tag{}, errTooLong
	}
	spelled := spelling(value)
	if strings.HasPrefix(spelled, "x-") || strings.HasPrefix(spelled, "und-") {
		return tag{}, errUndetermined // x/text parses und-yue as yue
	}
	if !wellFormed.MatchString(spelled) {
		return tag{}, errMalformed
	}
	parsed, err := canonical.Parse(value)
	if err != nil && !isUnknownSubtag(err) {
		return tag{}, errMalformed
	}
	base, script, region := parsed.Raw()
	if base.String() == "und" {
		return tag{}, errUndetermined
	}
	if script.String() == noScript {
		// An explicit Zzzz is unknown, as in CLDR; x/text treats it as a script.
		if bare, err := language.Raw.Compose(base, region, parsed.Variants(), parsed.Extensions()); err == nil {
			parsed = bare
		}
	}
	return newTag(parsed), err
}

// isUnknownSubtag reports whether a tag is well-formed, but has an unknown subtag.
func isUnknownSubtag(err error) bool {
	var unknown language.ValueError
	return errors.As(err, &unknown)
}

// identical reports whether both are one canonical tag.
func (t tag) identical(other tag) bool { return t.tag.String() == other.tag.String() }

// equivalent reports whether both are the same locale after likely scripts are
// added.
func (t tag) equivalent(other tag) bool { return t.full == other.full }

// line returns t and its fallbacks: t without extensions, without its variants one by
// one, and then its CLDR parents, without the root. It may have repeats.
func (t tag) line() []tag {
	line := []tag{t}
	base, script, region := t.tag.Raw()
	rest := t.tag
	all := t.tag.Variants()
	for n := len(all); n >= 0; n-- {
		shorter, err := language.Raw.Compose(base, script, region, all[:n])
		if err != nil {
			break
		}
		rest = shorter
		line = append(line, newTag(rest))
	}
	for p := rest.Parent(); !p.IsRoot(); p = p.Parent() {
		if isLanguageAlone(p) && script.String() != noScript {
			// x/text goes from zh-Hans-CN to zh at once.
			withScript, _ := language.Raw.Compose(base, script)
			line = append(line, newTag(withScript))
		}
		line = append(line, newTag(p))
	}
	return line
}

// isLanguageAlone reports whether t has neither script nor region.
func isLanguageAlone(t language.Tag) bool {
	_, script, region := t.Raw()
	return script.String() == noScript && region.String() == noRegion
}

// otherChinese returns the other script of a Chinese locale, "" for other languages:
// only Chinese falls back from one of its scripts to the other
// (docs/api.md#languages).
func (t tag) otherChinese() string {
	switch {
	case t.base == "zh" && t.script == "Hans":
		return "Hant"
	case t.base == "zh" && t.script == "Hant":
		return "Hans"
	}
	return ""
}

// spelling returns a canonical spelling of a tag: lower case, with `-`. It folds only
// ASCII, because tags have no other letters, and the Kelvin sign is not a k.
func spelling(value string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_':
			return '-'
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, value)
}
