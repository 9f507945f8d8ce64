package picture

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xlinkSpace = "http://www.w3.org/1999/xlink"

	maxDepth    = 32
	maxElements = 2000
	maxUses     = 100
)

// elements are the allowed elements: shapes, groups, gradients, clips and masks. None contains a
// program, a style sheet, text, an image or a document, or loads one.
var elements = set("svg g defs symbol use path rect circle ellipse line polyline polygon " +
	"linearGradient radialGradient stop clipPath mask title desc")

// attributes are the allowed attributes without a namespace and their values. Properties are allowed
// as attributes and in `style`.
var attributes = map[string]value{
	"viewBox": numbers, "width": plain, "height": plain, "version": plain, "preserveAspectRatio": plain,
	"id": identifier, "d": pathData, "points": numbers, "transform": plain, "gradientTransform": plain, "style": nil,
	"x": plain, "y": plain, "x1": plain, "y1": plain, "x2": plain, "y2": plain, "cx": plain, "cy": plain, "r": plain, "rx": plain, "ry": plain,
	"fx": plain, "fy": plain, "fr": plain, "offset": plain, "pathLength": plain,
	"gradientUnits": plain, "spreadMethod": plain, "clipPathUnits": plain, "maskUnits": plain, "maskContentUnits": plain,
	"href": reference,
}

var properties = map[string]value{
	"fill": paint, "fill-opacity": plain, "fill-rule": plain, "clip-rule": plain, "clip-path": target, "mask": target, "mask-type": plain,
	"stroke": paint, "stroke-width": plain, "stroke-opacity": plain, "stroke-linecap": plain, "stroke-linejoin": plain,
	"stroke-miterlimit": plain, "stroke-dasharray": plain, "stroke-dashoffset": plain,
	"opacity": plain, "color": plain, "stop-color": plain, "stop-opacity": plain, "display": plain, "visibility": plain, "overflow": plain,
	"paint-order": plain, "vector-effect": plain, "shape-rendering": plain, "color-interpolation": plain, "mix-blend-mode": plain, "isolation": plain,
}

// value reports whether an attribute may have a value. None allows a scheme, an escape, a comment or a
// function other than those of colours and transforms.
type value func(string) bool

var (
	identifierPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,99}$`)
	plainPattern      = regexp.MustCompile(`^[-+.,%#\w\s]*(\b(matrix|translate|scale|rotate|skewX|skewY|rgba?|hsla?)\([-+.,%\w\s]*\)[-+.,%#\w\s]*)*$`)
	targetPattern     = regexp.MustCompile(`^url\((['"]?)#([A-Za-z_][A-Za-z0-9_.-]{0,99})(['"]?)\)$`)
)

func plain(v string) bool      { return plainPattern.MatchString(v) }
func numbers(v string) bool    { return only(v, numberBytes) }
func pathData(v string) bool   { return only(v, pathBytes) }
func identifier(v string) bool { return identifierPattern.MatchString(v) }
func reference(v string) bool  { return strings.HasPrefix(v, "#") && identifier(v[1:]) }
func target(v string) bool     { return targetOf(v) != "" || v == "none" }
func paint(v string) bool      { return targetOf(v) != "" || plain(v) }

// targetOf returns the id in url(#id), "" for any other value.
func targetOf(v string) string {
	m := targetPattern.FindStringSubmatch(v)
	if m == nil || m[1] != m[3] {
		return ""
	}
	return m[2]
}

// numberBytes and pathBytes are the bytes of lists of numbers and of path data, which may be long.
var (
	numberBytes = bytesOf("0123456789-+.,eE \t\r\n")
	pathBytes   = bytesOf("MmZzLlHhVvCcSsQqTtAaEe0123456789-+., \t\r\n")
)

func bytesOf(all string) *[256]bool {
	var of [256]bool
	for i := range len(all) {
		of[all[i]] = true
	}
	return &of
}

