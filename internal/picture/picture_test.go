package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">`

// accepted are SVG files of the kinds that drawing programs and icon sets write.
var accepted = []string{
	head + `<path d="M1 2L3 4z" fill="#00f"/></svg>`,
	`<?xml version="1.0" encoding="UTF-8"?>` + "\n<!-- Generator: A -->\n" + head + "\n  <title>Base &amp; Co</title><desc>A<!-- b --></desc>\n</svg>\n",
	`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="-1,-1 2.5 3e1" width="100%" height="24px">` +
		`<defs><circle id="a" r="1"/><linearGradient id="g" gradientUnits="userSpaceOnUse" gradientTransform="rotate(45) scale(1 2)"><stop offset="0" stop-color="rgb(1, 2, 3)"/></linearGradient>` +
		`<radialGradient id="h" xlink:href="#g"/></defs><use xlink:href="#a" fill="url(#g)"/><use href="#a" style="fill: url('#h'); stroke:none;"/></svg>`,
	head + `<g clip-path="url(#c)"><mask id="m" maskUnits="userSpaceOnUse"><path fill="#fff" d="M0 0"/></mask><g mask="url(#m)"><path d="M1 1e-5"/></g></g><clipPath id="c"><path d="M0 0h24v24H0z"/></clipPath></svg>`,
	`<svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`,
}

func TestAcceptedSVG(t *testing.T) {
	for _, text := range accepted[:4] {
		if f := Check(SVG, text); f != nil {
			t.Errorf("%s: fault %+v", text, f)
		}
	}
}

// TestRefusedSVG checks the place and the message of the first fault.
func TestRefusedSVG(t *testing.T) {
	box := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"`
	for _, tt := range []struct{ text, at, what string }{
		{"", "1:1", "it has no <svg> element"},
		{"plain", "1:1", "text outside"},
		{head, "1:61", "not well-formed XML"},
		{head + "</svg>" + head + "</svg>", "1:67", "one <svg> element"},
		{"<html/>", "1:1", "the element <html> is not allowed"},
		{`<svg viewBox="0 0 1 1"/>`, "1:1", "not in the namespace"},
		{`<svg xmlns="http://www.w3.org/2000/svg"/>`, "1:1", "no viewBox"},
		{`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 1"/>`, "1:41", "viewBox"},
		{`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e9 1"/>`, "1:41", "viewBox"},
		{`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 NaN 1"/>`, "1:41", "viewBox"},
		{head + "\n <script>alert(1)</script></svg>", "2:2", "the element <script> is not allowed"},
		{head + `<SCRIPT/></svg>`, "1:61", "<SCRIPT>"},
		{head + `<h:script xmlns:h="http://www.w3.org/1999/xhtml"/></svg>`, "1:61", "<script>"},
		{head + `<foreignObject/></svg>`, "1:61", "<foreignObject>"},
		{head + `<style>*{}</style></svg>`, "1:61", "<style>"},
		{head + `<image href="#a"/></svg>`, "1:61", "<image>"},
		{head + `<a href="#a"/></svg>`, "1:61", "<a>"},
		{head + `<animate attributeName="href"/></svg>`, "1:61", "<animate>"},
		{head + `<svg viewBox="0 0 1 1"/></svg>`, "1:61", "one <svg> element"},
		{box + ` onload="x()"/>`, "1:61", "onload runs a program"},
		{box + " ONLOAD='x()'/>", "1:61", "ONLOAD runs a program"},
		{box + ` data-name="é"/>`, "1:61", "data-name is not allowed"},
		{box + ` xml:base="http://a.example"/>`, "1:65", "another namespace"},
		{box + ` xmlns:x="urn:x"/>`, "1:67", "the namespace x"},
		{head + `<path é="1"/></svg>`, "1:67", "é is not allowed"},
		{head + `<path fill="url(http://a.example/#b)"/></svg>`, "1:67", "fill has the value"},
		{head + `<path fill="URL(//a.example)"/></svg>`, "1:67", "fill has the value"},
		{head + `<path fill="url(#a) url(http://a.example)"/></svg>`, "1:67", "fill has the value"},
		{head + `<path fill="u&#114;l(//a.example)"/></svg>`, "1:67", "fill has the value"},
		{head + `<path fill="\75rl(x)"/></svg>`, "1:67", "fill has the value"},
		{head + `<path fill="var(--x)"/></svg>`, "1:67", "fill has the value"},
		{head + `<path style="background:url(x)"/></svg>`, "1:67", `"background"`},
		{head + `<path style="fill:url(x)"/></svg>`, "1:67", "fill has the value"},
		{head + `<path style="fill:/**/red"/></svg>`, "1:67", "fill has the value"},
		{head + `<use href="http://a.example/#b"/></svg>`, "1:66", "href has the value"},
		{head + `<use href="data:image/svg+xml,x"/></svg>`, "1:66", "href has the value"},
		{head + `<path href="#a"/></svg>`, "1:67", "href is not allowed on <path>"},
		{head + `<path d="M0 0" d="M1 1"/></svg>`, "1:67", "there twice"},
		{head + `<path id="a"/><path id="a"/></svg>`, "1:81", "two elements have the id"},
		{head + `<path fill="url(#a)"/></svg>`, "1:67", `no element has the id "a"`},
		{`<!DOCTYPE svg [<!ENTITY a "b">]>` + head + `</svg>`, "1:1", "document type"},
		{head + `<title>&a;</title></svg>`, "1:71", "not well-formed"},
		{head + `<![CDATA[ ]]></svg>`, "1:61", "CDATA"},
		{head + `<?xml-stylesheet href="a"?></svg>`, "1:61", "processing instruction"},
		{`<?xml-stylesheet href="a"?>` + head + `</svg>`, "1:1", "processing instruction"},
		{`<?xml version="1.0" encoding="UTF-16"?>` + head + `</svg>`, "1:40", "not well-formed"},
		{head + `<!--><script/>--></svg>`, "1:61", "comment with markup"},
		{head + "\n\n  words</svg>", "3:3", "text outside"},
		{head + "\xff</svg>", "1:1", "not UTF-8"},
		{head + strings.Repeat("<g>", maxDepth) + strings.Repeat("</g>", maxDepth) + "</svg>", "1:154", "nested more than"},
		{head + strings.Repeat("<g/>", maxElements) + "</svg>", "1:8057", "more than 2000 elements"},
		{head + `<g id="a"/>` + strings.Repeat(`<use href="#a"/>`, maxUses+1) + "</svg>", "1:1672", "more than 100 <use>"},
		{head + strings.Repeat(" ", MaxSVG) + "</svg>", "1:1", "the limit is 65536"},
		{head + `<g id="a"><use href="#b"/></g><g id="b"/><use href="#a"/></svg>`, "1:107", "uses, clips or masks"},
		{head + `<g id="a"><use href="#a"/></g></svg>`, "1:76", "uses, clips or masks"},
		{head + `<mask id="a" mask="url(#b)"/><mask id="b"/><g mask="url(#a)"/></svg>`, "1:107", "uses, clips or masks"},
		{head + `<mask mask="url(#b)" id="a"/><mask id="b"/><g mask="url(#a)"/></svg>`, "1:107", "uses, clips or masks"},
	} {
		f := Check(SVG, tt.text)
		if f == nil {
			t.Errorf("%.200s: no fault, want %s", tt.text, tt.what)
			continue
		}
		if at := fmt.Sprintf("%d:%d", f.Line, f.Column); at != tt.at || !strings.Contains(f.What, tt.what) || f.Remedy == "" {
			t.Errorf("%.200s: fault %s %s; %s, want %s with %q", tt.text, at, f.What, f.Remedy, tt.at, tt.what)
		}
	}
}

