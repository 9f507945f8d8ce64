package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"vitrine/test/internal/trial"
)

// nobody is the user of all processes if this program runs as root.
const nobody = 65534

// fleet has the started processes in order.
type fleet struct {
	dir       string
	processes []*exec.Cmd
}

// start runs a program until end, with its output in a file of its name.
func (f *fleet) start(name, program string, args ...string) *exec.Cmd {
	output := trial.Must(os.Create(filepath.Join(f.dir, name+".log")))
	defer output.Close()
	command := exec.Command(program, args...)
	command.Stdout, command.Stderr, command.Dir = output, output, f.dir
	command.SysProcAttr = asNobody()
	trial.Check(command.Start(), "start ", name)
	f.processes = append(f.processes, command)
	return command
}

// asNobody returns the attributes that drop the privileges of root, nil for other users.
func asNobody() *syscall.SysProcAttr {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// end ends all processes in reverse order.
func (f *fleet) end() {
	for _, process := range slices.Backward(f.processes) {
		stop(process)
	}
}

func stop(command *exec.Cmd) {
	_ = command.Process.Signal(syscall.SIGTERM) // fails if it has ended
	kill := time.AfterFunc(15*time.Second, func() { _ = command.Process.Kill() })
	defer kill.Stop()
	_ = command.Wait() // the status after SIGTERM is irrelevant
}

// chain is a chain of proxies before Vitrine.
type chain struct {
	name    string
	address string
	layers  int  // number of caches
	unpacks bool // requests only gzip, so that a client's rejection of identity is lost
}

// startProxies starts nginx and three Varnishes, and returns their chains.
func startProxies(f *fleet, configs, vitrine string) []chain {
	free := trial.FreeAddrs(6)
	plain, zipped, inner := free[0], free[1], free[2]
	config := fill(f.dir, configs, "nginx.conf", "nginx.conf", "{vitrine}", vitrine,
		"{nginx}", plain, "{nginx-gzip}", zipped, "{nginx-inner}", inner, "{dir}", f.dir)
	f.start("nginx", "nginx", "-e", "stderr", "-c", config)
	for _, v := range []struct {
		name, address, vcl, backend string
		parameters                  []string
	}{
		{"varnish-default", free[3], "default.vcl", vitrine, nil},
		{"varnish", free[4], "vitrine.vcl", vitrine, []string{"-p", "http_gzip_support=off"}},
		{"varnish-outer", free[5], "vitrine.vcl", inner, []string{"-p", "http_gzip_support=off"}},
	} {
		host, port, err := net.SplitHostPort(v.backend)
		trial.Check(err)
		config := fill(f.dir, configs, v.vcl, v.name+".vcl", "{host}", host, "{port}", port)
		args := append([]string{"-F", "-j", "none", "-n", filepath.Join(f.dir, v.name), "-a", v.address, "-f", config, "-s", "malloc,64m"}, v.parameters...)
		f.start(v.name, "varnishd", args...)
	}
	return []chain{
		{"nginx", plain, 1, false},
		{"nginx, gzip on", zipped, 1, false},
		{"Varnish as it comes", free[3], 1, true},
		{"Varnish", free[4], 1, false},
		{"Varnish, nginx", free[5], 2, false},
	}
}

// fill writes a configuration with its placeholders replaced, and returns its path.
func fill(dir, configs, from, to string, pairs ...string) string {
	template := trial.Must(os.ReadFile(filepath.Join(configs, from)))
	path := filepath.Join(dir, to)
	trial.Check(os.WriteFile(path, []byte(strings.NewReplacer(pairs...).Replace(string(template))), 0o644))
	return path
}

// startVitrine starts a server with an empty store.
func startVitrine(f *fleet, binary, store, address string) *exec.Cmd {
	args := []string{"serve", "--store", store, "--listen", address, "--admin-listen", "off", "--last-good", "off"}
	return f.start("vitrine", binary, append(args, trial.LetThrough(binary)...)...)
}

// listens reports whether an address accepts connections.
func listens(address string) bool {
	conn, err := net.Dial("tcp", address)
	return err == nil && conn.Close() == nil
}
