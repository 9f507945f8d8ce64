package site

import (
	"embed"
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

	"vitrine/internal/locale"
)

// The words of the interface are in words/LANGUAGE.json, one file a language. A
// catalogue may have other languages: its pages then have the words of the language that
// answers by the rules of locales, else those of fallbackWords.

//go:embed words
var wordFiles embed.FS

const fallbackWords = "en"

// dictionary is the words of one language, as its file has them.
type dictionary struct {
	// Texts by key. {name} stands for a value. One that depends on a number has forms by
	// the plural categories of CLDR, "other" always among them.
	Texts map[string]forms `json:"texts"`
	// Date is how a day is written, of {day}, {month} and {year}; YearMonth and Year are
	// those of what is known less well.
	Date      string `json:"date"`
	YearMonth string `json:"yearMonth"`
	// Months are the names that stand for {month}, 12 of them.
	Months []string `json:"months"`
	// Compact is how large numbers are written, the largest first.
	Compact []compact `json:"compact"`

	tag     language.Tag
	printer *message.Printer
}

// compact says that a number from At on is divided by At and written as As says.
type compact struct {
	At float64 `json:"at"`
	As string  `json:"as"` // has {n}
}

// forms are those of a text by plural category; a plain string is its "other" form.
type forms map[string]string

func (f *forms) UnmarshalJSON(raw []byte) error {
	var plain string
	if err := json.Unmarshal(raw, &plain); err == nil {
		*f = forms{"other": plain}
		return nil
	}
	var all map[string]string
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	*f = all
	return nil
}

// dictionaries are those of all languages.
type dictionaries struct {
	set    *locale.Set
	byName map[string]*dictionary
}

func readDictionaries() (*dictionaries, error) {
	entries, err := wordFiles.ReadDir("words")
	if err != nil {
		return nil, err
	}
	all := &dictionaries{byName: map[string]*dictionary{}}
	for _, entry := range entries {
		raw, err := wordFiles.ReadFile("words/" + entry.Name())
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
	all.set, err = locale.NewSet(fallbackWords, slices.Sorted(maps.Keys(all.byName)))
	return all, err
}

// of returns the dictionary of a locale of the catalogue.
func (d *dictionaries) of(name string) *dictionary {
	return d.byName[d.set.Name(d.set.Match(name))]
}

// nameOf returns what a language calls itself.
func (d *dictionaries) nameOf(locale string) string {
	if name := display.Self.Name(language.Make(locale)); name != "" {
		return name
	}
	return locale
}

// text returns a text with its values, which come as names each followed by a value: a
// string as it is, an int as the language writes numbers. The first int decides the
// form. A key that the language lacks is there in fallbackWords; a test says that no
// key is missing in any.
func (d *dictionary) text(key string, values ...any) (string, error) {
	all, ok := d.Texts[key]
	if !ok {
		return "", fmt.Errorf("there is no text %q", key)
	}
	if len(values)%2 != 0 {
		return "", fmt.Errorf("the values of the text %q are no pairs", key)
	}
	form, counted, replacements := all["other"], false, []string{}
	for i := 0; i < len(values); i += 2 {
		name, ok := values[i].(string)
		if !ok {
			return "", fmt.Errorf("the text %q is given a value without a name", key)
		}
		value := fmt.Sprint(values[i+1])
		if n, ok := values[i+1].(int); ok {
			if !counted {
				form, counted = d.form(all, n), true
			}
			value = d.integer(n)
		}
		replacements = append(replacements, "{"+name+"}", value)
	}
	return strings.NewReplacer(replacements...).Replace(form), nil
}

// form returns the form for a number.
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

// amount writes a number of any size in few characters: 4.9 bn, 48.8 亿.
func (d *dictionary) amount(n float64) string {
	for _, c := range d.Compact {
		if n >= c.At {
			return strings.ReplaceAll(c.As, "{n}", d.significant(n/c.At))
		}
	}
	return d.significant(n)
}

// significant writes a number with as many decimals as its size asks for.
func (d *dictionary) significant(n float64) string {
	digits := 0
	if n < 100 && n != float64(int(n)) {
		digits = 1
	}
	return d.printer.Sprint(number.Decimal(n, number.MaxFractionDigits(digits), number.MinFractionDigits(digits)))
}

// date writes a date of the catalogue, which is a day, a month or a year.
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
