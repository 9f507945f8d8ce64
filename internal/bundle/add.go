package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/atomicfile"
	"vitrine/internal/domain"
)

// ErrExists is the error of [Add] for a key that another record has.
var ErrExists = errors.New("this record exists already; edit it, or choose another key")

// Addition is a record to add to a directory.
type Addition struct {
	Kind domain.Kind
	Key  string // module/key also sets the module of a group
	File string // slash path in the directory; "" for the one file of its list
	// Values are the values of fields as `field` or `field.locale`, and a text: a line, a list joined by
	// commas, or JSON.
	Values [][2]string
}

// Added is where a record was added: a file, and its first and last line there.
type Added struct {
	File      string
	From, To  int
	Remaining []string // the name of each required field that is empty, and its hint
}

// Add adds a record to the directory dir, which has the catalogue c, and changes no other byte. A
// required field without a value has a comment that says what to write, in NDJSON it is null. It
// changes nothing if there is an error: [ErrExists], a wrong value, several files, or a file whose
// list it cannot extend.
func Add(ctx context.Context, dir string, c *domain.Catalog, a Addition) (Added, error) {
	d := domain.Describe(a.Kind)
	if d == nil || d.KeyField == nil {
		return Added{}, fmt.Errorf("a catalogue has one record of the kind %s; edit its file", a.Kind)
	}
	record, err := newRecord(d, c.DefaultLocale, a)
	if err != nil {
		return Added{}, err
	}
	if message, remedy := d.KeyField.Form.Fault(d.KeyField.Name, *d.KeyField.Line(record)); message != "" {
		return Added{}, fmt.Errorf("%s; %s", message, remedy)
	}
	if key := d.Identity(d.Key(record)); slices.ContainsFunc(d.Keys(c), func(k string) bool { return d.Identity(k) == key }) {
		return Added{}, fmt.Errorf("%s %s: %w", d.Names[0], d.Key(record), ErrExists)
	}
	fsys, closeDir, err := Open(dir)
	if err != nil {
		return Added{}, err
	}
	defer closeDir() // nothing was written through it
	l, err := survey(fsys)
	if err != nil {
		return Added{}, err
	}
	f, err := l.fileFor(d, d.Key(record), a.File)
	if err != nil {
		return Added{}, err
	}
	e := extension{kind: d, record: record, locale: c.DefaultLocale, file: f}
	if f.info != nil {
		if e.before, err = fs.ReadFile(fsys, f.path); err != nil {
			return Added{}, err
		}
	} else {
		e.before = l.schemaLine(f)
	}
	if err := e.extend(); err != nil {
		return Added{}, fmt.Errorf("%s: %w", f.path, err)
	}
	if err := e.verify(ctx); err != nil {
		return Added{}, fmt.Errorf("%s: %w", f.path, err)
	}
	return Added{f.path, e.from, e.to, remaining(d.Shape, record)}, e.write(dir)
}

// newRecord returns a record with a key and values.
func newRecord(d *domain.Description, locale string, a Addition) (any, error) {
	values := a.Values
	record := d.New()
	switch module, key, found := strings.Cut(a.Key, "/"); {
	case d.KeyField.InFileName:
		*d.KeyField.Line(record) = a.Key
	case found && module != "" && d.Kind == domain.KindGroup:
		values = append([][2]string{{"module", module}, {d.KeyField.Name, key}}, values...)
	default:
		values = append([][2]string{{d.KeyField.Name, a.Key}}, values...)
	}
	columns, cells := make([]column, len(values)), make([]string, len(values))
	for i, v := range values {
		c, remedy := columnNamed(d, v[0])
		if remedy != "" {
			return nil, fmt.Errorf("%s has no field %q; %s", d.Shape.Name, v[0], remedy)
		}
		if c.field.Type == domain.TypeText && c.locale == "" {
			c.locale = locale
		}
		columns[i], cells[i] = c, v[1]
	}
	n, err := recordOf(columns, cells, func(i int) (int, int) { return i + 1, 1 })
	if err != nil {
		return nil, err
	}
	dec := decoder{locale: locale, report: func(at *node, _ domain.Rule, message, remedy string) {
		if err == nil {
			err = fmt.Errorf("%s: %s; %s", values[at.line-1][0], message, remedy)
		}
	}}
	dec.record(n, d.Shape, record)
	return record, err
}

