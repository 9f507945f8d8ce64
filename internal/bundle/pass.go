package bundle

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"io"
	"io/fs"
	"path"

	"vitrine/internal/domain"
)

// A pass reads a file once, record by record: the elements of a long list, or the whole document
// of other kinds.
type pass struct {
	of    domain.Kind
	d     *decoder
	want  func(i int) bool           // nil wants all; others are skipped
	yield func(i int, n *node) error // an error ends the pass
	next  int                        // index of the next record
}

// run reads a file and returns its hash. The error is a *fault if the file could not be read to
// its end, or that of yield.
func (p *pass) run(fsys fs.FS, name string) (sum [sha256.Size]byte, err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return sum, unreadable(err)
	}
	defer f.Close() // it was only read
	p.d.format = path.Ext(name)
	src := newSource(f)
	if f := src.foreign(); f != nil {
		return src.sum(), f
	}
	switch ext := path.Ext(name); {
	case ext == ".ndjson":
		err = p.lines(src)
	case ext == ".json" && long(p.of):
		err = newElements(p, src).run()
	default:
		err = p.document(src, ext)
	}
	return src.sum(), err
}

// record passes on the next record. parse is called only if it is wanted.
func (p *pass) record(parse func() (*node, error)) error {
	i := p.next
	p.next++
	if p.want != nil && !p.want(i) {
		return nil
	}
	n, err := parse()
	if err != nil {
		return err
	}
	return p.yield(i, n)
}

// document reads a whole file: YAML of any kind, or JSON of kinds that are not long lists.
func (p *pass) document(src *source, ext string) error {
	if ext == ".yaml" {
		src.limit = maxYAML
	}
	data, err := io.ReadAll(src)
	if err != nil {
		return src.fault()
	}
	if f := findConflict(data); f != nil {
		return f
	}
	parse := func() (*node, error) { return parseJSON(data, 1, 1, false) }
	if ext == ".yaml" {
		parse = func() (*node, error) { return parseYAML(data) }
	}
	if !long(p.of) {
		return p.record(parse)
	}
	root, err := parse()
	if err != nil {
		return err
	}
	if root.kind == object {
		if p.d.lone(root, p.of) {
			return nil
		}
		m := p.d.document(root, "", "")
		p.d.renamed(root, p.of)
		root = m.field(string(p.of))
		m.done()
	}
	for _, item := range p.d.records(root) {
		if err := p.record(func() (*node, error) { return item, nil }); err != nil {
			return err
		}
	}
	return nil
}

// blank is the white space of JSON.
const blank = " \t\r\n"

// lines reads NDJSON: one record per line, except blank ones.
func (p *pass) lines(src *source) error {
	r := bufio.NewReaderSize(src, maxRecord)
	for offset := int64(0); ; {
		data, err := r.ReadSlice('\n')
		line, column := src.position(offset)
		switch {
		case err == bufio.ErrBufferFull:
			return src.tooLarge()
		case err != nil && err != io.EOF:
			return src.fault()
		}
		if record := bytes.TrimRight(data, blank); len(record) > 0 {
			parse := func() (*node, error) { return parseJSON(record, line, column, true) }
			if err := p.record(parse); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		offset += int64(len(data))
	}
}
