package response

import "strings"

// matches reports whether If-None-Match has the entity tag, by weak comparison; a single `*`
// matches any (RFC 9110, section 13.1.2). A line is read up to the first part that is not an
// entity tag.
func matches(lines []string, tag string) bool {
	if len(lines) == 1 && strings.Trim(lines[0], blank) == "*" {
		return true
	}
	for _, line := range lines {
		if lists(line, tag) {
			return true
		}
	}
	return false
}

// lists reports whether a list of entity tags contains one. It ignores empty members (RFC 9110,
// section 5.6.1).
func lists(line, tag string) bool {
	for {
		line = strings.TrimLeft(line, blank+",")
		member, after, ok := entityTag(line)
		if !ok {
			return false
		}
		line = strings.TrimLeft(after, blank)
		if line != "" && line[0] != ',' {
			return false
		}
		if member == tag {
			return true
		}
	}
}

// entityTag parses the entity tag at the beginning of s, without its weakness. Everything between
// the quotes is literal, also commas, spaces and backslashes.
func entityTag(s string) (tag, after string, ok bool) {
	s = strings.TrimPrefix(s, "W/")
	if s == "" || s[0] != '"' {
		return "", "", false
	}
	end := strings.IndexByte(s[1:], '"')
	if end < 0 {
		return "", "", false
	}
	return s[:end+2], s[end+2:], true
}
