// Package quality_test tests what the bundled catalogue promises beyond `vitrine check`:
// its bars, its figures against their recordings, its slugs.
package quality_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/domain"
)

// A bar is a promise of this catalogue beyond `vitrine check`. The files bars_*_test.go
// define them, by theme.
type bar struct {
	name string
	find func(*domain.Catalog) []finding
}

// finding is a record that fails a bar.
type finding struct {
	record string // kind and key, as "chain solana"; "catalogue" for the whole
	says   string // the fault
}

// atLeast are the minimum sizes of the catalogue.
type atLeast struct {
	evmChains, otherChains               int
	categories                           int
	navGroups, menus, cards, cardsOfApps int
	descriptionLongest                   int     // characters (Unicode code points)
	aboutChainLongest                    int     // the same, of the description of a chain
	describedAbove                       float64 // the TVL in USD above which a live mainnet has a description
}

// promised are the sizes of the bundled catalogue.
var promised = atLeast{
	evmChains: 2000, otherChains: 40,
	categories: 60,
	navGroups:  4, menus: 12, cards: 300, cardsOfApps: 250,
	descriptionLongest: 140,
	aboutChainLongest:  240,
	describedAbove:     10_000_000,
}

// bars returns all bars in the order of reports. Names are unique.
func bars(min atLeast, glossary []term) []bar {
	return slices.Concat(chainBars(min), registryBars(min), figureBars(), textBars(min), termBars(glossary), navBars(min),
		appBars(min), linkBars())
}

// exceptionsFile lists the records that a bar exempts, with reasons.
var exceptionsFile = filepath.FromSlash("../../catalog/.quality/exceptions.json")

type exception struct {
	Bar    string `json:"bar"`
	Record string `json:"record"`
	Why    string `json:"why"`
}

func TestBundledCatalogue(t *testing.T) {
	dir := readBundled(t)
	t.Run("check", func(t *testing.T) { testCheck(t, dir.Problems) })
	var exceptions []exception
	decodeFile(t, exceptionsFile, &exceptions)
	var glossary []term
	decodeFile(t, glossaryFile, &glossary)
	for _, msg := range judge(dir.Catalog, bars(promised, glossary), exceptions) {
		t.Error(msg)
	}
}

var readOnce = sync.OnceValues(func() (*bundle.Directory, error) {
	return bundle.Read(context.Background(), bundled.FS, bundle.Options{})
})

// readBundled returns the bundled catalogue, which is read only. It skips short tests.
func readBundled(t *testing.T) *bundle.Directory {
	t.Helper()
	if testing.Short() {
		t.Skip("judges the bundled catalogue, in one goroutine")
	}
	dir, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// testCheck fails on any problem except accepted warnings.
func testCheck(t *testing.T, problems []bundle.Problem) {
	for _, p := range problems {
		if !p.Accepted {
			t.Error(p)
		}
	}
}

// judge returns the problems: every finding of a bar without an exception, in the order
// of the bars, and every exception that is unused, repeated or without a reason. An
// exception is for one bar and one record.
func judge(c *domain.Catalog, all []bar, exceptions []exception) []string {
	var wrong []string
	excused := map[[2]string]bool{} // whether it was needed
	for _, e := range exceptions {
		key := [2]string{e.Bar, e.Record}
		if _, twice := excused[key]; twice {
			wrong = append(wrong, fmt.Sprintf("exception %s: %s stands there twice", e.Bar, e.Record))
		}
		if e.Why == "" {
			wrong = append(wrong, fmt.Sprintf("exception %s: %s has no reason", e.Bar, e.Record))
		}
		excused[key] = false
	}
	for _, b := range all {
		for _, f := range b.find(c) {
			key := [2]string{b.name, f.record}
			if _, ok := excused[key]; ok {
				excused[key] = true
				continue
			}
			wrong = append(wrong, fmt.Sprintf("%s: %s: %s", b.name, f.record, f.says))
		}
	}
	for _, e := range exceptions {
		if !excused[[2]string{e.Bar, e.Record}] {
			wrong = append(wrong, fmt.Sprintf("exception %s: %s is not needed any more", e.Bar, e.Record))
		}
	}
	return wrong
}

// whole is the record of findings about the catalogue as a whole.
const whole = "catalogue"

// tooFew returns a finding if there are fewer of something than there should
// be, else nil.
func tooFew(got, want int, what string) []finding {
	if got >= want {
		return nil
	}
	return []finding{{whole, fmt.Sprintf("%d %s, want %d and more", got, what, want)}}
}

// TestDirectoryIsACatalogue holds that the folder of a checkout is a catalogue as a whole, with
// no other files than the embedded ones.
func TestDirectoryIsACatalogue(t *testing.T) {
	dir, err := bundle.ReadSettled(t.Context(), "../../catalog", bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testCheck(t, dir.Problems)
}
