package tables_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/tables"
)

// BenchmarkSQLite writes 200,000 accounts.
func BenchmarkSQLite(b *testing.B) {
	c := &domain.Catalog{Title: domain.Text{{Locale: "en", Value: "Many"}}, DefaultLocale: "en", Locales: []string{"en"}}
	for i := range 200_000 {
		c.Accounts = append(c.Accounts, &domain.Account{
			Handle: fmt.Sprintf("account_%d", i), Name: fmt.Sprintf("Account number %d", i), Categories: []string{"news"},
			Description: domain.Text{{Locale: "en", Value: fmt.Sprintf("The account with the number %d, which has a description of a usual length of some words.", i)}},
			Followers:   &domain.Figure{Value: float64(i), Source: "x", AsOf: "2026-01-01"},
		})
	}
	path := filepath.Join(b.TempDir(), "file")
	for b.Loop() {
		must(b, tables.WriteSQLite(context.Background(), path, source(c)))
		info, err := os.Stat(path)
		must(b, err)
		b.ReportMetric(float64(info.Size()), "file-B")
		must(b, os.Remove(path))
	}
}
