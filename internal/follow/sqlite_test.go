package follow_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/operations"
	"vitrine/internal/server"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
	"vitrine/internal/store/sqlstore"
)

// These tests cause faults in a real store.

// realService is a follower of a real store behind the API.
type realService struct {
	t        *testing.T
	path     string // of a SQLite file, "" for another store
	follower *follow.Follower
	log      *logtest.Lines
	api      http.Handler
	admin    http.Handler
	stop     func()
}

func openExisting(path string) follow.Opener {
	return func(ctx context.Context) (store.Store, error) {
		s, err := sqlite.OpenAs(ctx, path, sqlstore.Write) // must not create one
		if err != nil {
			return nil, err
		}
		return s, nil
	}
}

// serveFile follows the store at path, which may be missing or damaged.
func serveFile(t *testing.T, path string) *realService {
	t.Helper()
	r := serveStore(t, follow.Config{
		Open:     openExisting(path),
		LastGood: path + ".last-good",
		Scrub:    20 * time.Millisecond,
		PutAside: func() (string, error) { return sqlite.PutAside(path) },
	})
	r.path = path
	return r
}

// serveStore follows a store. It sets the remaining fields of config.
func serveStore(t *testing.T, config follow.Config) *realService {
	t.Helper()
	r := &realService{t: t, log: &logtest.Lines{}}
	metrics := server.NewMetrics()
	config.Every, config.Log, config.Metrics, config.WhenEmpty = 5*time.Millisecond, r.log.Logger(), metrics.Follow, "fill it"
	r.follower = follow.New(config)
	var err error
	r.api, err = operations.New(operations.Config{Snapshot: r.follower.Snapshot, Log: r.log.Logger(), CacheBytes: 1 << 20, MaxInFlight: 16})
	must(t, err)
	r.admin = server.NewAdmin(r.follower, metrics, server.About{})
	r.stop = sync.OnceFunc(start(t, r.follower.Run))
	t.Cleanup(r.stop)
	return r
}

// newService serves a new store with one revision whose chains fill several pages of the file.
func newService(t *testing.T) *realService {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store.db")
	publishTo(t, path, numbered(1))
	r := serveFile(t, path)
	r.awaitRevision(1)
	await(t, "the last good file", func() bool {
		_, err := os.Stat(path + ".last-good")
		return err == nil
	})
	return r
}

// numbered returns a catalogue with the revision number in each served part.
func numbered(number int) *domain.Catalog {
	c := titled(fmt.Sprintf("r%d.", number))
	c.Gate = &domain.GateSettings{Values: &domain.Threshold{Min: 1000}} // all names change
	for i := range 200 {
		c.Chains = append(c.Chains, domain.Chain{
			ID: fmt.Sprintf("id-%d", i), Slug: fmt.Sprintf("chain-%d", i), ChainID: fmt.Sprint(i + 1),
			Name: domain.Text{{Locale: "en", Value: fmt.Sprintf("Chain %d r%d.", i, number)}},
		})
	}
	for _, key := range []string{"b", "a"} {
		c.NavGroups = append(c.NavGroups, domain.NavGroup{
			Key: key, Slug: key, Name: domain.Text{{Locale: "en", Value: fmt.Sprintf("Group r%d.", number)}},
		})
	}
	return c
}

// publishTo publishes to the store at path like another process.
func publishTo(t *testing.T, path string, c *domain.Catalog) store.Revision {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	must(t, err)
	defer s.Close()
	return publishNext(t, s, c)
}

func publishNext(t *testing.T, s store.Store, c *domain.Catalog) store.Revision {
	t.Helper()
	head, _ := s.Head(t.Context()) // zero for an empty store
	rev, err := s.Publish(t.Context(), head.Number, store.Draft{
		Note: store.Note{At: time.Now(), Op: store.OpImport}, Catalog: c,
	})
	must(t, err)
	return rev
}

// await waits until a condition holds. It counts checks, not seconds, so a stopped machine does not
// time out.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 15_000 {
		if is() {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	t.Fatalf("timed out waiting for %s", what)
}

func (r *realService) awaitRevision(number int64) {
	r.t.Helper()
	await(r.t, fmt.Sprintf("revision %d; %s", number, r.readiness()), func() bool {
		return served(r.follower) == number && !contains(r.readiness(), "storeProblem")
	})
}

func (r *realService) awaitProblem(parts ...string) {
	r.t.Helper()
	await(r.t, fmt.Sprintf("%q", parts), func() bool { return contains(r.readiness(), append(parts, "storeProblem", `"stale":true`)...) })
}

