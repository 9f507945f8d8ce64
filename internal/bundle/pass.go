package bundle

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"io"
	"io/fs"
	"path"

	"vitrine/internal/contain"
	"vitrine/internal/domain"
)

// A pass reads a file once, record by record: the elements of a long list, or the whole document
// of other kinds.
type pass struct {
	of    *domain.Description
	d     *decoder
	ahead <-chan parsed              // has the parsed document of the file, nil if it was not parsed ahead
	want  func(i int) bool           // nil wants all; others are skipped
	yield func(i int, n *node) error // an error ends the pass
	// line handles a line of NDJSON, usually by record(parse); nil for that.
	line func(data []byte, line int, parse func() (*node, error)) error
	// take adds the records of a known document from an earlier reading, and reports whether it could.
	take func(sum [sha256.Size]byte) (ok bool, err error)
	next int // index of the next record
}

// knownDocument reports whether an earlier reading may have the records of a document. It is safe for
// concurrent use.
type knownDocument func(of *domain.Description, sum [sha256.Size]byte) bool

// run reads a file and returns its hash. The error is a *fault if the file could not be read to
// its end, or that of yield.
func (p *pass) run(fsys fs.FS, name string) (sum [sha256.Size]byte, err error) {
	p.d.format = path.Ext(name)
	if streamed(name, p.of) {
		return openSource(fsys, name, p.stream)
	}
	d := parsed{later: true}
	if p.ahead != nil {
		d = <-p.ahead
	}
	if d.known {
		if ok, err := p.take(d.sum); ok || err != nil {
			return d.sum, err
		}
	}
	if d.known || d.later {
		d = parseDocument(fsys, name)
	}
	return p.document(d)
}

// openSource calls read for a file, and returns its hash. The error is that of read, or a *fault.
func openSource(fsys fs.FS, name string, read func(src *source, ext string) error) (sum [sha256.Size]byte, err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return sum, unreadable(err)
	}
	defer f.Close() // it was only read
	src := newSource(f)
	if f := src.foreign(); f != nil {
		return src.sum(), f
	}
	err = read(src, path.Ext(name))
	return src.sum(), err
}

// streamed reports whether a file is read record by record.
func streamed(name string, of *domain.Description) bool {
	ext := path.Ext(name)
	return ext == ".ndjson" || ext == ".json" && of.Long
}

func (p *pass) stream(src *source, ext string) error {
	if ext == ".ndjson" {
		return p.lines(src)
	}
	return newElements(p, src).run()
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

// parsed is a parsed document.
type parsed struct {
	root *node
	sum  [sha256.Size]byte // of the file
	err  error             // a *fault or a [*contain.Error]; then there is no root
	// known is set for a known document, later for one that is not parsed yet. They have no root.
	known, later bool
}

// parseDocument reads a whole file: YAML of any kind, or JSON of kinds that are not long lists.
func parseDocument(fsys fs.FS, name string) (d parsed) {
	defer contain.Panic(&d.err, reading(&name))
	d.sum, d.err = openSource(fsys, name, func(src *source, ext string) error {
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
		if ext == ".yaml" {
			d.root, err = parseYAML(data)
		} else {
			d.root, err = parseJSON(data, 1, 1, false)
		}
		return err
	})
	return d
}

// document passes on the records of a document.
func (p *pass) document(d parsed) (sum [sha256.Size]byte, err error) {
	if d.err != nil {
		return d.sum, d.err
	}
	root := d.root
	if !p.of.Long {
		return d.sum, p.record(func() (*node, error) { return root, nil })
	}
	if root.kind == object {
		if !p.d.named(root, p.of) {
			return d.sum, nil
		}
		root = root.value(p.of.List)
	}
	for _, item := range p.d.records(root) {
		if err := p.record(func() (*node, error) { return item, nil }); err != nil {
			return d.sum, err
		}
	}
	return d.sum, nil
}

func (p *pass) handle(data []byte, line int, parse func() (*node, error)) error {
	if p.line != nil {
		return p.line(data, line, parse)
	}
	return p.record(parse)
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
			if err := p.handle(record, line, parse); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		offset += int64(len(data))
	}
}
