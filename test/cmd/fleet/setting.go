package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"vitrine/test/internal/trial"
)

// setting has the processes and the observations of one run.
type setting struct {
	options
	dir, catalogDir string
	database        *gate // before PostgreSQL
	store           string
	place           *place   // before the files of the distribution
	bucket          *process // the S3 server, nil for none
	redis           *trial.Redis
	publisher       *process
	readers         []*process
	nginx           *process
	front           string // address of nginx
	truth           *truth
	answers         *answers
	lags            *lags
}

// process is a program that may be killed and started again. It is safe for concurrent use.
type process struct {
	name, address string
	program       string
	args          []string
	dir           string

	mu      sync.Mutex
	command *exec.Cmd // nil while it does not run
	starts  int
}

func (p *process) start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.starts++
	log, err := os.OpenFile(filepath.Join(p.dir, p.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	p.command = exec.Command(p.program, p.args...)
	p.command.Stdout, p.command.Stderr, p.command.Dir = log, log, p.dir
	return p.command.Start()
}

// stop sends a signal and waits until the process has ended.
func (p *process) stop(signal syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.command == nil {
		return
	}
	_ = p.command.Process.Signal(signal) // fails if it has ended
	kill := time.AfterFunc(20*time.Second, func() { _ = p.command.Process.Kill() })
	_ = p.command.Wait() // its status does not matter
	kill.Stop()
	p.command = nil
}

// signal sends a signal to a process that runs.
func (p *process) signal(signal syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.command != nil {
		_ = p.command.Process.Signal(signal) // fails if it has ended
	}
}

func (p *process) runs() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.command != nil
}

func newSetting(o options, dir string) *setting {
	s := &setting{options: o, dir: dir, catalogDir: filepath.Join(dir, "catalog"), answers: newAnswers(), truth: newTruth(), lags: newLags(o.readers)}
	s.options.vitrine = trial.Must(filepath.Abs(o.vitrine))
	trial.Check(os.CopyFS(s.catalogDir, os.DirFS(o.catalog)))
	trial.Check(s.edit(1))
	return s
}

// start starts everything, publishes the first revision, and returns when nginx serves it.
func (s *setting) start(ctx context.Context) {
	s.openDatabase()
	s.redis = trial.NewRedis(s.dir)
	trial.Check(s.redis.Start())
	key := filepath.Join(s.dir, "dist.key")
	trial.Check(trialCommand(ctx, "minisign", "-GWfp", key+".pub", "-s", key))
	dist, from := s.openPlace()
	addrs := trial.FreeAddrs(s.options.readers + 2)
	s.publisher = &process{name: "publisher", address: addrs[0], program: s.options.vitrine, dir: s.dir, args: []string{
		"serve", "--store", s.store, "--listen", addrs[0], "--admin-listen", "off", "--last-good", filepath.Join(s.dir, "publisher.last-good"),
		"--rate-limit", "off", "--dist", dist, "--dist-key", key,
	}}
	for i := range s.options.readers {
		name := fmt.Sprintf("reader-%d", i+1)
		s.readers = append(s.readers, &process{name: name, address: addrs[i+2], program: s.options.vitrine, dir: s.dir, args: []string{
			"serve", "--from", from, "--from-key", key + ".pub", "--from-every", "1s", "--listen", addrs[i+2], "--admin-listen", "off",
			"--last-good", filepath.Join(s.dir, name+".last-good"), "--rate-limit", "100000/m", "--rate-limit-store", "redis://" + s.redis.Addr,
			"--trusted-proxy", "127.0.0.1/32",
		}})
	}
	s.front = addrs[1]
	trial.Check(s.publish(ctx))
	trial.Check(s.publisher.start())
	s.await(s.publisher.address)
	for _, r := range s.readers {
		trial.Check(r.start())
	}
	for _, r := range s.readers {
		s.await(r.address)
	}
	config := filepath.Join(s.dir, "nginx.conf")
	trial.Check(os.WriteFile(config, []byte(s.nginxConfig()), 0o600))
	s.nginx = &process{name: "nginx", address: s.front, program: "nginx", dir: s.dir, args: []string{"-e", "stderr", "-c", config}}
	trial.Check(s.nginx.start())
	s.await(s.front)
	trial.Check(s.truth.learn(ctx, s.publisher.address, 1))
}

