package bundle

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/picture"
	"vitrine/internal/spelling"
)

// A file is a file of the directory. Its kind is that of its records; categories.yaml, which has
// two, is of kind domain.KindCategory.
type file struct {
	path string
	kind *domain.Description
	info fs.FileInfo
}

// stem returns the name of a file without its extension: for a menu, its path slug.
func (f *file) stem() string {
	return strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
}

// tops returns the names in the root that files of a directory begin with, in the order of
// reading: texts need the default locale first.
func tops() []string {
	var names []string
	for _, d := range domain.Descriptions() {
		if d.File != "" && !slices.Contains(names, d.File) {
			names = append(names, d.File)
		}
	}
	return names
}

// kindOf returns the kind of the files with a name in the root, nil for none. Each is named after
// a kind of its records.
func kindOf(top string) *domain.Description {
	if d := domain.Describe(domain.Kind(top)); d != nil && d.File == top {
		return d
	}
	return nil
}

// listsIn returns the kinds of records that are lists in files with a name, except long lists.
func listsIn(name string) []*domain.Description {
	var lists []*domain.Description
	for _, d := range domain.Descriptions() {
		if d.File == name && d.List != "" && !d.Long {
			lists = append(lists, d)
		}
	}
	return lists
}

// classify returns the kind of the file at a path, nil for none.
func classify(name string) *domain.Description {
	if folder, file, _ := strings.Cut(name, "/"); rawIn(folder) != nil {
		if strings.Contains(file, "/") || picture.FormatOf(file) == "" {
			return nil
		}
		return rawIn(folder)
	}
	ext := path.Ext(name)
	if ext != ".yaml" && ext != ".json" && ext != ".ndjson" {
		return nil
	}
	top, rest, inFolder := strings.Cut(strings.TrimSuffix(name, ext), "/")
	kind := kindOf(top)
	switch {
	case kind != nil && kind.Long:
		return kind
	case ext == ".ndjson":
		return nil
	case !inFolder:
		return kind
	case !strings.Contains(rest, "/"):
		return kindIn(top)
	}
	return nil
}

// kindIn returns the kind of records that are files in a folder, nil for none.
func kindIn(folder string) *domain.Description {
	for _, d := range domain.Descriptions() {
		if d.Folder != "" && d.Folder == folder {
			return d
		}
	}
	return nil
}

// claims reports whether a name has an extension of the directory.
func claims(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml", ".json", ".ndjson":
		return true
	}
	return claimsRaw(name)
}

// meantPath returns the probable correct name of an unknown file, "" if none is near.
func meantPath(name string) string {
	ext := strings.ToLower(path.Ext(name))
	stem := name[:len(name)-len(ext)]
	if ext == ".yml" {
		ext = ".yaml"
	}
	top, rest, inFolder := strings.Cut(stem, "/")
	if word := strings.ToLower(top); word == "menu" || word == "menus" {
		top = "nav"
	}
	top = spelling.Nearest(top, tops())
	candidates := []string{top + ext, top + ".yaml"}
	if inFolder {
		candidates = []string{top + "/" + rest + ext, top + "/" + path.Base(rest) + ext, top + "/" + rest + ".yaml"}
		if base := kindOf(strings.ToLower(path.Base(rest))); base != nil {
			candidates = append(candidates, base.File+ext) // it is nested too deep
		}
	}
	for _, c := range candidates {
		if classify(c) != nil {
			return c
		}
	}
	return ""
}

// Bounds of a directory, because links may make it endless.
const (
	maxEntries = 20_000
	maxFolders = 16 // levels of nesting
)

// A layout is the content of a directory: the files in the order of reading, and the problems of
// their names.
type layout struct {
	files    []*file
	lost     []string // expected files that are missing or unreadable
	problems []Problem
	folders  []folder

	fsys    fs.FS
	entries int
	nested  map[string]bool // folders in the root, to whether each has a catalog.yaml
}

// folder is a listed folder, with its state before that.
type folder struct {
	path string
	info fs.FileInfo
}