func only(s string, allowed *[256]bool) bool {
	for i := range len(s) {
		if !allowed[s[i]] {
			return false
		}
	}
	return true
}

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}

// svgReader checks one file.
type svgReader struct {
	text     string
	tokens   *xml.Decoder
	at       int // offset of the current token
	fault    *Fault
	open     []openElement
	elements int
	uses     int
	ids      map[string]bool // to whether the element contains a nesting reference
	refs     []svgReference
	rooted   bool
}

type openElement struct{ name, id string }

// svgReference is a reference to an element of the file. A nesting one draws what its target contains:
// chains of them could take exponential time.
type svgReference struct {
	id      string
	at      int
	nesting bool
}

func checkSVG(text string) *Fault {
	if len(text) > MaxSVG {
		return tooLarge(len(text), MaxSVG)
	}
	if !utf8.ValidString(text) {
		return whole("it is not UTF-8", "save it as UTF-8")
	}
	r := &svgReader{text: text, tokens: xml.NewDecoder(strings.NewReader(text)), ids: map[string]bool{}}
	for r.next() {
	}
	return r.fault
}

// report sets the fault, the first of the file.
func (r *svgReader) report(at int, what, remedy string) bool {
	if r.fault == nil {
		r.fault = faultAt(r.text, at, what, remedy)
	}
	return false
}

// next checks the next token, and returns whether to continue.
func (r *svgReader) next() bool {
	r.at = int(r.tokens.InputOffset())
	token, err := r.tokens.Token()
	if err != nil {
		return r.end(err)
	}
	switch token := token.(type) {
	case xml.StartElement:
		return r.start(token)
	case xml.EndElement:
		r.open = r.open[:len(r.open)-1]
	case xml.CharData:
		return r.chars(string(token))
	case xml.ProcInst:
		if token.Target != "xml" || r.at != 0 {
			return r.report(r.at, "it has a processing instruction", "remove it")
		}
	case xml.Comment:
		if strings.ContainsAny(string(token), "<>") {
			return r.report(r.at, "it has a comment with markup", "remove it")
		}
	case xml.Directive:
		return r.report(r.at, "it has a document type declaration", "remove <!DOCTYPE …> and what it declares")
	}
	return true
}

func (r *svgReader) chars(text string) bool {
	if strings.HasPrefix(r.text[r.at:], "<![CDATA[") {
		return r.report(r.at, "it has a CDATA section", "remove it")
	}
	inTitle := len(r.open) > 0 && (r.open[len(r.open)-1].name == "title" || r.open[len(r.open)-1].name == "desc")
	if blank := strings.TrimLeft(text, " \t\r\n"); blank != "" && !inTitle {
		return r.report(r.at+len(text)-len(blank), "it has text outside <title> and <desc>", "remove it, or convert it to paths")
	}
	return true
}

// end checks what is known at the end of the file, or reports a syntax error.
func (r *svgReader) end(err error) bool {
	if !errors.Is(err, io.EOF) {
		message := err.Error()
		if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
			message = syntax.Msg
		}
		return r.report(int(r.tokens.InputOffset()), "it is not well-formed XML: "+shortened(message), "correct it, or save it as SVG again")
	}
	if !r.rooted {
		return r.report(0, "it has no <svg> element", "save it as SVG again")
	}
	for _, ref := range r.refs {
		nests, ok := r.ids[ref.id]
		if !ok {
			return r.report(ref.at, fmt.Sprintf("no element has the id %q", ref.id), "remove the reference, or add the element")
		}
		if ref.nesting && nests {
			return r.report(ref.at, fmt.Sprintf("the element %q uses, clips or masks with further elements", ref.id), "write the shapes out: such references may not be nested")
		}
	}
	return false
}