// openPlace starts the place of the distribution, and returns its names for the publisher and for
// readers.
func (s *setting) openPlace() (dist, from string) {
	if s.gateway == "" {
		files := filepath.Join(s.dir, "public")
		s.place = newPlace(files, "")
		return files, s.place.URL()
	}
	root, address := filepath.Join(s.dir, "root"), trial.FreeAddrs(1)[0]
	trial.Check(os.MkdirAll(filepath.Join(root, "fleet"), 0o755))
	for name, value := range map[string]string{"ROOT_ACCESS_KEY": "trial", "ROOT_SECRET_KEY": "secret-of-trial", "AWS_ACCESS_KEY_ID": "trial", "AWS_SECRET_ACCESS_KEY": "secret-of-trial"} {
		trial.Check(os.Setenv(name, value))
	}
	s.bucket = &process{name: "gateway", address: address, program: trial.Must(filepath.Abs(s.gateway)), dir: s.dir, args: []string{"--port", address, "posix", root}}
	trial.Check(s.bucket.start())
	_, err := trial.Until(30*time.Second, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	trial.Check(err, "the S3 server does not start")
	s.place = newPlace(filepath.Join(root, "fleet", "public"), address)
	dist = "s3://fleet/public?endpoint=" + s.place.URL()
	return dist, dist
}

// await waits until an address serves the catalogue.
func (s *setting) await(address string) {
	_, err := trial.Until(60*time.Second, func() bool {
		a, err := get(context.Background(), address, "/api/open/meta")
		return err == nil && a.status == 200
	})
	trial.Check(err, "nothing is served on ", address, "; the logs are in ", s.dir)
}

// openDatabase makes a schema and puts a gate before the server of the database.
func (s *setting) openDatabase() {
	u := trial.Must(url.Parse(s.options.postgres))
	if u.Host == "" {
		trial.Failf("--postgres needs the URL of a database")
	}
	s.database = newGate(u.Host)
	schema := fmt.Sprintf("fleet_%d", os.Getpid())
	trial.Check(s.sql("CREATE SCHEMA " + schema))
	u.Host = s.database.address
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	s.store = u.String()
}

func (s *setting) sql(statement string) error {
	return trialCommand(context.Background(), "psql", "-qX", s.options.postgres, "-c", statement)
}

// trialCommand runs a program; the error has its output.
func trialCommand(ctx context.Context, program string, args ...string) error {
	output, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, output)
	}
	return nil
}

// nginxConfig tries another reader when one does not respond.
func (s *setting) nginxConfig() string {
	var servers strings.Builder
	for _, r := range s.readers {
		fmt.Fprintf(&servers, "server %s max_fails=1 fail_timeout=2s; ", r.address)
	}
	return fmt.Sprintf(`daemon off; worker_processes 1; pid %[1]s/nginx.pid; error_log stderr error;
events { worker_connections 1024; }
http {
	access_log off; client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
	upstream readers { %[2]s keepalive 32; }
	server {
		listen %[3]s;
		proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
		proxy_connect_timeout 2s; proxy_read_timeout 10s; proxy_next_upstream error timeout http_502 http_503;
		proxy_buffers 16 64k;
		location / { proxy_pass http://readers; }
	}
}
`, s.dir, servers.String(), s.front)
}

// end stops everything that was started.
func (s *setting) end() {
	if s.nginx != nil {
		s.nginx.stop(syscall.SIGTERM)
	}
	for _, p := range s.readers {
		p.stop(syscall.SIGTERM)
	}
	if s.publisher != nil {
		s.publisher.stop(syscall.SIGTERM)
	}
	if s.redis != nil {
		_ = s.redis.Kill() // it may have been killed before
	}
	if s.place != nil {
		s.place.server.Close()
	}
	if s.bucket != nil {
		s.bucket.signal(syscall.SIGCONT)
		s.bucket.stop(syscall.SIGTERM)
	}
	if s.database != nil {
		s.database.close()
		if err := s.sql(fmt.Sprintf("DROP SCHEMA fleet_%d CASCADE", os.Getpid())); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}
