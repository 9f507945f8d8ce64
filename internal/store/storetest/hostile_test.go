package storetest

import (
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// statements returns texts that would do harm as a part of SQL.
func statements() []string {
	return []string{
		`'); DROP TABLE api_key; --`, `"; DELETE FROM revision; --`, `' OR '1'='1`, `$1`, `?1`, `:name`, `@name`, `%s`, `\'; --`, "`x`", `/* */`,
		`$$; DROP TABLE api_key; $$`, `E'\x00'`, "a\nb",
	}
}

// texts checks that such texts are stored unchanged.
func texts(t *testing.T, s store.Store) {
	c := numbered(1)
	for _, statement := range statements() {
		c.Chains = append(c.Chains, domain.Chain{
			Slug: statement, Name: domain.Text{{Locale: "en", Value: statement}}, ChainID: statement, Aliases: []string{statement},
		})
		d := draft(c)
		d.Message = statement
		d.Origin = func(domain.Kind, int) string { return statement + "\xff\x00" }
		base := int64(len(c.Chains) - 2)
		if rev := publish(t, s, base, d); rev.Message != statement {
			t.Errorf("the message is %q, want %q", rev.Message, statement)
		}
		if err := s.AddKey(t.Context(), store.APIKey{Name: statement, CreatedAt: time.UnixMilli(1), CreatedBy: statement, Limit: statement}); err != nil {
			t.Errorf("AddKey(%q): %v", statement, err)
		}
		if err := s.RevokeKey(t.Context(), statement, statement, time.UnixMilli(2)); err != nil {
			t.Errorf("RevokeKey(%q): %v", statement, err)
		}
	}
	versions, err := s.Versions(t.Context(), domain.KindChain, "a\nb", 0)
	if err != nil || len(versions) != 1 || versions[0].Row.Origin != "a\nb\uFFFD\uFFFD" {
		t.Errorf("versions %v, %v", versions, err)
	}
	loaded := map[string]string{}
	for _, chain := range load(t, s, 0).Editors().Chains {
		loaded[chain.Slug] = chain.ChainID
	}
	keys, err := s.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(keys) != len(statements()) {
		t.Errorf("%d keys, want %d", len(keys), len(statements()))
	}
	for _, statement := range statements() {
		if loaded[statement] != statement {
			t.Errorf("%q is loaded as %q", statement, loaded[statement])
		}
	}
}
