package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/connector/chainid"
	"vitrine/internal/convert"
	"vitrine/internal/domain"
	"vitrine/internal/propose"
	"vitrine/internal/sources"
)

type proposeCmd struct {
	Chainid proposeChainidCmd `cmd:"" help:"Compare a catalogue directory with chains.json of chainid.network, and print new chains and changed facts as a diff."`
}

// proposeChainidCmd proposes changes of a directory (docs/figures.md#proposals). It opens no store.
type proposeChainidCmd struct {
	Dir          string `arg:"" help:"Catalogue directory."`
	From         string `default:"https://chainid.network/chains.json" placeholder:"FILE|URL" help:"Address of the registry, or a file with a recording (default ${default})." env:"-"`
	Since        string `placeholder:"FILE|URL" help:"An earlier recording: facts that changed since then are proposed where the directory has the former one (default: propose missing facts and new chains only)." env:"-"`
	New          int    `default:"100" placeholder:"N" help:"Maximum number of new chains; 0 for none (default ${default})." env:"-"`
	Write        bool   `help:"Write the files instead of printing a diff." env:"-"`
	AllowPrivate bool   `help:"Allow --from and --since to lead to private addresses." env:"-"`
	Verbose      bool   `help:"Print each fact and record that is not proposed, with the reason." env:"-"`
}

func (c *proposeChainidCmd) Run(ctx context.Context, to streams) error {
	if c.New < 0 {
		return could{errors.New("--new must be 0 or more")}
	}
	now, before, err := c.registries(ctx)
	if err != nil {
		return could{err}
	}
	dir, err := readDirectory(ctx, c.Dir, false, to.err)
	if err != nil {
		return could{err}
	}
	if err := withoutErrors(dir, c.Dir); err != nil {
		return could{err}
	}
	p := propose.Chains(dir.Catalog, now, before, c.New)
	files, refused, err := c.files(dir, p)
	if err != nil {
		return could{err}
	}
	for _, f := range files {
		if err := c.put(f, to.out); err != nil {
			return err
		}
	}
	return c.report(to.err, p, refused)
}

// withoutErrors returns an error for a directory with errors.
func withoutErrors(dir *bundle.Directory, path string) error {
	if n := dir.Errors(); n > 0 {
		return fmt.Errorf("%s has %d errors; correct those that `vitrine check` prints first", path, n)
	}
	return nil
}

// registries reads the registry and, if it is given, its earlier recording.
func (c *proposeChainidCmd) registries(ctx context.Context) (now, before []chainid.Record, err error) {
	f := sources.NewFetcher(userAgent(), c.AllowPrivate)
	defer f.Close()
	read := func(from string) ([]chainid.Record, error) {
		body, err := f.Read(ctx, from)
		if err != nil {
			return nil, err
		}
		records, _, err := chainid.Read(bytes.NewReader(body))
		if err == nil && len(records) == 0 {
			err = fmt.Errorf("%s has no chains; nothing is proposed", sources.Shown(from))
		}
		return records, err
	}
	if now, err = read(c.From); err != nil || c.Since == "" {
		return now, nil, err
	}
	before, err = read(c.Since)
	return now, before, err
}

// proposedFile is a file of the directory with proposed edits.
type proposedFile struct {
	name  string
	data  []byte // nil if the file does not exist yet
	edits []bundle.Edit
}

// files returns the files with edits, by name, and why some chains are not edited.
func (c *proposeChainidCmd) files(dir *bundle.Directory, p propose.Proposal) (files []proposedFile, refused map[string]error, err error) {
	fsys, closeDir, err := bundle.Open(c.Dir)
	if err != nil {
		return nil, nil, err
	}
	defer closeDir()
	if files, refused, err = editedFiles(fsys, dir, p.Changed); err != nil {
		return nil, nil, err
	}
	if len(p.New) > 0 {
		added, err := newChains(fsys, dir.Catalog.DefaultLocale, p.New)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, added)
	}
	return files, refused, nil
}

