package quality_test

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/domain"
)

func textBars(min atLeast) []bar {
	return []bar{
		{"texts are in all locales", untranslated},
		{"plain titles are names", plainTitles},
		{"descriptions are there", undescribed},
		{"descriptions have a good length", func(c *domain.Catalog) []finding { return badLengths(c, min) }},
		{"descriptions end with a full stop", fullStops},
		{"descriptions are written in their language", foreignScripts},
		{"descriptions are translated", copiedDescriptions},
		{"the two scripts of Chinese are kept apart", mixedChinese},
	}
}

// entry is a text of the catalogue with its position.
type entry struct {
	record string
	field  string // "name", "title", "description" or aboutChain
	text   domain.Text
}

// aboutChain is the field of the description of a chain: one or two sentences, while
// other descriptions have one.
const aboutChain = "long description"

// texts returns all names, titles and descriptions that need translations, including
// empty ones, in the order of the catalogue. It omits texts with their own rules: the
// names of chains and the titles of apps and cards. Names of accounts and channels are
// plain strings. A value that a card inherits counts for the app.
func texts(c *domain.Catalog) []entry {
	out := []entry{{whole, "title", c.Title}}
	for _, g := range c.Groups {
		out = append(out, entry{"dimension " + g.Key, "name", g.Name})
	}
	for _, cat := range c.Categories {
		out = append(out, both("category "+cat.Key, cat.Name, cat.Description)...)
	}
	for _, ch := range c.Chains {
		if ch.Description != nil {
			out = append(out, entry{"chain " + ch.Slug, aboutChain, ch.Description})
		}
		if ch.StatusNote != nil {
			out = append(out, entry{"chain " + ch.Slug, "description", ch.StatusNote})
		}
	}
	for _, a := range c.Accounts {
		out = append(out, entry{"account " + a.Handle, "description", a.Description})
	}
	for _, ch := range c.Channels {
		out = append(out, entry{"channel " + ch.ChannelID, "description", ch.Description})
	}
	for _, a := range c.Apps {
		out = append(out, entry{appRecord(a), "description", a.Description})
	}
	for _, g := range c.NavGroups {
		out = append(out, both("nav group "+g.Key, g.Name, g.Description)...)
	}
	apps := c.AppsByKey()
	for _, m := range c.Menus {
		out = append(out, textsOfMenu(m, apps)...)
	}
	return out
}

func both(record string, name, description domain.Text) []entry {
	return []entry{{record, "name", name}, {record, "description", description}}
}

func textsOfMenu(m domain.Menu, apps map[string]*domain.App) []entry {
	out := both("menu "+m.PathSlug, m.Title, m.Description)
	for _, g := range m.Groups {
		out = append(out, entry{"group " + m.PathSlug + "/" + g.Slug, "name", g.Name})
	}
	for _, it := range itemsOf(m) {
		record := "item " + m.PathSlug + "/" + it.Slug
		out = append(out, entry{record, "name", it.Name})
		if it.Type == domain.ItemCategory || it.Description != nil {
			out = append(out, entry{record, "description", it.Description}) // a link is described by its card
		}
		for _, card := range it.Cards {
			if card.App == "" || card.Description != nil {
				out = append(out, entry{cardRecord(m, card.Of(apps[card.App])), "description", card.Description})
			}
		}
	}
	return out
}

// descriptions returns the texts that are descriptions.
func descriptions(c *domain.Catalog) []entry {
	return slices.DeleteFunc(texts(c), func(e entry) bool { return e.field != "description" && e.field != aboutChain })
}

// missingLocales returns the locales that a text lacks, or "".
func missingLocales(c *domain.Catalog, text domain.Text) string {
	var out []string
	for _, loc := range c.Locales {
		if _, ok := text.In(loc); !ok {
			out = append(out, loc)
		}
	}
	return strings.Join(out, ", ")
}

