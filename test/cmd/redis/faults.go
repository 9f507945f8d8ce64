package main

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"vitrine/test/internal/trial"
)

// fault is a failure of Redis, with its repair.
type fault struct {
	name       string
	fail, mend func(*setting) error
}

var faults = []fault{
	{"killed, loses all",
		func(s *setting) error { return s.redis.Kill() },
		func(s *setting) error { return s.redis.Start() }},
	{"stopped",
		func(s *setting) error { return s.redis.Signal(syscall.SIGSTOP) },
		func(s *setting) error { return s.redis.Signal(syscall.SIGCONT) }},
	toxic("late by a second", "latency", `{"latency": 1000}`),
	toxic("resetting connections", "reset_peer", `{"timeout": 0}`),
	toxic("without bandwidth", "bandwidth", `{"rate": 0}`),
	{"not to be reached",
		func(s *setting) error { s.way.Stop(); return nil },
		func(s *setting) error { return s.way.Start() }},
	{"a read-only replica",
		func(s *setting) error { return s.redis.Do("REPLICAOF 127.0.0.1 1") },
		func(s *setting) error { return s.redis.Do("REPLICAOF NO ONE") }},
	{"of another password",
		func(s *setting) error {
			return s.redis.Do("CONFIG SET requirepass another", "CLIENT KILL TYPE normal")
		},
		func(s *setting) error { return s.redis.Do("AUTH another", `CONFIG SET requirepass ""`) }},
}

// toxic returns a network fault, made by toxiproxy.
func toxic(name, kind, attributes string) fault {
	config := fmt.Sprintf(`{"name": "fault", "type": %q, "stream": "downstream", "attributes": %s}`, kind, attributes)
	return fault{name,
		func(s *setting) error {
			_, err := s.way.Toxics.AddToxicJson(strings.NewReader(config))
			return err
		},
		func(s *setting) error { return s.way.Toxics.RemoveToxic(context.Background(), "fault") }}
}

// setting is a server with a Redis and the proxy between them.
type setting struct {
	site  *trial.Site
	redis *trial.Redis
	way   *toxiproxy.Proxy
	key   string // an API key with an exhausted quota
}

// newSetting starts a server before its Redis.
func newSetting(binary, dir string) *setting {
	redis := trial.NewRedis(dir)
	zerolog.SetGlobalLevel(zerolog.Disabled) // toxiproxy also uses the global logger
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	way := toxiproxy.NewProxy(server, "redis", "127.0.0.1:0", redis.Addr)
	trial.Check(way.Start())
	site := trial.Serve(binary, dir, "--rate-limit", "1000000000/m", "--rate-limit-store", "redis://"+way.Listen)
	return &setting{site: site, redis: redis, way: way}
}

// begin exhausts the quota of a key without Redis, starts Redis, and returns the time until it
// decides.
func (s *setting) begin() (joined time.Duration) {
	s.key = trial.Must(s.site.Keys("add", "limited", "--limit", "1/h"))
	_, err := trial.Until(notice, func() bool { return trial.Must(s.askLimited()).Status == 429 })
	trial.Check(err, "spending a quota")
	if s.site.Metric(up) != 0 {
		trial.Failf("the server says that it counts in a Redis that does not run")
	}
	trial.Check(s.redis.Start())
	return trial.Must(s.used())
}

// used waits until Redis decides, and returns how long that took.
func (s *setting) used() (time.Duration, error) {
	before := s.site.Metric(decided)
	return trial.Until(notice, func() bool {
		s.site.Ask("GET", "/api/open/meta")
		return s.site.Metric(decided) > before
	})
}

func (s *setting) askLimited() (trial.Answer, error) {
	return s.site.TryAsk("GET", "/api/open/meta", "X-API-Key", s.key)
}

func (s *setting) end() {
	s.site.End()
	s.way.Stop()
	_ = s.redis.Kill() // best effort
}

// watch sends requests with an exhausted key until stop is called, which returns the numbers of
// all and of admitted requests.
func (s *setting) watch() (stop func() (asked, through int, err error)) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	var asked, through int
	go func() {
		for tick := time.Tick(25 * time.Millisecond); ; {
			select {
			case <-ctx.Done():
				done <- nil
				return
			case <-tick:
			}
			answer, err := s.askLimited()
			if err != nil {
				done <- err
				return
			}
			asked++
			if answer.Status != 429 {
				through++
			}
		}
	}()
	return func() (int, int, error) {
		cancel()
		err := <-done
		return asked, through, err
	}
}
