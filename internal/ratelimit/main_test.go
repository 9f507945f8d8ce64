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
		t.Skip("NOT TESTED: set VITRINE_TEST_REDIS=redis://host:6379 to a Redis that tests may write to")
	}
	return url
}

// patient is the deadline of decisions in tests that do not test slowness.
const patient = 10 * time.Second

// newRedis returns a store with the given key prefix, and its log.
func newRedis(t testing.TB, url, prefix string) (*Redis, *logtest.Lines) {
	t.Helper()
	log := &logtest.Lines{}
	r, err := NewRedis(url, NewMemory(), log.Logger())
	must(t, err)
	r.prefix, r.deadline = prefix, patient
	return r, log
}

// run runs a store until the test ends, and waits until its breaker is closed.
func run(t testing.TB, r *Redis) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { r.Run(ctx) })
	t.Cleanup(func() { cancel(); work.Wait() })
	eventually(t, "the breaker is closed", r.breaker.closed)
}

// keysOf returns a unique key prefix. Its keys are deleted when the test ends.
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
			t.Fatalf("timed out: %s", what)
		}
	}
}

// own is a Redis process of one test, on a Unix socket.
type own struct {
	url, socket string
	process     *os.Process
}

func startOwn(t *testing.T) *own {
	t.Helper()
	server(t) // skips if the variable is not set
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("NOT TESTED: redis-server is not installed:", err)
	}
	dir, err := os.MkdirTemp("", "redis") // t.TempDir would be too long for a socket path
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

// proxy forwards connections to a socket and delays the replies.
type proxy struct {
	url   string
	delay atomic.Int64
}

func startProxy(t *testing.T, socket string) *proxy {
	p := &proxy{}
	p.url = listen(t, func(client net.Conn) { p.pass(client, socket) })
	return p
}

// listen accepts connections on a new port until the test ends, and returns its Redis URL.
// serve must close the connection.
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

// startReplies replies to every command with the same line.
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
