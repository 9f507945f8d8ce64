package domain

import (
	"regexp"
	"slices"
	"strings"
)

// linkType is a line with a URL. Its use is that of the link.
type linkType struct{ lineType }

func (linkType) check(ck *checker, at Ref, f *Field, record any) {
	ck.linkField(at, f, *f.Line(record))
}

var writtenScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// readLine converts the scheme to lower case, which is equivalent, so that https is found by its
// prefix.
func (linkType) readLine(text string, number bool) (line, wanted, remedy string) {
	if number {
		return "", "a URL", "write it in quotes, as \"https://example.org/\", or leave the field out if there is none"
	}
	scheme := writtenScheme.FindString(text)
	if lower := strings.ToLower(scheme); lower != scheme {
		text = lower + text[len(scheme):]
	}
	return text, "", ""
}

func (linkType) isFree(*Field) bool { return true }

func (linkType) formName(*Field) string { return "Link. " }

func (linkType) random(r *Random, f *Field, record any) {
	links := []string{"https://zoo.example.org/", "https://openai.com/a?b=1", "http://example.org"}
	if f.use != endpointUse {
		links = append(links, "/zoo")
	}
	if f.use == imageUse && r.Arbitrary == nil {
		if file := r.Key(KindAsset, ""); file != "" {
			links = slices.Insert(links, 0, assetFolder+file)
		}
	}
	*f.Line(record) = r.text(links...)
}
