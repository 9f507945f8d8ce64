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

// TestOutage: Redis fails in some way, and gets well. All along everything is
// decided, nobody who was limited is freed, and each change is said once.
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
			r.deadline = 300 * time.Millisecond // long for a machine that is busy, short for what follows
			run(t, r)
			ctx := context.Background()
			r.Take(ctx, KeyOf("limited"), slow, 60)

			test.fail(t, o, p)
			if r.Take(ctx, KeyOf("limited"), slow, 1).Allowed {
				t.Error("a limited key was freed")
			}
			for range tolerated + 1 {
				if !r.Take(ctx, KeyOf("new"), slow, 1).Allowed {
					t.Error("a new key was refused")
				}
			}
			if !r.Stats().Open {
				t.Error("Redis is still asked")
			}
			if r.Take(ctx, KeyOf("limited"), slow, 1).Allowed {
				t.Error("a limited key was freed when Redis was given up")
			}
			if err := r.ping(ctx); err == nil {
				t.Error("the probe sees nothing wrong")
			}
			log.Want(t, found, lost)

			test.recover(t, o, p)
			eventually(t, "Redis is asked again", r.breaker.closed)
			before := r.Stats()
			if r.Take(ctx, KeyOf("limited"), slow, 1).Allowed {
				t.Error("a limited key was freed when Redis was back")
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

// TestHungCrowd: whoever meets a Redis that hangs is answered, and few wait.
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
	eventually(t, "Redis is given up", func() bool {
		r.Take(context.Background(), number(0), slow, 0)
		return !r.breaker.closed()
	})
	signal(t, o, syscall.SIGCONT)
}

// TestForgottenScript: a Redis that lost the script is given it again, and the
// decision is still its own.
func TestForgottenScript(t *testing.T) {
	o := startOwn(t)
	r, _ := newRedis(t, o.url, prefix)
	run(t, r)
	ctx := context.Background()
	r.Take(ctx, KeyOf("a"), slow, 30)
	command(t, o, "script", "flush")
	if got := r.Take(ctx, KeyOf("a"), slow, 1).Remaining; got != 29 {
		t.Errorf("%d are left, want 29", got)
	}
	if got := r.Stats(); got.Redis != 2 || got.Local != 0 {
		t.Errorf("Stats = %+v, want two decisions in Redis", got)
	}
}

// TestRefusals: a Redis, or what is taken for one, that answers with something
// else is no Redis to ask.
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
			eventually(t, "the refusal is said", func() bool { return strings.Contains(strings.Join(log.Take(), "\n"), lost) })
			r.breaker.probed(nil) // as if it had been well
			for range tolerated + 1 {
				r.Take(ctx, KeyOf("a"), slow, 1)
			}
			if got := r.Take(ctx, KeyOf("a"), slow, 0).Remaining; got != 60-tolerated-1 {
				t.Errorf("%d are left, want what was taken locally", got)
			}
			log.Want(t, foundOnce, lost)
		})
	}
}

// TestNoRedis: without Redis all is decided locally, from the first request on,
// and that is said once, without the password.
func TestNoRedis(t *testing.T) {
	r, log := newRedis(t, "redis://user:secret@127.0.0.1:1/0", prefix)
	ctx, cancel := context.WithCancel(context.Background())
	if got := r.Take(ctx, KeyOf("a"), slow, 1); !got.Allowed {
		t.Errorf("before Run: %+v", got)
	}
	var work sync.WaitGroup
	work.Go(func() { r.Run(ctx) })
	eventually(t, "the absence is noticed", func() bool { return r.breaker.mode.Load() == broken })
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
		t.Errorf("logged %q, want that Redis does not answer, without the password", said)
	}
}
