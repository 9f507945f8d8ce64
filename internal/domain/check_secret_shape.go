package domain

import (
	"regexp"
	"slices"
	"strings"
)

// isProviderKey reports whether s has the shape of a provider's key: at least 16 letters and
// digits without a word, or a UUID. Hashes and ids have such shapes, too, so only the host makes
// it a key.
func isProviderKey(s string) bool {
	const shortest, fewest = 16, 2
	if uuid.MatchString(s) {
		return true
	}
	if len(s) < shortest {
		return false
	}
	n := countClasses(s)
	// Words in camel case have fewer capitals: below one in five characters.
	mixed := n.digits >= fewest && n.lower+n.upper >= fewest || 5*min(n.lower, n.upper) >= len(s)
	return n.others == 0 && mixed && !isWords(s) && !isAddress(s)
}

// words matches the parts of a readable address between dashes: words, numbers and versions.
var words = regexp.MustCompile(`^(?:[A-Za-z]?[a-z]*|[A-Z]+)[0-9]{0,4}$|^[0-9]+[a-z]{0,2}$`)

// isWords reports whether s consists of words and numbers separated by dashes. It is stricter
// than isSlug, because keys of providers may begin with a word.
func isWords(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' })
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool { return !words.MatchString(part) })
}

// readsAsKey reports whether s is probably a random key: it has at least 20 letters and digits
// that alternate between upper case, lower case and digits unlike words and numbers, and is no
// hash, address or id of a known form. 16 bytes in hexadecimal digits count, too.
func readsAsKey(s string) bool {
	const shortest, fewest, mostDashes = 20, 2, 3
	if len(s) < shortest {
		return false
	}
	if isHexKey(s) {
		return true
	}
	n := countClasses(s)
	if n.others > 0 || n.digits < fewest || n.lower+n.upper < fewest || n.dashes > mostDashes {
		return false
	}
	// A quarter of the pairs. In names, less than a fifth change class; in keys, about half do.
	return 4*n.changes >= max(n.pairs, 1) && !isSlug(s) && !isAddress(s) && !isHash(s)
}

// isHexKey reports whether s is 16 bytes in hexadecimal digits, as keys of many providers are.
func isHexKey(s string) bool {
	return len(s) == 32 && only(s, isHex) && strings.ContainsAny(s, "0123456789") && strings.ContainsFunc(s, func(r rune) bool { return isLetter(byte(r)) })
}

// classes counts the characters of a string by class. pairs counts neighbours without a dash,
// changes those of different classes.
type classes struct{ digits, lower, upper, dashes, others, pairs, changes int }

func countClasses(s string) classes {
	var n classes
	var before *int
	for i := range len(s) {
		class := n.of(s[i])
		*class++
		if class == &n.dashes || class == &n.others {
			before = nil
			continue
		}
		if before != nil {
			n.pairs++
			if before != class {
				n.changes++
			}
		}
		before = class
	}
	return n
}

// of returns the count of a byte's class.
func (n *classes) of(c byte) *int {
	switch {
	case isDigit(c):
		return &n.digits
	case 'a' <= c && c <= 'z':
		return &n.lower
	case 'A' <= c && c <= 'Z':
		return &n.upper
	case c == '-' || c == '_':
		return &n.dashes
	}
	return &n.others
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isSlug reports whether s has words between dashes, like
// "testnet-1e9ac8b09e874e8abd6a7f18c096ca6a".
func isSlug(s string) bool {
	if !strings.ContainsAny(s, "-_") {
		return false
	}
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' }) {
		if len(word) >= 4 && only(word, func(c byte) bool { return 'a' <= c && c <= 'z' }) {
			return true
		}
	}
	return false
}

// addressForms are the forms of public ids: 0x…, bech32, content ids of IPFS. It excludes 32
// bytes in base 58, as in Avalanche and Solana, because keys of some providers have the same
// length.
var (
	addressForms = regexp.MustCompile(`^(?:0x[0-9A-Fa-f]+|[a-z]{1,20}(?:_[a-z]+)?1[02-9ac-hj-np-z]{38,}|Qm[1-9A-HJ-NP-Za-km-z]{44}|ba[a-z2-7]{50,}|k[25][0-9a-z]{50,})$`)
	base58Hash   = regexp.MustCompile(`^[1-9A-HJ-NP-Za-km-z]{43,52}$`)
	uuid         = regexp.MustCompile(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
)

func isAddress(s string) bool { return addressForms.MatchString(s) }

// isHash reports whether s has the form of a hash or an id: 20 or 32 bytes in hexadecimal digits,
// 32 in base 58, or a UUID.
func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && only(s, isHex) || uuid.MatchString(s) || base58Hash.MatchString(s)
}
