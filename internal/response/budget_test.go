package response

import (
	"testing"

	"pgregory.net/rapid"
)

// A body counts once however many take it, and is let go with the last of them.
func TestBudget(t *testing.T) {
	p := NewPacker()
	first, second, small := p.Body(rows(counted, 1), Once), p.Body(rows(counted, 2), Once), p.Body(rows(100, 3), Once)
	b := NewBudget(int64(first.Weight()))
	for i, step := range []struct {
		body *Body
		want bool
	}{{first, true}, {first, true}, {second, false}, {small, true}} {
		if got := b.Hold(step.body); got != step.want {
			t.Errorf("step %d: Hold() = %v", i, got)
		}
	}
	if got := b.Held(); got != int64(first.Weight()) {
		t.Errorf("%d bytes are held, want those of one body", got)
	}
	b.Release(first)
	if b.Hold(second) {
		t.Error("there is room for a second body while a client has the first")
	}
	first.form(gzipped) // it counts with what it weighed
	b.Release(first)
	b.Release(small)
	if got := b.Held(); got != 0 {
		t.Errorf("%d bytes are held by nobody", got)
	}
	if !b.Hold(second) || b.Held() == 0 {
		t.Error("there is no room when all have gone")
	}
}

// One body always has room, or a large list could never be sent.
func TestBudgetHasRoomForOne(t *testing.T) {
	body := NewPacker().Body(rows(2*counted, 1), Once)
	b := NewBudget(1)
	for range 2 {
		if !b.Hold(body) {
			t.Error("the only body is refused")
		}
	}
}

// Whoever comes and goes, what is held is within the bound, or one body.
func TestBudgetIsKept(t *testing.T) {
	p := NewPacker()
	var bodies []*Body
	for i := range 5 {
		bodies = append(bodies, p.Body(rows((i+1)*counted, uint64(i)), Once))
	}
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.Int64Range(1, 20*counted).Draw(t, "most")
		b := NewBudget(most)
		var taking []*Body
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			if len(taking) > 0 && rapid.Bool().Draw(t, "one ends") {
				b.Release(taking[0])
				taking = taking[1:]
			} else if body := rapid.SampledFrom(bodies).Draw(t, "body"); b.Hold(body) {
				taking = append(taking, body)
			}
			different := map[*Body]bool{}
			var want int64
			for _, body := range taking {
				if !different[body] {
					different[body], want = true, want+int64(body.Weight())
				}
			}
			if got := b.Held(); got != want || got > most && len(different) > 1 {
				t.Fatalf("%d bytes of %d bodies are held, want %d, at most %d", got, len(different), want, most)
			}
		}
		for _, body := range taking {
			b.Release(body)
		}
		if b.Held() != 0 {
			t.Fatalf("%d bytes are held by nobody", b.Held())
		}
	})
}
