package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// nobody is who all processes run as where this program runs as root.
const nobody = 65534

// fleet is the processes that were started, the last one last.
type fleet struct {
	dir       string
	processes []*exec.Cmd
}

// start runs a program until end, its output in a file of its name.
func (f *fleet) start(name, program string, args ...string) (*exec.Cmd, error) {
	output, err := os.Create(filepath.Join(f.dir, name+".log"))
	if err != nil {
		return nil, err
	}
	defer output.Close()
	command := exec.Command(program, args...)
	command.Stdout, command.Stderr, command.Dir = output, output, f.dir
	command.SysProcAttr = asNobody()
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	f.processes = append(f.processes, command)
	return command, nil
}

// asNobody returns what makes a process of root one without privileges, nil for
// other users.
func asNobody() *syscall.SysProcAttr {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// end ends all processes, the last one first.
func (f *fleet) end() {
	for i := len(f.processes) - 1; i >= 0; i-- {
		stop(f.processes[i])
	}
}

func stop(command *exec.Cmd) {
	_ = command.Process.Signal(syscall.SIGTERM) // fails when it has ended
	kill := time.AfterFunc(15*time.Second, func() { _ = command.Process.Kill() })
	defer kill.Stop()
	_ = command.Wait() // how a process ends that was told to is no news
}

// freeAddresses returns n addresses that nobody listened on a moment ago.
func freeAddresses(n int) ([]string, error) {
	var addresses []string
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		addresses = append(addresses, listener.Addr().String())
	}
	return addresses, nil
}

// chain is a way to Vitrine.
type chain struct {
	name    string
	address string
	layers  int  // caches in a row
	unpacks bool // asks for gzip alone, so that a client's refusal of identity is lost
}

// startProxies starts nginx and three Varnishes and returns the ways through
// them.
func startProxies(f *fleet, configs, vitrine string) ([]chain, error) {
	free, err := freeAddresses(6)
	if err != nil {
		return nil, err
	}
	plain, zipped, inner := free[0], free[1], free[2]
	config, err := fill(f.dir, configs, "nginx.conf", "nginx.conf", "{vitrine}", vitrine,
		"{nginx}", plain, "{nginx-gzip}", zipped, "{nginx-inner}", inner, "{dir}", f.dir)
	if err != nil {
		return nil, err
	}
	if _, err := f.start("nginx", "nginx", "-e", "stderr", "-c", config); err != nil {
		return nil, err
	}
	varnishes := []struct {
		name, address, vcl, backend string
		parameters                  []string
	}{
		{"varnish-default", free[3], "default.vcl", vitrine, nil},
		{"varnish", free[4], "vitrine.vcl", vitrine, []string{"-p", "http_gzip_support=off"}},
		{"varnish-outer", free[5], "vitrine.vcl", inner, []string{"-p", "http_gzip_support=off"}},
	}
	for _, v := range varnishes {
		host, port, err := net.SplitHostPort(v.backend)
		if err != nil {
			return nil, err
		}
		config, err := fill(f.dir, configs, v.vcl, v.name+".vcl", "{host}", host, "{port}", port)
		if err != nil {
			return nil, err
		}
		args := append([]string{"-F", "-j", "none", "-n", filepath.Join(f.dir, v.name), "-a", v.address, "-f", config, "-s", "malloc,64m"}, v.parameters...)
		if _, err := f.start(v.name, "varnishd", args...); err != nil {
			return nil, err
		}
	}
	return []chain{
		{"nginx", plain, 1, false},
		{"nginx, gzip on", zipped, 1, false},
		{"Varnish as it comes", free[3], 1, true},
		{"Varnish", free[4], 1, false},
		{"Varnish, nginx", free[5], 2, false},
	}, nil
}

// fill writes a configuration with its blanks filled in and returns its path.
func fill(dir, configs, from, to string, pairs ...string) (string, error) {
	template, err := os.ReadFile(filepath.Join(configs, from))
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, to)
	return path, os.WriteFile(path, []byte(strings.NewReplacer(pairs...).Replace(string(template))), 0o644)
}

// startVitrine serves an empty store.
func startVitrine(f *fleet, binary, store, address string) (*exec.Cmd, error) {
	args := []string{"serve", "--store", store, "--listen", address, "--admin-listen", "off", "--last-good", "off"}
	help, err := exec.Command(binary, "serve", "--help").Output()
	if err != nil {
		return nil, fmt.Errorf("%s serve --help: %w", binary, err)
	}
	if bytes.Contains(help, []byte("--rate-limit=")) {
		args = append(args, "--rate-limit", "off")
	}
	return f.start("vitrine", binary, args...)
}

// await waits until an address takes connections.
func await(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("nothing listens on %s: %w", address, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
