package ratelimit

import (
	"bufio"
	"context"
	"crypto/rand"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"vitrine/internal/logtest"
)

var (
	_ Store = (*Memory)(nil)
	_ Store = (*Redis)(nil)
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server returns the URL of a Redis to test against.
func server(t testing.TB) string {
	t.Helper()
	url := os.Getenv("VITRINE_TEST_REDIS")
	if url == "" {
		t.Skip("NOT TESTED: set VITRINE_TEST_REDIS=redis://host:6379 to a Redis in which to write keys")
	}
	return url
}

// patient is how long these tests let a Redis take that is not itself late.
const patient = 10 * time.Second

// newRedis returns a store with keys of the test's own, which are deleted when
// the test ends.
func newRedis(t testing.TB, url, prefix string) (*Redis, *logtest.Lines) {
	t.Helper()
	log := &logtest.Lines{}
	r, err := NewRedis(url, NewMemory(), log.Logger())
	must(t, err)
	r.prefix, r.deadline = prefix, patient
	return r, log
}

// run runs a store until the test ends, and waits until it asks Redis.
func run(t testing.TB, r *Redis) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { r.Run(ctx) })
	t.Cleanup(func() { cancel(); work.Wait() })
	eventually(t, "Redis is asked", r.breaker.closed)
}

// keysOf returns a prefix of the test's own.
func keysOf(t testing.TB, url string) string {
	t.Helper()
	prefix := "vitrine:test:" + strings.ToLower(rand.Text()) + ":"
	client := connect(t, url)
	t.Cleanup(func() {
		ctx := context.Background()
		for keys := client.Scan(ctx, 0, prefix+"*", 0).Iterator(); keys.Next(ctx); {
			client.Del(ctx, keys.Val())
		}
	})
	return prefix
}

func connect(t testing.TB, url string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal("VITRINE_TEST_REDIS is not the URL of a Redis")
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { client.Close() })
	return client
}

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for start := time.Now(); !is(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 2*time.Minute {
			t.Fatalf("never came true: %s", what)
		}
	}
}

// own is a Redis of a test's own, at a Unix socket.
type own struct {
	url, socket string
	process     *os.Process
}

func startOwn(t *testing.T) *own {
	t.Helper()
	server(t) // so that the variable switches all
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("NOT TESTED: redis-server is not installed:", err)
	}
	dir, err := os.MkdirTemp("", "redis") // short: the path of a socket is bounded
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "socket")
	o := &own{url: "unix://" + socket, socket: socket}
	o.start(t)
	return o
}

func (o *own) start(t *testing.T) {
	t.Helper()
	command := exec.Command("redis-server", "--port", "0", "--unixsocket", o.socket, "--save", "", "--dir", filepath.Dir(o.socket))
	must(t, command.Start())
	o.process = command.Process
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	client := connect(t, o.url)
	eventually(t, "the new Redis answers", func() bool { return client.Ping(context.Background()).Err() == nil })
}

// proxy passes connections on to a socket, with a delay for what comes back.
type proxy struct {
	url   string
	delay atomic.Int64
}

func startProxy(t *testing.T, socket string) *proxy {
	p := &proxy{}
	p.url = listen(t, func(client net.Conn) { p.pass(client, socket) })
	return p
}

// listen serves the connections to an address of its own until the test ends, and
// returns the URL of a Redis there. Serve closes the connection.
func listen(t *testing.T, serve func(client net.Conn)) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			work.Go(func() { serve(client) })
		}
	})
	t.Cleanup(func() { listener.Close(); work.Wait() })
	return "redis://" + listener.Addr().String()
}

func (p *proxy) pass(client net.Conn, socket string) {
	defer client.Close()
	upstream, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	var back sync.WaitGroup
	back.Go(func() {
		defer client.Close()
		buffer := make([]byte, 1<<16)
		for {
			n, err := upstream.Read(buffer)
			time.Sleep(time.Duration(p.delay.Load()))
			if err != nil {
				return
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	})
	io.Copy(upstream, client)
	upstream.Close()
	back.Wait()
}

// startReplies answers every command with the same line.
func startReplies(t *testing.T, reply string) (url string) {
	return listen(t, func(client net.Conn) {
		defer client.Close()
		for commands := bufio.NewScanner(client); commands.Scan(); {
			if strings.HasPrefix(commands.Text(), "*") { // one for each command
				io.WriteString(client, reply+"\r\n")
			}
		}
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