// fileFor returns the file to which a record of a kind is added, without info if it does not exist.
func (l *layout) fileFor(d *domain.Description, key, name string) (*file, error) {
	if d.Raw {
		return nil, fmt.Errorf("%s are files: put the file into %s/", d.Plural, d.Folder)
	}
	if d.Folder != "" {
		own := d.Folder + "/" + key
		if i := slices.IndexFunc(l.files, func(f *file) bool { return strings.TrimSuffix(f.path, path.Ext(f.path)) == own }); i >= 0 {
			return nil, fmt.Errorf("%s: %w", l.files[i].path, ErrExists)
		}
		if name != "" && name != own+".yaml" {
			return nil, fmt.Errorf("the file of %s %s is %s.yaml", d.Names[0], key, own)
		}
		return &file{path: own + ".yaml", kind: d}, nil
	}
	kind := kindOf(d.File)
	var of []string
	for _, f := range l.files {
		if f.kind == kind && (name == "" || f.path == name) {
			of = append(of, f.path)
		}
	}
	switch {
	case len(of) == 1:
		return l.files[slices.IndexFunc(l.files, func(f *file) bool { return f.path == of[0] })], nil
	case len(of) > 1:
		return nil, fmt.Errorf("%s are in several files; name one of them with --file: %s", d.Plural, few(of))
	case name == "":
		return &file{path: d.File + ".yaml", kind: kind}, nil
	case classify(name) != kind || path.Clean(name) != name:
		return nil, fmt.Errorf("%s cannot have %s; name %s.yaml or, for long lists, a file below %s/", name, d.Plural, d.File, d.File)
	}
	return &file{path: name, kind: kind}, nil
}

// few lists some names.
func few(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " …"
	}
	return strings.Join(names, ", ")
}

// schemaPrefix begins the comment that names the schema of a YAML file to editors' programs.
const schemaPrefix = "# yaml-language-server: $schema="

// schemaLine returns the beginning of a new YAML file: the comment with the schema that another file
// of the same folder and kind has, or of a schema beside that of catalog.yaml; nil for none.
func (l *layout) schemaLine(f *file) []byte {
	if path.Ext(f.path) != ".yaml" {
		return nil
	}
	for _, other := range l.files {
		if other.kind != f.kind || path.Dir(other.path) != path.Dir(f.path) {
			continue
		}
		if first := firstLine(l.fsys, other.path); strings.HasPrefix(first, schemaPrefix) {
			return []byte(first + "\n")
		}
	}
	settings := firstLine(l.fsys, "catalog.yaml")
	if folder, found := strings.CutSuffix(settings, "catalog.json"); found && strings.HasPrefix(settings, schemaPrefix) && path.Dir(f.path) == "." {
		return []byte(folder + f.stem() + ".json\n")
	}
	return nil
}

// firstLine returns the first line of a file, "" if it cannot be read.
func firstLine(fsys fs.FS, name string) string {
	f, err := fsys.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close() // nothing was written
	head, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(head), "\n")
	return strings.TrimRight(line, "\r")
}

// extension is a file in which a record is added.
type extension struct {
	kind          *domain.Description
	record        any
	locale        string
	file          *file
	before, after []byte
	from, to      int // lines of the record
}

var errNotExtended = errors.New("its list cannot be extended; write a YAML list in lines that begin with a dash, or a list in NDJSON")

func (e *extension) extend() error {
	switch path.Ext(e.file.path) {
	case ".ndjson":
		return e.extendLines()
	case ".yaml":
		return e.extendYAML()
	}
	return errNotExtended
}

func (e *extension) extendLines() error {
	line := []byte("{")
	for _, f := range e.kind.Shape.Fields {
		empty := f.IsEmpty(e.record)
		if empty && !e.kind.Shape.Requires(f, e.record) {
			continue
		}
		if len(line) > 1 {
			line = append(line, ',')
		}
		line = fmt.Appendf(line, "%q:", f.Name)
		if empty {
			line = append(line, "null"...)
			continue
		}
		var err error
		if line, err = f.AppendJSON(line, e.record, e.locale); err != nil {
			return err
		}
	}
	e.after = bytes.Clone(e.before)
	if n := len(e.after); n > 0 && e.after[n-1] != '\n' {
		e.after = append(e.after, '\n')
	}
	e.from = bytes.Count(e.after, []byte("\n")) + 1
	e.to = e.from
	e.after = append(append(e.after, line...), "}\n"...)
	return nil
}

func (e *extension) extendYAML() error {
	fields, err := skeleton(e.kind.Shape, e.record, e.locale)
	if err != nil {
		return err
	}
	text := yamlLineEnds.Replace(string(e.before))
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	lines := slices.Collect(strings.Lines(text))
	p := place{after: len(lines)}
	if e.kind.Folder == "" {
		root, err := parseYAML([]byte(text))
		if err != nil {
			return err
		}
		var ok bool
		if p, ok = placeOf(lines, root, e.kind); !ok {
			return errNotExtended
		}
		fields = item(fields, p.margin)
	}
	head := p.head
	if p.apart {
		head = "\n" + head
	}
	e.from = p.after + strings.Count(head, "\n") + 1
	e.to = e.from + strings.Count(fields, "\n") - 1
	if e.kind.Folder != "" {
		e.from = 1 // the file is the record
	}
	text = strings.Join(lines[:p.after], "") + head + fields + strings.Join(lines[p.after:], "")
	if bytes.Contains(e.before, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	e.after = []byte(text)
	return nil
}

// item writes fields as an item of a list whose dash follows a margin.
func item(fields string, margin int) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", margin) + "- ")
	next := ""
	for line := range strings.Lines(fields) {
		b.WriteString(next + line)
		next = strings.Repeat(" ", margin+2)
	}
	return b.String()
}

