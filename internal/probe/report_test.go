package probe

import (
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/domain"
)

// TestReport: problems are grouped by their probable cause.
func TestReport(t *testing.T) {
	c := &domain.Catalog{}
	h := ReadHistory(nil)
	outcomes := map[string]Outcome{}
	chain := func(slug string, website Outcome, endpoints ...string) {
		record := domain.Chain{Slug: slug, ChainID: "1", Website: "https://" + slug + ".example/"}
		outcomes[record.Website] = website
		for _, e := range endpoints {
			address, outcome, _ := strings.Cut(e, " ")
			outcomes["https://"+address] = Outcome(outcome)
			record.RPC = append(record.RPC, domain.Endpoint{URL: "https://" + address})
		}
		c.Chains = append(c.Chains, record)
	}
	chain("dead", OutcomeHostGone, "rpc.dead.example/ host-gone")
	chain("alive", OutcomeUp, "a.gone.example/1 host-gone", "ok.example/ up", "limits.example/ limited", "wrong.example/ wrong-chain", "slow.example/ slow")
	chain("other", OutcomeUp, "b.gone.example/2 error", "keys.example/ refused", "half.example/1 error", "limits.example/2 limited")
	chain("both", OutcomeUp, "x.example/ slow", "y.example/ wrong-chain", "half.example/2 up")
	chain("new", OutcomeUp, "late.example/ ")
	targets := Targets(c)
	for _, target := range targets {
		if outcome := outcomes[target.URL]; outcome != "" {
			h.record(target.id(), finding{outcome: outcome}, noon)
		}
	}
	observed := []domain.Observation{
		domain.ObserveReach(domain.KindChain, "alive", "rpc", "https://wrong.example/", domain.Reached{Reach: domain.ReachWrongChain, Since: "2026-11-01"}),
		domain.ObserveReach(domain.KindChain, "dead", "rpc", "https://rpc.dead.example/", domain.Reached{Reach: domain.ReachDown, Since: "2026-11-02"}),
		domain.ObserveReach(domain.KindChain, "dead", "website", "https://dead.example/", domain.Reached{Reach: domain.ReachDown, Since: "2026-11-02"}),
	}
	r := NewReport(targets, h, observed)
	var got []string
	for _, g := range r.Groups {
		text := string(g.Cause) + " " + g.Name + ":"
		for _, e := range g.Entries {
			text += " " + e.Key + "/" + e.Field
		}
		got = append(got, text)
	}
	want := []string{
		"operator-gone gone.example: alive/rpc other/rpc",
		"chain-gone dead: dead/rpc", "host-gone dead.example: dead/website",
		"wrong-chain : alive/rpc both/rpc", "error : other/rpc", "slow : alive/rpc both/rpc", "refused : other/rpc", "limited limits.example: alive/rpc other/rpc",
	}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r.Unknown != 1 || r.Targets != len(targets) || r.Reach[domain.ReachDown] != 2 || r.Reach[domain.ReachWrongChain] != 1 {
		t.Errorf("%+v", r)
	}
	removable := ""
	for _, e := range r.Removable() {
		removable += fmt.Sprint(e.Key, " ", e.URL, " ", e.Reach, " ", e.Since, "; ")
	}
	if want := "alive https://wrong.example/ wrong-chain 2026-11-01; dead https://rpc.dead.example/ down 2026-11-02; "; removable != want {
		t.Errorf("removable %s, want %s", removable, want)
	}
}
