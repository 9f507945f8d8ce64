package site

import (
	"fmt"
	"regexp"
	"strings"
	"text/template"
)

// inline is Markdown within a line, in which texts are escaped.
type inline string

// markdownFuncs are the functions of Markdown templates that return Markdown. Templates
// escape all other values (see [escapeActions]).
var markdownFuncs = template.FuncMap{"link": link, "code": code, "join": join, "dotted": dotted, "raw": raw}

// escapeMarkdown returns a value as Markdown within a line.
func escapeMarkdown(value any) inline {
	if safe, ok := value.(inline); ok {
		return safe
	}
	return plain(fmt.Sprint(value))
}

// special matches what has a meaning anywhere in Markdown (CommonMark and the tables of
// GitHub); beginning and numbered match what has one only at the beginning of a line.
var (
	special   = regexp.MustCompile("[\\\\`*_\\[\\]<>|~]|&[#0-9A-Za-z]+;")
	beginning = regexp.MustCompile(`^[-+=:#]`)
	numbered  = regexp.MustCompile(`^([0-9]+)([.)])( |$)`)
)

// plain returns any text as Markdown on one line, escaped.
func plain(text string) inline {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	text = special.ReplaceAllStringFunc(text, func(s string) string { return `\` + s })
	text = numbered.ReplaceAllString(text, `$1\$2$3`)
	return inline(beginning.ReplaceAllString(text, `\$0`))
}

// code returns text as inline code, "" for none. Text that inline code cannot contain is
// escaped instead.
func code(text string) inline {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return ""
	}
	if strings.ContainsAny(text, "`|") {
		return plain(text)
	}
	return inline("`" + text + "`")
}

// link returns a link, or only its text if pages do not link to the address.
func link(text, address string) inline {
	if !followable(address) {
		return plain(text)
	}
	if strings.ContainsAny(address, " <>()\\|\"'`*_[]") {
		address = "<" + strings.NewReplacer("<", "%3C", ">", "%3E", `\`, "%5C", " ", "%20", "|", "%7C").Replace(address) + ">"
	}
	return inline("[" + string(plain(text)) + "](" + address + ")")
}

// join returns the parts that are not empty with a separator between them.
func join(separator string, parts ...any) inline {
	var all []string
	for _, part := range parts {
		if escaped := escapeMarkdown(part); escaped != "" {
			all = append(all, string(escaped))
		}
	}
	return inline(strings.Join(all, separator))
}

// dotted returns texts with dots between them.
func dotted(texts []string) inline {
	parts := make([]any, len(texts))
	for i, text := range texts {
		parts[i] = text
	}
	return join(" · ", parts...)
}

// raw returns text that is Markdown already, such as an own address or an indentation.
func raw(text string) inline { return inline(text) }
