package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/store"
)

// keep is the maximum number of kept revisions: all of them are read after each step.
const keep = 6

// play runs a random history against a store and a model, and compares them after each step. It
// returns the kept revisions as [bytesOf]. The same seed and steps give the same on every engine.
func play(t *testing.T, db database, seed uint64, steps int) [][]byte {
	p := &player{t: t, db: db, random: rand.New(rand.NewPCG(seed, 1)), store: db.Open(t)}
	p.publish(canonical(t, domaintest.Valid(3).Example(int(seed))), store.OpImport, "first import")
	for n := range steps {
		p.step()
		if t.Failed() {
			t.Fatalf("seed %d, step %d: %s", seed, n, p.did)
		}
	}
	if checked, ok := p.store.(*closing).Store.(checked); ok {
		if err := checked.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	var all [][]byte
	for _, w := range p.model.kept {
		all = append(all, bytesOf(t, load(t, p.store, w.revision.Number)))
	}
	return all
}

type player struct {
	t      *testing.T
	db     database
	random *rand.Rand
	store  store.Store
	model  model
	clock  int
	did    string // what the last step did
}

func (p *player) step() {
	switch r := p.random.IntN(100); {
	case r < 40:
		p.publish(p.edited(p.model.head().editors), store.OpImport, "import")
	case r < 45:
		p.publish(p.model.head().editors, store.OpImport, "import without changes")
	case r < 62:
		p.observe()
	case r < 72:
		p.rollback()
	case r < 77:
		p.interrupt()
	case r < 82:
		p.refused()
	case r < 87:
		p.reopen()
	case r < 93:
		p.purge()
	default:
		p.prune(pick(p.random, -1-p.model.floor(), 0, 1, 2, 3, math.MaxInt64-p.model.floor()) + p.model.floor())
	}
	if len(p.model.kept) > keep {
		p.prune(p.model.head().revision.Number - int64(p.random.IntN(keep)))
	}
	p.compare()
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func (p *player) note(op store.Op, what string) store.Note {
	p.clock++
	p.did = what
	note := store.Note{
		At: time.Date(2026, 11, 21, 0, 0, p.clock, 123_456_789, time.FixedZone("CET", 3600)), Op: op, Actor: "Zoë",
		Message: fmt.Sprintf("%s (%d)", what, p.clock), Digest: fmt.Sprintf("digest %d", p.random.IntN(3)),
		Commit: pick(p.random, "", "c0ffee", "f00d"), Publisher: pick(p.random, "", "serve web1:/srv/catalogue"),
	}
	note.Modified = note.Commit != "" && p.random.IntN(2) == 0
	return note
}

func (p *player) draft(c *domain.Catalog, op store.Op, what string) store.Draft {
	note := p.note(op, what)
	from := p.clock
	return store.Draft{Note: note, Catalog: c, Origin: func(kind domain.Kind, index int) string {
		return fmt.Sprintf("%s/%d.yaml:%d", kind, from, index+1)
	}}
}

func (p *player) publish(c *domain.Catalog, op store.Op, what string) {
	d := p.draft(c, op, what)
	if base := p.model.head().revision; base.Number > 0 && p.random.IntN(2) == 0 {
		d.Base, d.Delta = base, domain.DeltaOf(load(p.t, p.store, 0).Editors(), c)
	}
	for range p.random.IntN(3) {
		d.Releases = append(d.Releases, store.Release{Rollback: int64(1 + p.random.IntN(3)), Value: [32]byte{byte(p.random.IntN(4))}})
	}
	rev := publish(p.t, p.store, p.model.head().revision.Number, d)
	p.model.publish(d)
	equal(p.t, "the published revision", p.model.head().revision, rev)
}

// edited returns a copy of a catalogue with random edits. An account whose handle has another case
// stays the same record.
func (p *player) edited(c *domain.Catalog) *domain.Catalog {
	next := domaintest.Edited(c).Example(p.random.Int())
	switch p.random.IntN(4) {
	case 0:
		next.Title = text(fmt.Sprint(p.clock))
	case 1:
		next.Accounts = slices.Clone(next.Accounts)
		for i, a := range next.Accounts {
			upper := *a
			upper.Handle = strings.ToUpper(a.Handle)
			next.Accounts[i] = &upper
		}
	}
	return canonical(p.t, next)
}

// canonical returns a catalogue without numbers such as -0, so that equal records have equal rows.
func canonical(t *testing.T, c *domain.Catalog) *domain.Catalog {
	var b store.Builder
	for row, err := range store.Rows(c, nil) {
		row.Body = bytes.ReplaceAll(row.Body, []byte(":-0"), []byte(":0"))
		if err := errors.Join(err, b.Add(row)); err != nil {
			t.Fatal(err)
		}
	}
	state, err := b.State(store.Revision{})
	if err != nil {
		t.Fatal(err)
	}
	return state.Editors()
}

func (p *player) observe() {
	note := p.note(store.OpSync, "observe")
	observations := p.observations()
	rev, err := p.store.Observe(p.t.Context(), p.model.head().revision.Number, observations, note)
	p.model.observe(observations, note)
	returns(p.t, "Observe()", p.model.head().revision)(rev, err)
}

func (p *player) observations() []store.Observation {
	var all []store.Observation
	for range p.random.IntN(8) {
		o := observation(domain.KindChain, pick(p.random, "chain_0", "chain_1", "CHAIN_1", "gone"), pick(p.random, domain.FigureTVL, domain.FigurePlatforms))
		if p.random.IntN(3) == 0 {
			o = observation(domain.KindAccount, pick(p.random, "ACCOUNT_0", "account_0"), domain.FigureFollowers)
		}
		o.Value, o.AsOf = pick(p.random, 0, 1.0/3, 1e15+0.5), domain.Date(fmt.Sprintf("2026-01-%02d", 1+p.random.IntN(3)))
		o.Source, o.UpstreamID = pick(p.random, "s", "x"), pick(p.random, "", "a", "b")
		all = append(all, o)
	}
	return all
}

func (p *player) rollback() {
	old := pick(p.random, p.model.kept...)
	p.publish(load(p.t, p.store, old.revision.Number).Editors(), store.OpRollback, "roll back")
}

// interrupt attempts a publish with a cancelled context and one that fails near its end. Neither
// leaves a trace, so a history depends only on the seed; [cutOff] tests other times.
func (p *player) interrupt() {
	d := p.draft(p.edited(p.model.head().editors), store.OpImport, "cancelled publish")
	ctx, cancel := context.WithCancel(p.t.Context())
	cancel()
	if _, err := p.store.Publish(ctx, p.model.head().revision.Number, d); !errors.Is(err, context.Canceled) {
		p.t.Errorf("a publish with a cancelled context: %v", err)
	}
	broken := *d.Catalog
	broken.Menus = append(slices.Clone(broken.Menus), domain.Menu{PathSlug: "zzz", OGImage: "\xff"})
	d.Catalog = &broken
	if _, err := p.store.Publish(p.t.Context(), p.model.head().revision.Number, d); err == nil {
		p.t.Error("a broken draft was published")
	}
}

// refused attempts writes on another base than the head, and reads of revisions that are not kept.
func (p *player) refused() {
	p.did = "refused calls"
	t, head := p.t, p.model.head().revision.Number
	for _, base := range []int64{-1, 0, head - 1, head + 1} {
		_, published := p.store.Publish(t.Context(), base, draft(rich()))
		_, observed := p.store.Observe(t.Context(), base, nil, store.Note{})
		_, purged := p.store.Purge(t.Context(), base, domain.KindChain, []string{"chain_0"}, store.Note{})
		for _, err := range []error{published, observed, purged} {
			if !errors.Is(err, store.ErrConflict) {
				t.Errorf("on base %d of %d: error %v, want ErrConflict", base, head, err)
			}
		}
	}
	if _, err := p.store.Purge(t.Context(), head, domain.KindMenu, []string{"never"}, store.Note{}); !errors.Is(err, store.ErrNoRecord) {
		t.Errorf("a purge of no record: error %v, want ErrNoRecord", err)
	}
	for _, number := range []int64{-1, 0, p.model.floor() - 1, head + 1} {
		_, err := p.store.Changes(t.Context(), number)
		errs := []error{err}
		if number != 0 { // the head
			_, loaded := p.store.Load(t.Context(), number)
			_, touched := p.store.Touched(t.Context(), 0, number, math.MaxInt32)
			errs = append(errs, loaded, touched)
		}
		for _, err := range errs {
			if !errors.Is(err, store.ErrNoRevision) {
				t.Errorf("revision %d: error %v, want ErrNoRevision", number, err)
			}
		}
	}
}

func (p *player) reopen() {
	p.did = "reopen"
	if p.random.IntN(2) == 0 { // else the old one stays open like a second process
		if err := p.store.Close(); err != nil {
			p.t.Error(err)
		}
	}
	p.store = p.db.Open(p.t)
}

func (p *player) prune(before int64) {
	p.did += fmt.Sprintf(", prune before %d", before)
	got, err := p.store.Prune(p.t.Context(), before)
	got.Freed = 0 // depends on the engine
	returns(p.t, fmt.Sprintf("Prune(%d)", before), p.model.prune(before))(got, err)
}

// purge purges a record that some kept version has, or one with observations only, and a missing one.
func (p *player) purge() {
	row := pick(p.random, p.model.versions...).Row
	if p.random.IntN(4) == 0 {
		row = store.Row{Kind: domain.KindChain, Key: "gone"}
	}
	if row.Kind == domain.KindCatalog || domain.Describe(row.Kind).Ordered {
		return
	}
	keys, note := []string{row.Key, "never"}, p.note("", "purge "+row.Key)
	head := p.model.head().revision.Number
	purged, err := p.store.Purge(p.t.Context(), head, row.Kind, keys, note)
	want := p.model.purge(row.Kind, keys, note)
	if want.Revision.Number == 0 {
		if !errors.Is(err, store.ErrNoRecord) {
			p.t.Errorf("Purge(%s, %s) of no record: error %v, want ErrNoRecord", row.Kind, row.Key, err)
		}
		return
	}
	returns(p.t, fmt.Sprintf("Purge(%s, %s)", row.Kind, row.Key), want)(purged, err)
}

// compare compares the results of the store and the model.
func (p *player) compare() {
	t, ctx, kept := p.t, p.t.Context(), p.model.kept
	returns(t, "Head()", p.model.head().revision)(p.store.Head(ctx))
	for _, limit := range []int{0, 1 + p.random.IntN(keep)} {
		var want []store.Revision
		for _, w := range slices.Backward(kept) {
			if len(want) < limit || limit == 0 {
				want = append(want, w.revision)
			}
		}
		returns(t, fmt.Sprintf("History(%d)", limit), want)(p.store.History(ctx, limit))
	}
	var retracted []store.Retraction
	err := p.store.Retracted(ctx, func(r store.Retraction) error {
		retracted = append(retracted, r)
		return nil
	})
	returns(t, "Retracted()", p.model.retracted())(retracted, err)
	released, err := p.store.Released(ctx)
	returns(t, "Released()", p.model.released)(sortedReleases(released), err)
	returns(t, "Tombstones()", p.model.tombstones())(p.store.Tombstones(ctx))
	for _, source := range []string{"s", "x"} {
		returns(t, "UpstreamIDs of "+source, p.model.upstreamIDs(domain.KindChain, source))(p.store.UpstreamIDs(ctx, domain.KindChain, source))
	}
	latest := bytesOf(t, load(t, p.store, 0))
	for _, w := range kept {
		p.compareRevision(w, latest)
	}
	p.compareRecords()
	p.compareTouched()
}

func (p *player) compareRevision(want whole, latest []byte) {
	t, number := p.t, want.revision.Number
	of := func(what string) string { return fmt.Sprintf("%s of revision %d", what, number) }
	state := load(t, p.store, number)
	equal(t, of("metadata"), want.revision, state.Revision)
	equal(t, of("editors' layer"), want.editors, state.Editors())
	equal(t, of("winning observations"), want.observed, state.Observed())
	equal(t, of("merged catalogue"), domain.Merge(want.editors, want.observed), state.Merged())
	changes, err := p.store.Changes(t.Context(), number)
	if err != nil {
		t.Fatal(err)
	}
	applied, err := state.Apply(changes)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(latest, bytesOf(t, applied)) {
		t.Errorf("the changes since revision %d do not lead to the head", number)
	}
	equal(t, of("the state before changes"), want.editors, state.Editors())
	slices.SortFunc(changes.Rows, compareRows)
	sortFigures(changes.Observed)
	if len(changes.Observed) == 0 {
		changes.Observed = nil
	}
	equal(t, of("changes"), p.model.changes(want), changes)
}

// compareRecords compares the versions and observations of some records, also of missing ones.
func (p *player) compareRecords() {
	t := p.t
	until := p.model.floor() + int64(p.random.IntN(len(p.model.kept)))
	rows := []store.Row{{Kind: domain.KindChain, Key: "chain_0"}, {Kind: domain.KindAccount, Key: "account_0"}, {Kind: domain.KindMenu, Key: "never"}}
	for range 3 {
		rows = append(rows, pick(p.random, p.model.versions...).Row)
	}
	for _, row := range rows {
		asked := row.Key
		if row.Kind == domain.KindAccount { // whose keys ignore case
			asked = strings.ToUpper(asked)
		}
		name := fmt.Sprintf("(%s, %s, %d)", row.Kind, asked, until)
		returns(t, "Versions"+name, p.model.versionsOf(row.Kind, row.Key, until))(p.store.Versions(t.Context(), row.Kind, asked, until))
		returns(t, "Observations"+name, p.model.observationsOf(row.Kind, row.Key, until))(p.store.Observations(t.Context(), row.Kind, asked, until))
	}
}