// FuzzSVG reads accepted files by another parser, that of HTML, and requires the same properties.
func FuzzSVG(f *testing.F) {
	for _, text := range accepted {
		f.Add(text)
	}
	f.Add(head + `<script/><path onload="x" style="fill:url(x)"/><!-- --><![CDATA[x]]></svg>`)
	f.Fuzz(func(t *testing.T, text string) {
		if fault := Check(SVG, text); fault != nil {
			if fault.Line < 1 || fault.Column < 1 || fault.What == "" || fault.Remedy == "" {
				t.Errorf("fault %+v", fault)
			}
			return
		}
		if w, h := Size(SVG, text); w < 0 || h < 0 || w > maxUnit || h > maxUnit {
			t.Errorf("size %d×%d", w, h)
		}
		lower := map[string]bool{}
		for name := range elements {
			lower[strings.ToLower(name)] = true
		}
		tokens := html.NewTokenizer(strings.NewReader(text))
		for {
			kind := tokens.Next()
			if kind == html.ErrorToken {
				if tokens.Err() != io.EOF {
					t.Fatal(tokens.Err())
				}
				return
			}
			if kind == html.DoctypeToken {
				t.Error("it has a document type")
			}
			if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
				continue
			}
			token := tokens.Token()
			_, name, prefixed := strings.Cut(token.Data, ":")
			if !prefixed {
				name = token.Data
			}
			if !lower[name] {
				t.Errorf("it has the element %q", token.Data)
			}
			for _, a := range token.Attr {
				value := strings.ToLower(a.Val)
				if strings.HasPrefix(a.Key, "on") || strings.HasSuffix(a.Key, "href") && !strings.HasPrefix(value, "#") ||
					!strings.HasPrefix(a.Key, "xmlns") && strings.ContainsAny(value, `:\@<`) && a.Key != "style" ||
					strings.Count(value, "url(") != strings.Count(value, "url(#")+strings.Count(value, "url('#")+strings.Count(value, `url("#`) {
					t.Errorf("it has the attribute %s=%q", a.Key, a.Val)
				}
			}
		}
	})
}

