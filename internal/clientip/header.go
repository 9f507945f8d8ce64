package clientip

import (
	"net/netip"
	"strings"
)

// A header is split into elements from its right end, one at a time. So text further
// left, even an open quote, cannot change an element that a proxy appended.

// lastForwardedFor parses the last element of X-Forwarded-For and returns the text
// before it, including its comma. Parsing ends at an unreadable element. An empty
// element is a proxy that did not know its client.
func lastForwardedFor(rest string) (addr netip.Addr, before string, ok bool) {
	window := max(0, len(rest)-maxNode)
	comma := strings.LastIndexByte(rest[window:], ',')
	if comma < 0 && window > 0 {
		return netip.Addr{}, "", false // too long for an address
	}
	cut := window + comma + 1
	addr, ok = parseNode(strings.Trim(rest[cut:], " \t"))
	return addr, rest[:cut], ok
}

// lastForwarded is lastForwardedFor for Forwarded (RFC 7239, section 4). It reads
// only the pair `for`.
func lastForwarded(rest string) (addr netip.Addr, before string, ok bool) {
	cut, ok := lastElement(rest)
	if !ok {
		return netip.Addr{}, "", false
	}
	node, ok := forPair(rest[cut:])
	if !ok {
		return netip.Addr{}, "", false
	}
	addr, ok = parseNode(node)
	return addr, rest[:cut], ok
}

// maxElement bounds an element of Forwarded: its four pairs with host names.
const maxElement = 1024

// lastElement returns the start of the last element of a list, whose commas may be
// quoted. ok is false if the element is too long.
func lastElement(s string) (begin int, ok bool) {
	quoted := false
	for i := len(s) - 1; i >= 0; i-- {
		switch {
		case len(s)-i > maxElement:
			return 0, false
		case s[i] == '"' && !(quoted && escaped(s, i)):
			quoted = !quoted
		case s[i] == ',' && !quoted:
			return i + 1, true
		}
	}
	return 0, !quoted
}

// escaped reports whether an odd number of backslashes precedes s[i].
func escaped(s string, i int) bool {
	n := 0
	for i-n > 0 && n < maxElement && s[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// forPair returns the value of the only pair `for` of an element. ok is false if the
// element is malformed, or has none or several.
func forPair(element string) (value string, ok bool) {
	found := false
	for rest := strings.Trim(element, " \t"); rest != ""; {
		name, after, hasValue := strings.Cut(rest, "=")
		if !hasValue {
			return "", false
		}
		v, after, ok := pairValue(after)
		if !ok {
			return "", false
		}
		if strings.EqualFold(strings.Trim(name, " \t"), "for") {
			if found {
				return "", false
			}
			value, found = v, true
		}
		if after == "" {
			break
		}
		if after[0] != ';' {
			return "", false
		}
		rest = strings.TrimLeft(after[1:], " \t")
	}
	return value, found
}

// pairValue parses a token or a quoted string, and the space after it.
func pairValue(s string) (value, after string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexByte(s, ';')
		if end < 0 {
			end = len(s)
		}
		value = strings.TrimRight(s[:end], " \t")
		return value, s[end:], !strings.ContainsAny(value, "\" \t\\")
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return unescape(s[1:i]), strings.TrimLeft(s[i+1:], " \t"), true
		}
	}
	return "", "", false
}

// unescape removes the backslashes of quoted pairs.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
