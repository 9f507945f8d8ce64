package trial

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Process is a `vitrine serve` of the bundled catalogue in its directory, which may be shared
// with earlier processes.
type Process struct {
	command *exec.Cmd
	ended   chan error
	Log     string // the file
}

// Start starts the binary in dir with flags and sockets, and returns when it is ready. Without
// sockets it listens on the addresses of the flags.
func Start(ctx context.Context, binary, dir string, sockets []*os.File, flags ...string) *Process {
	path := filepath.Join(dir, fmt.Sprintf("notify-%d", time.Now().UnixNano()))
	notified := Must(net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"}))
	defer notified.Close()
	// Only the process itself knows its id.
	args := append([]string{"-c", `LISTEN_PID=$$ exec "$0" serve "$@"`, binary}, append(optional(binary, flags), flags...)...)
	p := &Process{command: exec.CommandContext(ctx, "sh", args...), ended: make(chan error, 1), Log: path + ".log"}
	p.command.Dir, p.command.ExtraFiles = dir, sockets
	p.command.Env = append(os.Environ(), fmt.Sprintf("LISTEN_FDS=%d", len(sockets)), "NOTIFY_SOCKET="+path)
	if !slices.Contains(flags, "--store") && !slices.Contains(flags, "--catalog") {
		p.command.Env = append(p.command.Env, "VITRINE_DEMO=true") // older versions ignore an unknown variable
	}
	log := Must(os.Create(p.Log))
	defer log.Close()
	p.command.Stderr = log
	Check(p.command.Start())
	go func() { p.ended <- p.command.Wait() }()
	Check(ready(notified), "vitrine is not ready (its log is ", p.Log, ")")
	return p
}

// optional returns flags that only some versions have: they admit all requests of a client,
// unless the flags or their file configure quotas.
func optional(binary string, flags []string) []string {
	if slices.Contains(flags, "--rate-limit") || slices.Contains(flags, "--config") {
		return nil
	}
	return LetThrough(binary)
}

// LetThrough returns the flags of serve for no quotas, none for a version without quotas.
func LetThrough(binary string) []string {
	if strings.Contains(Must(Command(binary, "serve", "--help")), "--rate-limit=") {
		return []string{"--rate-limit", "off"}
	}
	return nil
}

// ready returns when a service manager is notified of readiness.
func ready(notified *net.UnixConn) error {
	if err := notified.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return err
	}
	buffer := make([]byte, 4096)
	for {
		n, err := notified.Read(buffer)
		if err != nil || strings.Contains(string(buffer[:n]), "READY=1") {
			return err
		}
	}
}

// Terminate sends SIGTERM. It returns the duration of the shutdown, and an error unless the
// status is 0.
func (p *Process) Terminate() (time.Duration, error) {
	start := time.Now()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, err
	}
	err := <-p.ended
	return time.Since(start), err
}

// Reload sends SIGHUP.
func (p *Process) Reload() error { return p.command.Process.Signal(syscall.SIGHUP) }

// Resident returns the resident memory of the process in bytes.
func (p *Process) Resident() int { return Must(p.memory("VmRSS:")) }

// Peak returns the peak of the resident memory since ForgetPeak. It returns an error if the
// process has ended.
func (p *Process) Peak() (int, error) { return p.memory("VmHWM:") }

// ForgetPeak resets [Process.Peak] to the current value.
func (p *Process) ForgetPeak() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.command.Process.Pid), []byte("5"), 0)
}

// CPU returns the time of processors that the process has used.
func (p *Process) CPU() time.Duration {
	text := string(Must(os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))))
	fields := strings.Fields(text[strings.LastIndex(text, ")")+1:]) // from the third, the state
	const user, system, tick = 14 - 3, 15 - 3, 10 * time.Millisecond
	return time.Duration(Must(strconv.Atoi(fields[user]))+Must(strconv.Atoi(fields[system]))) * tick
}

// memory returns a figure of /proc in bytes.
func (p *Process) memory(name string) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name); ok {
			var kib int
			_, err := fmt.Sscan(value, &kib)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("process %d has no memory: it has ended", p.command.Process.Pid)
}
