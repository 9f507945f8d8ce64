package distribution_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/distribution"
	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/store"
)

// whole fails unless the full set of an entry is that of a writer without an earlier state.
func (p *publisher) whole(t interface {
	Helper()
	Fatalf(string, ...any)
}, written distribution.Written) {
	t.Helper()
	fresh := newPublisher(p.t)
	fresh.head, fresh.past, fresh.now = p.head, p.past, p.now
	if diff := cmp.Diff(fresh.write().Entry.Kinds, written.Entry.Kinds); diff != "" {
		t.Fatalf("full set (-of a new writer +of one that wrote the changes):\n%s", diff)
	}
}

// TestIndexIsUpdated checks that a writer that encodes only changed records writes the same full
// set as one that encodes all.
func TestIndexIsUpdated(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := newPublisher(t)
		c := domaintest.Valid(4).Draw(rt, "catalogue")
		p.publish(c)
		p.whole(rt, p.change(c, domaintest.Edited(c).Draw(rt, "edited")))
	})
}

// TestPackingIsIndependent checks that the bytes of a file do not depend on files that were compressed
// before it, also of similar lines and of more than the window of the compressor.
func TestPackingIsIndependent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var lines []string
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf(`{"kind":"chains","key":"chain-%d","name":{"en":"Chain %x"}}`, i, random.Uint64()))
	}
	var shared distribution.Packer
	sizes := []int{0, 10, 5_000, 300_000, 9_000_000, 5_000, 300_000}
	for i := range 2 * len(sizes) {
		var content []byte
		for len(content) < sizes[i%len(sizes)] {
			content = append(append(content, lines[random.IntN(len(lines))]...), '\n')
		}
		alone, want, err := distribution.Pack("chains", content)
		if err != nil {
			t.Fatal(err)
		}
		f, packed, err := shared.Pack("chains", content)
		if err != nil {
			t.Fatal(err)
		}
		if f != alone || !bytes.Equal(packed, want) {
			t.Fatalf("file %d of %d bytes: %+v, alone %+v", i, len(content), f, alone)
		}
	}
}

// change adds a revision as a store does, which writes only records that differ.
func (p *publisher) change(from, to *domain.Catalog) distribution.Written {
	p.t.Helper()
	p.now = p.now.Add(time.Minute)
	delta := domain.DeltaOf(from, to)
	changes := &store.Changes{Since: p.head.Revision.Number, Revision: p.head.Revision}
	changes.Revision.Number, changes.Revision.PublishedAt = changes.Since+1, p.now
	written := map[string]bool{}
	for row, err := range store.ChangedRows(delta, nil) {
		must(p.t, err)
		changes.Rows = append(changes.Rows, row)
		written[string(row.Kind)+row.Key] = true
	}
	for _, d := range domain.Descriptions()[1:] {
		old, _ := delta.Records(d)
		for _, record := range old {
			if key := store.KeyOf(d, record); !written[string(d.Kind)+key] {
				changes.Rows = append(changes.Rows, store.Row{Kind: d.Kind, Key: key})
			}
		}
	}
	next, err := p.head.Apply(changes)
	must(p.t, err)
	p.head, p.past = next, append(p.past, next.Revision)
	return p.write()
}

// TestChangeRewritesOneFile checks that a changed record rewrites its file alone, which is a small part
// also of a catalogue of some MiB, and that files which were removed are written again.
func TestChangeRewritesOneFile(t *testing.T) {
	for accounts, want := range map[int]int{20: 1, 100: 2, 400: 8, 2000: 8, 7000: 16} {
		if testing.Short() && accounts >= 2000 {
			continue // takes long, and tests the same code
		}
		t.Run(fmt.Sprint(accounts), func(t *testing.T) { testChangeRewritesOneFile(t, accounts, want) })
	}
}

func testChangeRewritesOneFile(t *testing.T, accounts, want int) {
	p := newPublisher(t)
	c := chains()
	for i := range accounts {
		c.Accounts = append(c.Accounts, &domain.Account{
			Handle: fmt.Sprintf("account_%d", i), Name: "Account", Followers: &domain.Figure{Value: float64(i)},
			Description: domain.Text{{Locale: "en", Value: strings.Repeat("word ", 1000)}},
		})
	}
	first := p.publish(c)
	files := filesOf(first.Entry, domain.KindAccount)
	if len(files) != want {
		t.Fatalf("%d files of accounts, want %d", len(files), want)
	}
	c.Accounts[7].Followers = &domain.Figure{Value: 70_000}
	second := p.publish(c)
	p.whole(t, second)
	kept := 0
	for _, f := range filesOf(second.Entry, domain.KindAccount) {
		for _, g := range files {
			if f == g {
				kept++
			}
		}
	}
	if second.Files != 2 || kept != want-1 {
		t.Errorf("a change wrote %d files and kept %d of accounts, want 2 (with the delta) and %d", second.Files, kept, want-1)
	}
	lost := filesOf(second.Entry, domain.KindAccount)[0]
	must(t, os.Remove(filepath.Join(p.dir, lost.Path)))
	if third := p.publish(c); third.Files != 1 {
		t.Errorf("after the loss of a file %d were written, want 1", third.Files)
	}
	p.reader().want(p)
}

func filesOf(e *distribution.Entry, kind domain.Kind) []distribution.File {
	for _, k := range e.Kinds {
		if k.Kind == string(kind) {
			return k.Files
		}
	}
	return nil
}

// TestEqualRecordsWithOtherLines checks that an unchanged file and a written one agree with the
// digests if the line of an equal record changes.
func TestEqualRecordsWithOtherLines(t *testing.T) {
	p := newPublisher(t)
	c := chains("a", "b")
	c.Accounts = []*domain.Account{
		{Handle: "first", Name: "First", Followers: &domain.Figure{Value: 0}},
		{Handle: "second", Name: "Second", Followers: &domain.Figure{Value: 2}},
	}
	p.publish(c)
	r := p.reader()
	r.want(p)
	c.Accounts[0].Followers = &domain.Figure{Value: math.Copysign(0, -1)}
	p.publish(c)
	r.want(p)
	c.Accounts[1].Followers = &domain.Figure{Value: 3}
	p.whole(t, p.publish(c))
	r.want(p)
	p.reader().want(p)
}
