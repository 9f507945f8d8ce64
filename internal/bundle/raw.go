package bundle

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/picture"
)

// maxRaw bounds a file that is the content of a record. A PNG may have metadata, which is not kept.
const maxRaw = 8 << 20

// rawIn returns the kind whose records are the contents of files in a folder, nil for none.
func rawIn(folder string) *domain.Description {
	if d := kindIn(folder); d != nil && d.Raw {
		return d
	}
	return nil
}

// imageEndings are the endings of files in a folder of raw files that are probably meant for the
// catalogue. Others, such as a README, are ignored.
var imageEndings = []string{".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".bmp", ".tif", ".tiff", ".svgz"}

// claimsRaw reports whether a path is in a folder of raw files, and has the ending of an image.
func claimsRaw(name string) bool {
	folder, _, _ := strings.Cut(name, "/")
	return folder != name && rawIn(folder) != nil && slices.Contains(imageEndings, strings.ToLower(path.Ext(name)))
}

// raw adds the record of a file that is its content, which is neither encoded nor checked if an earlier
// reading has it.
func (r *reader) raw(f *file) error {
	d := f.kind
	data, sum, broken := readRaw(r, f)
	r.sums = append(r.sums, sumOf(f, sum))
	if broken != nil {
		r.add(problemAt(f.path, broken.line, broken.column, broken.rule, broken.message, broken.remedy))
		r.lost(f.path)
		return nil
	}
	r.origins.beginFile(d.Kind, f, d.Size(&r.catalog))
	line := decodedLine{line: assetLine(r.seed, f.path, sum)}
	if known := r.decoded(d.Kind, line.line); known != nil {
		r.reserve(d)
		line = *known
		d.Add(&r.catalog, d.Record(r.opts.Decoded.catalog, int(known.at)))
	} else {
		record := d.Grow(&r.catalog).(*domain.Asset)
		record.File = path.Base(f.path)
		record.Content = picture.Encode(picture.FormatOf(f.path), data)
	}
	r.addLine(d, line)
	r.origins.markLine(d.Kind, 1)
	return nil
}

func readRaw(r *reader, f *file) (data []byte, sum [sha256.Size]byte, broken *fault) {
	from, err := r.fsys.Open(f.path)
	if err != nil {
		return nil, sum, unreadable(err)
	}
	defer from.Close() // it was only read
	h := sha256.New()
	data, err = io.ReadAll(io.TeeReader(io.LimitReader(from, maxRaw+1), h))
	if err == nil && len(data) > maxRaw {
		_, err = io.Copy(h, from)
		broken = &fault{line: 1, column: 1, rule: domain.RuleTooLong, message: fmt.Sprintf("the file has more than %d MiB", maxRaw>>20), remedy: "scale the picture down"}
	}
	if err != nil {
		return nil, sum, unreadable(err)
	}
	if bytes.HasPrefix(data, []byte(lfsPointer)) {
		broken = lfsFault()
	}
	return data, [sha256.Size]byte(h.Sum(nil)), broken
}

// locateRaw adds the problems of the records of a raw file, which know their places.
func (r *reader) locateRaw(f *file, problems map[int][]placed) {
	for _, i := range slices.Sorted(maps.Keys(problems)) {
		for _, p := range problems[i] {
			r.add(r.place(f, i, nil, p, max(1, p.Line), max(1, p.Column)))
		}
	}
}