// survey lists a directory. It returns an error if the root cannot be listed.
func survey(fsys fs.FS) (*layout, error) {
	l := &layout{fsys: fsys, nested: map[string]bool{}}
	root, err := fs.Stat(fsys, ".")
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	l.walk(".", entries, []fs.FileInfo{root})
	slices.SortFunc(l.files, func(a, b *file) int { return cmp.Compare(a.path, b.path) })
	dropped := l.dropDuplicates()
	slices.SortStableFunc(l.files, func(a, b *file) int {
		if order := cmp.Compare(readingOrder(a.kind), readingOrder(b.kind)); order != 0 || readingOrder(a.kind) < len(tops()) {
			return order
		}
		return cmp.Or(cmp.Compare(a.kind.Kind, b.kind.Kind), cmp.Compare(a.stem(), b.stem())) // files of one record each
	})
	l.settleLost()
	for _, name := range dropped {
		if classify(name).Long { // others may have references to the records of the dropped file
			l.lost = append(l.lost, name)
		}
	}
	return l, nil
}

// names returns the names of the files of a directory, so that remedies name existing files.
func (l *layout) names() domain.Files {
	var names domain.Files
	for _, f := range l.files {
		switch f.kind.Kind {
		case domain.KindCatalog:
			names.Catalog = f.path
		case domain.KindCategory:
			names.Categories = f.path
		case domain.KindNavGroup:
			names.Nav = f.path
		case domain.KindMenu:
			if ext := path.Ext(f.path); names.MenuExt == "" || ext == ".yaml" { // YAML takes precedence
				names.MenuExt = ext
			}
		}
	}
	return names
}

// readingOrder returns the position of a kind in the order of reading.
func readingOrder(d *domain.Description) int {
	if i := slices.Index(tops(), d.File); i >= 0 {
		return i
	}
	return len(tops()) // kinds whose records are files
}

// walk lists a folder; above are its ancestors, itself last. It skips names that begin with a
// dot: a mounted ConfigMap has its versions there.
func (l *layout) walk(dir string, entries []fs.DirEntry, above []fs.FileInfo) {
	l.folders = append(l.folders, folder{dir, above[len(above)-1]})
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if strings.HasPrefix(e.Name(), ".") || !ours(name, e) {
			continue
		}
		if l.entries++; l.entries > maxEntries {
			if l.entries == maxEntries+1 {
				l.unreadable(dir, fmt.Sprintf("there are more than %d folders and files of YAML or JSON up to here", maxEntries), "keep the catalogue in a directory of its own")
			}
			return
		}
		l.entry(name, e, above)
	}
}

// ours reports whether an entry is examined: a folder, a name that the directory claims, or a
// link that may be one of its folders.
func ours(name string, e fs.DirEntry) bool {
	top, _, _ := strings.Cut(name, "/")
	return e.IsDir() || claims(name) || e.Type()&fs.ModeSymlink != 0 && (kindOf(top) != nil || rawIn(top) != nil)
}

func (l *layout) entry(name string, e fs.DirEntry, above []fs.FileInfo) {
	info, err := fs.Stat(l.fsys, name) // follows links, which must not leave the directory
	switch {
	case err != nil && l.absoluteLink(name, e):
		l.unreadable(name, "the link is absolute, and may lead out of the directory", "make it relative: links must be relative")
	case err != nil:
		f := unreadable(err)
		l.unreadable(name, f.message, f.remedy)
	case info.IsDir() && classify(name) != nil:
		l.unreadable(name, "this is a folder, not a file", "give it a name without an ending")
	case info.IsDir():
		l.folder(name, info, above)
	case !claims(name):
	case classify(name) == nil:
		l.unknown(name)
	case !info.Mode().IsRegular():
		l.unreadable(name, "this is not a regular file", "put a file in its place")
	default:
		l.files = append(l.files, &file{path: name, kind: classify(name), info: info})
	}
}

func (l *layout) absoluteLink(name string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return false
	}
	target, err := fs.ReadLink(l.fsys, name)
	return err == nil && filepath.IsAbs(target)
}

func (l *layout) folder(name string, info fs.FileInfo, above []fs.FileInfo) {
	for _, a := range above {
		if os.SameFile(a, info) {
			l.unreadable(name, "the link leads back to a folder that it lies in", "take it away")
			return
		}
	}
	if len(above) > maxFolders {
		l.unreadable(name, fmt.Sprintf("folders lie more than %d deep in one another", maxFolders), "put the files higher")
		return
	}
	entries, err := fs.ReadDir(l.fsys, name)
	if err != nil {
		f := unreadable(err)
		l.unreadable(name, f.message, f.remedy)
		return
	}
	l.walk(name, entries, append(slices.Clip(above), info))
}

func (l *layout) report(name string, rule domain.Rule, message, remedy string) {
	l.problems = append(l.problems, problemAt(name, 1, 1, rule, message, remedy))
}