// place is where a record is added to the lines of a YAML file.
type place struct {
	after  int    // number of the line before it
	margin int    // spaces before its dash
	apart  bool   // a blank line divides records
	head   string // lines before it
}

// placeOf returns the end of the list of a kind in a YAML file. ok is false if it is not written in
// lines.
func placeOf(lines []string, root *node, d *domain.Description) (p place, ok bool) {
	l := root
	var key *node
	if root.kind == object {
		if i := root.indexOf(d.List); i >= 0 {
			l, key = root.items[i], root.keys[i]
		}
	}
	switch {
	case root.kind == null && d.Long:
		return place{after: len(lines)}, true
	case root.kind == null, root.kind == object && key == nil:
		return place{after: len(lines), head: d.List + ":\n", margin: 2}, true
	case l.kind == null:
		return place{after: key.line, margin: key.column + 1}, true
	case l.kind != list || len(l.items) == 0 || l.line > len(lines):
		return place{}, false
	}
	p = place{after: l.line, margin: l.column - 1}
	if len(lines[l.line-1]) <= p.margin || lines[l.line-1][p.margin] != '-' {
		return place{}, false
	}
	return p.pastList(lines), true
}

// pastList moves to the end of the list that begins in the line before the place.
func (p place) pastList(lines []string) place {
	blank := false // since the last line of the list
	for i := p.after; i < len(lines); i++ {
		text := strings.TrimLeft(lines[i], " ")
		margin := len(lines[i]) - len(text)
		dash := margin == p.margin && (strings.HasPrefix(text, "- ") || strings.TrimSpace(text) == "-")
		switch {
		case strings.TrimSpace(text) == "":
			blank = true
		case dash, margin > p.margin:
			if dash {
				p.apart = blank
			}
			p.after, blank = i+1, false
		case !strings.HasPrefix(text, "#"):
			return p
		}
	}
	return p
}

// skeleton writes the fields of a record as YAML. Required ones without a value have a comment that
// says what to write; a comment names the other fields.
func skeleton(s *domain.Shape, record any, locale string) (string, error) {
	data, err := s.AppendJSON(nil, record, locale)
	if err != nil {
		return "", err
	}
	values, err := parseJSON(data, 1, 1, false)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	var optional []string
	for _, f := range s.Fields {
		switch value := values.value(f.Name); {
		case f.InFileName:
		case value != nil:
			writeYAML(&b, &node{kind: object, keys: []*node{{kind: text, text: f.Name}}, items: []*node{value}}, 0)
		case s.Requires(f, record):
			fmt.Fprintf(&b, "%s: # Write%s\n", f.Name, hint(f))
		default:
			optional = append(optional, f.Name)
		}
	}
	b.WriteString(optionalFields(optional))
	return b.String(), nil
}

// optionalFields writes a comment with names of fields, in lines of about 100 characters.
func optionalFields(names []string) string {
	if len(names) == 0 {
		return ""
	}
	const width = 100
	line, text := "# Optional:", ""
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		if len(line)+len(name) >= width {
			text, line = text+line+"\n", "#"
		}
		line += " " + name
	}
	return text + line + "\n"
}

// remaining returns the name of each required field that is empty, with its hint.
func remaining(s *domain.Shape, record any) []string {
	var hints []string
	for _, f := range s.Fields {
		if !f.InFileName && s.Requires(f, record) && f.IsEmpty(record) {
			hints = append(hints, f.Name+hint(f))
		}
	}
	return hints
}

// verify returns an error unless the record is all that is new in the file.
func (e *extension) verify(ctx context.Context) error {
	before := &domain.Catalog{}
	if e.file.info != nil {
		var err error
		if before, err = e.records(ctx, e.before); err != nil {
			return err
		}
	}
	after, err := e.records(ctx, e.after)
	if err != nil {
		return err
	}
	changes := domain.Diff(before, after)
	if len(changes) != 1 || changes[0].Op != domain.Added || changes[0].Kind != e.kind.Kind || changes[0].Key != e.kind.Key(e.record) {
		return errNotExtended
	}
	return nil
}

// records returns the records of the file with some content.
func (e *extension) records(ctx context.Context, data []byte) (*domain.Catalog, error) {
	r := newReader(ctx, oneFile(data), Options{})
	r.decoder.locale = e.locale
	if err := r.read(e.file, nil); err != nil {
		return nil, err
	}
	return &r.catalog, nil
}

// oneFile is a file system in which all files have the same content.
type oneFile []byte

// Open implements [fs.FS].
func (f oneFile) Open(string) (fs.File, error) {
	return (&copiedFile{data: f}).open(), nil
}

// write replaces or creates the file.
func (e *extension) write(dir string) error {
	name, mode := filepath.Join(dir, filepath.FromSlash(e.file.path)), fs.FileMode(0o644)
	if e.file.info != nil {
		mode = e.file.info.Mode().Perm()
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real // the link stays
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return atomicfile.WriteBytes(name, ".", mode, e.after)
}
