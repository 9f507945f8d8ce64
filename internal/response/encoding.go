package response

import (
	"strconv"
	"strings"
)

// encoding is a content coding as Accept-Encoding names it.
type encoding string

const (
	identity encoding = "identity"
	gzipped  encoding = "gzip"
)

// negotiate picks the encoding for a body by the client's Accept-Encoding
// values (RFC 9110, section 12.5.3). A small body stays as it is wherever that
// is acceptable. False means that nothing we have is acceptable.
func negotiate(accept []string, small bool) (encoding, bool) {
	if len(accept) == 0 {
		return identity, true
	}
	plain, compressed := qualities(accept)
	if plain > 0 && small {
		return identity, true
	}
	if compressed > 0 && compressed >= plain {
		return gzipped, true
	}
	return identity, plain > 0
}

// qualities returns the weights that a client gives to identity and to gzip,
// 0 for not acceptable. `*` stands for those that are not named. Identity is
// acceptable unless it is ruled out, but where nothing stands for it any named
// encoding is liked better.
func qualities(accept []string) (plain, compressed float64) {
	const (
		unnamed = -1
		last    = 0.0001 // below every weight that can be written
	)
	plain, compressed = unnamed, unnamed
	var others float64 = unnamed
	for _, header := range accept {
		for element := range strings.SplitSeq(header, ",") {
			coding, q, ok := weighted(element)
			if !ok {
				continue
			}
			switch coding {
			case "identity":
				plain = max(plain, q)
			case "gzip", "x-gzip": // RFC 9110, section 8.4.1.3
				compressed = max(compressed, q)
			case "*":
				others = max(others, q)
			}
		}
	}
	if compressed == unnamed {
		compressed = max(others, 0)
	}
	switch {
	case plain != unnamed:
	case others != unnamed:
		plain = others
	default:
		plain = last
	}
	return plain, compressed
}

// weighted reads one element of Accept-Encoding, such as `gzip;q=0.5`. An
// element that cannot be read counts for nothing.
func weighted(element string) (coding string, q float64, ok bool) {
	coding, parameters, _ := strings.Cut(element, ";")
	coding = strings.ToLower(strings.TrimSpace(coding))
	if coding == "" {
		return "", 0, false
	}
	name, value, found := strings.Cut(strings.TrimSpace(parameters), "=")
	if !found {
		return coding, 1, parameters == ""
	}
	if !strings.EqualFold(strings.TrimSpace(name), "q") {
		return "", 0, false
	}
	value = strings.TrimSpace(value)
	if strings.Trim(value, "0123456789.") != "" { // ParseFloat takes more than digits
		return "", 0, false
	}
	q, err := strconv.ParseFloat(value, 64)
	return coding, q, err == nil && q <= 1
}
