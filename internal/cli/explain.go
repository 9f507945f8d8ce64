package cli

import (
	"context"

	"vitrine/internal/catalog"
	"vitrine/internal/store"
)

type explainCmd struct {
	recordArgs
	storeFlag
	Format string `enum:"text,json" default:"text" help:"How it is printed: ${enum}." env:"-"`
	All    bool   `help:"Print values as long as they are, and every figure that was not taken." env:"-"`
}

func (c *explainCmd) Run(ctx context.Context, to streams) (err error) {
	sel, err := c.parse()
	if err != nil {
		return err
	}
	s, err := c.openToRead(ctx)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	state, err := s.Load(ctx, sel.revision)
	if err != nil {
		return revisionError(err)
	}
	index, err := sel.find(state.Merged(), state.Revision)
	if err != nil {
		return sel.gone(ctx, s, state.Revision, err)
	}
	sel.key = keysOf(state.Merged(), sel.kind)[index]
	past, err := readPast(ctx, s, sel, state.Revision.Number)
	if err != nil {
		return could{err}
	}
	explained := explanation{
		selector: sel,
		revision: state.Revision,
		fields:   past.fields(),
		figures:  past.figures(catalog.Describe(sel.kind).Record(state.Merged(), index)),
	}
	if c.Format == "json" {
		err = explained.writeJSON(to.out)
	} else {
		err = explained.writeText(to.out, c.All)
	}
	if err != nil {
		return couldNotPrint(err)
	}
	return nil
}

// explanation says where each value of a record comes from.
type explanation struct {
	selector
	revision store.Revision
	fields   []field
	figures  []figure
}

// field is a value that editors wrote.
type field struct {
	path, value string
	since       since
}

// since is the version of a record since which a value is what it is.
type since struct {
	revision store.Revision
	origin   string // where it was written, as file:line, "" when not known
	earlier  bool   // perhaps longer: what came before was pruned
}

// figure is a figure with all that was known for it; the one that is served
// comes first.
type figure struct {
	name       catalog.FigureName
	candidates []candidate
}

// candidate is one value of a figure.
type candidate struct {
	catalog.Figure
	since    since
	observed bool   // else editors wrote it
	id       string // the record's at the source, "" when it has none
	lost     string // why it is not served, "" for the one that is
}

// past is what a store keeps of one record, the oldest version first.
type past struct {
	selector
	versions []recordVersion
	values   []catalog.ValueSince // of the last version
	observed []store.Observed     // the newest first
}

// recordVersion is a record of the editors' layer as a catalogue that holds nothing
// else; empty while the record was deleted.
type recordVersion struct {
	since
	record *catalog.Catalog
}

func readPast(ctx context.Context, s store.Store, sel selector, until int64) (*past, error) {
	key := store.RecordKey(sel.kind, sel.key)
	versions, err := s.Versions(ctx, sel.kind, key, until)
	if err != nil {
		return nil, err
	}
	heads, err := s.Versions(ctx, catalog.KindCatalog, string(catalog.KindCatalog), until)
	if err != nil {
		return nil, err
	}
	history, err := s.History(ctx, 0)
	if err != nil {
		return nil, err
	}
	oldest := history[len(history)-1].Number // of a store that has a head
	p := &past{selector: sel}
	for i := len(versions) - 1; i >= 0; i-- {
		v, err := readVersion(versions, i, heads)
		if err != nil {
			return nil, err
		}
		// The first version that is kept may say what pruned ones said before it.
		v.earlier = i == len(versions)-1 && oldest > 1 && v.revision.Number <= oldest
		p.versions = append(p.versions, v)
	}
	p.values = catalog.Since(sel.kind, p.records())
	p.observed, err = s.Observations(ctx, sel.kind, key, until)
	return p, err
}

func (p *past) records() []*catalog.Catalog {
	records := make([]*catalog.Catalog, len(p.versions))
	for i, v := range p.versions {
		records[i] = v.record
	}
	return records
}

// readVersion reads one of the versions, which are the newest first. Heads are
// those of the catalogue itself, without which no catalogue can be read.
func readVersion(versions []store.Version, i int, heads []store.Version) (recordVersion, error) {
	v := versions[i]
	read := recordVersion{
		since:  since{revision: v.Revision, origin: originOf(versions[i:])},
		record: &catalog.Catalog{},
	}
	if v.Row.Body == nil {
		return read, nil
	}
	row := v.Row
	row.Position = 0 // it is alone
	rows := []store.Row{row}
	if row.Kind != catalog.KindCatalog && len(heads) > 0 {
		rows = append(rows, heads[0].Row)
	}
	state, err := store.NewState(v.Revision, rows, nil)
	if err != nil {
		return recordVersion{}, err
	}
	read.record = state.Editors()
	return read, nil
}

// originOf returns where the first of some versions was written. A rollback
// does not know; the version that it brought back does.
func originOf(versions []store.Version) string {
	for _, v := range versions {
		if v.Row.Origin != "" && string(v.Row.Body) == string(versions[0].Row.Body) {
			return v.Row.Origin
		}
	}
	return ""
}
