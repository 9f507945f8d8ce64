package main

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/bench/large"
	"vitrine/internal/domain"
	"vitrine/internal/fold"
)

// class is a kind of search with its values of `q`.
type class struct {
	name   string
	values []string
}

// raw returns the query string of a search for q, the same for all contestants.
func raw(q string) string { return url.Values{"q": {q}, "limit": {"20"}}.Encode() }

// classes returns n searches of each kind from the texts themselves. All terms have three or more
// letters, the minimum for trigrams. The same accounts give the same searches.
func classes(accounts []*domain.Account, n int) []class {
	r := rand.New(rand.NewPCG(1, 2))
	some := func() *domain.Account { return accounts[r.IntN(len(accounts))] }
	rare := func() string { return firstWord(some().Name) }
	common := func() string { return word(r, anyText(r, some())) }
	piece := func() string { return cut(r, anyText(r, some())) }
	both := func() string {
		a := some()
		return word(r, anyText(r, a)) + " " + word(r, anyText(r, a))
	}
	selective := func() string {
		a := some()
		return firstWord(a.Name) + " " + word(r, anyText(r, a))
	}
	return []class{
		{"a made-up name", distinct(n, rare)},
		{"a made-up name and a word", distinct(n, selective)},
		{"a word", distinct(n, common)},
		{"two words", distinct(n, both)},
		{"a piece of a text", distinct(n, piece)},
	}
}

// selectiveTerms returns n searches for one term with few matches.
func selectiveTerms(accounts []*domain.Account, n int) []string {
	r := rand.New(rand.NewPCG(3, 4))
	return distinct(n, func() string { return firstWord(accounts[r.IntN(len(accounts))].Name) })
}

// distinct calls makes until it has n distinct searches, or no new ones.
func distinct(n int, makes func() string) []string {
	seen := map[string]bool{}
	var all []string
	for tries := 0; len(all) < n && tries < 100*n; tries++ {
		q := makes()
		if !seen[q] && longEnough(q) {
			seen[q] = true
			all = append(all, q)
		}
	}
	return all
}

func longEnough(q string) bool {
	terms := fold.Terms(q)
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t string) bool { return utf8.RuneCountInString(t) < 3 })
}

func anyText(r *rand.Rand, a *domain.Account) string {
	return a.Description[r.IntN(len(a.Description))].Value
}

func firstWord(name string) string {
	first, _, _ := strings.Cut(name, " ")
	return first
}

// word returns a word of a text without surrounding marks. In languages without spaces, it is the
// text between two marks.
func word(r *rand.Rand, text string) string {
	words := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" .,:!?¡。、，！？&", c) })
	return words[r.IntN(len(words))]
}

// cut returns three to six letters from the middle of a word.
func cut(r *rand.Rand, text string) string {
	letters := []rune(word(r, text))
	length := min(len(letters), 3+r.IntN(4))
	from := r.IntN(len(letters) - length + 1)
	return string(letters[from : from+length])
}

// worstClasses returns query strings of the searches that an index helps least, or that look most
// expensive.
func worstClasses(accounts []*domain.Account) []class {
	r := rand.New(rand.NewPCG(5, 6))
	var letters, long, symbols []string
	for c := 'a'; c <= 'z'; c++ {
		letters = append(letters, raw(string(c)))
	}
	for _, c := range "日研的海に" {
		letters = append(letters, raw(string(c)))
	}
	for range 50 {
		long = append(long, raw(twoHundred(r, accounts)))
	}
	for _, q := range []string{"$", "%", "_", "!", "…", "🙂", "&", "-", "。", "\\", "'", `"`, "¡pre", "& ca", "%%%", "۞"} {
		symbols = append(symbols, raw(q))
	}
	return []class{
		{"one letter", letters},
		{"200 characters", long},
		{"50 tags", manyTags(r, "")},
		{"50 tags and a word", manyTags(r, "journal")},
		{"symbols", symbols},
	}
}

// twoHundred joins words up to the maximum length of `q`.
func twoHundred(r *rand.Rand, accounts []*domain.Account) string {
	var q []rune
	for len(q) < 200 {
		q = append(q, []rune(word(r, anyText(r, accounts[r.IntN(len(accounts))]))+" ")...)
	}
	return strings.TrimSpace(string(q[:200]))
}

// manyTags returns searches with fifty tags each, half of which exist.
func manyTags(r *rand.Rand, q string) []string {
	known := large.Slugs(24)
	var all []string
	for range 20 {
		tags := slices.Clone(known)
		for len(tags) < 50 {
			tags = append(tags, fmt.Sprintf("no-such-tag-%d", r.IntN(1000)))
		}
		r.Shuffle(len(tags), func(a, b int) { tags[a], tags[b] = tags[b], tags[a] })
		values := url.Values{"tag": {strings.Join(tags, ",")}, "limit": {"20"}}
		if q != "" {
			values.Set("q", q)
		}
		all = append(all, values.Encode())
	}
	return all
}
