package site

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"vitrine/internal/response"
)

// The picture that stands for a page where somebody shares its address: its title, and
// bars of what it holds. The one font that is part of the program has Latin, Greek and
// Cyrillic letters; a title with others is left out, and the bars take its place.

const (
	pictureWidth  = 1200
	pictureHeight = 630
	pictureMargin = 80
	pictureText   = 72 // pixels
	pictureLines  = 3
)

// picturePage makes the picture of the site, or of a menu.
func picturePage(v *view) (response.Document, error) {
	name, ok := strings.CutSuffix(v.segment, ".png")
	if !ok {
		return response.Document{}, errUnknown
	}
	title, values := v.Name(), []float64(nil)
	if slug, ok := strings.CutPrefix(name, menuPicture); ok {
		raw, ok := v.snapshot.Menu(slug, v.localized())
		if !ok {
			return response.Document{}, errUnknown
		}
		menu := read[menuBody](raw)
		title = menu.Title
		for _, group := range append(menu.Groups, menuGroup{Items: menu.Standalone}) {
			for _, item := range group.Items {
				values = append(values, float64(len(item.Cards)))
			}
		}
	} else if name != sitePicture {
		return response.Document{}, errUnknown
	} else {
		menus, err := v.menus()
		if err != nil {
			return response.Document{}, err
		}
		for _, group := range menus.Groups {
			for _, menu := range group.Menus {
				values = append(values, float64(menu.Cards))
			}
		}
	}
	picture, err := drawPicture(title, values, parseColour(v.site.look.Accent))
	if err != nil {
		return response.Document{}, err
	}
	return response.Document{Body: picture, Fields: response.Fields{More: http.Header{
		"Content-Type": {"image/png"}, "Cache-Control": {cachePage},
	}}}, nil
}

// The names of pictures.
const (
	sitePicture = "site"
	menuPicture = "nav-"
)

// Picture returns the address of the picture of this page.
func (v *view) Picture() string {
	if strings.HasPrefix(v.Image, "https://") || strings.HasPrefix(v.Image, "http://") {
		return v.Image
	}
	if strings.HasPrefix(v.Image, "/") && followable(v.Image) {
		return v.Absolute(v.Image)
	}
	name := sitePicture
	if v.route.name == "menu" {
		name = menuPicture + lastSegment(v.address.path)
	}
	return v.Absolute(v.At("/og/" + name + ".png"))
}

func drawPicture(title string, values []float64, accent color.RGBA) ([]byte, error) {
	paper, ink := color.RGBA{0xfd, 0xfc, 0xf9, 0xff}, color.RGBA{0x1d, 0x1c, 0x19, 0xff}
	to := image.NewRGBA(image.Rect(0, 0, pictureWidth, pictureHeight))
	fill := func(r image.Rectangle, c color.Color) { draw.Draw(to, r, image.NewUniform(c), image.Point{}, draw.Src) }
	fill(to.Bounds(), paper)
	drawMark(image.Pt(pictureMargin, pictureMargin), 3, fill, accent, paper)

	bottom, err := writeTitle(to, title, ink)
	if err != nil {
		return nil, err
	}
	top := max(bottom+48, pictureMargin+150)
	drawBars(image.Rect(pictureMargin, top, pictureWidth-pictureMargin, pictureHeight-pictureMargin), values, func(r image.Rectangle) { fill(r, accent) })
	fill(image.Rect(pictureMargin, pictureHeight-pictureMargin, pictureWidth-pictureMargin, pictureHeight-pictureMargin+2), ink)

	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, to); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// drawMark draws the mark of assets/icon.svg.
func drawMark(at image.Point, scale int, fill func(image.Rectangle, color.Color), accent, paper color.Color) {
	box := func(x0, y0, x1, y1 int, c color.Color) {
		fill(image.Rect((x0-4)*scale, (y0-3)*scale, (x1-4)*scale, (y1-3)*scale).Add(at), c)
	}
	box(4, 3, 28, 29, accent)
	box(7, 6, 25, 14, paper)
	box(7, 17, 15, 26, paper)
	box(17, 17, 25, 26, paper)
}

// writeTitle writes a title in lines below the mark, and returns where the last of them
// stands: 0 where nothing is written, as the font lacks a letter or there is no room.
func writeTitle(to draw.Image, title string, ink color.Color) (int, error) {
	parsed, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return 0, err
	}
	for _, letter := range title {
		if glyph, err := parsed.GlyphIndex(nil, letter); err != nil || glyph == 0 {
			return 0, err
		}
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: pictureText, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return 0, err
	}
	defer face.Close()
	pen := font.Drawer{Dst: to, Src: image.NewUniform(ink), Face: face}
	fits := func(line string) bool { return pen.MeasureString(line).Ceil() <= pictureWidth-2*pictureMargin }
	lines := wrap(title, fits)
	if len(lines) > pictureLines || slices.ContainsFunc(lines, func(line string) bool { return !fits(line) }) {
		return 0, nil
	}
	y := 0
	for i, line := range lines {
		y = 270 + i*(pictureText+12)
		pen.Dot = fixed.P(pictureMargin, y)
		pen.DrawString(line)
	}
	return y, nil
}

// wrap breaks a text between its words into lines that fit. A word that does not is a
// line of its own.
func wrap(text string, fits func(string) bool) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if n := len(lines); n > 0 && fits(lines[n-1]+" "+word) {
			lines[n-1] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// drawBars draws values side by side, the tallest as tall as the box.
func drawBars(box image.Rectangle, values []float64, fill func(image.Rectangle)) {
	var largest float64
	for _, value := range values {
		largest = max(largest, value)
	}
	if largest == 0 {
		return
	}
	step := min(box.Dx()/len(values), box.Dx()/4)
	for i, value := range values {
		tall := max(2, int(float64(box.Dy())*value/largest))
		fill(image.Rect(box.Min.X+i*step, box.Max.Y-tall, box.Min.X+(i+1)*step-max(1, step/6), box.Max.Y))
	}
}

// parseColour reads a colour that [Look.Check] found right.
func parseColour(hex string) color.RGBA {
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil {
		return color.RGBA{A: 0xff}
	}
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}
}
