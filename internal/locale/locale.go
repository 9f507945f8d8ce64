// Package locale holds the locales of a catalogue: which tags it may declare,
// which declared locale answers a requested one, and in which order texts fall
// back (docs/api.md#languages).
//
// It must not know texts, requests or headers. A [Set] is immutable and safe to
// share; a collator that it makes is not.
package locale

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// ID is the index of a declared locale in its [Set], in the order of the
// declaration, from 0.
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

// NewSet returns the set of the declared locales, which keep their order. It is
// an error if one of them is not [Valid], if two are the same but for case and
// `_`, or if defaultLocale is not one of them (`_` and case do not matter). All
// that is wrong is reported, joined.
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

// Valid returns nil if a catalogue may declare the tag, else an error that
// names the tag and says why not. It may if it is a well-formed language tag of
// at most 64 bytes (BCP 47) whose subtags are all known and whose language is
// neither undetermined nor private as a whole. A subtag that is not known would
// be ignored when texts are sorted and locales matched, and is nearly always a
// slip (`zh-hanz`). `_` counts as `-`, as in requests.
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

// Name returns a locale as the catalogue spells it. It panics if id is not of
// this set.
func (s *Set) Name(id ID) string { return s.locales[id].name }

// Names returns all locales as the catalogue spells them, in the order of the
// declaration. The slice is the caller's.
func (s *Set) Names() []string {
	names := make([]string, len(s.locales))
	for i, l := range s.locales {
		names[i] = l.name
	}
	return names
}

// Match returns the declared locale that answers a requested one
// (docs/api.md#languages). It is defined for every value, including "", which is the default
// locale.
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

// nearest returns the best of the candidates for t, which are the locales of
// its base language in the given script: the nearest on t's line, else the
// first declared. It is not ok if there are no candidates.
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

// Fallback returns the names of the locales in which a text is looked for, in
// this order: id itself, the declared locales that are the same tag by another
// code (`iw` and `he`), those that are its CLDR parents, however spelled
// (`zh-HK` for `zh-Hant-HK`), the nearest first, and the default locale
// (docs/api.md#languages). There are no repeats; the slice is the caller's.
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
