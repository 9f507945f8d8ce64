package trial

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Process is a `vitrine serve` of the bundled catalogue, in a directory of its
// own or one that is shared with those before it.
type Process struct {
	command *exec.Cmd
	ended   chan error
	Log     string // the file
}

// Start starts the binary in dir with these flags and sockets, and returns when
// it says that it is ready. Without sockets it takes those of the flags.
func Start(ctx context.Context, binary, dir string, sockets []*os.File, flags ...string) *Process {
	path := filepath.Join(dir, fmt.Sprintf("told-%d", time.Now().UnixNano()))
	told := Must(net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"}))
	defer told.Close()
	// The process id is only known in the process itself.
	args := append([]string{"-c", `LISTEN_PID=$$ exec "$0" serve "$@"`, binary}, append(optional(binary, flags), flags...)...)
	p := &Process{command: exec.CommandContext(ctx, "sh", args...), ended: make(chan error, 1), Log: path + ".log"}
	p.command.Dir, p.command.ExtraFiles = dir, sockets
	p.command.Env = append(os.Environ(), fmt.Sprintf("LISTEN_FDS=%d", len(sockets)), "NOTIFY_SOCKET="+path)
	if !slices.Contains(flags, "--store") && !slices.Contains(flags, "--catalog") {
		p.command.Env = append(p.command.Env, "VITRINE_DEMO=true") // a variable, which older versions pass over
	}
	log := Must(os.Create(p.Log))
	defer log.Close()
	p.command.Stderr = log
	Check(p.command.Start())
	go func() { p.ended <- p.command.Wait() }()
	Check(ready(told), "vitrine is not ready (its log is ", p.Log, ")")
	return p
}

// optional returns flags that not every version has: one client is to be let
// through at any rate, unless the flags or their file say something else.
func optional(binary string, flags []string) []string {
	if slices.Contains(flags, "--rate-limit") || slices.Contains(flags, "--config") {
		return nil
	}
	return LetThrough(binary)
}

// LetThrough returns the flags of serve that limit nobody, none for a version
// without limits.
func LetThrough(binary string) []string {
	if strings.Contains(Must(Command(binary, "serve", "--help")), "--rate-limit=") {
		return []string{"--rate-limit", "off"}
	}
	return nil
}

// ready returns when a service manager would be told so.
func ready(told *net.UnixConn) error {
	if err := told.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return err
	}
	buffer := make([]byte, 4096)
	for {
		n, err := told.Read(buffer)
		if err != nil || strings.Contains(string(buffer[:n]), "READY=1") {
			return err
		}
	}
}

// Terminate sends SIGTERM and returns how long the end took, and an error
// unless the status was 0.
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

// Resident returns how many bytes of the machine's memory the process has.
func (p *Process) Resident() int { return Must(p.memory("VmRSS:")) }

// Peak returns the most bytes of the machine's memory that the process had at a
// time, since ForgetPeak. It fails when the process has ended.
func (p *Process) Peak() (int, error) { return p.memory("VmHWM:") }

// ForgetPeak has [Process.Peak] begin with what the process has now.
func (p *Process) ForgetPeak() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.command.Process.Pid), []byte("5"), 0)
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