// editedFiles returns the files with changed chains, by name, and why some chains are not edited, by
// slug.
func editedFiles(fsys fs.FS, dir *bundle.Directory, changes []propose.Change) (files []proposedFile, refused map[string]error, err error) {
	byFile := map[string][]bundle.Amendment{}
	for _, change := range changes {
		name := fileOfChain(dir, change.Index)
		byFile[name] = append(byFile[name], bundle.Amendment{Fields: change.Fields, Chain: change.Chain})
	}
	refused = map[string]error{}
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, nil, err
		}
		edits, not := bundle.AmendChains(name, data, dir.Catalog.DefaultLocale, byFile[name])
		for slug, err := range not {
			refused[slug] = fmt.Errorf("%s: %w", name, err)
		}
		if len(edits) > 0 {
			files = append(files, proposedFile{name, data, edits})
		}
	}
	return files, refused, nil
}

// fileOfChain returns the slash path of the file of a chain, by its index.
func fileOfChain(dir *bundle.Directory, index int) string {
	file, _, _ := cutPlace(dir.Origin(domain.KindChain, index))
	return file
}

// newChains returns a new file with chains.
func newChains(fsys fs.FS, locale string, chains []domain.Chain) (proposedFile, error) {
	name := "chains/chainid.yaml"
	for n := 2; ; n++ {
		if _, err := fs.Stat(fsys, name); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return proposedFile{}, err
		}
		name = fmt.Sprintf("chains/chainid-%d.yaml", n)
	}
	lines := []string{"# Chains of chainid.network (ethereum-lists/chains).\n"}
	for i := range chains {
		record, err := bundle.RecordYAML(&domain.Catalog{DefaultLocale: locale, Chains: chains}, domain.KindChain, i)
		if err != nil {
			return proposedFile{}, err
		}
		margin := "- "
		for line := range strings.Lines(string(record)) {
			lines = append(lines, margin+line)
			margin = "  "
		}
	}
	return proposedFile{name: name, edits: []bundle.Edit{{Line: 1, Added: lines}}}, nil
}

// put prints the diff of a file, or writes the file.
func (c *proposeChainidCmd) put(f proposedFile, w io.Writer) error {
	if !c.Write {
		return printed(propose.WriteUnified(w, f.name, f.data, f.edits))
	}
	target := filepath.Join(c.Dir, filepath.FromSlash(f.name))
	if f.data == nil {
		if err := os.MkdirAll(filepath.Join(c.Dir, path.Dir(f.name)), 0o755); err != nil {
			return err
		}
	}
	return convert.WriteFile(target, bundle.ApplyEdits(f.data, f.edits))
}

// report prints what is proposed and what is not.
func (c *proposeChainidCmd) report(w io.Writer, p propose.Proposal, refused map[string]error) error {
	var out bytes.Buffer
	if c.Verbose {
		convert.PrintLosses(&out, "not proposed", p.Differs)
		convert.PrintLosses(&out, "skipped", p.Skipped)
	}
	for _, slug := range slices.Sorted(maps.Keys(refused)) {
		fmt.Fprintf(&out, "not edited: chain %s: %v\n", slug, refused[slug])
	}
	more := ""
	if len(p.Differs)+len(p.Skipped) > 0 && !c.Verbose {
		more = " (--verbose lists them)"
	}
	fmt.Fprintf(&out, "%s: %s new chains, %s chains with changed facts; %s facts differ from what editors wrote, %s records skipped%s\n",
		sources.Shown(c.From), grouped(len(p.New)), grouped(len(p.Changed)-len(refused)), grouped(len(p.Differs)), grouped(len(p.Skipped)), more)
	if p.More > 0 {
		fmt.Fprintf(&out, "%s further new chains are not proposed; --new %d proposes all\n", grouped(p.More), len(p.New)+p.More)
	}
	_, err := w.Write(out.Bytes())
	return printed(err)
}
