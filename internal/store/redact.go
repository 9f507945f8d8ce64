package store

import (
	"regexp"
	"strings"
)

// passwords matches the values of password parameters, in a URL's query and in keyword DSNs.
var passwords = regexp.MustCompile(`(?i)((?:p|%70|%50)(?:a|%61|%41)(?:s|%73|%53)(?:s|%73|%53)(?:w|%77|%57)[^\s=&?]*\s*=\s*)('(?:[^'\\]|\\.)*'?|[^\s&]*)`)

// RedactDSN returns a DSN without its password: `postgres://user:***@host/db`. It accepts any text
// and rather redacts too much: in a malformed URL, everything between the user and the last @
// counts as password.
func RedactDSN(dsn string) string {
	if scheme, rest, ok := strings.Cut(dsn, "://"); ok {
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			if user, _, ok := strings.Cut(rest[:at], ":"); ok {
				dsn = scheme + "://" + user + ":***" + rest[at:]
			}
		}
	}
	return passwords.ReplaceAllString(dsn, "${1}***")
}
