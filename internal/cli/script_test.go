package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// Scripts mostly wait for servers. A flag of the command line overrides this.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	nextPort.Store(rand.Int32N(20_000)) // other processes that run these tests begin elsewhere
	debug.SetGCPercent(400)             // also of vitrine in scripts: the live heap is small
	testscript.Main(m, map[string]func(){"vitrine": func() { os.Exit(Main()) }})
}

// TestScripts runs vitrine as a process by the scripts in testdata/script.
func TestScripts(t *testing.T) {
	runScripts(t, "testdata/script", func(*testscript.Env) error { return nil })
}

// runScripts runs the scripts of a folder, each with two free addresses and the environment of
// setup.
func runScripts(t *testing.T, dir string, setup func(*testscript.Env) error) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			addrs, err := freeAddrs(env.T().(testing.TB).Context(), 4)
			if err != nil {
				return err
			}
			env.Setenv("API", addrs[0])
			env.Setenv("ADMIN", addrs[1])
			env.Setenv("API2", addrs[2]) // of a second server
			env.Setenv("ADMIN2", addrs[3])
			env.Setenv("VITRINE_RATE_LIMIT", "off") // scripts poll
			env.Setenv("VITRINE_DRAIN", "1s")
			return setup(env)
		},
		Condition: func(condition string) (bool, error) {
			if condition != "sqlite" {
				return false, fmt.Errorf("unknown condition %q", condition)
			}
			return dir == "testdata/script" || !strings.Contains(t.Name(), "Postgres"), nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   exits,
			"fetch":   fetch,
			"await":   await,
			"term":    terminate,
			"observe": observeFigure,
			"settle":  settle,
		},
	})
}

// nextPort is the offset of the port that freeAddrs tries next. Scripts run in parallel and listen
// long after they got their ports, so a port must not be given to two of them: random ones were.
var nextPort atomic.Int32

// freeAddrs returns n unused addresses that no earlier call returned. Their ports are below the
// ephemeral range, because the system could assign an ephemeral port to another process before the
// server listens on it.
func freeAddrs(ctx context.Context, n int) ([]string, error) {
	const lowest, ports, tries = 10_000, 20_000, 100
	var config net.ListenConfig
	var addrs []string
	var err error
	for range tries {
		if len(addrs) == n {
			return addrs, nil
		}
		port := lowest + int(nextPort.Add(1))%ports
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		var l net.Listener
		if l, err = config.Listen(ctx, "tcp", addr); err != nil {
			continue // in use
		}
		l.Close()
		addrs = append(addrs, addr)
	}
	return nil, fmt.Errorf("no free port in %d tries: %w", tries, err)
}

// exits STATUS COMMAND ARG... requires a command to exit with a status.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		got = failed.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// fetch HOST:PORT/PATH [NAME=VALUE...] prints a whole response. NAME is a header; a value that
// begins with @ is read from that file.
func fetch(ts *testscript.TestScript, _ bool, args []string) {
	response, err := get(args[0], headers(ts, args[1:])...)
	ts.Check(err)
	fmt.Fprint(ts.Stdout(), response)
}

// headers parses NAME=VALUE arguments, with the content of files.
func headers(ts *testscript.TestScript, args []string) [][2]string {
	var all [][2]string
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		if file, ok := strings.CutPrefix(value, "@"); ok {
			value = strings.TrimSpace(ts.ReadFile(file))
		}
		all = append(all, [2]string{name, value})
	}
	return all
}

// await HOST:PORT/PATH PATTERN [NAME=VALUE...] repeats fetch until the response matches.
func await(ts *testscript.TestScript, _ bool, args []string) {
	pattern := regexp.MustCompile(args[1])
	var response string
	var err error
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if response, err = get(args[0], headers(ts, args[2:])...); err == nil && pattern.MatchString(response) {
			fmt.Fprint(ts.Stdout(), response)
			return
		}
	}
	ts.Fatalf("no response matches %s; the last one: %v\n%s", pattern, err, response)
}

// client keeps no idle connections: a stopping server would wait for those whose closing it has
// not seen.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

func get(url string, headers ...[2]string) (string, error) {
	request, err := http.NewRequest(http.MethodGet, "http://"+url, nil)
	if err != nil {
		return "", err
	}
	for _, header := range headers {
		request.Header.Add(header[0], header[1])
	}
	resp, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	var received strings.Builder
	err = resp.Header.Write(&received)
	return resp.Status + "\n" + received.String() + "\n" + string(body) + "\n", err
}

// terminate sends SIGTERM to the background processes, like a supervisor.
func terminate(ts *testscript.TestScript, _ bool, _ []string) {
	for _, command := range ts.BackgroundCmds() {
		ts.Check(command.Process.Signal(syscall.SIGTERM))
	}
}
