package probe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/upstream"
)

// web is a client without a network. answer is called for one request at a time of each host.
type web struct {
	mu     sync.Mutex
	busy   map[string]bool
	asked  []string
	answer func(url string) (*upstream.Answer, error)
	t      *testing.T
}

func (w *web) Do(ctx context.Context, call upstream.Call) (*upstream.Answer, error) {
	host := Target{URL: call.URL}.host()
	w.mu.Lock()
	if w.busy[host] {
		w.t.Errorf("%s is asked twice at a time", host)
	}
	w.busy[host] = true
	w.asked = append(w.asked, call.URL)
	w.mu.Unlock()
	err := sleepFake(ctx, time.Second)
	w.mu.Lock()
	w.busy[host] = false
	w.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return w.answer(call.URL)
}

func sleepFake(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func ok(string) (*upstream.Answer, error) { return &upstream.Answer{Status: 200}, nil }

func newWeb(t *testing.T, answer func(string) (*upstream.Answer, error)) *web {
	return &web{busy: map[string]bool{}, answer: answer, t: t}
}

func prober(clients ...Client) *Prober {
	return &Prober{
		Clients: clients, Workers: 4, Pause: time.Second, MinAge: time.Hour, Now: time.Now, Sleep: sleepFake,
		Save: func(*History) error { return nil },
	}
}

// sites returns the websites of n chains on a number of hosts.
func sites(n, hosts int) []Target {
	var c domain.Catalog
	for i := range n {
		c.Chains = append(c.Chains, domain.Chain{Slug: fmt.Sprintf("c%03d", i), Website: fmt.Sprintf("https://h%d.example.org/%d", i%hosts, i)})
	}
	return Targets(&c)
}

// TestRunIsPolite: hosts are asked in parallel, each with one request at a time and pauses.
func TestRunIsPolite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, h, began := newWeb(t, ok), ReadHistory(nil), time.Now()
		made, left, err := prober(w).Run(t.Context(), sites(40, 4), h)
		if err != nil || made != 40 || left != 0 || len(w.asked) != 40 || len(h.Checks) != 40 {
			t.Errorf("%d made, %d left, %d requests, %v", made, left, len(w.asked), err)
		}
		if took := time.Since(began); took != 19*time.Second { // ten requests and nine pauses
			t.Errorf("it took %s", took)
		}
	})
}

// TestRunContinues: a run that ends early keeps its results, the next one does the rest, and one
// soon after does nothing.
func TestRunContinues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		targets := sites(40, 4)
		var stored []byte
		p := prober(newWeb(t, ok))
		p.Save = func(h *History) (err error) { stored, err = h.Bytes(); return err }
		within, end := context.WithTimeout(t.Context(), 10*time.Second)
		defer end()
		made, left, err := p.Run(within, targets, ReadHistory(nil))
		if err != nil || made == 0 || left == 0 || made+left != 40 {
			t.Fatalf("%d made, %d left, %v", made, left, err)
		}
		h := ReadHistory(stored)
		for id, past := range h.Checks {
			if past.Outcome != OutcomeUp {
				t.Errorf("%s is %s: the end of a run is no fault", id, past.Outcome)
			}
		}
		w := newWeb(t, ok)
		p.Clients = []Client{w}
		if again, left, err := p.Run(t.Context(), targets, h); err != nil || again != 40-made || left != 0 || len(w.asked) != again {
			t.Errorf("then %d made, %d left, %v", again, left, err)
		}
		if again, left, err := p.Run(t.Context(), targets, ReadHistory(stored)); err != nil || again != 0 || left != 0 {
			t.Errorf("at once %d made, %d left, %v", again, left, err)
		}
		time.Sleep(2 * time.Hour)
		if again, _, _ := p.Run(t.Context(), targets[:7], h); again != 7 || len(h.Checks) != 7 {
			t.Errorf("later %d made, %d remembered", again, len(h.Checks))
		}
	})
}

// TestRunLeavesLimitedHosts: a host that limits requests is left until the time it asks for, also by
// later runs.
func TestRunLeavesLimitedHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, func(url string) (*upstream.Answer, error) {
			if strings.Contains(url, "h1.") {
				return &upstream.Answer{Status: 429, After: 3 * time.Hour}, nil
			}
			return ok(url)
		})
		p, h, targets := prober(w), ReadHistory(nil), sites(40, 4)
		made, left, err := p.Run(t.Context(), targets, h)
		if err != nil || made != 31 || left != 9 {
			t.Errorf("%d made, %d left, %v", made, left, err)
		}
		time.Sleep(2 * time.Hour)
		if made, left, _ := p.Run(t.Context(), targets, h); made != 30 || left != 0 {
			t.Errorf("two hours later %d made, %d left", made, left)
		}
		time.Sleep(2 * time.Hour)
		if made, _, _ := p.Run(t.Context(), targets, h); made != 31 {
			t.Errorf("after the limit %d made", made)
		}
		if got := Observations(targets, h, nil, time.Now()); len(got) != 30 {
			t.Errorf("%d observed", len(got))
		}
	})
}

