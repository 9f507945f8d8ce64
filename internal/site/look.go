package site

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Look is the operator's design of the site. The zero Look is the default.
type Look struct {
	Name      string // in the header of every page; "" for the title of the catalogue
	Logo      string // SVG or PNG file beside the name; "" for none
	Accent    string // colour of links and bars, as #rrggbb; "" for the default
	Footer    string // a line of text in the footer of every page
	CSS       string // file of rules that follow the site's own
	Templates string // directory of templates that replace those of the same name; "" for none
	Images    Images // the logos that pages show
}

// Images are the logos that pages show. All others are first letters.
type Images string

// The values of [Images].
const (
	ImagesOwn    Images = ""       // those of the catalogue, so browsers request nothing from other hosts
	ImagesRemote Images = "remote" // those of other hosts, too
	ImagesNone   Images = "off"
)

// accent returns the colour of links and bars.
func (l Look) accent() string { return cmp.Or(l.Accent, "#12606b") }

// iconRoute is the icon at /favicon.ico, for browsers that do not read the page.
const iconRoute = "icon"

// loadIcon loads the icon of the catalogue, or of the program.
func loadIcon(v *view) error {
	at := v.Icon()
	if own, ok := v.snapshot.Picture(at.Path); ok {
		v.raw, v.media = own.Bytes(), own.MediaType
		return nil
	}
	v.raw = v.site.assets.files[v.Asset("icon.svg")].Body
	return nil
}

var colour = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// Check returns the first problem of a look that is known without reading its files.
func (l Look) Check() error {
	if l.Accent != "" && !colour.MatchString(l.Accent) {
		return fmt.Errorf("the accent colour %q is not of the form #1a2b3c", l.Accent)
	}
	if ext := strings.ToLower(path.Ext(l.Logo)); l.Logo != "" && ext != ".svg" && ext != ".png" {
		return fmt.Errorf("the logo %q is neither .svg nor .png", l.Logo)
	}
	return nil
}
