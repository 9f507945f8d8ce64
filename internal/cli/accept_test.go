package cli

import (
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/publish"
)

// TestAccepting checks that printed commands work in a shell and contain no password.
func TestAccepting(t *testing.T) {
	plan := &publish.Plan{Holds: []publish.Hold{{Rule: "shrink:chains", Severity: domain.GateAsk}, {Rule: "expect:chains", Severity: domain.GateStop}, {Rule: "rollback:4", Severity: domain.GateAsk}}}
	for _, c := range []struct {
		args arguments
		want string
	}{
		{arguments{"import", "my shop", "--dry-run"}, "vitrine import 'my shop'"},
		{arguments{"import", "shop", "--accept", "shrink:chains", "--accept=rollback:3"}, "vitrine import shop"},
		{arguments{"import", "shop", "--store", "sqlite:a.db"}, "vitrine import shop --store sqlite:a.db"},
		{arguments{"import", "shop", "--store=postgres://ann@db/shop"}, "vitrine import shop --store postgres://ann@db/shop"},
		{arguments{"import", "--store", "postgres://ann:secret@db/shop", "shop"}, `vitrine import --store "${VITRINE_STORE:?}" shop`},
		{arguments{"rollback", "3", "--store=postgres://db/shop?password=secret"}, `vitrine rollback 3 --store "${VITRINE_STORE:?}"`},
	} {
		if got := c.args.accepting(plan); got != c.want+" --accept shrink:chains,rollback:4" {
			t.Errorf("%q: %s", c.args, got)
		}
	}
}

func TestImportCommandOfAServer(t *testing.T) {
	directory := "shop"
	for dsn, want := range map[string]string{
		"sqlite:/var/lib/vitrine/store.db": "vitrine import shop --store sqlite:/var/lib/vitrine/store.db",
		"postgres://ann:secret@db/shop":    `vitrine import shop --store "${VITRINE_STORE:?}"`,
	} {
		c := serveCmd{}
		c.Catalog, c.Store = &directory, &dsn
		if got := c.importCommand(); got != want {
			t.Errorf("%s: %s", dsn, got)
		}
	}
}
