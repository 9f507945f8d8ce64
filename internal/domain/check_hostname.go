package domain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"vitrine/internal/fold"
)

// Limits of the DNS, in bytes.
const (
	maxHostName = 253
	maxLabel    = 63
)

const hostRemedy = "write the name of the host"

// hostNameFault returns the fault of a host name and its remedy, both "" for a valid name. host
// is that of a URL, without brackets and port.
func hostNameFault(host string) (fault, remedy string) {
	for _, r := range host {
		if r < utf8.RuneSelf {
			continue
		}
		if written := spelledAs(r); written != "" {
			return fmt.Sprintf("has a host with the character %q (U+%04X), which stands for %q", r, r, written), fmt.Sprintf("write %q", written)
		}
		if unicode.In(r, unicode.Nd, unicode.No) {
			return fmt.Sprintf("has a host with the digit %q (U+%04X)", r, r), "write digits 0 to 9"
		}
	}
	name := strings.TrimSuffix(host, ".")
	if _, _, ok := hostAddress(strings.ToLower(name)); ok {
		return "", ""
	}
	if strings.Contains(name, ":") {
		return "has a host that is not an IPv6 address", "write the name or the address of the host"
	}
	if len(name) > maxHostName {
		return fmt.Sprintf("has a host of %d bytes, the limit is %d", len(name), maxHostName), hostRemedy
	}
	for label := range strings.SplitSeq(name, ".") {
		if fault := labelFault(label); fault != "" {
			return fault, hostRemedy
		}
	}
	return "", ""
}

// spelledAs returns the ASCII character that browsers substitute for a character in host names,
// "" for none: "1" for ①, "." for Chinese full stops.
func spelledAs(r rune) string {
	if r < utf8.RuneSelf {
		return ""
	}
	switch usual := norm.NFKC.String(string(r)); {
	case usual == "。":
		return "."
	case usual != string(r):
		return usual
	}
	return ""
}

// labelFault returns the fault of a label of a host name, "" for none.
func labelFault(label string) string {
	switch {
	case label == "":
		return "has a host with an empty label"
	case len(label) > maxLabel:
		return fmt.Sprintf("has a host with a label of %d bytes, the limit is %d", len(label), maxLabel)
	case strings.HasPrefix(label, "-"), strings.HasSuffix(label, "-"):
		return fmt.Sprintf("has a host with the label %s, which begins or ends with a hyphen", quote(label))
	}
	plain := label
	if lower := strings.ToLower(label); strings.HasPrefix(lower, "xn--") {
		var err error
		if plain, err = idna.Punycode.ToUnicode(lower); err != nil || !isInternational(plain) {
			return fmt.Sprintf("has a host with the label %s, which is not valid Punycode", quote(label))
		}
	}
	if r, ok := disguised(plain); ok {
		return fmt.Sprintf("has a host with the label %s, whose character %q (U+%04X) looks like a Latin letter", quote(plain), r, r)
	}
	return ""
}

// isInternational reports whether a decoded label is a valid internationalised label: it has
// non-ASCII characters, all in their usual forms and visible.
func isInternational(label string) bool {
	return !isPlainASCII(label) && norm.NFC.IsNormalString(label) && strings.ToLower(label) == label &&
		!strings.ContainsFunc(label, func(r rune) bool {
			switch {
			case r < utf8.RuneSelf:
				return !isWordByte(byte(r)) && r != '-'
			case r == zeroWidthJoiner, r == zeroWidthNonJoiner:
				return false
			}
			return spelledAs(r) != "" || unicode.In(r, unicode.Nd, unicode.No) || unicode.IsSpace(r) || !unicode.IsGraphic(r)
		})
}

// disguised returns the first character of a label that is confusable with a Latin letter, if
// readers take the label for Latin: its other letters are Latin, or it has no others.
func disguised(label string) (first rune, ok bool) {
	if isPlainASCII(label) {
		return 0, false
	}
	latin, other := false, false
	for _, r := range label {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin = true
		case r < utf8.RuneSelf:
		case unicode.Is(unicode.Han, r), !isPlainASCII(fold.Latin(string(unicode.ToLower(r)))):
			other = true // 〇 is a letter of Japanese names
		case first == 0:
			first = r
		}
	}
	return first, first != 0 && (latin || !other)
}
