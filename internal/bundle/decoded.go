package bundle

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"slices"

	"vitrine/internal/domain"
)

// Decoded identifies the records of a directory by the bytes of their lines, so that the next reading
// takes the records of unchanged lines from a catalogue that is in memory anyway. It has the records
// of NDJSON and YAML files, and the assets, that had no problem, and needs 24 bytes for each, in YAML 28. A Decoded is
// immutable.
//
// A record of NDJSON is identified by its line, one of YAML by the hash of its file and its place there:
// an unchanged file is not parsed. An asset is identified by its name and the hash of its file.
//
// Lines and records are hashed with a random seed. Two with the same hash, which is less likely than
// a fault of the memory, would be taken for each other.
type Decoded struct {
	seed    maphash.Seed
	locale  string          // of plain strings
	rules   *domain.Catalog // without long lists
	today   domain.Date
	catalog *domain.Catalog // with the records; nil for none
	lines   map[domain.Kind][]decodedLine
	// documents have the lines on which the records of a document begin.
	documents map[listFile][]int32
}

// listFile identifies a file of YAML with a long list by its content.
type listFile struct {
	kind *domain.Description
	sum  [sha256.Size]byte
}

// record returns the hash that stands for the line of the i-th record.
func (d listFile) record(seed maphash.Seed, i int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteByte(0) // no line begins with it
	h.Write(d.sum[:])
	h.Write(binary.LittleEndian.AppendUint64(nil, uint64(i)))
	return h.Sum64()
}

// assetLine returns the hash that stands for the line of an asset, given its name and the hash of its file.
func assetLine(seed maphash.Seed, name string, sum [sha256.Size]byte) uint64 {
	return maphash.Bytes(seed, append(sum[:], name...))
}

// decodedLine is a line that was decoded, ordered by its hash in a Decoded.
type decodedLine struct {
	line   uint64 // hash of its bytes; 0 in a Directory for a record that is not from one valid line
	record uint64 // hash of its record; 0 in a Directory if not computed yet
	at     int32  // index of the record in the catalogue, -1 for none
}

// Decoded returns the records of the directory without their catalogue, nil if it has errors.
func (d *Directory) Decoded() *Decoded {
	if d.Errors() > 0 {
		return nil
	}
	decoded := &Decoded{seed: d.seed, locale: d.Catalog.DefaultLocale, rules: rulesOf(d.Catalog), today: d.today, documents: d.documents, lines: map[domain.Kind][]decodedLine{}}
	for _, kind := range domain.Descriptions() {
		hash := recordHash{seed: d.seed, kind: kind}
		var lines []decodedLine
		for i, line := range d.lines[kind.Kind] {
			if clean := d.clean[kind.Kind]; line.line == 0 || i >= len(clean) || !clean[i] { // a directory may be unchecked
				continue
			}
			if line.record == 0 {
				line.record = hash.of(kind.Record(d.Catalog, i))
			}
			if line.record != 0 {
				line.at = -1
				lines = append(lines, line)
			}
		}
		slices.SortFunc(lines, func(a, b decodedLine) int { return cmp.Compare(a.line, b.line) })
		decoded.lines[kind.Kind] = slices.Clip(lines)
	}
	return decoded
}

// rulesOf returns a catalogue without long lists and menus.
func rulesOf(c *domain.Catalog) *domain.Catalog {
	rules := &domain.Catalog{}
	for _, d := range domain.Descriptions() {
		if !d.Long && d.Folder == "" {
			d.Take(rules, c)
		}
	}
	return rules
}

// In returns d with the equal records of a catalogue. It returns d itself if that has them already.
func (d *Decoded) In(c *domain.Catalog) *Decoded {
	if d.catalog != nil && sameRecords(d.catalog, c) {
		return d
	}
	in := *d
	in.catalog, in.lines = c, make(map[domain.Kind][]decodedLine, len(d.lines))
	for _, kind := range domain.Descriptions() {
		if len(d.lines[kind.Kind]) == 0 {
			continue
		}
		hash := recordHash{seed: d.seed, kind: kind}
		at := make(map[uint64]int32, kind.Size(c))
		for i := range kind.Size(c) {
			at[hash.of(kind.Record(c, i))] = int32(i)
		}
		lines := slices.Clone(d.lines[kind.Kind])
		for i := range lines {
			index, found := at[lines[i].record]
			if !found {
				index = -1
			}
			lines[i].at = index
		}
		in.lines[kind.Kind] = lines
	}
	return &in
}

// sameRecords reports whether two catalogues share the records of their long lists and their assets.
func sameRecords(a, b *domain.Catalog) bool {
	for _, d := range domain.Descriptions() {
		if (d.Long || d.Raw) && !d.Shares(a, b) {
			return false
		}
	}
	return true
}

// find returns a decoded line of a kind with its record, nil for none.
func (d *Decoded) find(kind domain.Kind, line uint64) *decodedLine {
	lines := d.lines[kind]
	i, found := slices.BinarySearchFunc(lines, line, func(l decodedLine, line uint64) int { return cmp.Compare(l.line, line) })
	if !found || lines[i].at < 0 {
		return nil
	}
	return &lines[i]
}

// recordHash hashes the records of a kind.
type recordHash struct {
	seed maphash.Seed
	kind *domain.Description
	body []byte // of the last record, for its memory
}

