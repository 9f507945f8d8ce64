package storetest

import (
	"fmt"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
)

// rich returns a new catalogue that sets every field of the domain. It has the chains ethereum and
// base, and the nav groups tools and empty.
func rich() *domain.Catalog {
	c := &domain.Catalog{
		Title: text("Rich"), DefaultLocale: "en", Locales: []string{"en", "zh-hans"},
		Chains: []domain.Chain{
			{Slug: "ethereum", Name: text("Ethereum"), ChainID: "1"},
			{Slug: "base", Name: text("Base"), ChainID: "8453"},
		},
		NavGroups: []domain.NavGroup{{Key: "tools", Slug: "all-tools", Name: text("Tools")}, {Key: "empty", Slug: "empty", Name: text("Empty")}},
	}
	for _, d := range domain.Descriptions() {
		if d.Kind != domain.KindCatalog {
			domaintest.AddFull(c, d)
		}
	}
	domaintest.Complete(c)
	return c
}

// numbered returns a small valid catalogue with a number in its title.
func numbered(n int) *domain.Catalog {
	return &domain.Catalog{
		Title: text(fmt.Sprintf("Number %d", n)), DefaultLocale: "en", Locales: []string{"en"},
		Chains: []domain.Chain{{Slug: "chain", Name: text("Chain"), ChainID: fmt.Sprint(n)}},
	}
}

func text(value string) domain.Text { return domain.Text{{Locale: "en", Value: value}} }