func (r *realService) readiness() string {
	_, body := ask(r.admin, "GET", "/readyz")
	return body
}

// tags returns the entity tags of served responses.
func (r *realService) tags() string {
	var tags strings.Builder
	for _, path := range []string{"meta", "chains", "chains?q=chain-1", "nav/groups"} {
		rec := httptest.NewRecorder()
		r.api.ServeHTTP(rec, httptest.NewRequest("GET", "/api/open/"+path, nil))
		fmt.Fprintln(&tags, rec.Code, path, rec.Header().Get("ETag"))
	}
	return tags.String()
}

// wantTags fails unless the served responses are unchanged.
func (r *realService) wantTags(when, before string) {
	r.t.Helper()
	if got := r.tags(); got != before {
		r.t.Errorf("served before\n%s\nand %s\n%s", before, when, got)
	}
}

func TestFaultsOfAFile(t *testing.T) {
	for _, tt := range []struct {
		name    string
		fault   func(t *testing.T, path string) (repair func(t *testing.T)) // repair may be nil
		problem string
	}{
		{
			"removed and restored",
			func(t *testing.T, path string) func(*testing.T) {
				moveAll(t, path, path+".away")
				return func(t *testing.T) { moveAll(t, path+".away", path) }
			}, "there is no store",
		},
		{
			"truncated to half",
			func(t *testing.T, path string) func(*testing.T) {
				good := checkpointed(t, path)
				replaceFile(t, path, good[:len(good)/2])
				return func(t *testing.T) { replaceDamaged(t, path, good) }
			}, "put aside as",
		},
		{
			"overwritten with zeros",
			func(t *testing.T, path string) func(*testing.T) {
				good := checkpointed(t, path)
				replaceFile(t, path, make([]byte, len(good)))
				return func(t *testing.T) { replaceDamaged(t, path, good) }
			}, "put aside as",
		},
		{
			"replaced by another file",
			func(t *testing.T, path string) func(*testing.T) {
				good := checkpointed(t, path)
				replaceFile(t, path, []byte(strings.Repeat("no database at all\n", 1000)))
				return func(t *testing.T) { replaceDamaged(t, path, good) }
			}, "put aside as",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newService(t)
			before := r.tags()
			repair := tt.fault(t, r.path)
			r.awaitProblem(tt.problem)
			r.wantTags("after the fault", before)
			// A restarted process serves the same responses, marked stale.
			again := serveFile(t, r.path)
			await(t, "the last good state", func() bool { return served(again.follower) == 1 })
			again.wantTags("after a restart", before)
			again.awaitProblem()
			again.stop()

			repair(t)
			r.awaitRevision(1)
			r.wantTags("at the end", before)
			publishTo(t, r.path, numbered(2))
			r.awaitRevision(2)
		})
	}
}

// TestDamageInPlace checks that damage in unread rows is detected.
func TestDamageInPlace(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string, good []byte){
		"truncated": func(t *testing.T, path string, good []byte) { must(t, os.Truncate(path, int64(len(good)/2))) },
		"a flipped bit": func(t *testing.T, path string, good []byte) {
			file, err := os.OpenFile(path, os.O_RDWR, 0)
			must(t, err)
			defer file.Close()
			at := bytes.Index(good, []byte("Chain 150 r1."))
			_, err = file.WriteAt([]byte{good[at] ^ 1}, int64(at))
			must(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newService(t)
			before := r.tags()
			good := checkpointed(t, r.path)
			damage(t, r.path, good)
			await(t, "the damage report", func() bool { return contains(r.readiness(), `"storeProblem":"`, "damaged") })
			r.wantTags("after the damage", before)
			replaceDamaged(t, r.path, good)
			r.awaitRevision(1)
			publishTo(t, r.path, numbered(2))
			r.awaitRevision(2)
		})
	}
}

// TestARestoredBackupIsNoError checks that a backup that replaces the store in use is served without
// an error in the log.
func TestARestoredBackupIsNoError(t *testing.T) {
	r := newService(t)
	backup := checkpointed(t, r.path)
	for round := range 5 {
		publishTo(t, r.path, numbered(2+round))
		r.awaitRevision(2)
		checkpointed(t, r.path)
		r.log.Take()
		replaceFile(t, r.path, backup)
		r.awaitRevision(1)
		for _, line := range r.log.Take() {
			if contains(line, "level=ERROR") || contains(line, "level=WARN") {
				t.Errorf("round %d: %s", round, line)
			}
		}
	}
}

