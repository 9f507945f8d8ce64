package domain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	sitewords "vitrine/internal/site/words"
)

var colour = regexp.MustCompile("^#[0-9a-fA-F]{6}$")

func colourFault(what, value string) *fault {
	if colour.MatchString(value) {
		return nil
	}
	return &fault{RuleUnknownValue, fmt.Sprintf("%s %s is not a colour", what, quote(value)), "write # and six hexadecimal digits, such as #1a2b3c"}
}

// words checks the words of the interface in the list at a place: known keys, declared locales, placeholders of the key, no repetition.
func (ck *checker) words(list Ref) {
	if ck.cat.Site == nil {
		return
	}
	type place struct{ locale, key string }
	seen, keys := map[place]int{}, sitewords.Keys()
	for i, w := range ck.cat.Site.Words {
		at := list.at(i)
		if w.Key != "" && !slices.Contains(keys, w.Key) {
			ck.report(at.in("key"), RuleUnknownValue, fmt.Sprintf("key %s is not known", quote(w.Key)), unknownKeyRemedy(w.Key, keys))
			continue
		}
		if ck.locales != nil && w.Locale != "" && !ck.locales[w.Locale] {
			ck.report(at.in("locale"), RuleUndeclaredLocale, fmt.Sprintf("words are in %s, which the catalogue does not declare", quote(w.Locale)),
				fmt.Sprintf("add that locale to locales in %s, or remove the words", ck.files.Catalog))
		}
		first, again := seen[place{w.Locale, w.Key}]
		if again {
			ck.repeats(at, list.at(first), RuleDuplicate, fmt.Sprintf("%s has words in %s twice", quote(w.Key), quote(w.Locale)), "remove one of them")
			continue
		}
		seen[place{w.Locale, w.Key}] = i
		known := sitewords.PlaceholdersOf(w.Key)
		for _, used := range sitewords.Placeholders(w.Text) {
			if !slices.Contains(known, used) {
				ck.report(at.in("text"), RuleUnknownValue, fmt.Sprintf("the text has %s, which words with the key %s do not have", used, quote(w.Key)), placeholderRemedy(known))
			}
		}
		if n := strings.Count(w.Text, ",") + 1; w.Key == sitewords.Months && n != 12 {
			ck.report(at.in("text"), RuleUnknownValue, fmt.Sprintf("months has %d names", n), "write the names of the 12 months, separated by commas")
		}
	}
}

func unknownKeyRemedy(key string, known []string) string {
	if near := nearest(key, known); near != "" {
		return fmt.Sprintf("write %s, or another key of internal/site/words/en.json", near)
	}
	return "write a key of internal/site/words/en.json"
}

func placeholderRemedy(known []string) string {
	if len(known) == 0 {
		return "remove it"
	}
	return "use only " + strings.Join(known, ", ")
}