// TestRunAsksGoneHostsOnce: the other addresses of a host that is gone are not requested.
func TestRunAsksGoneHostsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWeb(t, func(url string) (*upstream.Answer, error) {
			if strings.Contains(url, "h1.") {
				return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
			}
			return ok(url)
		})
		h, targets := ReadHistory(nil), sites(40, 4)
		other := Target{Kind: domain.KindChain, Key: "x", Field: "website", URL: "https://h1.example.org:8443/"}
		made, left, err := prober(w).Run(t.Context(), append(targets, other), h)
		if err != nil || made != 41 || left != 0 || len(w.asked) != 32 {
			t.Errorf("%d made, %d left, %d requests, %v", made, left, len(w.asked), err)
		}
		if got := h.Checks[targets[39].id()].Outcome; got != OutcomeUp {
			t.Errorf("another host is %s", got)
		}
		if got := h.Checks[targets[37].id()].Outcome; got != OutcomeHostGone {
			t.Errorf("an address of the host is %s", got)
		}
	})
}

// TestRunAsksTwoResolvers: a name that one of them knows is up; one that both do not know fails.
func TestRunAsksTwoResolvers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unknown := func(url string) (*upstream.Answer, error) {
			return nil, &net.DNSError{Err: "no such host", Name: url, IsNotFound: true}
		}
		first, second := newWeb(t, unknown), newWeb(t, func(url string) (*upstream.Answer, error) {
			if strings.Contains(url, "h0.") {
				return ok(url)
			}
			return unknown(url)
		})
		p, h, targets := prober(first, second), ReadHistory(nil), sites(2, 2)
		var observed []domain.Observation
		for range 3 {
			if _, _, err := p.Run(t.Context(), targets, h); err != nil {
				t.Fatal(err)
			}
			for _, o := range Observations(targets, h, observed, time.Now()) {
				observed = append(observed, o.Observation)
			}
			time.Sleep(24 * time.Hour)
		}
		if len(observed) != 2 || observed[0].Reached().Reach != domain.ReachUp || observed[1].Reached().Reach != domain.ReachDown {
			t.Errorf("observed %v", observed)
		}
	})
}

// TestRunStopsWhenItCannotSave: another process has taken over.
func TestRunStopsWhenItCannotSave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		taken := errors.New("taken")
		p := prober(newWeb(t, ok))
		p.Save = func(*History) error { return taken }
		made, _, err := p.Run(t.Context(), sites(2000, 40), ReadHistory(nil))
		if !errors.Is(err, taken) || made > 2*saveEvery {
			t.Errorf("%d made, %v", made, err)
		}
	})
}

// TestTargets: what can be checked, once each.
func TestTargets(t *testing.T) {
	c := &domain.Catalog{
		Chains: []domain.Chain{{
			Slug: "one", ChainID: "1", Website: "https://one.example/", Logo: "/logos/one.svg",
			RPC: []domain.Endpoint{{URL: "https://rpc.example/"}, {URL: "wss://rpc.example/"}, {URL: "wss://rpc.example/{key}"}, {URL: "https://rpc.example/${KEY}"}},
		}},
		Apps:     []domain.App{{Key: "app", Link: "https://one.example/", Image: "https://one.example/a.png"}, {Key: "local", Link: "/local"}},
		Accounts: []*domain.Account{{Handle: "One", Website: "http://one.example"}},
		Channels: []domain.Channel{{ChannelID: "UC1", Website: "https://one.example/"}},
	}
	var got []string
	checks := map[string]bool{}
	for _, target := range Targets(c) {
		got = append(got, fmt.Sprint(target.Kind, " ", target.Key, " ", target.Figure()))
		checks[target.id()] = true
		if !domain.IsObservable(target.Kind, target.Figure()) {
			t.Errorf("%v is not observable", target)
		}
	}
	want := "apps app image:https://one.example/a.png;apps app link:https://one.example/;chains one rpc:https://rpc.example/;chains one rpc:wss://rpc.example/;chains one website:https://one.example/;" +
		"twitter One website:http://one.example;youtube UC1 website:https://one.example/"
	if strings.Join(got, ";") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ";"), want)
	}
	if len(checks) != 5 {
		t.Errorf("%d checks of %d targets", len(checks), len(got))
	}
}
