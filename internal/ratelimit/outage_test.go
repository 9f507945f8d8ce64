//go:build unix

package ratelimit

import (
	"context"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	found     = `msg="rate limits are kept in Redis"`
	lost      = `msg="rate limits are kept locally: Redis does not answer as it should"`
	foundOnce = `msg="rate limits are kept in Redis again"`
)

// TestOutage checks that decisions continue while Redis fails, that no limited key is freed,
// and that each change of the breaker is logged once.
func TestOutage(t *testing.T) {
	for _, test := range []struct {
		name          string
		fail, recover func(*testing.T, *own, *proxy)
	}{
		{
			"killed",
			func(t *testing.T, o *own, _ *proxy) { signal(t, o, syscall.SIGKILL) },
			func(t *testing.T, o *own, _ *proxy) { o.start(t) },
		}, {
			"hung",
			func(t *testing.T, o *own, _ *proxy) { signal(t, o, syscall.SIGSTOP) },
			func(t *testing.T, o *own, _ *proxy) { signal(t, o, syscall.SIGCONT) },
		}, {
			"slow",
			func(_ *testing.T, _ *own, p *proxy) { p.delay.Store(int64(600 * time.Millisecond)) },
			func(_ *testing.T, _ *own, p *proxy) { p.delay.Store(0) },
		}, {
			"read only",
			func(t *testing.T, o *own, _ *proxy) { command(t, o, "replicaof", "127.0.0.1", "1") },
			func(t *testing.T, o *own, _ *proxy) { command(t, o, "replicaof", "no", "one") },
		}, {
			"locked",
			func(t *testing.T, o *own, _ *proxy) { command(t, o, "acl", "setuser", "default", "-@scripting") },
			func(t *testing.T, o *own, _ *proxy) { command(t, o, "acl", "setuser", "default", "+@all") },
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := startOwn(t)
			p := startProxy(t, o.socket)
			r, log := newRedis(t, p.url, prefix)
			r.deadline = 300 * time.Millisecond // above the latency of a busy machine, below the delay of the proxy
			run(t, r)
			ctx := context.Background()
			r.Take(ctx, KeyOf("limited"), slow, 60)

			test.fail(t, o, p)
			if r.Take(ctx, KeyOf("limited"), slow, 1).Allowed {
				t.Error("a limited key was allowed")
			}
			for range tolerated + 1 {
				if !r.Take(ctx, KeyOf("new"), slow, 1).Allowed {
					t.Error("a new key was refused")
				}
			}
			if !r.Stats().Open {
				t.Error("the breaker is still closed")
			}
			if r.Take(ctx, KeyOf("limited"), slow, 1).Allowed {
				t.Error("a limited key was allowed after the breaker opened")
			}
			if err := r.ping(ctx); err == nil {
				t.Error("the probe succeeds")
			}
			log.Want(t, found, lost)

			test.recover(t, o, p)
			eventually(t, "the breaker is closed again", r.breaker.closed)
			before := r.Stats()
			if r.Take(ctx, KeyOf("limited"), slow, 1).Allowed {
				t.Error("a limited key was allowed after Redis recovered")
			}
			if after := r.Stats(); after.Redis != before.Redis+1 {
				t.Errorf("Stats = %+v after %+v, want one more decision in Redis", after, before)
			}
			log.Want(t, foundOnce)
		})
	}
}

func signal(t *testing.T, o *own, s syscall.Signal) {
	t.Helper()
	must(t, o.process.Signal(s))
}

func command(t *testing.T, o *own, words ...any) {
	t.Helper()
	must(t, connect(t, o.url).Do(context.Background(), words...).Err())
}

