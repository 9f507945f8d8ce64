package admission_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/admission"
	"vitrine/internal/ratelimit"
)

// refused sends n requests over a quota of one request an hour.
func (s *site) refused(remote string, n int, header http.Header) {
	for range n + 1 {
		s.ask(remote, header)
	}
}

// TestLogRefusals checks that each minute with refusals has one line, which names the most
// refused callers as configured.
func TestLogRefusals(t *testing.T) {
	for naming, want := range map[admission.Naming]string{
		admission.ByPrefix:  `refused=17 within=1m0s most="[192.0.2.0/24 8 2001:db8:1::/48 5 API key name of good 3 198.51.100.0/24 1]"`,
		admission.ByAddress: `refused=17 within=1m0s most="[192.0.2.2 6 2001:db8:1:2::/64 5 API key name of good 3 192.0.2.1 2 198.51.100.7 1]"`,
		admission.ByNothing: `refused=17 within=1m0s`,
	} {
		synctest.Test(t, func(t *testing.T) {
			hourly := ratelimit.Policy{Quota: 1, Window: time.Hour}
			s := newSite(admission.Config{Anonymous: hourly, Key: hourly, Refused: naming})
			s.keys = withKeys(map[string]*ratelimit.Policy{"good": nil})
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { s.LogRefusals(ctx); close(done) }()
			time.Sleep(time.Second)
			s.refused("192.0.2.1:1", 2, nil)
			s.refused("192.0.2.2:1", 6, http.Header{"X-Api-Key": {"wrong"}})
			s.refused("[2001:db8:1:2:3::4]:1", 5, nil)
			s.refused("198.51.100.7:1", 1, nil)
			s.refused("198.51.100.8:1", 3, http.Header{"X-Api-Key": {"good"}})
			time.Sleep(10 * time.Minute)
			cancel()
			<-done
			lines := strings.Split(strings.TrimSpace(s.log.String()), "\n")
			if len(lines) != 1 || !strings.HasSuffix(lines[0], ` level=INFO msg="requests were refused: quota exhausted" `+want) {
				t.Errorf("naming %d: %q, want one line that ends in %s", naming, lines, want)
			}
		})
	}
}

// TestRefusals checks that summaries are kept, and dropped when the naming changes.
func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := admission.Config{Anonymous: ratelimit.Policy{Quota: 1, Window: 24 * time.Hour}, Refused: admission.ByAddress}
		s := newSite(config)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go s.LogRefusals(ctx)
		for range 100 {
			s.refused("192.0.2.1:1", 1, nil)
			time.Sleep(time.Minute)
		}
		synctest.Wait()
		s.refused("192.0.2.9:1", 1, nil)
		all := s.Refusals(time.Now())
		if len(all) != 61 || all[0].Top[0].Name != "192.0.2.9" || !all[0].Until.After(all[1].Since) || all[60].Top[0].Name != "192.0.2.1" {
			t.Errorf("%d summaries: %+v …", len(all), all[0])
		}
		config.Refused = admission.ByPrefix
		s.Configure(config)
		if all := s.Refusals(time.Now()); len(all) != 1 || len(all[0].Top) != 0 {
			t.Errorf("after a change of the naming: %+v", all)
		}
		cancel()
		synctest.Wait()
		if none := (*admission.Gate)(nil).Refusals(time.Now()); none != nil {
			t.Errorf("without a gate: %v", none)
		}
	})
}

// TestRefusalsOfACrowd checks that the most refused of many callers are named, with counts
// within the stated error.
func TestRefusalsOfACrowd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(admission.Config{Anonymous: ratelimit.Policy{Quota: 1, Window: 365 * 24 * time.Hour}, Refused: admission.ByAddress})
		counts := map[string]uint64{}
		for i := range 3000 {
			crowd := fmt.Sprintf("10.1.%d.%d", i/250, i%250)
			s.refused(crowd+":1", 1, nil)
			counts[crowd]++
			hog := fmt.Sprintf("192.0.2.%d", i%3)
			before := s.Refusals(time.Now())[0].Total
			s.ask(hog+":1", nil)
			counts[hog] += s.Refusals(time.Now())[0].Total - before
		}
		top := s.Refusals(time.Now())[0].Top
		var names []string
		for _, who := range top[:3] {
			names = append(names, who.Name)
			if n := counts[who.Name]; n > who.Count || n < who.Count-who.AtMostTooMany {
				t.Errorf("%s was refused %d times", who, n)
			}
		}
		if diff := cmp.Diff(3, len(map[string]bool{names[0]: true, names[1]: true, names[2]: true})); diff != "" || !strings.HasPrefix(strings.Join(names, ""), "192.0.2.") {
			t.Errorf("the most refused are %v", top)
		}
	})
}
