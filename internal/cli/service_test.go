package cli

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitrine/internal/bundle"
)

// supervisor simulates a service manager: it passes sockets and receives notifications.
type supervisor struct {
	t          *testing.T
	api, admin *net.TCPListener
	notified   *net.UnixConn
	dir        string
}

func newSupervisor(t *testing.T) *supervisor {
	t.Helper()
	s := &supervisor{t: t, dir: t.TempDir()}
	must(t, bundle.Init(filepath.Join(s.dir, "catalog"))) // small, so that it is served within the timeout of clients on a busy machine
	s.api, s.admin = s.listen(), s.listen()
	notified, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(s.dir, "notified"), Net: "unixgram"})
	must(t, err)
	s.notified = notified
	t.Cleanup(func() { notified.Close() })
	return s
}

func (s *supervisor) listen() *net.TCPListener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(s.t, err)
	s.t.Cleanup(func() { l.Close() })
	return l.(*net.TCPListener)
}

// start starts vitrine with named sockets.
func (s *supervisor) start(names string, sockets ...*net.TCPListener) *exec.Cmd {
	s.t.Helper()
	// Only the process itself knows its id.
	command := exec.Command("sh", "-c", `LISTEN_PID=$$ exec vitrine "$@"`, "sh", "serve", "--config", "vitrine.yaml")
	command.Dir = s.dir
	command.Env = append(os.Environ(), "LISTEN_FDS="+string(rune('0'+len(sockets))), "LISTEN_FDNAMES="+names,
		"NOTIFY_SOCKET="+filepath.Join(s.dir, "notified"), "VITRINE_CATALOG=catalog", "VITRINE_STORE=sqlite:store.db", "VITRINE_DRAIN=1s", "WATCHDOG_USEC=600000")
	var stderr strings.Builder
	command.Stderr = &stderr
	for _, l := range sockets {
		file, err := l.File()
		must(s.t, err)
		defer file.Close()
		command.ExtraFiles = append(command.ExtraFiles, file)
	}
	must(s.t, command.Start())
	s.t.Cleanup(func() {
		command.Process.Kill() // fails unless the test failed
		if s.t.Failed() {
			s.t.Log(stderr.String())
		}
	})
	return command
}

// await reads notifications until one contains the text.
func (s *supervisor) await(text string) string {
	s.t.Helper()
	s.notified.SetReadDeadline(time.Now().Add(2 * time.Minute))
	buffer := make([]byte, 4096)
	for {
		n, err := s.notified.Read(buffer)
		if err != nil {
			s.t.Fatalf("waiting for %q: %v", text, err)
		}
		if message := string(buffer[:n]); strings.Contains(message, text) {
			return message
		}
	}
}

func (s *supervisor) configure(text string) {
	s.t.Helper()
	must(s.t, os.WriteFile(filepath.Join(s.dir, "vitrine.yaml"), []byte(text), 0o600))
}

func (s *supervisor) signal(command *exec.Cmd, signal syscall.Signal) {
	s.t.Helper()
	must(s.t, command.Process.Signal(signal))
}

func TestServiceLifecycle(t *testing.T) {
	s := newSupervisor(t)
	s.configure("log-level: warn\n")
	first := s.start("admin:api", s.admin, s.api)
	s.await("READY=1")
	s.await("STATUS=serving revision 1")
	s.await("WATCHDOG=1")
	s.wantAnswer(s.api, "/api/open/meta", "200 OK")
	s.wantAnswer(s.admin, "/healthz", "200 OK")

	s.configure("log-level: debug\n")
	s.signal(first, syscall.SIGHUP)
	if message := s.await("RELOADING=1"); !strings.Contains(message, "\nMONOTONIC_USEC=") {
		t.Errorf("notified %q", message)
	}
	s.await("READY=1")

	s.signal(first, syscall.SIGTERM)
	s.await("STOPPING=1")
	if err := first.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
	log := first.Stderr.(*strings.Builder).String()
	if !strings.Contains(log, `msg="configuration reloaded" changed=[log-level]`) {
		t.Errorf("the new level is not in effect:\n%s", log)
	}

	// A connection between the two processes waits for the second one, whose sockets are
	// identified by order.
	answers := make(chan string)
	go func() {
		answer, _ := get(s.api.Addr().String() + "/api/open/meta")
		answers <- answer
	}()
	second := s.start("", s.api, s.admin)
	if answer := <-answers; !strings.HasPrefix(answer, "200 OK") {
		t.Errorf("the request got %q", answer)
	}
	s.wantAnswer(s.admin, "/healthz", "200 OK")
	s.signal(second, syscall.SIGINT)
	if err := second.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
}

func (s *supervisor) wantAnswer(on net.Listener, path, want string) {
	s.t.Helper()
	if got, err := get(on.Addr().String() + path); err != nil || !strings.HasPrefix(got, want) {
		s.t.Errorf("%s: %q, %v", path, got, err)
	}
}

func TestServiceSocketsTooMany(t *testing.T) {
	for names, want := range map[string]string{
		"api:api":         `the service manager passed an unexpected socket "api"`,
		"api:admin:third": `the service manager passed an unexpected socket "third"`,
	} {
		s := newSupervisor(t)
		s.configure("")
		command := s.start(names, []*net.TCPListener{s.api, s.admin, s.api}[:strings.Count(names, ":")+1]...)
		err := command.Wait()
		if log := command.Stderr.(*strings.Builder).String(); err == nil || !strings.Contains(log, want) {
			t.Errorf("%s: %v, %s", names, err, log)
		}
	}
}
