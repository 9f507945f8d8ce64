package chainid

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxSlug is the length of the longest slug
// (docs/identity.md#keys).
const maxSlug = 100

// slugs gives out slugs, each once. Records must come in order of chain id, the
// deprecated ones among them: so the lowest id keeps the plain slug, whatever
// the order of the file, and a chain that is deprecated renames no other.
type slugs struct {
	kept  map[string]string // chain id to slug, of an earlier import
	taken map[string]bool
}

func newSlugs(kept map[string]string) slugs {
	s := slugs{kept: kept, taken: make(map[string]bool)}
	for _, slug := range kept {
		s.taken[slug] = true
	}
	return s
}

// assign gives a record its slug: the one it had; else its name's, else its
// short name's, else `chain-<id>`. A slug that is another chain's gets
// `-<id>` behind it.
func (s slugs) assign(rec record) string {
	if slug, ok := s.kept[rec.id]; ok {
		return slug
	}
	base := slugify(rec.Name)
	if base == "" {
		base = slugify(rec.ShortName)
	}
	if base == "" {
		base = "chain-" + rec.id
	}
	slug := base
	for n := 1; s.taken[slug]; n++ {
		suffix := "-" + rec.id
		if n > 1 {
			suffix = fmt.Sprintf("-%s-%d", rec.id, n)
		}
		slug = cut(base, maxSlug-len(suffix)) + suffix
	}
	s.taken[slug] = true
	return slug
}

// slugify writes a text in a-z, 0-9 and single hyphens. Letters are taken to
// ASCII by compatibility decomposition; "" means that the text has a letter or
// digit that has no such form, or none at all: half a name is worse than the
// short name.
func slugify(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(text) {
		r = unicode.ToLower(r)
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			return ""
		case unicode.IsMark(r) || r == '\'' || r == '’':
			// An accent or an apostrophe parts no word.
		default:
			gap = true
		}
	}
	return cut(b.String(), maxSlug)
}

// cut shortens a slug to at most n bytes, without a hyphen at its end.
func cut(slug string, n int) string {
	if len(slug) > n {
		slug = slug[:n]
	}
	return strings.TrimRight(slug, "-")
}
