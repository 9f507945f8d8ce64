package domain

import (
	"fmt"
	"strings"

	"vitrine/internal/picture"
)

// Asset is a picture of the catalogue: a file in its folder assets.
type Asset struct {
	File    string // name of the file, such as base.svg
	Content string // see [picture.Encode]
}

// MaxAssets is the maximum size of the contents of all assets of a catalogue, in bytes.
const MaxAssets = 32 << 20

// assetFolder begins references to assets.
const assetFolder = "assets/"

// AssetFile returns the file of the asset that a link of an image names, "" for any other link.
func AssetFile(link string) string {
	file, ok := strings.CutPrefix(link, assetFolder)
	if !ok {
		return ""
	}
	return file
}

const maxAssetFile = 100 // bytes

// assetFault is the rule of names of assets.
func assetFault(what, file string) *fault {
	if len(file) <= maxAssetFile && validKey(file) && picture.FormatOf(file) != "" {
		return nil
	}
	return &fault{RuleMalformedKey, fmt.Sprintf("%s %s is not well-formed", what, quote(file)),
		`use lower-case letters a-z, digits, ".", "_" and "-", at most 100, and the ending .svg or .png, as "base.svg"`}
}

// IsImage reports whether the field is a link to an image, which may be an asset.
func (f *Field) IsImage() bool { return f.Type == TypeLink && f.use == imageUse }

// assetOf checks only that the asset exists to which a link refers.
func (ck *checker) assetOf(at Ref, f *Field, record any) {
	if file := AssetFile(*f.Line(record)); file != "" && f.IsImage() {
		ck.asset(at.in(f.Name), f.Name, file)
	}
}

// asset checks that an asset exists, to which the value of a field refers.
func (ck *checker) asset(at Ref, field, file string) {
	if ck.unread.Kinds[KindAsset] {
		return
	}
	known := ck.references(KindAsset).index
	i, ok := known.lookup(file)
	if ok {
		ck.usedAssets[i] = true
		return
	}
	remedy := "add the file, or remove it here"
	if near := known.suggest(file); near != "" {
		remedy = fmt.Sprintf("did you mean %q? If not, %s", assetFolder+near, remedy)
	}
	ck.report(at, RuleUnknownAsset, fmt.Sprintf("%s %s does not exist", field, quote(assetFolder+file)), remedy)
}

// assets checks the size of all assets together.
func (ck *checker) assets() {
	size := 0
	for i := range ck.cat.Assets {
		if size += len(ck.cat.Assets[i].Content); size > MaxAssets {
			ck.report(Ref{Kind: KindAsset, Index: i}, RuleTooLong,
				fmt.Sprintf("the assets up to this one have %d bytes, the limit is %d", size, MaxAssets), "remove or shrink some of them")
			return
		}
	}
}

var assetShape = &Shape{
	Name:  "an asset",
	About: "A picture: a file in assets/, SVG or PNG",
	Fields: []*Field{
		line("file", func(a *Asset) *string { return &a.File }).names().fromFileName().form(formAsset),
		lineField(TypeContent, "content", func(a *Asset) *string { return &a.Content }).required().
			about("The SVG as it is, or the PNG in base64"),
	},
}
