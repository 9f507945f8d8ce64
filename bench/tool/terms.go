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

// class is a kind of search and the values of `q` that stand for it.
type class struct {
	name   string
	values []string
}

// raw returns the query string of a search for q, by which everybody is asked.
func raw(q string) string { return url.Values{"q": {q}, "limit": {"20"}}.Encode() }

// classes makes n searches of each kind from the texts themselves, whose terms
// all have three letters or more, which is what trigrams can be asked for. The
// same accounts give the same searches.
func classes(accounts []domain.Account, n int) []class {
	r := rand.New(rand.NewPCG(1, 2))
	some := func() *domain.Account { return &accounts[r.IntN(len(accounts))] }
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

// selectiveTerms returns n searches of one term that few accounts match.
func selectiveTerms(accounts []domain.Account, n int) []string {
	r := rand.New(rand.NewPCG(3, 4))
	return distinct(n, func() string { return firstWord(accounts[r.IntN(len(accounts))].Name) })
}

// distinct calls makes until it has n different searches, or nothing new comes.
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

// word returns one of the words of a text, without the marks around it. In
// languages without spaces that is as much as stands between two marks.
func word(r *rand.Rand, text string) string {
	words := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" .,:!?¡。、，！？&", c) })
	return words[r.IntN(len(words))]
}

// cut returns three to six letters out of the middle of a word.
func cut(r *rand.Rand, text string) string {
	letters := []rune(word(r, text))
	length := min(len(letters), 3+r.IntN(4))
	from := r.IntN(len(letters) - length + 1)
	return string(letters[from : from+length])
}

// worstClasses are the searches that an index helps least with, or that look
// worst. They are query strings: some are about tags.
func worstClasses(accounts []domain.Account) []class {
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

// twoHundred joins words until they are as long as `q` may be.
func twoHundred(r *rand.Rand, accounts []domain.Account) string {
	var q []rune
	for len(q) < 200 {
		q = append(q, []rune(word(r, anyText(r, &accounts[r.IntN(len(accounts))]))+" ")...)
	}
	return strings.TrimSpace(string(q[:200]))
}

// manyTags returns searches for fifty tags each, half of which exist.
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
