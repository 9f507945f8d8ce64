package domain

import (
	"crypto/sha256"
	"fmt"

	"vitrine/internal/picture"
)

// contentType is the content of an [Asset], as [picture.Encode] returns it. Differences and values
// have its hash.
type contentType struct{ lineType }

func (contentType) check(ck *checker, at Ref, f *Field, record any) {
	format := picture.FormatOf(record.(*Asset).File)
	if format == "" {
		return // its name is reported
	}
	fault := picture.Check(format, *f.Line(record))
	if fault == nil {
		return
	}
	rule := RuleMalformedPicture
	if fault.Large {
		rule = RuleTooLong
	}
	ck.add(Problem{At: at.in(f.Name), Rule: rule, Message: fault.What, Remedy: fault.Remedy, Line: fault.Line, Column: fault.Column})
}

// summaryOf returns a short text that identifies a content.
func summaryOf(content string) string {
	if content == "" {
		return ""
	}
	return fmt.Sprintf("%d bytes, SHA-256 %x…", len(content), sha256.Sum256([]byte(content)))[:32]
}

func (contentType) part(f *Field, record, _ any) part {
	return stringPart(f.Name, summaryOf(*f.Line(record)))
}

func (contentType) addValues(v *Values, path, name string, f *Field, record any) {
	v.scalar(path, name, f, summaryOf(*f.Line(record)))
}

func (contentType) appendTexts(texts []string, _ *Field, _ any) []string { return texts }

func (contentType) isFree(*Field) bool { return true }

func (contentType) random(r *Random, f *Field, record any) {
	const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">`
	*f.Line(record) = r.text(head+`<path d="M0 0h24v24z"/></svg>`, head+`<circle r="9" cx="12" cy="12" fill="#00f"/></svg>`, head+"\n<title>é &lt;</title>\n</svg>\n")
}