func (r *svgReader) start(e xml.StartElement) bool {
	name := e.Name.Local
	switch {
	case e.Name.Space != svgSpace && len(r.open) == 0 && name == "svg":
		return r.report(r.at, "the root element is not in the namespace of SVG", `write <svg xmlns="`+svgSpace+`">`)
	case e.Name.Space != svgSpace || !elements[name]:
		return r.report(r.at, fmt.Sprintf("the element <%s> is not allowed", shortened(name)), remedyOfElement(name))
	case (name == "svg") != (len(r.open) == 0) || name == "svg" && r.rooted:
		return r.report(r.at, "there must be one <svg> element, the root", "take the inner one away")
	case len(r.open) == maxDepth:
		return r.report(r.at, fmt.Sprintf("elements are nested more than %d deep", maxDepth), "simplify it")
	}
	r.rooted = true
	if r.elements++; r.elements > maxElements {
		return r.report(r.at, fmt.Sprintf("it has more than %d elements", maxElements), "simplify it")
	}
	r.open = append(r.open, openElement{name: name})
	seen := map[string]bool{}
	for _, a := range e.Attr {
		if !r.attribute(name, a, seen) {
			return false
		}
	}
	if name == "use" {
		if r.uses++; r.uses > maxUses {
			return r.report(r.at, fmt.Sprintf("it has more than %d <use> elements", maxUses), "write the shapes out")
		}
	}
	if len(r.open) == 1 && !slices.ContainsFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == "viewBox" && a.Name.Space == "" }) {
		return r.report(r.at, "<svg> has no viewBox", `add one, as viewBox="0 0 24 24"`)
	}
	return true
}

// remedies are those of common elements that are not allowed.
var remedies = map[string]string{
	"script": "remove it: pictures cannot run programs", "style": "write its rules as attributes, such as fill",
	"image": "draw it with paths, or use a PNG", "text": "convert the text to paths", "tspan": "convert the text to paths",
	"metadata": "remove it", "foreignObject": "remove it", "a": "remove it: pictures have no links",
	"filter": "remove the effect", "animate": "remove the animation", "set": "remove the animation", "animateTransform": "remove the animation",
}

func remedyOfElement(name string) string {
	if remedy, ok := remedies[name]; ok {
		return remedy
	}
	return "remove it; allowed are shapes, groups, gradients, clips and masks"
}

// attribute checks an attribute of an element. seen are those before it: encoding/xml accepts repeated
// ones.
func (r *svgReader) attribute(element string, a xml.Attr, seen map[string]bool) bool {
	name, at := a.Name.Local, r.placeOf(a.Name.Local)
	if seen[a.Name.Space+" "+name] {
		return r.report(at, fmt.Sprintf("the attribute %s is there twice", shortened(name)), "keep one of them")
	}
	seen[a.Name.Space+" "+name] = true
	switch {
	case a.Name.Space == "" && name == "xmlns":
		return a.Value == svgSpace || r.report(at, "the namespace is not that of SVG", `write xmlns="`+svgSpace+`"`)
	case a.Name.Space == "xmlns":
		return name == "xlink" && a.Value == xlinkSpace || r.report(at, fmt.Sprintf("the namespace %s is not allowed", shortened(name)), "remove it with its elements and attributes")
	case a.Name.Space == xlinkSpace && name == "href":
	case a.Name.Space != "":
		return r.report(at, fmt.Sprintf("the attribute %s of another namespace is not allowed", shortened(name)), "remove it")
	case name == "style":
		return r.style(a.Value, at)
	}
	allowed := attributes[name]
	if allowed == nil {
		allowed = properties[name]
	}
	switch {
	case allowed == nil && strings.HasPrefix(strings.ToLower(name), "on"):
		return r.report(at, fmt.Sprintf("the attribute %s runs a program", shortened(name)), "remove it")
	case allowed == nil, name == "href" && element != "use" && !strings.HasSuffix(element, "Gradient"):
		return r.report(at, fmt.Sprintf("the attribute %s is not allowed on <%s>", shortened(name), element), "remove it")
	}
	return r.value(name, a.Value, allowed, at)
}

