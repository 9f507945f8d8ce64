package domain

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Placeholders of the address for editing (docs/directory.md#edit-links).
const (
	filePlaceholder = "{file}"
	linePlaceholder = "{line}"
)

// EditLink returns the address for editing a line of a file, which is a slash path, by a valid
// template.
func EditLink(template, file string, line int) string {
	segments := strings.Split(file, "/")
	for i := range segments {
		segments[i] = url.PathEscape(segments[i])
	}
	return strings.NewReplacer(filePlaceholder, strings.Join(segments, "/"), linePlaceholder, strconv.Itoa(line)).Replace(template)
}

// editURLFault returns the fault of a non-empty template, nil for none.
func editURLFault(what, template string) *fault {
	wrong := func(problem string) *fault {
		return &fault{RuleMalformedLink, fmt.Sprintf("%s %s %s", what, quote(withoutUserInfo(template)), problem),
			"write an https URL with {file} and, if it has a place for it, {line}"}
	}
	link := EditLink(template, "file", 1)
	u, err := url.Parse(link)
	switch {
	case len(template) > maxURL:
		return wrong("is too long")
	case strings.ContainsFunc(template, func(r rune) bool { return r <= ' ' || r == '\\' || r > '~' }):
		return wrong("has a character that URLs do not have")
	case err != nil || u.Scheme != "https" || u.User != nil:
		return wrong("is not an https URL without a user name")
	case strings.ContainsAny(link, "{}"):
		return wrong("has an unknown placeholder")
	case !strings.Contains(template, filePlaceholder):
		return wrong("has no {file}")
	case u.Host != hostOf(template):
		return wrong("has a placeholder in its host")
	}
	if problem, _ := hostFault(u); problem != "" {
		return wrong(problem)
	}
	return nil
}

// hostOf returns the text between the scheme and the path.
func hostOf(link string) string {
	_, rest, _ := strings.Cut(link, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}