func (l *layout) unreadable(name, message, remedy string) {
	l.lost = append(l.lost, name)
	l.report(name, domain.RuleUnreadableFile, message, remedy)
}

func (l *layout) unknown(name string) {
	if claimsRaw(name) {
		folder, _, _ := strings.Cut(name, "/")
		l.report(name, domain.RuleUnknownFile, "no file of a catalogue has the name "+quote(name),
			"save it as SVG or PNG in "+folder+"/ itself, with the ending .svg or .png")
		l.lost = append(l.lost, folder+"/"+strings.TrimSuffix(path.Base(name), path.Ext(name))+".png")
		return
	}
	remedy := "remove it, or name it after what it holds: " + strings.Join(tops(), ", ")
	if folder := l.catalogueAbove(name); folder != "" {
		remedy = "the folder " + quote(folder) + " is a catalogue of its own: name that folder, or remove it"
	} else if m := meantPath(name); m != "" {
		l.lost = append(l.lost, m)
		remedy = l.meantRemedy(m)
	}
	l.report(name, domain.RuleUnknownFile, "no file of a catalogue has the name "+quote(name), remedy)
}

// meantRemedy returns the remedy for a file that probably means the name m.
func (l *layout) meantRemedy(m string) string {
	kind := classify(m)
	names := []string{m}
	if stem := strings.TrimSuffix(m, path.Ext(m)); !kind.Long {
		names = []string{stem + ".yaml", stem + ".json"} // either is valid
	}
	i := slices.IndexFunc(names, func(name string) bool {
		_, err := fs.Stat(l.fsys, name)
		return err == nil
	})
	switch {
	case i < 0:
		return "did you mean " + quote(m) + "?"
	case kind.Long:
		return quote(m) + " is there already: if this is one more list of that kind, move it into the folder " + quote(kind.File+"/")
	}
	return quote(names[i]) + " is there already: move into it what this file holds, or take this file out"
}

// dropDuplicates keeps the first of two files that differ only in the extension, and returns the
// names of the others.
func (l *layout) dropDuplicates() (dropped []string) {
	first := map[string]string{}
	l.files = slices.DeleteFunc(l.files, func(f *file) bool {
		if f.kind.Raw {
			return false
		}
		stem := strings.TrimSuffix(f.path, path.Ext(f.path))
		if other, ok := first[stem]; ok {
			l.report(f.path, domain.RuleDuplicateFile, "the same file is there as "+quote(other), "keep one of the two")
			dropped = append(dropped, f.path)
			return true
		}
		first[stem] = f.path
		return false
	})
	return dropped
}

// settleLost forgets missing files that exist with another extension, and reports a missing
// catalog.yaml.
func (l *layout) settleLost() {
	there := map[string]bool{}
	for _, f := range l.files {
		there[strings.TrimSuffix(f.path, path.Ext(f.path))] = true
	}
	l.lost = slices.DeleteFunc(l.lost, func(name string) bool {
		return there[strings.TrimSuffix(name, path.Ext(name))]
	})
	isCatalog := func(name string) bool { return classify(name) == kindOf("catalog") }
	if !there["catalog"] && !slices.ContainsFunc(l.lost, isCatalog) {
		l.lost = append(l.lost, "catalog.yaml")
		l.report("catalog.yaml", domain.RuleMissingFile, "there is no catalog.yaml", l.missingRemedy())
	}
}

// missingRemedy returns the remedy for a directory without a catalogue. If one of its folders has
// a catalogue, that folder is probably meant.
func (l *layout) missingRemedy() string {
	const write = "write one with title, default_locale and locales"
	below, err := fs.Glob(l.fsys, "*/catalog.*")
	if err != nil || len(below) == 0 || classify(path.Base(below[0])) != kindOf("catalog") {
		return write + "; vitrine init makes a directory to begin with"
	}
	return "the folder " + quote(path.Dir(below[0])) + " has one: name that folder, or " + write
}

// catalogueAbove returns the folder in the root that contains a file, if it has a catalog.yaml,
// else "".
func (l *layout) catalogueAbove(name string) string {
	folder, _, found := strings.Cut(name, "/")
	if !found || kindOf(folder) != nil {
		return ""
	}
	nested, known := l.nested[folder]
	if !known { // once per folder, which may have very many files
		nested = slices.ContainsFunc([]string{"catalog.yaml", "catalog.json"}, func(own string) bool {
			_, err := fs.Stat(l.fsys, path.Join(folder, own))
			return err == nil
		})
		l.nested[folder] = nested
	}
	if !nested {
		return ""
	}
	return folder
}