func TestSizeOfSVG(t *testing.T) {
	for _, tt := range []struct {
		text          string
		width, height int
	}{
		{accepted[0], 24, 24}, {accepted[2], 3, 30}, {"", 0, 0}, {`<svg viewBox="0 0 1">`, 0, 0},
	} {
		if w, h := Size(SVG, tt.text); w != tt.width || h != tt.height {
			t.Errorf("%s: %d×%d, want %d×%d", tt.text, w, h, tt.width, tt.height)
		}
	}
}

func encoded(t testing.TB, width, height int) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	m.Set(0, 0, color.NRGBA{1, 2, 3, 4})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withChunk inserts a chunk before the image.
func withChunk(data []byte, name, content string) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	chunk = append(append(chunk, name...), content...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	const header = len(pngSignature) + 25
	return append(append(bytes.Clone(data[:header]), chunk...), data[header:]...)
}

func TestPNGIsStoredWithoutMetadata(t *testing.T) {
	plain := encoded(t, 3, 2)
	if got := Decode(PNG, Encode(PNG, plain)); !bytes.Equal(got, plain) {
		t.Error("a plain PNG was changed")
	}
	for name, data := range map[string][]byte{
		"text": withChunk(plain, "tEXt", "Author\x00Ann"), "trailing bytes": append(bytes.Clone(plain), "<script>"...),
	} {
		content := Encode(PNG, data)
		if f := Check(PNG, content); f != nil {
			t.Errorf("%s: fault %+v", name, f)
		}
		got := Decode(PNG, content)
		if bytes.Contains(got, []byte("Ann")) || bytes.Contains(got, []byte("script")) {
			t.Errorf("%s: the metadata is still there", name)
		}
		if again := Encode(PNG, got); again != content {
			t.Errorf("%s: encoding it again changes it", name)
		}
		if w, h := Size(PNG, content); w != 3 || h != 2 {
			t.Errorf("%s: %d×%d", name, w, h)
		}
		if f := Check(PNG, base64.StdEncoding.EncodeToString(data)); f == nil || !strings.Contains(f.What, "more than an image") {
			t.Errorf("%s as it was: fault %+v", name, f)
		}
	}
}

func TestRefusedPNG(t *testing.T) {
	plain := encoded(t, 3, 2)
	wrongSum := bytes.Clone(plain)
	wrongSum[len(wrongSum)-20] ^= 1
	for _, tt := range []struct {
		content, what string
		large         bool
	}{
		{"*", "no", false}, {"", "not a PNG", false},
		{Encode(PNG, []byte("GIF89a")), "not a PNG", false},
		{Encode(PNG, plain[:40]), "more than an image", false},
		{Encode(PNG, wrongSum), "damaged", false},
		{Encode(PNG, encoded(t, maxSide+1, 1)), "2049×1 pixels", true},
		{strings.Repeat("A", MaxPNG*4/3+8), "the limit is 524288", true},
	} {
		f := Check(PNG, tt.content)
		if f == nil || !strings.Contains(f.What, tt.what) || f.Large != tt.large {
			t.Errorf("%.40s: fault %+v, want %q", tt.content, f, tt.what)
		}
	}
}

func FuzzPNG(f *testing.F) {
	plain := encoded(f, 3, 2)
	f.Add(plain)
	f.Add(withChunk(plain, "tEXt", "a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		content := Encode(PNG, data)
		if Check(PNG, content) != nil {
			return
		}
		got := Decode(PNG, content)
		if !isPlainPNG(got) || Encode(PNG, got) != content {
			t.Error("the content has more than an image, or changes when it is encoded again")
		}
		config, err := png.DecodeConfig(bytes.NewReader(got))
		if w, h := Size(PNG, content); err != nil || w != config.Width || h != config.Height {
			t.Errorf("%d×%d, %v", w, h, err)
		}
	})
}

func BenchmarkSVG(b *testing.B) {
	text := head + strings.Repeat(`<path fill="#00F" d="M3 4.706c0-.585 0-.877.11-1.101.106-.215.28-.39.496-.495C3.83 3 4.122 3 4.706 3h14.588c.585 0 .876 0 1.101.11"/>`, 12) + "</svg>"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if Check(SVG, text) != nil {
			b.Fatal("refused")
		}
	}
}
