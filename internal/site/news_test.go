package site

import (
	"strings"
	"testing"

	"vitrine/internal/snapshot"
)

func TestBalanced(t *testing.T) {
	for _, c := range []struct{ events, want string }{ // + is a launch, - an end, newest first
		{"", ""},
		{"++", "++"},
		{"------+", "---+"},
		{"------++++", "--++"},
		{"-+-+-+", "-+-+"},
		{"+-----", "+---"},
		{"-++++++", "-+++"},
	} {
		var events []snapshot.Event
		for _, sign := range c.events {
			events = append(events, snapshot.Event{Ended: sign == '-'})
		}
		var got strings.Builder
		for _, e := range balanced(events, 4) {
			got.WriteByte(map[bool]byte{false: '+', true: '-'}[e.Ended])
		}
		if got.String() != c.want {
			t.Errorf("balanced(%q) = %q, want %q", c.events, got.String(), c.want)
		}
	}
}
