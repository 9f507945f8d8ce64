package response

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// A body counts once however many take it, and is let go with the last of them.
func TestBudget(t *testing.T) {
	p := NewPacker()
	first, second, small := p.Body(rows(alike*counted, 1), Once), p.Body(rows(counted, 2), Once), p.Body(rows(100, 3), Once)
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

// A few bodies always have room, or a large list could never be sent.
func TestBudgetHasRoomForAFew(t *testing.T) {
	p, b := NewPacker(), NewBudget(1)
	letters := func(i int) []byte { return bytes.Repeat([]byte{byte('a' + i)}, 2*counted) }
	for i := range alike {
		body := p.Body(letters(i), Once)
		for range 2 {
			if !b.Hold(body) {
				t.Errorf("body %d is refused", i)
			}
		}
	}
	if b.Hold(p.Body(letters(alike), Once)) {
		t.Error("there is room for more")
	}
}

// Whoever comes and goes, what is held is within the bound, or a few bodies as
// large as the largest.
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
			var want, largest int64
			for _, body := range taking {
				if !different[body] {
					weight := int64(body.Weight())
					different[body], want, largest = true, want+weight, max(largest, weight)
				}
			}
			if got := b.Held(); got != want || got > max(most, alike*largest) {
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
