package domain_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

func TestMergeOfReach(t *testing.T) {
	const url = "https://rpc.example.org/"
	editors := &domain.Catalog{Chains: []domain.Chain{
		{Slug: "a", RPC: []domain.Endpoint{{URL: url}, {URL: url + "2"}}}, {Slug: "b", RPC: []domain.Endpoint{{URL: url}}},
	}}
	before := deepCopy(editors)
	merged := domain.Merge(editors, []domain.Observation{
		domain.ObserveReach(domain.KindChain, "A", "rpc", url, domain.Reached{Reach: domain.ReachDown, Since: "2026-11-02"}),
		domain.ObserveReach(domain.KindChain, "a", "rpc", url, domain.Reached{Reach: domain.ReachUp, Since: "2026-11-01"}), // older
		domain.ObserveReach(domain.KindChain, "c", "rpc", url, domain.Reached{Reach: domain.ReachUp, Since: "2026-11-03"}),
		domain.ObserveReach(domain.KindChain, "b", "website", url, domain.Reached{Reach: domain.ReachUp, Since: "2026-11-03"}),
	})
	want := deepCopy(editors)
	want.Chains[0].RPC[0].Reached = domain.Reached{Reach: domain.ReachDown, Since: "2026-11-02"}
	if diff := cmp.Diff(want.Chains, merged.Chains); diff != "" {
		t.Errorf("chains (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, editors); diff != "" {
		t.Errorf("the editors' layer was changed:\n%s", diff)
	}
	if changes := domain.Diff(editors, merged); changes != nil {
		t.Errorf("a reach is a difference: %v", changes)
	}
}

func TestIsObservable(t *testing.T) {
	for _, tt := range []struct {
		kind domain.Kind
		name domain.FigureName
		want bool
	}{
		{domain.KindChain, domain.FigureTVL, true}, {domain.KindChain, domain.FigureFollowers, false},
		{domain.KindChain, "rpc:https://a.example/", true}, {domain.KindChain, "rpc:", false}, {domain.KindChain, "rpc", false},
		{domain.KindApp, "link:https://a.example/", true}, {domain.KindApp, "rpc:https://a.example/", false}, {"none", "rpc:x", false},
	} {
		if got := domain.IsObservable(tt.kind, tt.name); got != tt.want {
			t.Errorf("IsObservable(%s, %s) = %v", tt.kind, tt.name, got)
		}
	}
}
