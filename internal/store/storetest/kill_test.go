package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlstore"
)

// checked is a store with a check for damage.
type checked interface {
	store.Store
	Check(ctx context.Context) error
}

// publishForever publishes and rolls back until the process is killed. On an error it prints the
// error and exits.
func publishForever(open func() (store.Store, error)) {
	ctx := context.Background()
	s, err := open()
	for err == nil {
		var head store.Revision
		if head, err = s.Head(ctx); err != nil && !errors.Is(err, store.ErrEmpty) {
			break
		}
		next := store.Draft{Catalog: large(int(head.Number) + 1), Note: store.Note{Op: store.OpImport}}
		if head.Number%3 == 2 {
			var old *store.State
			if old, err = s.Load(ctx, head.Number-1); err != nil {
				break
			}
			next = store.Draft{Catalog: old.Editors(), Note: store.Note{Op: store.OpRollback}}
		}
		if _, err = s.Publish(ctx, head.Number, next); errors.Is(err, store.ErrConflict) {
			err = nil // the last publish of the killed process took effect
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// large returns a catalogue with n in many records.
func large(n int) *domain.Catalog {
	c := numbered(n)
	for i := range 300 {
		c.Accounts = append(c.Accounts, &domain.Account{Handle: fmt.Sprintf("account_%03d", i), Name: fmt.Sprint(n)})
	}
	return c
}

// isWhole returns an error unless a state is exactly a revision of [publishForever].
func isWhole(s *store.State) error {
	n := int(s.Revision.Number)
	if s.Revision.Op == store.OpRollback {
		n -= 2 // the revision before the previous head
	}
	if !reflect.DeepEqual(large(n), s.Editors()) {
		return fmt.Errorf("revision %d has records of another revision", s.Revision.Number)
	}
	return nil
}

// victimOf is the variable with the engine and the place of a database that a process publishes to
// until it is killed.
const victimOf = "VITRINE_TEST_VICTIM"

func victim(name, place string) {
	time.AfterFunc(time.Minute, func() { os.Exit(3) }) // if it is not killed
	for _, e := range engines {
		if e.name == name {
			publishForever(func() (store.Store, error) { return e.at(place)(context.Background()) })
		}
	}
}

// TestKilledWhilePublishing starts a process that publishes, kills it at a random time, and checks the
// store and its newest revisions. It repeats this VITRINE_TEST_KILLS times, five times by default.
func TestKilledWhilePublishing(t *testing.T) {
	times := 5
	if n, err := strconv.Atoi(os.Getenv("VITRINE_TEST_KILLS")); err == nil {
		times = n
	}
	each(t, func(t *testing.T, e engine) {
		place, random := e.create(t), rand.New(rand.NewPCG(1, 2))
		for range times {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), victimOf+"="+e.name+" "+place)
			cmd.Stderr = t.Output()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(50+random.IntN(150)) * time.Millisecond)
			cmd.Process.Kill()
			cmd.Wait()
			if cmd.ProcessState.Exited() {
				t.Fatal("the process ended before it was killed")
			}
			look(t, e, place)
		}
	})
}

func look(t *testing.T, e engine, place string) {
	s, err := e.open(t.Context(), place, sqlstore.Opening{Mode: sqlstore.Make, Schema: e.schema})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	head, err := s.Head(t.Context())
	if errors.Is(err, store.ErrEmpty) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("head %d", head.Number)
	for number := max(1, head.Number-2); number <= head.Number; number++ {
		if err := isWhole(load(t, s, number)); err != nil {
			t.Fatal(err)
		}
	}
}