// TestFlippedBits flips bits anywhere in a closed store. The server then serves the revision
// unchanged, or the last good one, or the rows whose checksums all match.
func TestFlippedBits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	publishTo(t, path, numbered(1))
	good := checkpointed(t, path)
	first := serveFile(t, path)
	first.awaitRevision(1)
	first.stop()
	want := first.tags()

	const files = 25
	random := rand.New(rand.NewPCG(3, 4))
	aside := 0
	for range files {
		damaged := append([]byte(nil), good...)
		for range 1 + random.IntN(8) {
			damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
		}
		replaceFile(t, path, damaged)
		r := serveFile(t, path)
		await(t, "anything to serve", func() bool { return served(r.follower) != 0 })
		await(t, "a verdict", func() bool {
			return !contains(r.readiness(), "stale") || contains(r.readiness(), "storeProblem")
		})
		if got := r.tags(); got != want {
			t.Errorf("served\n%s\nwant\n%s", got, want)
		}
		if contains(r.readiness(), "put aside") {
			aside++
		}
		r.stop()
		wantKept(t, path+".last-good", 1)
	}
	t.Logf("put aside %d times of %d", aside, files)
}

// TestPublisherHoldsTheLock checks that readers and the server do not wait for a long write.
func TestPublisherHoldsTheLock(t *testing.T) {
	r := newService(t)
	db, err := sql.Open("sqlite", r.path)
	must(t, err)
	defer db.Close()
	conn, err := db.Conn(t.Context())
	must(t, err)
	defer conn.Close()
	_, err = conn.ExecContext(t.Context(), "BEGIN EXCLUSIVE")
	must(t, err)
	dir := filepath.Join(t.TempDir(), "shop")
	must(t, bundle.Write(numbered(2), dir))
	log, published := &logtest.Lines{}, make(chan struct{}, 1)
	w := follow.NewWatcher(follow.WatcherConfig{
		Dir: dir, Every: time.Millisecond, Log: log.Logger(), Metrics: server.NewMetrics().Follow,
		Open: func(ctx context.Context) (store.Store, error) { return sqlite.Open(ctx, r.path) },
	})
	w.OnPublished(func() {
		select {
		case published <- struct{}{}:
		default:
		}
		r.follower.Wake()
	})
	defer start(t, w.Run)()
	for range 20 {
		r.follower.Wake()
		time.Sleep(5 * time.Millisecond)
		if body := r.readiness(); contains(body, "storeProblem") {
			t.Fatalf("a writer blocks the server: %s", body)
		}
	}
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	must(t, err)
	<-published
	r.awaitRevision(2)
}

func TestReadOnlyFile(t *testing.T) {
	r := newService(t)
	before := r.tags()
	folder := filepath.Dir(r.path)
	r.stop()
	must(t, os.Chmod(r.path, 0o400))
	must(t, os.Chmod(folder, 0o500))
	t.Cleanup(func() { os.Chmod(folder, 0o700) })
	again := serveFile(t, r.path)
	await(t, "anything to serve", func() bool { return served(again.follower) == 1 })
	again.wantTags("read only", before)
	must(t, os.Chmod(folder, 0o700))
	must(t, os.Chmod(r.path, 0o600))
	again.awaitRevision(1)
	publishTo(t, r.path, numbered(2))
	again.awaitRevision(2)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// moveAll renames a store and its log files.
func moveAll(t *testing.T, from, to string) {
	t.Helper()
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(from+suffix, to+suffix); err != nil && suffix == "" {
			t.Fatal(err)
		}
	}
}

// checkpointed returns the bytes of a store after a checkpoint of its log.
func checkpointed(t *testing.T, path string) []byte {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	must(t, err)
	must(t, db.Close())
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

// replaceFile atomically replaces a store in use and removes its log.
func replaceFile(t *testing.T, path string, data []byte) {
	t.Helper()
	must(t, os.WriteFile(path+".new", data, 0o600))
	removeLog(t, path)
	must(t, os.Rename(path+".new", path))
}

// replaceDamaged is replaceFile for a store that the server repeatedly tries to open. It moves the
// old file away first: a server that opens it after its log is removed would leave a new log, which
// does not fit the new file.
func replaceDamaged(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.Rename(path, path+".old"); !errors.Is(err, fs.ErrNotExist) { // the server may have put it aside
		must(t, err)
	}
	replaceFile(t, path, data)
}

func removeLog(t *testing.T, path string) {
	t.Helper()
	for _, suffix := range []string{"-wal", "-shm"} {
		must(t, os.RemoveAll(path+suffix))
	}
}
