package domain_test

import (
	"fmt"
	"testing"

	"vitrine/internal/domain"
)

// large returns a valid catalogue with n accounts.
func large(n int) *domain.Catalog {
	c := rich()
	c.Accounts = nil
	for i := range n {
		c.Accounts = append(c.Accounts, &domain.Account{
			Handle: fmt.Sprintf("User_%d", i), Name: fmt.Sprintf("User number %d", i),
			Description: en("Writes about chains, tools and what they are for"),
			Categories:  []string{"l1", "education"},
			Followers:   dated(float64(i), "sync", "2026-01-02"),
		})
	}
	return c
}

func BenchmarkCheck200000(b *testing.B) {
	c := large(200_000)
	for b.Loop() {
		if p := domain.Check(c, domain.Reading{}).Problems; len(p) > 0 {
			b.Fatal(p[0])
		}
	}
}

func BenchmarkCheckAllBroken200000(b *testing.B) {
	c := large(200_000)
	for i := range c.Accounts {
		c.Accounts[i].Categories = []string{fmt.Sprintf("nope-%d", i), "deffi"}
		c.Accounts[i].Followers = nil
	}
	for b.Loop() {
		domain.Check(c, domain.Reading{})
	}
}

func BenchmarkDiff200000(b *testing.B) {
	old, new := large(200_000), large(200_000)
	for i := 0; i < len(new.Accounts); i += 100 {
		new.Accounts[i].Name = "Another"
	}
	for b.Loop() {
		if got := len(domain.Diff(old, new)); got != 2000 {
			b.Fatal(got)
		}
	}
}

func BenchmarkMerge200000(b *testing.B) {
	c := large(200_000)
	var observed []domain.Observation
	for _, a := range c.Accounts {
		observed = append(observed, domain.Observation{
			Kind: domain.KindAccount, Key: a.Handle, Figure: domain.FigureFollowers,
			Value: 1, Source: "x", AsOf: "2026-02-01",
		})
	}
	for b.Loop() {
		domain.Merge(c, observed)
	}
}