// TestHungCrowd checks that few of many concurrent requests wait for a Redis that hangs.
func TestHungCrowd(t *testing.T) {
	o := startOwn(t)
	r, _ := newRedis(t, o.url, prefix)
	r.deadline = decideTimeout
	run(t, r)
	signal(t, o, syscall.SIGSTOP)
	const clients = 2000
	var work sync.WaitGroup
	for n := range clients {
		work.Go(func() {
			if !r.Take(context.Background(), number(n), slow, 1).Allowed {
				t.Errorf("client %d was refused", n)
			}
		})
	}
	work.Wait()
	if got := r.Stats(); got.Local != clients {
		t.Errorf("Stats = %+v, want %d local decisions", got, clients)
	}
	eventually(t, "the breaker is open", func() bool {
		r.Take(context.Background(), number(0), slow, 0)
		return !r.breaker.closed()
	})
	signal(t, o, syscall.SIGCONT)
}

// TestForgottenScript checks that the script is loaded again after SCRIPT FLUSH.
func TestForgottenScript(t *testing.T) {
	o := startOwn(t)
	r, _ := newRedis(t, o.url, prefix)
	run(t, r)
	ctx := context.Background()
	r.Take(ctx, KeyOf("a"), slow, 30)
	command(t, o, "script", "flush")
	if got := r.Take(ctx, KeyOf("a"), slow, 1).Remaining; got != 29 {
		t.Errorf("%d remaining, want 29", got)
	}
	if got := r.Stats(); got.Redis != 2 || got.Local != 0 {
		t.Errorf("Stats = %+v, want two decisions in Redis", got)
	}
}

// TestRefusals checks that error replies, and replies of other protocols, open the breaker.
func TestRefusals(t *testing.T) {
	for _, reply := range []string{
		"-READONLY You can't write against a read only replica.",
		"-LOADING Redis is loading the dataset in memory",
		"-NOAUTH Authentication required.",
		"-WRONGTYPE Operation against a key holding the wrong kind of value",
		"-OOM command not allowed when used memory > 'maxmemory'.",
		"-NOSCRIPT No matching script.",
		"+OK",
		"*0",
		"*1\r\n:1",
		"HTTP/1.1 400 Bad Request",
	} {
		name, _, _ := strings.Cut(reply, " ")
		t.Run(name, func(t *testing.T) {
			r, log := newRedis(t, startReplies(t, reply), prefix)
			ctx, cancel := context.WithCancel(context.Background())
			var work sync.WaitGroup
			work.Go(func() { r.Run(ctx) })
			defer func() { cancel(); work.Wait() }()
			eventually(t, "the failure is logged", func() bool { return strings.Contains(strings.Join(log.Take(), "\n"), lost) })
			r.breaker.probed(nil) // as if a probe had succeeded
			for range tolerated + 1 {
				r.Take(ctx, KeyOf("a"), slow, 1)
			}
			if got := r.Take(ctx, KeyOf("a"), slow, 0).Remaining; got != 60-tolerated-1 {
				t.Errorf("%d remaining, want the local number", got)
			}
			log.Want(t, foundOnce, lost)
		})
	}
}

// TestNoRedis checks that decisions are local without a Redis, and that this is logged once,
// without the password.
func TestNoRedis(t *testing.T) {
	r, log := newRedis(t, "redis://user:secret@127.0.0.1:1/0", prefix)
	ctx, cancel := context.WithCancel(context.Background())
	if got := r.Take(ctx, KeyOf("a"), slow, 1); !got.Allowed {
		t.Errorf("before Run: %+v", got)
	}
	var work sync.WaitGroup
	work.Go(func() { r.Run(ctx) })
	eventually(t, "the breaker is open", func() bool { return r.breaker.mode.Load() == broken })
	r.breaker.probed(r.ping(ctx))
	if got := r.Take(ctx, KeyOf("a"), slow, 1); got.Remaining != 58 {
		t.Errorf("without Redis: %+v, want 58 left", got)
	}
	cancel()
	work.Wait()
	if got := r.Take(ctx, KeyOf("a"), slow, 1); got.Remaining != 57 {
		t.Errorf("after Run: %+v, want 57 left", got)
	}
	if said := log.Take(); len(said) != 1 || !strings.Contains(said[0], lost) || strings.Contains(said[0], "secret") {
		t.Errorf("logged %q, want one line that Redis does not answer, without the password", said)
	}
}