// style checks the declarations of a style attribute.
func (r *svgReader) style(style string, at int) bool {
	for declaration := range strings.SplitSeq(style, ";") {
		name, v, _ := strings.Cut(declaration, ":")
		if name = strings.TrimSpace(name); name == "" && strings.TrimSpace(v) == "" {
			continue
		}
		allowed := properties[name]
		if allowed == nil {
			return r.report(at, fmt.Sprintf("style has the property %q, which is not allowed", shortened(name)), "remove it")
		}
		if !r.value(name, strings.TrimSpace(v), allowed, at) {
			return false
		}
	}
	return true
}

func (r *svgReader) value(name, v string, allowed value, at int) bool {
	if !allowed(v) {
		remedy := "write a plain value"
		if strings.Contains(strings.ToLower(v), "url(") || name == "href" {
			remedy = "refer only to an element of this file, as url(#id), or #id in href"
		}
		return r.report(at, fmt.Sprintf("%s has the value %q, which is not allowed", name, shortened(v)), remedy)
	}
	switch name {
	case "id":
		if _, repeated := r.ids[v]; repeated {
			return r.report(at, fmt.Sprintf("two elements have the id %q", v), "rename one of them")
		}
		r.ids[v] = false
		r.open[len(r.open)-1].id = v
		for _, ref := range r.refs { // of this element, before its id
			r.ids[v] = r.ids[v] || ref.nesting && ref.at >= r.at
		}
	case "viewBox":
		if len(r.open) == 1 {
			if w, h := sizeOfBox(v); w == 0 || h == 0 {
				return r.report(at, fmt.Sprintf("viewBox has the value %q", shortened(v)), fmt.Sprintf("write four numbers, the last two above 0 and at most %d", maxUnit))
			}
		}
	case "href":
		r.refer(svgReference{v[1:], at, r.open[len(r.open)-1].name == "use"})
	default:
		if id := targetOf(v); id != "" {
			r.refer(svgReference{id, at, name == "mask" || name == "clip-path"})
		}
	}
	return true
}

func (r *svgReader) refer(ref svgReference) {
	r.refs = append(r.refs, ref)
	if !ref.nesting {
		return
	}
	for _, e := range r.open {
		if e.id != "" {
			r.ids[e.id] = true
		}
	}
}

// placeOf returns the offset of an attribute in the current tag.
func (r *svgReader) placeOf(name string) int {
	tag := r.text[r.at:int(r.tokens.InputOffset())]
	for from := 0; ; {
		i := strings.Index(tag[from:], name)
		if i < 0 {
			return r.at
		}
		i += from
		rest := strings.TrimLeft(tag[i+len(name):], " \t\r\n")
		if i > 0 && strings.ContainsRune(" \t\r\n:", rune(tag[i-1])) && strings.HasPrefix(rest, "=") {
			return r.at + i
		}
		from = i + len(name)
	}
}

// shortened returns the beginning of a long text for messages.
func shortened(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// rootTag matches the beginning of the root element up to its view box.
var rootTag = regexp.MustCompile(`<(?:\w+:)?svg\s[^>]*?\bviewBox\s*=\s*["']([^"'>]*)["']`)

func sizeOfSVG(text string) (width, height int) {
	m := rootTag.FindStringSubmatch(text)
	if m == nil {
		return 0, 0
	}
	return sizeOfBox(m[1])
}

// sizeOfBox returns the size of a view box, 0 for an invalid one.
func sizeOfBox(box string) (width, height int) {
	parts := strings.FieldsFunc(box, func(c rune) bool { return strings.ContainsRune(" ,\t\r\n", c) })
	if len(parts) != 4 {
		return 0, 0
	}
	return side(parts[2]), side(parts[3])
}

func side(text string) int {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0 && n <= maxUnit) {
		return 0
	}
	return int(math.Ceil(n))
}
