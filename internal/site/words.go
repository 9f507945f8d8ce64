package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/site/words"
)

// The words of the interface are in words/LANGUAGE.json. Pages in a language of the catalogue
// without a file have the words of the nearest language by the rules of package locale, else
// those of fallbackWords.

const fallbackWords = "en"

// dictionary has the words of one language.
type dictionary struct {
	// Texts has the words by key. {name} stands for a value. Words that depend on a number have
	// forms by the plural categories of CLDR, including "other".
	Texts map[string]forms `json:"texts"`
	// Date and YearMonth are the formats of a day and a month, with {day}, {month} and {year}.
	Date      string `json:"date"`
	YearMonth string `json:"yearMonth"`
	// Months are the 12 names for {month}.
	Months []string `json:"months"`
	// Compact are the formats of large numbers, largest first.
	Compact []compact `json:"compact"`

	tag     language.Tag
	printer *message.Printer
}

// compact formats numbers from At on, divided by At.
type compact struct {
	At float64 `json:"at"`
	As string  `json:"as"` // has {n}
}

// forms are the forms of words by plural category; in the file, a string is the form "other".
type forms map[string]string

func (f *forms) UnmarshalJSON(raw []byte) error {
	var plain string
	if json.Unmarshal(raw, &plain) == nil {
		*f = forms{"other": plain}
		return nil
	}
	return json.Unmarshal(raw, (*map[string]string)(f))
}

// dictionaries are the words of all languages.
type dictionaries struct {
	set    *locale.Set
	byName map[string]*dictionary
}

// readDictionaries reads and checks the words of all languages.
func readDictionaries() (*dictionaries, error) {
	entries, err := words.Files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	all := &dictionaries{byName: map[string]*dictionary{}}
	for _, entry := range entries {
		raw, err := words.Files.ReadFile(entry.Name())
		if err != nil {
			return nil, err
		}
		var d dictionary
		if err := json.Unmarshal(raw, &d); err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
		name := strings.TrimSuffix(entry.Name(), ".json")
		d.tag = language.Make(name)
		d.printer = message.NewPrinter(d.tag)
		all.byName[name] = &d
	}
	names := slices.Sorted(maps.Keys(all.byName))
	for _, name := range names {
		if err := all.byName[name].check(all.byName[fallbackWords]); err != nil {
			return nil, fmt.Errorf("%s.json: %w", name, err)
		}
	}
	all.set, err = locale.NewSet(fallbackWords, names)
	return all, err
}

// check returns an error that names the first key of complete, or of an enumeration, that
// the dictionary lacks.
func (d *dictionary) check(complete *dictionary) error {
	keys := slices.Sorted(maps.Keys(complete.Texts))
	for prefix, values := range enumeratedWords() {
		for _, value := range values {
			keys = append(keys, prefix+value)
		}
	}
	for _, key := range keys {
		if !d.has(key) {
			return fmt.Errorf("no words for %q", key)
		}
	}
	if len(d.Months) != 12 {
		return fmt.Errorf("%d names of months", len(d.Months))
	}
	return nil
}

// enumeratedWords returns the values of enumerations by the beginning of the keys of their
// words.
func enumeratedWords() map[string][]string {
	kinds := domain.Convert[string](query.Kinds())
	var lists []string
	for _, of := range sections() {
		lists = append(lists, of.name)
	}
	return map[string][]string{
		"title.": lists, "lead.": lists, "count.": lists,
		"kind.": kinds, "kinds.": kinds, "link.": domain.Convert[string](domain.LinkTypes()), "platform.": domain.Convert[string](domain.Platforms()), "theme.": themes, "section.": recordSections,
		"status.": {string(domain.StatusLive), string(domain.StatusUpcoming), string(domain.StatusRetired)}, "statuses.": append(domain.Convert[string](query.Statuses()), "current"),
		"sort.":   slices.Concat(query.ListParameters(query.KindChain).Find("sort").Allowed, query.ListParameters(query.KindCard).Find("sort").Allowed),
		"figure.": domain.Convert[string]([]domain.FigureName{domain.FigureTVL, domain.FigurePlatforms, domain.FigureFollowers, domain.FigureSubscribers}),
	}
}