// of returns the hash of a record, 0 for none. Records with the same hash are equal.
func (h *recordHash) of(record any) uint64 {
	body, err := h.kind.Shape.AppendJSON(h.body[:0], record, "")
	if err != nil {
		return 0 // a checked record has no such value
	}
	if h.kind.Raw { // the key is not in the body
		body = append(body, h.kind.Key(record)...)
	}
	h.body = body
	return maphash.Bytes(h.seed, body)
}

// line adds the record of a line of NDJSON, which is decoded unless it was before.
func (r *reader) line(f *file, p *pass, data []byte, line int, parse func() (*node, error)) error {
	kind, sum := f.kind, maphash.Bytes(r.seed, data)
	if known := r.decoded(kind.Kind, sum); known != nil {
		r.reserve(kind)
		kind.Add(&r.catalog, kind.Record(r.opts.Decoded.catalog, int(known.at)))
		r.origins.markLine(kind.Kind, line)
		r.addLine(kind, *known)
		p.next++
		return r.progress(f, p.next-1)
	}
	failed := r.decoder.failed
	if err := p.record(parse); err != nil {
		return err
	}
	if r.decoder.failed == failed {
		r.addLine(kind, decodedLine{line: sum})
	}
	return nil
}

// knownDocuments returns the documents whose records the earlier reading may have, nil for none.
func (r *reader) knownDocuments() knownDocument {
	if r.opts.Decoded == nil {
		return nil
	}
	documents := r.opts.Decoded.documents
	return func(of *domain.Description, sum [sha256.Size]byte) bool { return documents[listFile{of, sum}] != nil }
}

// take adds the records of a document from the earlier reading, and reports whether that has all of
// them.
func (r *reader) take(f *file, p *pass, sum [sha256.Size]byte) (ok bool, err error) {
	kind, d := f.kind, listFile{f.kind, sum}
	lines := r.opts.Decoded.documents[d]
	known := make([]*decodedLine, len(lines))
	for i := range lines {
		if known[i] = r.decoded(kind.Kind, d.record(r.seed, i)); known[i] == nil {
			return false, nil
		}
	}
	r.reserve(kind)
	for i, line := range lines {
		kind.Add(&r.catalog, kind.Record(r.opts.Decoded.catalog, int(known[i].at)))
		r.origins.markLine(kind.Kind, int(line))
		r.addLine(kind, *known[i])
		p.next++
		if err := r.progress(f, p.next-1); err != nil {
			return false, err
		}
	}
	return true, nil
}

// rememberDocument remembers the records of a file of YAML with a long list, from index first on, which
// had no problem.
func (r *reader) rememberDocument(f *file, sum [sha256.Size]byte, first int) {
	if !f.kind.Long || streamed(f.path, f.kind) {
		return
	}
	kind, d := f.kind, listFile{f.kind, sum}
	segments := r.origins[kind.Kind]
	begun := segments[len(segments)-1].lines
	if len(begun) == 0 || len(begun) != kind.Size(&r.catalog)-first {
		return
	}
	r.documents[d] = begun
	lines := r.lines[kind.Kind]
	for len(lines) < first { // records of other formats
		lines = append(lines, decodedLine{})
	}
	for i := len(lines) - first; i < len(begun); i++ { // others were reused
		lines = append(lines, decodedLine{line: d.record(r.seed, i)})
	}
	r.lines[kind.Kind] = lines
}

// decoded returns the line with a hash, if it was decoded before in the same locale; else nil.
func (r *reader) decoded(kind domain.Kind, sum uint64) *decodedLine {
	if known := r.opts.Decoded; known != nil && known.catalog != nil && known.locale == r.decoder.locale {
		return known.find(kind, sum)
	}
	return nil
}

// reserve makes room for as many records of a kind as the earlier reading had, before the first one
// that was decoded before.
func (r *reader) reserve(kind *domain.Description) {
	if r.reused[kind.Kind] {
		return
	}
	r.reused[kind.Kind] = true
	const more = 64 // a few may be new
	n := len(r.opts.Decoded.lines[kind.Kind]) + more
	kind.Reserve(&r.catalog, n)
	r.lines[kind.Kind] = slices.Grow(r.lines[kind.Kind], n)
}

// addLine sets the line of the last record of a kind.
func (r *reader) addLine(kind *domain.Description, line decodedLine) {
	lines, last := r.lines[kind.Kind], kind.Size(&r.catalog)-1
	for len(lines) < last { // records of other formats
		lines = append(lines, decodedLine{})
	}
	r.lines[kind.Kind] = append(lines, line)
}

// dropLines removes the lines of records that are not in the catalogue any more.
func (r *reader) dropLines(d *domain.Description) {
	if lines := r.lines[d.Kind]; len(lines) > 0 {
		r.lines[d.Kind] = lines[:min(len(lines), d.Size(&r.catalog))]
	}
}

// clean returns the records whose values need no check, because they were checked by the same rules.
func (r *reader) clean() map[domain.Kind][]bool {
	if len(r.reused) == 0 || r.opts.Today != r.opts.Decoded.today || !domain.SameRules(r.opts.Decoded.rules, &r.catalog) {
		return nil
	}
	clean := map[domain.Kind][]bool{}
	for kind, lines := range r.lines {
		clean[kind] = make([]bool, len(lines))
		for i, line := range lines {
			clean[kind][i] = line.record != 0
		}
	}
	return clean
}
