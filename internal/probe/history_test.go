package probe

import (
	"testing"
	"time"

	"vitrine/internal/domain"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// TestReach: down needs failures over days, a wrong chain is a state of its own, and 429 changes
// nothing until what is known is too old.
func TestReach(t *testing.T) {
	type step struct {
		after   time.Duration
		outcome Outcome
		want    string // reach and its first day
	}
	const hour, day = time.Hour, 24 * time.Hour
	tests := map[string][]step{
		"up":                               {{0, OutcomeUp, "up 2026-11-20"}, {day, OutcomeUp, "up 2026-11-20"}},
		"down":                             {{0, OutcomeSlow, " "}, {day, OutcomeError, " "}, {day, OutcomeHostGone, "down 2026-11-20"}, {day, OutcomeSlow, "down 2026-11-20"}, {hour, OutcomeUp, "up 2026-11-23"}},
		"many checks of one day":           {{0, OutcomeError, " "}, {6 * hour, OutcomeError, " "}, {6 * hour, OutcomeError, " "}, {6 * hour, OutcomeError, " "}},
		"few checks over days":             {{0, OutcomeError, " "}, {9 * day, OutcomeError, " "}, {hour, OutcomeError, " "}, {6 * hour, OutcomeError, "down 2026-11-20"}},
		"failures with a success":          {{0, OutcomeError, " "}, {day, OutcomeUp, "up 2026-11-21"}, {day, OutcomeError, "up 2026-11-21"}, {day, OutcomeError, "up 2026-11-21"}, {day, OutcomeError, "down 2026-11-22"}},
		"limits among failures":            {{0, OutcomeError, " "}, {day, OutcomeLimited, " "}, {day, OutcomeError, " "}, {day, OutcomeLimited, " "}, {hour, OutcomeError, "down 2026-11-20"}},
		"limits alone":                     {{0, OutcomeLimited, " "}, {day, OutcomeRefused, " "}, {day, OutcomeUnchecked, " "}, {30 * day, OutcomeLimited, " "}},
		"limits after up":                  {{0, OutcomeUp, "up 2026-11-20"}, {13 * day, OutcomeLimited, "up 2026-11-20"}, {day, OutcomeLimited, " 2026-12-04"}, {day, OutcomeUp, "up 2026-12-05"}},
		"another chain":                    {{0, OutcomeUp, "up 2026-11-20"}, {day, OutcomeWrongChain, "wrong-chain 2026-11-21"}, {day, OutcomeError, "wrong-chain 2026-11-21"}, {day, OutcomeUp, "up 2026-11-23"}},
		"down since before it was last up": {{0, OutcomeUp, "up 2026-11-20"}, {0, OutcomeError, "up 2026-11-20"}, {day, OutcomeError, "up 2026-11-20"}, {day, OutcomeError, "down 2026-11-20"}},
	}
	target := Target{Kind: domain.KindChain, Key: "One", Field: "rpc", URL: "https://rpc.example.org/", ChainID: "1"}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			h, now := ReadHistory(nil), noon
			var observed []domain.Observation
			for i, s := range steps {
				now = now.Add(s.after)
				h.record(target.id(), finding{outcome: s.outcome}, now)
				state, err := h.Bytes()
				if err != nil {
					t.Fatal(err)
				}
				h = ReadHistory(state)
				for _, o := range Observations([]Target{target}, h, observed, now) {
					observed = append(observed, o.Observation)
				}
				if again := Observations([]Target{target}, h, observed, now); again != nil {
					t.Errorf("step %d: observed twice: %v", i, again)
				}
				merged := domain.Merge(&domain.Catalog{Chains: []domain.Chain{{Slug: "one", RPC: []domain.Endpoint{{URL: target.URL}}}}}, observed)
				e := merged.Chains[0].RPC[0].Reached
				if got := string(e.Reach) + " " + string(e.Since); got != s.want {
					t.Errorf("step %d, %s: %q, want %q", i, s.outcome, got, s.want)
				}
			}
		})
	}
}

// TestOneResolver: what one resolver alone says changes nothing.
func TestOneResolver(t *testing.T) {
	h, target := ReadHistory(nil), Target{Kind: domain.KindChain, Key: "one", Field: "rpc", URL: "https://rpc.example.org/"}
	for i := range 10 {
		h.record(target.id(), finding{outcome: []Outcome{OutcomeHostGone, OutcomeWrongChain}[i%2], single: true}, noon.AddDate(0, 0, i))
	}
	if got := Observations([]Target{target}, h, nil, noon.AddDate(0, 0, 10)); got != nil {
		t.Errorf("observed %v", got)
	}
}

// TestOffline: if nearly everything fails, the network of the prober is at fault, and nothing goes down.
func TestOffline(t *testing.T) {
	for up, want := range map[int]int{0: 0, 3: 0, 4: 36} {
		h, targets := ReadHistory(nil), sites(40, 40)
		now := noon
		for range 3 {
			for i, target := range targets {
				outcome := OutcomeSlow
				if i < up {
					outcome = OutcomeUp
				}
				h.record(target.id(), finding{outcome: outcome}, now)
			}
			now = now.AddDate(0, 0, 1)
		}
		down := 0
		for _, o := range Observations(targets, h, nil, now) {
			if o.Reached().Reach == domain.ReachDown {
				down++
			}
		}
		if down != want || h.Offline() != (want == 0) {
			t.Errorf("%d of %d are up: %d are down, want %d", up, len(targets), down, want)
		}
	}
}

func TestReadHistory(t *testing.T) {
	for _, state := range []string{"", "{", "null", "[]", `{"checks":null}`, `{"checks":{"a":7}}`} {
		if h := ReadHistory([]byte(state)); h.Checks == nil || h.Hosts == nil || len(h.Checks) > 0 {
			t.Errorf("%s: %+v", state, h)
		}
	}
}
