package trial

import (
	"bufio"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Redis is a redis-server without persistence, on a free port.
type Redis struct {
	Addr string
	dir  string
	// The process, and an administrative connection, which survives a change of the password; nil
	// while it does not run.
	process *exec.Cmd
	conn    net.Conn
	in      *bufio.Reader
}

// NewRedis returns a Redis that is not started.
func NewRedis(dir string) *Redis { return &Redis{Addr: FreeAddr(), dir: dir} }

// Start starts it with empty data, and returns when it responds.
func (r *Redis) Start() error {
	_, port, err := net.SplitHostPort(r.Addr)
	if err != nil {
		return err
	}
	r.process = exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--dir", r.dir)
	if err := r.process.Start(); err != nil {
		return fmt.Errorf("redis-server, which test/install installs: %w", err)
	}
	_, err = Until(patience, func() bool {
		r.conn, err = net.Dial("tcp", r.Addr)
		return err == nil
	})
	if err != nil {
		return err
	}
	r.in = bufio.NewReader(r.conn)
	return r.Do("PING")
}

// Do runs commands with one-line replies.
func (r *Redis) Do(commands ...string) error {
	for _, command := range commands {
		if err := r.conn.SetDeadline(time.Now().Add(patience)); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(r.conn, "%s\r\n", command); err != nil {
			return err
		}
		line, err := r.in.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.HasPrefix(line, "-") {
			return fmt.Errorf("%s: %s", command, strings.TrimSpace(line))
		}
	}
	return nil
}

// Signal sends a signal to the process.
func (r *Redis) Signal(s syscall.Signal) error { return r.process.Process.Signal(s) }

// Kill ends the process if it runs, hung or not, with its data.
func (r *Redis) Kill() error {
	if r.process == nil {
		return nil
	}
	err := r.process.Process.Kill()
	_ = r.process.Wait() // it was killed
	if r.conn != nil {
		r.conn.Close()
	}
	r.process, r.conn = nil, nil
	return err
}
