package response

import (
	"strconv"
	"strings"
)

// encoding is a content coding that bodies are sent in.
type encoding uint8

const (
	identity encoding = iota
	gzipped
	brotlied
	zstandard
	encodings
)

// String returns the encoding as Content-Encoding names it.
func (e encoding) String() string {
	return [encodings]string{"identity", "gzip", "br", "zstd"}[e]
}

// suffix is what the encoding adds to an entity tag.
func (e encoding) suffix() string {
	if e == identity {
		return ""
	}
	return "-" + e.String()
}

// preferred returns the compressed encodings in the order in which they are
// chosen where a client likes them equally: the smallest first. Of an answer
// that is compressed for one client, brotli makes hardly less than zstd does in
// half the time.
func (e Effort) preferred() [encodings - 1]encoding {
	if e == Once {
		return [...]encoding{zstandard, brotlied, gzipped}
	}
	return [...]encoding{brotlied, zstandard, gzipped}
}

// negotiate picks the encoding for a body by the client's Accept-Encoding
// values (RFC 9110, section 12.5.3): the one with the highest weight, of equal
// ones the first preferred one. A small body stays as it is wherever that is
// acceptable. False means that nothing we have is acceptable.
func negotiate(accept []string, effort Effort, small bool) (encoding, bool) {
	if len(accept) == 0 {
		return identity, true
	}
	weights := qualities(accept)
	if weights[identity] > 0 && small {
		return identity, true
	}
	chosen, highest := identity, 0.0
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

// qualities returns the weights that a client gives to our encodings, 0 for not
// acceptable. `*` stands for those that are not named. Identity is acceptable
// unless it is ruled out, but where nothing stands for it any named encoding is
// liked better.
func qualities(accept []string) [encodings]float64 {
	const (
		unnamed = -1
		last    = 0.0001 // below every weight that can be written
	)
	weights := [encodings]float64{unnamed, unnamed, unnamed, unnamed}
	var others float64 = unnamed
	for _, header := range accept {
		for more := true; more; {
			var element string
			element, header, more = strings.Cut(header, ",")
			coding, q, ok := weighted(element)
			if !ok {
				continue
			}
			if coding == "*" {
				others = max(others, q)
			} else if e, ours := encodingOf(coding); ours {
				weights[e] = max(weights[e], q)
			}
		}
	}
	for e, weight := range weights {
		switch {
		case weight != unnamed:
		case others != unnamed:
			weights[e] = others
		case encoding(e) == identity:
			weights[e] = last
		default:
			weights[e] = 0
		}
	}
	return weights
}

// encodingOf returns the encoding of a name in lower case.
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

// weighted reads one element of Accept-Encoding, such as `gzip;q=0.5`. An
// element that cannot be read counts for nothing.
func weighted(element string) (coding string, q float64, ok bool) {
	coding, parameter, _ := strings.Cut(element, ";")
	coding = strings.ToLower(strings.TrimSpace(coding))
	if coding == "" {
		return "", 0, false
	}
	parameter = strings.TrimSpace(parameter)
	if parameter == "" {
		return coding, 1, true
	}
	name, value, _ := strings.Cut(parameter, "=")
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