func untranslated(c *domain.Catalog) []finding {
	var out []finding
	for _, e := range texts(c) {
		if missing := missingLocales(c, e.text); e.text != nil && missing != "" {
			out = append(out, finding{e.record, "no " + e.field + " in " + missing})
		}
	}
	return out
}

func undescribed(c *domain.Catalog) []finding {
	var out []finding
	for _, e := range texts(c) {
		if e.text == nil {
			out = append(out, finding{e.record, "no " + e.field})
		}
	}
	return out
}

// titled is an app, or a card with its own title.
type titled struct {
	record string
	title  domain.Text
	link   string
}

// titles returns all titles of apps and cards.
func titles(c *domain.Catalog) []titled {
	var out []titled
	for _, a := range c.Apps {
		out = append(out, titled{appRecord(a), a.Title, a.Link})
	}
	apps := c.AppsByKey()
	for _, m := range c.Menus {
		for _, card := range cardsOf(m) {
			if card.App == "" || card.Title != nil {
				card = card.Of(apps[card.App])
				out = append(out, titled{cardRecord(m, card), card.Title, card.Link})
			}
		}
	}
	return out
}

// The title of an app or a card is a name, written as a plain string, or a text in all
// locales. A plain title counts as a name if each of its words is spelled as in a name,
// one of them is in the address of the site or is a coined word, and it is not the name
// of a category or a menu.
func plainTitles(c *domain.Catalog) []finding {
	var out []finding
	generic := genericNames(c)
	for _, t := range titles(c) {
		title, _ := t.title.In(c.DefaultLocale)
		if len(t.title) > 1 {
			if missing := missingLocales(c, t.title); missing != "" {
				out = append(out, finding{t.record, "no title in " + missing})
			}
		} else if !named(title, t.link) || generic[strings.ToLower(title)] {
			out = append(out, finding{t.record, fmt.Sprintf("is %q a name? If not, translate it", title)})
		}
	}
	return out
}

// genericNames returns the names of categories and menus in the default locale, in lower
// case.
func genericNames(c *domain.Catalog) map[string]bool {
	out := map[string]bool{}
	add := func(text domain.Text) {
		name, _ := text.In(c.DefaultLocale)
		out[strings.ToLower(name)] = true
	}
	for _, cat := range itemCategories(c) {
		add(cat.Name)
	}
	for _, m := range c.Menus {
		add(m.Title)
	}
	return out
}

// smallWords are lower-case words within names.
var smallWords = []string{"a", "and", "by", "for", "in", "of", "on", "the", "to", "with", "&"}

// coined matches a word with a capital after a small letter, or capitals with a small
// ending: gTrade, CAIPs.
var coined = regexp.MustCompile(`\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}$`)

func named(title, link string) bool {
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	address := letters(u.Host + u.Path)
	var initials string
	known := coined.MatchString(title)
	words := strings.Fields(title)
	for _, word := range words {
		small := slices.Contains(smallWords, word)
		own := !small && len(letters(word)) > 1 && strings.Contains(address, letters(word))
		known = known || own
		if !small && !own && !strings.ContainsFunc(word, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) {
			return false
		}
		initials += letters(word)[:min(1, len(letters(word)))]
	}
	abbreviated := len(words) > 2 && len(initials) == len(words) && strings.Contains(address, initials)
	return known || abbreviated || len(letters(title)) > 1 && strings.Contains(address, letters(title))
}

// letters returns the ASCII letters and digits of a text, in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, s)
}

func badLengths(c *domain.Catalog, min atLeast) []finding {
	var out []finding
	for _, e := range descriptions(c) {
		for _, tr := range e.text {
			shortest, longest := shortestDescription(tr.Locale), min.descriptionLongest
			if e.field == aboutChain {
				shortest, longest = shortestAboutChain(tr.Locale), min.aboutChainLongest
			}
			if n := utf8.RuneCountInString(tr.Value); n < shortest || n > longest {
				out = append(out, finding{e.record, fmt.Sprintf("the %s in %s has %d characters, want %d to %d",
					e.field, tr.Locale, n, shortest, longest)})
			}
		}
	}
	return out
}

