package response

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// sized returns a body of the given weight.
func sized(weight int, letter byte) *Body {
	return NewPacker().Body(bytes.Repeat([]byte{letter}, weight-overhead), Once)
}

// client returns a client; different numbers are different clients.
func client(n int) Client { return Client{byte(n), byte(n >> 8)} }

func held(t *testing.T, b *Budget, want int64) {
	t.Helper()
	if got := b.Usage().Held; got != want {
		t.Fatalf("%d bytes are held, want %d", got, want)
	}
}

func TestSharedBodyCountsOnce(t *testing.T) {
	b, body := NewBudget(100_000, 0), sized(90_000, 'a')
	var holds []Hold
	for i := range 6 {
		h, ok := b.TryTake(client(i/2), body)
		if !ok {
			t.Fatalf("client %d cannot share a body that is held", i/2)
		}
		holds = append(holds, h)
	}
	if _, ok := b.TryTake(client(0), sized(20_000, 'b')); ok {
		t.Error("a body fits into an exhausted budget")
	}
	body.packed(gzipped, true) // counts with its weight when it was taken
	for _, h := range holds {
		held(t, b, 90_000)
		h.Release()
		h.Release() // does nothing
	}
	held(t, b, 0)
	if u := b.Usage(); u.Clients != 0 {
		t.Errorf("%d clients without memory have accounts", u.Clients)
	}
}

// TestSharesOfTheBudget checks that a client gets at most as much as it leaves for others, and at
// least one body if there is any memory.
func TestSharesOfTheBudget(t *testing.T) {
	b := NewBudget(1_000_000, 0)
	take := func(c, n int) (taken int) {
		for i := range n {
			if _, ok := b.TryTake(client(c), sized(20_000, byte(i))); ok {
				taken++
			}
		}
		return taken
	}
	if got := take(1, 60); got != 25 { // half of fifty
		t.Errorf("a single client gets %d bodies, want 25", got)
	}
	if got := take(2, 60); got != 12 { // half of the rest
		t.Errorf("the second client gets %d bodies, want 12", got)
	}
	if got := take(1, 60); got != 0 {
		t.Errorf("the first client gets %d more bodies, want none", got)
	}
	for c := 3; c < 10; c++ {
		if got := take(c, 1); got != 1 {
			t.Errorf("client %d gets no body", c)
		}
	}
}

// TestReservation checks that a reservation becomes the hold of the body that was made.
func TestReservation(t *testing.T) {
	b, body := NewBudget(100_000, 1), sized(30_000, 'a')
	room, ok := b.TryReserve(client(1), 80_000)
	if !ok {
		t.Fatal("no room")
	}
	held(t, b, 80_000)
	if _, ok := b.TryReserve(client(2), 10); ok {
		t.Error("two bodies are made concurrently")
	}
	room.Keep(body)
	held(t, b, 30_000)
	second, ok := b.TryReserve(client(2), 70_000)
	if !ok {
		t.Error("the second body cannot be made after the first")
	}
	second.Release()
	room.Release()
	held(t, b, 0)
}

// TestLargestAnswer checks that one body larger than the budget is allowed at a time.
func TestLargestAnswer(t *testing.T) {
	b := NewBudget(50_000, 0)
	small, ok := b.TryTake(client(1), sized(40_000, 'a'))
	if !ok {
		t.Fatal("no room")
	}
	room, ok := b.TryReserve(client(2), 200_000)
	if !ok {
		t.Fatal("a body larger than the budget gets no memory")
	}
	room.Keep(sized(180_000, 'b'))
	if _, ok := b.TryReserve(client(3), 200_000); ok {
		t.Error("two bodies larger than the budget are allowed")
	}
	held(t, b, 40_000)
	room.Release()
	if room, ok = b.TryReserve(client(3), 200_000); !ok {
		t.Error("its place is not free again")
	}
	room.Release()
	small.Release()
	held(t, b, 0)
}

func TestWaitingIsBoundedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(50_000, 0)
		h, _ := b.TryTake(client(1), sized(40_000, 'a'))
		start := time.Now()
		if _, err := b.Reserve(t.Context(), client(2), 20_000); !errors.Is(err, ErrNoRoom) || time.Since(start) != maxWait {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := b.Reserve(gone, client(2), 20_000); !errors.Is(err, ErrNoRoom) || time.Since(start) != maxWait {
			t.Errorf("a cancelled request waits: error %v after %v", err, time.Since(start))
		}
		time.AfterFunc(time.Second, h.Release)
		room, err := b.Reserve(t.Context(), client(2), 20_000)
		if err != nil || time.Since(start) != maxWait+time.Second {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		room.Release()
		held(t, b, 0)
		if u := b.Usage(); u.Waiting+u.Clients != 0 {
			t.Errorf("%+v is left", u)
		}
	})
}

