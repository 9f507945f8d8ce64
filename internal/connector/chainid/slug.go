package chainid

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MaxSlug is the maximum length of a slug (docs/identity.md#keys).
const MaxSlug = 100

// Slugs assigns unique slugs. Records must come in order of chain id, including deprecated ones: then
// the lowest id keeps the plain slug, and a deprecation renames no other chain.
type Slugs struct {
	kept  map[string]string // chain id to slug, of the previous import
	taken map[string]bool
}

// NewSlugs returns slugs that keep those of kept, by chain id.
func NewSlugs(kept map[string]string) Slugs {
	s := Slugs{kept: kept, taken: make(map[string]bool)}
	for _, slug := range kept {
		s.taken[slug] = true
	}
	return s
}

// Assign returns the slug of a record: the previous one, else that of its name, else that of its short
// name, else `chain-<id>`. A slug that is taken gets the suffix `-<id>`.
func (s Slugs) Assign(rec Record) string {
	if slug, ok := s.kept[rec.ID]; ok {
		return slug
	}
	base := slugify(rec.Name)
	if base == "" {
		base = slugify(rec.ShortName)
	}
	if base == "" {
		base = "chain-" + rec.ID
	}
	slug := base
	for n := 1; s.taken[slug]; n++ {
		suffix := "-" + rec.ID
		if n > 1 {
			suffix = fmt.Sprintf("-%s-%d", rec.ID, n)
		}
		slug = cut(base, MaxSlug-len(suffix)) + suffix
	}
	s.taken[slug] = true
	return slug
}

// slugify writes a text in a-z, 0-9 and single hyphens, with letters reduced to ASCII by compatibility
// decomposition. It returns "" for a text without letters and digits, or with one that has no ASCII
// form, because the short name is better than half a name.
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
			// Accents and apostrophes do not separate words.
		default:
			gap = true
		}
	}
	return cut(b.String(), MaxSlug)
}

// cut shortens a slug to at most n bytes without a hyphen at the end.
func cut(slug string, n int) string {
	if len(slug) > n {
		slug = slug[:n]
	}
	return strings.TrimRight(slug, "-")
}
