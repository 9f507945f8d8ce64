// Package words has the words of the interface of the site, a file for each language.
package words

import (
	"embed"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"sync"
)

// Files has LANGUAGE.json for each language.
//
//go:embed *.json
var Files embed.FS

// The keys of the forms of dates, beside those of texts.
const (
	Date      = "date"      // of a day: {day} {month} {year}
	YearMonth = "yearMonth" // of a month: {month} {year}
	Months    = "months"    // the names of the months, separated by commas
)

// plurals are the plural categories of CLDR that a key of words with a number may end with, after "#".
// Words without one are of the category "other".
var plurals = []string{"zero", "one", "two", "few", "many"}

var placeholder = regexp.MustCompile(`\{[a-zA-Z]+\}`)

// english returns the placeholders of all keys.
var english = sync.OnceValue(func() map[string][]string {
	raw, err := Files.ReadFile("en.json")
	if err != nil {
		panic(err) // the file is part of the program
	}
	var file struct{ Texts map[string]json.RawMessage }
	if err := json.Unmarshal(raw, &file); err != nil {
		panic(err)
	}
	all := map[string][]string{Date: {"{day}", "{month}", "{year}"}, YearMonth: {"{month}", "{year}"}, Months: nil}
	for key, text := range file.Texts {
		all[key] = Placeholders(string(text))
		if text[0] == '{' { // with plural forms
			for _, form := range plurals {
				all[key+"#"+form] = all[key]
			}
		}
	}
	return all
})

// Keys returns the keys of all words in order. Those of plural forms end in "#" and their category.
func Keys() []string { return slices.Sorted(maps.Keys(english())) }

// Placeholders returns the distinct placeholders of a text in order, such as {n}.
func Placeholders(text string) []string {
	return slices.Compact(slices.Sorted(slices.Values(placeholder.FindAllString(text, -1))))
}

// PlaceholdersOf returns the placeholders that words with a key may have.
func PlaceholdersOf(key string) []string { return english()[key] }
