package snapshot

import (
	"fmt"
	"runtime"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

func large(n int) *domain.Catalog {
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en", "sv"}}
	for i := range n {
		c.Chains = append(c.Chains, domain.Chain{
			Slug: fmt.Sprintf("c%05d", i), ChainID: fmt.Sprint(i), Name: domain.Text{{Locale: "en", Value: fmt.Sprintf("Chain %d", i)}},
		})
	}
	return c
}

// TestManySmallChangesTakeLittleMemory checks that a chain of snapshots, each with one small
// change, does not retain unused memory.
func TestManySmallChangesTakeLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles hundreds of times")
	}
	const publishes = 300
	c := large(2400)
	s, err := Compile(nil, c, Revision{})
	if err != nil {
		t.Fatal(err)
	}
	s.Finish()
	before := held()
	for n := range publishes {
		next := *c
		next.Chains = append([]domain.Chain(nil), c.Chains...)
		next.Chains[n].TVL = &domain.Figure{Value: float64(n)}
		if s, err = Compile(s, &next, Revision{}); err != nil {
			t.Fatal(err)
		}
		s.Finish()
		c = &next
	}
	after := held()
	runtime.KeepAlive(s)
	runtime.KeepAlive(c)
	if after > before+1<<20 {
		t.Errorf("%d publishes of one record each hold %d bytes more than the whole, which holds %d", publishes, after-before, before)
	}
}

func held() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestLabelsAreForgotten checks that the labels of unused combinations of categories are
// released.
func TestLabelsAreForgotten(t *testing.T) {
	c := func(shift int) *domain.Catalog {
		c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}}
		for i := range 200 {
			c.Categories = append(c.Categories, domain.Category{Key: fmt.Sprint("k", i), Name: domain.Text{{Locale: "en", Value: "K"}}})
		}
		for i := range 100 {
			c.Accounts = append(c.Accounts, &domain.Account{
				Handle: fmt.Sprint("h", i), Name: "x", Followers: &domain.Figure{Value: 1},
				Categories: []string{fmt.Sprint("k", (7*shift+i)%200), fmt.Sprint("k", (13*shift+3*i)%200)},
			})
		}
		return c
	}
	s, err := Compile(nil, c(0), Revision{})
	if err != nil {
		t.Fatal(err)
	}
	for shift := range 50 {
		if s, err = Compile(s, c(shift), Revision{}); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(s.lists[query.KindUser].(*accountList).labels.encoded); got > 200 {
		t.Errorf("labels of %d combinations for 100 accounts", got)
	}
}
