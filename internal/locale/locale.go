// Package locale matches requested locales with those of a catalogue: the tags that
// a catalogue may declare, the best declared locale for a request, and the fallbacks
// of texts (docs/api.md#languages).
//
// It must not know texts, requests or headers. A [Set] is immutable and safe for
// concurrent use; its collators are not.
package locale

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// ID is the index of a declared locale in its [Set], in declaration order, from 0.
type ID int

// Set is the locales that a catalogue declares, one of them the default.
type Set struct {
	locales    []locale
	bySpelling map[string]ID // by spelling, folded
	byDefault  ID
}

// locale is a declared locale.
type locale struct {
	name string // as declared
	tag  tag
}

// NewSet returns the set of the declared locales, in their order. It returns one
// joined error for every invalid locale ([Valid]), for locales that differ only in
// case or `_`, and for a defaultLocale that is not declared (`_` and case do not
// matter).
func NewSet(defaultLocale string, declared []string) (*Set, error) {
	s := &Set{bySpelling: make(map[string]ID, len(declared))}
	var problems []error
	for _, name := range declared {
		if err := Valid(name); err != nil {
			problems = append(problems, err)
			continue
		}
		if earlier, ok := s.bySpelling[spelling(name)]; ok {
			problems = append(problems, fmt.Errorf("locale %q is declared twice, first as %q", name, s.Name(earlier)))
			continue
		}
		t, _ := parse(name)
		s.bySpelling[spelling(name)] = ID(len(s.locales))
		s.locales = append(s.locales, locale{name: strings.Clone(name), tag: t})
	}
	var ok bool
	if s.byDefault, ok = s.bySpelling[spelling(defaultLocale)]; !ok {
		problems = append(problems, fmt.Errorf("default locale %q is not declared", defaultLocale))
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return s, nil
}

// Valid returns nil if a catalogue may declare the tag, else an error that names the
// tag and the reason. A valid tag is a well-formed language tag of at most 64 bytes
// (BCP 47). All its subtags are known, and its language is neither undetermined nor
// private. Unknown subtags are nearly always typing errors (`zh-hanz`); sorting and
// matching would ignore them. `_` counts as `-`, as in requests and published
// catalogues; package domain rejects it in directories.
func Valid(name string) error {
	if len(name) > maxBytes {
		return fmt.Errorf("locale %q is longer than %d bytes", name[:maxBytes], maxBytes)
	}
	_, err := parse(name)
	if err != nil {
		return fmt.Errorf("locale %q: %w", name, err)
	}
	return nil
}

// Len returns the number of declared locales, at least 1.
func (s *Set) Len() int { return len(s.locales) }

// Default returns the default locale.
func (s *Set) Default() ID { return s.byDefault }

// Name returns a locale as the catalogue spells it. It panics if id is not from
// this set.
func (s *Set) Name(id ID) string { return s.locales[id].name }

// Names returns all locales as the catalogue spells them, in declaration order. The
// caller owns the slice.
func (s *Set) Names() []string {
	names := make([]string, len(s.locales))
	for i, l := range s.locales {
		names[i] = l.name
	}
	return names
}

// Match returns the best declared locale for a requested one
// (docs/api.md#languages). Every other value, including "", is the default locale.
func (s *Set) Match(value string) ID {
	if value == "" || len(value) > maxBytes {
		return s.byDefault
	}
	if id, ok := s.bySpelling[spelling(value)]; ok {
		return id
	}
	requested, err := parse(value)
	if err != nil && !isUnknownSubtag(err) {
		return s.byDefault
	}
	if id, ok := s.nearest(requested, requested.script); ok {
		return id
	}
	if other := requested.otherChinese(); other != "" {
		if id, ok := s.nearest(requested, other); ok {
			return id
		}
	}
	return s.byDefault
}

// nearest returns the best candidate for t among the locales of its base language in
// the given script: the nearest on t's line, else the first declared. ok is false if
// there are no candidates.
func (s *Set) nearest(t tag, script string) (ID, bool) {
	isCandidate := func(l locale) bool { return l.tag.base == t.base && l.tag.script == script }
	for _, ancestor := range t.line() {
		for _, same := range []func(tag) bool{ancestor.identical, ancestor.equivalent} {
			i := slices.IndexFunc(s.locales, func(l locale) bool { return isCandidate(l) && same(l.tag) })
			if i >= 0 {
				return ID(i), true
			}
		}
	}
	i := slices.IndexFunc(s.locales, isCandidate)
	return ID(i), i >= 0
}

// Fallback returns the names of the locales in which a text is looked up, without
// repeats (docs/api.md#languages): id, the declared locales that are the same tag
// under another code (`iw` and `he`), its declared CLDR parents in any spelling
// (`zh-HK` for `zh-Hant-HK`), nearest first, and the default locale. The caller owns
// the slice.
func (s *Set) Fallback(id ID) []string {
	names := []string{s.Name(id)}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	self := s.locales[id].tag
	for _, ancestor := range self.line() {
		for _, l := range s.locales {
			if ancestor.identical(l.tag) {
				add(l.name)
			}
		}
		for _, l := range s.locales {
			if !ancestor.identical(self) && ancestor.equivalent(l.tag) { // `zh-Hans` is no parent of `zh`
				add(l.name)
			}
		}
	}
	add(s.Name(s.byDefault))
	return names
}

// Collator returns a new collator with the defaults of golang.org/x/text/collate
// for the locale (docs/api.md#chains). A collator is not safe for concurrent
// use.
func (s *Set) Collator(id ID) *collate.Collator {
	return collate.New(language.Make(s.Name(id)))
}
