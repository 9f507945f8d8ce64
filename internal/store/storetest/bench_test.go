package storetest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// BenchmarkLarge measures stores with 200,000 accounts in five languages. Run it with -benchtime 1x.
func BenchmarkLarge(b *testing.B) {
	for _, e := range engines {
		b.Run(e.name, func(b *testing.B) { measure(b, e) })
	}
}

func measure(b *testing.B, e engine) {
	open := func(b *testing.B) (s store.Store, size func() int64) {
		place := e.create(b)
		s, err := e.at(place)(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { s.Close() })
		return s, func() int64 { return e.size(b, place) }
	}
	c := bulk(200_000)
	b.Run("first publish", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			s, size := open(b)
			b.StartTimer()
			publish(b, s, 0, draft(c))
			b.ReportMetric(float64(size())/1e6, "MB")
		}
	})
	s, size := open(b)
	publish(b, s, 0, draft(c))
	changed := bulk(200_000)
	changed.Accounts[100_000].Name = "Changed"
	base := int64(1)
	b.Run("publish one changed record", func(b *testing.B) {
		for b.Loop() {
			publish(b, s, base, draft(changed))
			base++
			c, changed = changed, c
		}
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			load(b, s, 0)
		}
	})
	state := load(b, s, 1)
	memory(b, func() { state = load(b, s, 1) })
	b.Run("changes and apply", func(b *testing.B) {
		for b.Loop() {
			changes, err := s.Changes(b.Context(), 1)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := state.Apply(changes); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("roll back", func(b *testing.B) {
		for b.Loop() {
			publish(b, s, base, draft(load(b, s, 1).Editors()))
			base++
		}
	})
	path := filepath.Join(b.TempDir(), "last-good")
	b.Run("write the last good state", func(b *testing.B) {
		for b.Loop() {
			if err := store.WriteLastGood(path, store.LastGood{State: state}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read the last good state", func(b *testing.B) {
		for b.Loop() {
			if _, err := store.ReadLastGood(path); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("1000 small revisions", func(b *testing.B) {
		s, size := open(b)
		small := bulk(1_000)
		publish(b, s, 0, draft(small))
		before := size()
		for b.Loop() {
			for n := range 1_000 {
				small.Accounts[n].Name = "Changed"
				publish(b, s, int64(n+1), draft(small))
			}
			b.ReportMetric(float64(size()-before)/1e3, "kB-more")
			b.ReportMetric(float64(before)/1e3, "kB-before")
		}
	})
	b.Logf("size at the end: %d MB", size()/1e6)
}

// memory logs the heap that make retains.
func memory(b *testing.B, make func()) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	make()
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.Logf("heap with a second state: %d MB, with one: %d MB", after.HeapAlloc/1e6, before.HeapAlloc/1e6)
}

// bulk returns a catalogue of n accounts.
func bulk(n int) *domain.Catalog {
	locales := []string{"en", "es", "ja", "pt-br", "zh-hans"}
	c := &domain.Catalog{DefaultLocale: "en", Locales: locales, Title: domain.Text{{Locale: "en", Value: "Large"}}}
	c.Accounts = make([]*domain.Account, n)
	for i := range c.Accounts {
		a := &domain.Account{
			Handle: fmt.Sprintf("Account_%06d", i), Name: fmt.Sprintf("Account number %d", i),
			Categories: []string{"ai", "layer-2"}, Followers: &domain.Figure{Value: float64(i)},
		}
		for _, locale := range locales {
			a.Description = append(a.Description, domain.Translation{
				Locale: locale, Value: fmt.Sprintf("What account %d says about itself, in the language %s.", i, locale),
			})
		}
		c.Accounts[i] = a
	}
	return c
}
