package response

import "strings"

// encoding is a content coding of bodies.
type encoding uint8

const (
	identity encoding = iota
	gzipped
	brotlied
	zstandard
	encodings
)

// String returns the name of the encoding in Content-Encoding.
func (e encoding) String() string {
	return [encodings]string{"identity", "gzip", "br", "zstd"}[e]
}

// suffix returns the suffix of an entity tag for the encoding.
func (e encoding) suffix() string {
	if e == identity {
		return ""
	}
	return "-" + e.String()
}

// preferred returns the compressed encodings in the order of preference among equal weights:
// the smallest first. For bodies that are sent once, zstd is first: it takes half the time of
// brotli and is hardly larger.
func (e Effort) preferred() [encodings - 1]encoding {
	if e == Once {
		return [...]encoding{zstandard, brotlied, gzipped}
	}
	return [...]encoding{brotlied, zstandard, gzipped}
}

// negotiate selects the encoding of a body by Accept-Encoding (RFC 9110, section 12.5.3): the one
// with the highest weight, and among equal weights the first of [Effort.preferred]. A small body
// is not compressed if identity is acceptable. ok is false if no encoding is acceptable.
func negotiate(accept []string, effort Effort, small bool) (encoding, bool) {
	if len(accept) == 0 {
		return identity, true
	}
	weights := qualities(accept)
	if weights[identity] > 0 && small {
		return identity, true
	}
	chosen, highest := identity, 0
	for _, e := range effort.preferred() {
		if weights[e] > highest {
			chosen, highest = e, weights[e]
		}
	}
	if weights[identity] > highest {
		chosen, highest = identity, weights[identity]
	}
	return chosen, highest > 0
}

// blank has the characters that may surround the members of a list and their parts.
const blank = " \t"

// The weights of encodings, in ten-thousandths. Clients send thousandths, so least is below any
// positive weight.
const (
	unnamed = -1
	least   = 1
	full    = 10_000
)

// qualities returns the weight of each encoding, 0 if it is not acceptable. If an encoding occurs
// twice, the higher weight counts. `*` means all encodings that are not listed. Identity has the
// lowest weight if neither it nor `*` is listed.
func qualities(accept []string) [encodings]int {
	weights, others := [encodings]int{unnamed, unnamed, unnamed, unnamed}, unnamed
	for _, line := range accept {
		for member := range strings.SplitSeq(line, ",") {
			coding, weight, ok := weighted(member)
			if !ok {
				continue
			}
			if coding == "*" {
				others = max(others, weight)
			} else if e, ours := encodingOf(coding); ours {
				weights[e] = max(weights[e], weight)
			}
		}
	}
	for e, weight := range weights {
		switch {
		case weight != unnamed:
		case others != unnamed:
			weights[e] = others
		case encoding(e) == identity:
			weights[e] = least
		default:
			weights[e] = 0
		}
	}
	return weights
}

// encodingOf returns the encoding with a lower-case name.
func encodingOf(coding string) (encoding, bool) {
	switch coding {
	case "identity":
		return identity, true
	case "gzip", "x-gzip": // RFC 9110, section 8.4.1.3
		return gzipped, true
	case "br":
		return brotlied, true
	case "zstd":
		return zstandard, true
	}
	return 0, false
}

// weighted parses one member of Accept-Encoding, such as `gzip;q=0.5`, by the grammar of RFC
// 9110, sections 12.4.2 and 12.5.3. The coding is returned in lower case. Invalid members are
// ignored.
func weighted(member string) (coding string, weight int, ok bool) {
	member = strings.Trim(member, blank)
	if member == "" {
		return "", 0, false
	}
	coding, parameter, given := strings.Cut(member, ";")
	coding = lower(strings.TrimRight(coding, blank))
	if !given {
		return coding, full, true
	}
	value, ok := strings.CutPrefix(lower(strings.TrimLeft(parameter, blank)), "q=")
	if !ok {
		return "", 0, false
	}
	weight, ok = qvalue(value)
	return coding, weight, ok
}

// qvalue parses a weight: 0 or 1 with up to three decimals, at most 1.
func qvalue(s string) (weight int, ok bool) {
	whole, decimals, _ := strings.Cut(s, ".")
	if whole != "0" && whole != "1" || len(decimals) > 3 {
		return 0, false
	}
	weight = int(whole[0]-'0') * full
	place := full / 10
	for _, digit := range []byte(decimals) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		weight += int(digit-'0') * place
		place /= 10
	}
	return weight, weight <= full
}

// lower returns s with its ASCII letters in lower case. Other letters are unchanged, because some
// have ASCII letters as lower case (`İ`).
func lower(s string) string {
	return strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			return c - 'A' + 'a'
		}
		return c
	}, s)
}
