package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"vitrine/test/internal/trial"
)

var client = &http.Client{Timeout: 20 * time.Second}

// ask returns the revision of a complete response.
func ask(addr string) (int64, error) {
	response, err := client.Get("http://" + addr + "/api/open/chains")
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return 0, err
	}
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("status %d", response.StatusCode)
	}
	return strconv.ParseInt(response.Header.Get("Catalog-Revision"), 10, 64)
}

// revision returns the served revision, 0 for none.
func revision(addr string) int64 {
	number, err := ask(addr)
	if err != nil {
		return 0
	}
	return number
}

// watch sends requests to each replica, one after the other.
type watch struct {
	stop    chan struct{}
	running sync.WaitGroup
	mu      sync.Mutex
	counts  counts
}

type counts struct {
	responses, failed, older int
	errs                     []error // the first ones
}

func watchReplicas(replicas []*replica, rate int) *watch {
	w := &watch{stop: make(chan struct{})}
	for _, r := range replicas {
		w.running.Go(func() { w.follow(r.addr, time.Second/time.Duration(rate)) })
	}
	return w
}

func (w *watch) follow(addr string, every time.Duration) {
	var newest int64
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
		}
		number, err := ask(addr)
		w.count(newest, number, err)
		newest = max(newest, number)
	}
}

func (w *watch) count(newest, number int64, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		if w.counts.failed++; w.counts.failed <= 3 {
			w.counts.errs = append(w.counts.errs, err)
		}
		return
	}
	w.counts.responses++
	if number < newest {
		w.counts.older++
	}
}

func (w *watch) end() counts {
	close(w.stop)
	w.running.Wait()
	return w.counts
}

// publisher publishes with both versions in turn.
type publisher struct {
	stop      chan struct{}
	ended     chan struct{}
	published int
	errs      []error
}

func (m *matrix) publishEvery(catalogue string, pause time.Duration) *publisher {
	p := &publisher{stop: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		for {
			select {
			case <-p.stop:
				return
			case <-time.After(pause):
			}
			binary := []string{m.this, m.next}[p.published%2]
			if err := trial.Try(func() { publish(binary, catalogue, m.store, p.published) }); err != nil {
				p.errs = append(p.errs, err)
			}
			p.published++
		}
	}()
	return p
}

func publish(binary, catalogue, store string, number int) {
	for file, text := range map[string]string{
		"catalog.yaml": "title: A catalogue\ndefault_locale: en\nlocales: [en]\n",
		"chains.yaml":  fmt.Sprintf("- {slug: one, chain_id: '1', name: {en: Number %d}}\n", number),
	} {
		trial.Check(os.WriteFile(filepath.Join(catalogue, file), []byte(text), 0o600))
	}
	trial.Must(trial.Command(binary, "import", catalogue, "--store", store))
}

func (p *publisher) end() (published int, errs []error) {
	close(p.stop)
	<-p.ended
	return p.published, p.errs
}