// TestTurnsAreByClient checks that many waiting requests of one client delay neither the queueing
// nor the turn of another.
func TestTurnsAreByClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(1_000_000, 1)
		first, _ := b.TryReserve(client(1), 10)
		var made []int
		var refused int
		var waiting sync.WaitGroup
		ask := func(c int) {
			waiting.Go(func() {
				room, err := b.Reserve(t.Context(), client(c), 10)
				if err != nil {
					refused++
					return
				}
				made = append(made, c)
				time.Sleep(time.Millisecond)
				room.Release()
			})
			synctest.Wait()
		}
		for range 2 * maxWaiting {
			ask(1)
		}
		if refused != 2*maxWaiting-maxWaiting/2 {
			t.Errorf("%d requests are refused, want all that are more than half of those that may wait", refused)
		}
		ask(2)
		ask(2)
		ask(3)
		first.Release()
		waiting.Wait()
		if got, want := fmt.Sprint(made[:6]), "[2 3 1 2 1 1]"; got != want {
			t.Errorf("turns %v, want %v", got, want)
		}
		if len(made) != maxWaiting/2+3 {
			t.Errorf("%d bodies were made", len(made))
		}
		held(t, b, 0)
	})
}

// TestBudgetIsKept checks with random operations that the held memory is the weight of the bodies
// in use, and within the budget.
func TestBudgetIsKept(t *testing.T) {
	var bodies []*Body
	for i := range 6 {
		bodies = append(bodies, sized((i+1)*Counted, byte('a'+i)))
	}
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.Int64Range(Counted, 20*Counted).Draw(t, "most")
		b := NewBudget(most, rapid.IntRange(0, 3).Draw(t, "makers"))
		type taken struct {
			hold  Hold
			body  *Body // nil for a reservation
			bytes int64
		}
		var now []taken
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			c := client(rapid.IntRange(1, 4).Draw(t, "client"))
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				if len(now) > 0 {
					i := rapid.IntRange(0, len(now)-1).Draw(t, "which")
					now[i].hold.Release()
					now = append(now[:i], now[i+1:]...)
				}
			case 1:
				body := rapid.SampledFrom(bodies).Draw(t, "body")
				if h, ok := b.TryTake(c, body); ok {
					now = append(now, taken{hold: h, body: body})
				}
			case 2:
				bytes := rapid.Int64Range(1, 30*Counted).Draw(t, "bytes")
				if h, ok := b.TryReserve(c, bytes); ok {
					now = append(now, taken{hold: h, bytes: bytes})
				}
			case 3:
				for i := range now {
					if now[i].body == nil {
						body := rapid.SampledFrom(bodies[:1]).Draw(t, "made") // it fits into an empty budget
						now[i].hold.Keep(body)
						now[i].body = body
						break
					}
				}
			}
			var want int64
			counted := map[*Body]bool{}
			larger := 0
			for _, n := range now {
				weight := n.bytes
				if n.body != nil {
					if counted[n.body] {
						continue
					}
					counted[n.body], weight = true, int64(n.body.Weight())
				}
				if weight > most {
					larger++
				} else {
					want += weight
				}
			}
			if got := b.Usage().Held; got != want || larger > 1 {
				t.Fatalf("%d bytes are held, want %d; %d are larger than all", got, want, larger)
			}
			if want > most+Counted { // the body of a smaller reservation
				t.Fatalf("%d bytes are held of %d", want, most)
			}
		}
		for _, n := range now {
			n.hold.Release()
		}
		if u := b.Usage(); u.Held != 0 || u.Clients != 0 {
			t.Fatalf("%+v is left", u)
		}
	})
}

// TestBudgetUnderLoad checks with real concurrency that all memory is released, and that no
// request waits for free memory.
func TestBudgetUnderLoad(t *testing.T) {
	b := NewBudget(10*Counted, 2)
	var bodies []*Body
	for i := range 4 {
		bodies = append(bodies, sized(Counted+i, byte('a'+i)))
	}
	var running sync.WaitGroup
	for g := range 16 {
		running.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			for range 300 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(int(time.Millisecond))))
				body := bodies[random.IntN(len(bodies))]
				var h Hold
				var err error
				if random.IntN(2) == 0 {
					h, err = b.Take(ctx, client(g%5), body)
				} else if h, err = b.Reserve(ctx, client(g%5), int64(body.Weight())); err == nil && random.IntN(2) == 0 {
					h.Keep(body)
				}
				if held := b.Usage().Held; held > b.most {
					t.Errorf("%d bytes are held of %d", held, b.most)
				}
				if err == nil {
					h.Release()
				} else if !errors.Is(err, ErrNoRoom) {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	running.Wait()
	if u := b.Usage(); u.Held != 0 || u.Clients != 0 || u.Waiting != 0 || b.making != 0 {
		t.Errorf("%+v is left", u)
	}
}