// with returns a dictionary for a locale with other words by key, as package words has them. If its
// language is not that of the dictionary, numbers are formatted by the locale.
func (d *dictionary) with(name string, others map[string]string) *dictionary {
	if len(others) == 0 {
		return d
	}
	own := *d
	own.Texts = maps.Clone(d.Texts)
	if tag := language.Make(name); !sameBase(tag, d.tag.String()) {
		own.tag, own.printer = tag, message.NewPrinter(tag)
	}
	for _, key := range slices.Sorted(maps.Keys(others)) { // a key precedes those of its plural forms
		text := others[key]
		switch base, form, _ := strings.Cut(key, "#"); {
		case key == words.Date:
			own.Date = text
		case key == words.YearMonth:
			own.YearMonth = text
		case key == words.Months:
			if names := strings.Split(text, ","); len(names) == len(own.Months) {
				own.Months = names
			}
		case form != "":
			own.Texts[base] = maps.Clone(own.Texts[base])
			own.Texts[base][form] = text
		default:
			own.Texts[key] = forms{"other": text}
			delete(own.Texts, key+".plain") // which follows, if the catalogue has it
		}
	}
	return &own
}

// of returns the dictionary for a locale of the catalogue.
func (d *dictionaries) of(name string) *dictionary {
	return d.byName[d.set.Name(d.set.Match(name))]
}

// nameOf returns the name of a language in itself.
func (d *dictionaries) nameOf(locale string) string {
	return cmp.Or(display.Self.Name(language.Make(locale)), locale)
}

// has reports whether there are words for a key.
func (d *dictionary) has(key string) bool { return d.Texts[key]["other"] != "" }

// hasPrefix reports whether there are words for a key with a prefix.
func (d *dictionary) hasPrefix(prefix string) bool {
	for key := range d.Texts {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// text returns the words for a key with values, given as pairs of name and value. Integers
// are formatted, and the first one selects the plural form. Without words it returns the key;
// New and the tests check the keys of templates and code.
func (d *dictionary) text(key string, values ...any) string {
	all, ok := d.Texts[key]
	if !ok {
		return key
	}
	if len(values) == 0 {
		return all["other"]
	}
	form, counted := all["other"], false
	replacements := make([]string, 0, len(values))
	for i := 0; i+1 < len(values); i += 2 {
		value := fmt.Sprint(values[i+1])
		if n, ok := values[i+1].(int); ok {
			if !counted {
				form, counted = d.form(all, n), true
			}
			value = d.integer(n)
		}
		replacements = append(replacements, "{"+fmt.Sprint(values[i])+"}", value)
	}
	return strings.NewReplacer(replacements...).Replace(form)
}

// form returns the plural form for a number.
func (d *dictionary) form(all forms, n int) string {
	names := map[plural.Form]string{
		plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other",
	}
	if form, ok := all[names[plural.Cardinal.MatchPlural(d.tag, n, 0, 0, 0, 0)]]; ok {
		return form
	}
	return all["other"]
}

func (d *dictionary) integer(n int) string { return d.printer.Sprint(number.Decimal(n)) }

// amount formats a number of any size in few characters: 4.9 bn, 48.8 亿.
func (d *dictionary) amount(n float64) string {
	for _, c := range d.Compact {
		if n >= c.At {
			return strings.ReplaceAll(c.As, "{n}", d.significant(n/c.At))
		}
	}
	return d.significant(n)
}

// significant formats a number, with one decimal if it is below 100 and not whole.
func (d *dictionary) significant(n float64) string {
	digits := 0
	if n < 100 && n != float64(int(n)) {
		digits = 1
	}
	return d.printer.Sprint(number.Decimal(n, number.MaxFractionDigits(digits), number.MinFractionDigits(digits)))
}

// date formats a date of the catalogue: a day, a month or a year.
func (d *dictionary) date(date string) string {
	if day, err := time.Parse(time.DateOnly, date); err == nil {
		return d.writeDate(d.Date, day)
	}
	if month, err := time.Parse("2006-01", date); err == nil {
		return d.writeDate(d.YearMonth, month)
	}
	return date
}

func (d *dictionary) writeDate(form string, day time.Time) string {
	return strings.NewReplacer("{day}", fmt.Sprint(day.Day()), "{month}", d.Months[day.Month()-1], "{year}", fmt.Sprint(day.Year())).Replace(form)
}
