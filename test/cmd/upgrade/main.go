// Command upgrade replaces three replicas of a version by those of a version with one more step of
// the schema and another format of last good files, forwards and back, before and after the
// migration, under load and publishes of both versions. It fails if a request fails, if a replica
// ever serves an older revision than before, or if a version does not start.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"vitrine/test/internal/trial"
)

func main() {
	root := flag.String("root", "", "the source, an absolute path")
	postgres := flag.String("postgres", "", "a PostgreSQL store that does not exist yet; empty for none")
	rate := flag.Int("rate", 100, "requests a second to each replica")
	flag.Parse()
	trial.Main("upgrade", func(dir string) bool {
		this, next := filepath.Join(dir, "this"), filepath.Join(dir, "next")
		build(*root, this)
		build(*root, next, "-buildvcs=false", "-overlay", overlay(*root, dir)) // has no version, so it is another one
		well := true
		for engine, store := range map[string]string{"sqlite": "sqlite:" + filepath.Join(dir, "store.db"), "postgres": *postgres} {
			if store == "" {
				fmt.Println("     not tried:", engine)
				continue
			}
			m := matrix{dir: trial.Must(os.MkdirTemp(dir, engine)), store: store, this: this, next: next, rate: *rate}
			passed := false
			if err := trial.Try(func() { passed = m.run() }); err != nil {
				fmt.Println("     ", err)
			}
			fmt.Println(trial.Verdict(passed), "upgrade on", engine)
			well = well && passed
		}
		return well
	})
}

func build(root, binary string, flags ...string) {
	command := exec.Command("go", append(append([]string{"build", "-trimpath", "-o", binary}, flags...), "./cmd/vitrine")...)
	command.Dir, command.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	out, err := command.CombinedOutput()
	trial.Check(err, "build ", binary, ": ", string(out))
}

// overlay writes the changes that make the next version, and returns the file that lists them.
func overlay(root, dir string) string {
	replace := map[string]string{}
	edit := func(file, old, changed string) {
		path := filepath.Join(root, file)
		text := string(trial.Must(os.ReadFile(path)))
		if strings.Count(text, old) != 1 {
			trial.Failf("%s does not have %q once", file, old)
		}
		replace[path] = filepath.Join(dir, strings.ReplaceAll(file, "/", "-"))
		trial.Check(os.WriteFile(replace[path], []byte(strings.Replace(text, old, changed, 1)), 0o600))
	}
	edit("internal/store/lastgood.go", "lastGoodFormat = 1\n", "lastGoodFormat = 2\n")
	version := schemaVersion(root)
	step := filepath.Join(dir, "step.sql")
	trial.Check(os.WriteFile(step, fmt.Appendf(nil, `CREATE TABLE stamp (id integer PRIMARY KEY);
ALTER TABLE revision ADD COLUMN colour text NOT NULL DEFAULT 'red';
ALTER TABLE record ADD COLUMN colour text;
UPDATE schema_version SET version = %d;
`, version+1), 0o600))
	for _, engine := range []string{"sqlite", "postgres"} {
		edit("internal/store/"+engine+"/open.go", fmt.Sprintf("Version: %d}", version), fmt.Sprintf("Version: %d}", version+1))
		replace[filepath.Join(root, "internal/store", engine, fmt.Sprintf("schema_%d.sql", version+1))] = step
	}
	list := filepath.Join(dir, "overlay.json")
	trial.Check(os.WriteFile(list, trial.Must(json.Marshal(map[string]any{"Replace": replace})), 0o600))
	return list
}

// schemaVersion returns the number of the newest step of the schema, which both engines share.
func schemaVersion(root string) int {
	return len(trial.Must(filepath.Glob(filepath.Join(root, "internal/store/sqlite/schema_*.sql"))))
}

// matrix is the trial of one engine.
type matrix struct {
	dir, store, this, next string
	rate                   int
	replicas               []*replica
}

// replica is a place whose socket stays open while its process is replaced.
type replica struct {
	dir, addr string
	sockets   []*os.File
	process   *trial.Process
}

func (m *matrix) run() bool {
	catalogue := filepath.Join(m.dir, "catalogue")
	trial.Check(os.Mkdir(catalogue, 0o700))
	publish(m.this, catalogue, m.store, -1)
	for i := range 3 {
		r := &replica{dir: filepath.Join(m.dir, fmt.Sprint("replica-", i))}
		trial.Check(os.Mkdir(r.dir, 0o700))
		for range 2 {
			file, addr := socket()
			r.sockets = append(r.sockets, file)
			if r.addr == "" {
				r.addr = addr
			}
		}
		m.replicas = append(m.replicas, r)
		m.start(r, m.this)
	}
	watch := watchReplicas(m.replicas, m.rate)
	publish := m.publishEvery(catalogue, time.Second)
	failed := trial.Try(m.replaceAll)
	published, errs := publish.end()
	counted := watch.end()
	for _, r := range m.replicas {
		_, err := r.process.Terminate()
		errs = append(errs, err)
	}
	fmt.Printf("     %d responses, failed: %d, older than before: %d; revisions published: %d\n", counted.responses, counted.failed, counted.older, published)
	well := counted.failed == 0 && counted.older == 0 && counted.responses > m.rate && published > 5
	for _, err := range append(append(errs, failed), counted.errs...) {
		if err != nil {
			well = false
			fmt.Println("     ", err)
		}
	}
	return well
}

// replaceAll goes through the matrix of versions and schemas.
func (m *matrix) replaceAll() {
	m.replace("to the next version, on the schema of this one", m.next)
	m.replace("back", m.this)
	m.replace("to the next version again", m.next)
	fmt.Println("    ", trial.Must(trial.Command(m.next, "migrate", "--store", m.store)))
	m.replace("back, on the schema of the next version", m.this)
	m.withoutStore()
	m.replace("to the next version again", m.next)
}

func (m *matrix) replace(what, binary string) {
	for _, r := range m.replicas {
		_, err := r.process.Terminate()
		trial.Check(err, what, ": the process ended")
		m.start(r, binary)
		time.Sleep(time.Second)
	}
	fmt.Println("     three replicas", what)
}

func (m *matrix) start(r *replica, binary string) {
	r.process = trial.Start(context.Background(), binary, r.dir, r.sockets, "--store", m.store, "--last-good", filepath.Join(r.dir, "last-good"), "--drain", "1s")
}

// withoutStore checks that this version starts without the store where the next one ran before.
func (m *matrix) withoutStore() {
	r := &replica{dir: filepath.Join(m.dir, "alone")}
	trial.Check(os.Mkdir(r.dir, 0o700))
	file, addr := socket()
	admin, _ := socket()
	r.sockets = []*os.File{file, admin}
	for _, binary := range []string{m.this, m.next} {
		m.start(r, binary)
		trial.Must(trial.Until(10*time.Second, func() bool { return revision(addr) > 0 }))
		_, err := r.process.Terminate()
		trial.Check(err)
	}
	gone := *m
	gone.store = "postgres://nobody@127.0.0.1:1/none"
	if strings.HasPrefix(m.store, "sqlite:") {
		gone.store = "sqlite:" + filepath.Join(r.dir, "none.db")
	}
	gone.start(r, m.this)
	trial.Must(trial.Until(20*time.Second, func() bool { return revision(addr) > 0 }))
	fmt.Println("     this version started without the store after the next one, and serves revision", revision(addr))
	_, err := r.process.Terminate()
	trial.Check(err)
}

// socket returns a listening socket that stays open until this process ends.
func socket() (*os.File, string) {
	l := trial.Must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	return trial.Must(l.(*net.TCPListener).File()), l.Addr().String()
}
