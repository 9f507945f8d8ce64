package snapshot

import (
	"crypto/sha256"
	"encoding/hex"

	"vitrine/internal/domain"
	"vitrine/internal/picture"
)

// PicturesPath begins the paths of pictures. A path has the hash of the bytes, so that they never
// change (docs/api.md#pictures).
const PicturesPath = "/assets/"

// Picture is a picture of the catalogue.
type Picture struct {
	MediaType     string
	Width, Height int // above 0
	format        picture.Format
	content       string
}

// Bytes returns the bytes of the picture, which the caller owns.
func (p Picture) Bytes() []byte { return picture.Decode(p.format, p.content) }

// Picture returns the picture at a path; ok is false if there is none.
func (s *Snapshot) Picture(path string) (p Picture, ok bool) {
	p, ok = s.pictures.byPath[path]
	return p, ok && p.Width > 0 && p.Height > 0
}

// pictures has the assets of a catalogue. It shares their contents.
type pictures struct {
	paths  map[string]string  // by file
	byPath map[string]Picture // by path
}

// newPictures returns the pictures of a catalogue. It hashes and measures only contents that differ
// from those of before, which may be nil.
func newPictures(before *pictures, assets []domain.Asset) *pictures {
	p := &pictures{paths: make(map[string]string, len(assets)), byPath: make(map[string]Picture, len(assets))}
	for i := range assets {
		asset := &assets[i]
		path := before.pathOf(asset)
		if path != "" {
			p.paths[asset.File], p.byPath[path] = path, before.byPath[path]
			continue
		}
		format := picture.FormatOf(asset.File)
		sum := sha256.Sum256(picture.Decode(format, asset.Content))
		path = PicturesPath + hex.EncodeToString(sum[:16]) + "." + string(format)
		of := Picture{MediaType: format.MediaType(), format: format, content: asset.Content}
		of.Width, of.Height = picture.Size(format, asset.Content)
		p.paths[asset.File], p.byPath[path] = path, of
	}
	return p
}

// pathOf returns the path of an asset, "" for one with another content.
func (p *pictures) pathOf(asset *domain.Asset) string {
	if p == nil {
		return ""
	}
	path := p.paths[asset.File]
	if known, ok := p.byPath[path]; !ok || known.content != asset.Content {
		return ""
	}
	return path
}

// keep reports whether the files of p that before has too have the same paths, so that
// encoded records of before are still right.
func (p *pictures) keep(before *pictures) bool {
	for file, path := range before.paths {
		if now, ok := p.paths[file]; ok && now != path {
			return false
		}
	}
	return true
}

// picture returns the address of an image: the path of a picture of the catalogue, any other link as
// it is. "" is no image.
func (l language) picture(link string) string {
	file := domain.AssetFile(link)
	if file == "" {
		return link
	}
	return l.pictures.paths[file]
}
