// Package picture decides which pictures a catalogue may have: SVG of an allow-list, which contains
// no program and refers to nothing outside the file, and PNG with nothing but an image. It never
// changes an SVG: it reports what to change, so that the served bytes are those that were reviewed.
//
// It must not know records, files or responses. All functions are pure.
package picture

import (
	"encoding/base64"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// Limits of a picture (docs/directory.md#assets).
const (
	MaxSVG  = 64 << 10  // bytes
	MaxPNG  = 512 << 10 // bytes, after encoding it again
	maxSide = 2048      // pixels of a PNG, in each direction
	maxUnit = 100_000   // width and height of the view box of an SVG
)

// Format is the format of a picture.
type Format string

// The formats.
const (
	SVG Format = "svg"
	PNG Format = "png"
)

// FormatOf returns the format of a file by its extension, "" for any other extension.
func FormatOf(name string) Format {
	switch path.Ext(name) {
	case ".svg":
		return SVG
	case ".png":
		return PNG
	}
	return ""
}

// MediaType returns the media type of the format.
func (f Format) MediaType() string {
	if f == SVG {
		return "image/svg+xml"
	}
	return "image/png"
}

// Fault is the first fault of a picture. Line and Column are from 1, in characters; both are 1 for a
// fault of the whole file.
type Fault struct {
	Line, Column int
	What, Remedy string
	Large        bool // the picture exceeds a limit
}

// Encode returns the content of a picture as text: an SVG as it is, a PNG in base64. A PNG with
// anything but an image is encoded again, so that the result has no metadata. Data that is no PNG
// stays as it is, for [Check] to report.
func Encode(format Format, data []byte) string {
	if format == SVG {
		return string(data)
	}
	return base64.StdEncoding.EncodeToString(cleanPNG(data))
}

// Decode returns the bytes of a picture with a content, nil for one that is not encoded.
func Decode(format Format, content string) []byte {
	if format == SVG {
		return []byte(content)
	}
	data, err := base64.StdEncoding.Strict().DecodeString(content)
	if err != nil {
		return nil
	}
	return data
}

// Check returns the fault of a picture with a content, nil for none.
func Check(format Format, content string) *Fault {
	if format == SVG {
		return checkSVG(content)
	}
	if base64.StdEncoding.DecodedLen(len(content)) > MaxPNG+3 {
		return tooLarge(base64.StdEncoding.DecodedLen(len(content)), MaxPNG)
	}
	data := Decode(format, content)
	if data == nil {
		return whole("it is not a PNG in base64", "save it as PNG again")
	}
	return checkPNG(data)
}

// Size returns the width and height of a picture that [Check] accepts: pixels of a PNG, and units of the
// view box of an SVG, rounded up. Both are 0 for any other content.
func Size(format Format, content string) (width, height int) {
	if format == SVG {
		return sizeOfSVG(content)
	}
	return sizeOfPNG(content)
}

func whole(what, remedy string) *Fault { return &Fault{Line: 1, Column: 1, What: what, Remedy: remedy} }

func tooLarge(size, limit int) *Fault {
	f := whole(fmt.Sprintf("it has %d bytes, the limit is %d", size, limit), "simplify or shrink it: logos are shown at 64 pixels or less")
	f.Large = true
	return f
}

// faultAt returns the fault at an offset of a text.
func faultAt(text string, offset int, what, remedy string) *Fault {
	before := text[:min(max(offset, 0), len(text))]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return &Fault{Line: line, Column: column, What: what, Remedy: remedy}
}
