package mcp_test

import (
	"log/slog"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/mcp"
	"vitrine/internal/snapshot"
)

// TestToolsShowEveryField checks that tools for one record return all its fields, except former
// keys.
func TestToolsShowEveryField(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles some hundred catalogues")
	}
	var serves *snapshot.Snapshot
	c := checked{ClientSession: client(t, mcp.New(mcp.Config{
		Snapshot: func() *snapshot.Snapshot { return serves }, Version: "test", Log: slog.New(slog.DiscardHandler),
	}))}
	for kind, tool := range map[domain.Kind]struct {
		name, key string
		more      map[string]any
	}{
		domain.KindChain:   {"get_chain", "chain", nil},
		domain.KindAccount: {"list_accounts", "handle", nil},
		domain.KindChannel: {"list_accounts", "handle", map[string]any{"platform": "youtube"}},
		domain.KindApp:     {"list_cards", "app", nil},
	} {
		domaintest.Shows(t, kind, nil, func(catalog *domain.Catalog, key string) map[string]string {
			var err error
			if serves, err = snapshot.Compile(nil, catalog, snapshot.Revision{Number: 7, PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}); err != nil {
				t.Fatal(err)
			}
			arguments := map[string]any{tool.key: key}
			for name, value := range tool.more {
				arguments[name] = value
			}
			result := c.callAny(t, tool.name, arguments)
			if result.IsError {
				t.Fatalf("%s %v: %s", tool.name, arguments, textOf(t, result))
			}
			return map[string]string{tool.name: textOf(t, result)}
		})
	}
}
