package snapshot_test

import (
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// TestReachOfEndpoints: details have what was observed of each endpoint, also in a snapshot that
// reuses the previous one. Nothing else changes.
func TestReachOfEndpoints(t *testing.T) {
	urls := []string{"https://a.example/", "https://b.example/", "https://c.example/", "https://d.example/", "https://e.example/"}
	editors := namedCatalog()
	for _, url := range urls {
		editors.Chains[0].RPC = append(editors.Chains[0].RPC, domain.Endpoint{URL: url, Note: "n"})
	}
	slug := editors.Chains[0].Slug
	var previous *snapshot.Snapshot
	body := func(observed ...domain.Observation) string {
		t.Helper()
		s, err := snapshot.Compile(previous, domain.Merge(editors, observed), snapshot.Revision{Number: 1})
		if err != nil {
			t.Fatal(err)
		}
		previous = s
		body, _ := s.Record(query.KindChain, slug, 0)
		return string(body)
	}
	before := body()
	if strings.Contains(before, `"state`) {
		t.Fatalf("states without a probe: %s", before)
	}
	var observed []domain.Observation
	for i, reach := range []domain.Reach{domain.ReachUp, domain.ReachDown, domain.ReachWrongChain, domain.ReachUnknown} {
		observed = append(observed, domain.ObserveReach(domain.KindChain, strings.ToUpper(slug), "rpc", urls[i], domain.Reached{Reach: reach, Since: "2026-11-20"}))
	}
	const up, down = `,"state":"up","stateSince":"2026-11-20"`, `,"state":"down","stateSince":"2026-11-20"`
	want := before
	for i, state := range []string{up, down, down} {
		want = strings.Replace(want, urls[i]+`","note":"n"`, urls[i]+`","note":"n"`+state, 1)
	}
	if got := body(observed...); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := body(); got != before {
		t.Errorf("without observations: %s", got)
	}
	later := observed[0]
	later.AsOf, later.Value = "2026-11-21", 99 // of a later version
	if got := body(append(observed, later)...); got != strings.Replace(want, up, "", 1) {
		t.Errorf("an unknown state: %s", got)
	}
}
