package store

import (
	"regexp"
	"strings"
)

// passwords finds the values of parameters that hold one, in a URL's query and
// in the keyword form of a DSN.
var passwords = regexp.MustCompile(`(?i)((?:p|%70|%50)(?:a|%61|%41)(?:s|%73|%53)(?:s|%73|%53)(?:w|%77|%57)[^\s=&?]*\s*=\s*)('(?:[^'\\]|\\.)*'?|[^\s&]*)`)

// RedactDSN returns a DSN as it may be shown: `postgres://user:***@host/db`. It
// takes any text and would rather hide too much than too little: in a URL that
// is written wrongly, all between the user and the last @ is taken for the
// password.
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