// shortestDescription returns the minimum number of characters of a description in a
// locale. Chinese and Japanese need fewer characters.
func shortestDescription(locale string) int {
	switch {
	case locale == "ja":
		return 12
	case wide(locale):
		return 8
	default:
		return 20
	}
}

// shortestAboutChain is the minimum for the description of a chain.
func shortestAboutChain(locale string) int {
	switch {
	case locale == "ja":
		return 20
	case wide(locale):
		return 14
	default:
		return 40
	}
}

// wide reports whether a locale is written in Chinese characters or kana.
func wide(locale string) bool { return strings.HasPrefix(locale, "zh") || locale == "ja" }

func fullStops(c *domain.Catalog) []finding {
	var out []finding
	for _, e := range descriptions(c) {
		for _, tr := range e.text {
			stop := "."
			if wide(tr.Locale) {
				stop = "。"
			}
			if !strings.HasSuffix(tr.Value, stop) {
				out = append(out, finding{e.record, fmt.Sprintf("the description in %s does not end with %s", tr.Locale, stop)})
			}
		}
	}
	return out
}

// The letters of a text show whether it is in the wrong language.
func foreignScripts(c *domain.Catalog) []finding {
	var out []finding
	for _, e := range descriptions(c) {
		for _, tr := range e.text {
			han := strings.ContainsFunc(tr.Value, func(r rune) bool { return unicode.Is(unicode.Han, r) })
			kana := strings.ContainsFunc(tr.Value, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) && r != 'ー' })
			right := !han && !kana
			switch {
			case tr.Locale == "ja":
				right = kana
			case wide(tr.Locale):
				right = han && !kana
			}
			if !right {
				out = append(out, finding{e.record, "the description in " + tr.Locale + " is in another script"})
			}
		}
	}
	return out
}

// No two languages have the same description, except that a sentence may have no
// character that the scripts of Chinese write differently. So each locale is compared
// with the default locale only.
func copiedDescriptions(c *domain.Catalog) []finding {
	var out []finding
	for _, e := range descriptions(c) {
		original, _ := e.text.In(c.DefaultLocale)
		for _, tr := range e.text {
			if tr.Locale != c.DefaultLocale && strings.EqualFold(tr.Value, original) {
				out = append(out, finding{e.record, "the description in " + tr.Locale + " is that in " + c.DefaultLocale})
			}
		}
	}
	return out
}

// Characters of only one of the scripts of Chinese, in the same order.
const (
	onlySimplified  = "们这为来对时会过发进动关电业现点见长开门问间学实产种网络钱币数据链区块与个两习书买价优传体"
	onlyTraditional = "們這為來對時會過發進動關電業現點見長開門問間學實產種網絡錢幣數據鏈區塊與個兩習書買價優傳體"
)

// allTexts returns the texts of texts, and the names of chains and the titles of
// apps and cards.
func allTexts(c *domain.Catalog) []entry {
	all := texts(c)
	for _, ch := range c.Chains {
		all = append(all, entry{"chain " + ch.Slug, "name", ch.Name})
	}
	for _, t := range titles(c) {
		all = append(all, entry{t.record, "title", t.title})
	}
	return all
}

// mixedChinese also checks names of chains and titles of apps and cards.
func mixedChinese(c *domain.Catalog) []finding {
	var out []finding
	for _, e := range allTexts(c) {
		for _, script := range []struct{ locale, foreign string }{{"zh-hans", onlyTraditional}, {"zh-hant", onlySimplified}} {
			text, _ := e.text.In(script.locale)
			if i := strings.IndexAny(text, script.foreign); i >= 0 {
				r, _ := utf8.DecodeRuneInString(text[i:])
				out = append(out, finding{e.record, fmt.Sprintf("the %s in %s has %c", e.field, script.locale, r)})
			}
		}
	}
	return out
}
