package site

import (
	"slices"
	"strconv"
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

// TestNewsAreDivided checks that each year has its launches, then its retirements, and that each
// heading has only such events and at least their number.
func TestNewsAreDivided(t *testing.T) {
	page := pageAt(t, siteOf(t, Config{}), bundledSnapshot(t), "/en/news", "")
	years := strings.Split(page, `<section class="group">`)[1:]
	if len(years) == 0 {
		t.Fatal("the page has no years")
	}
	for _, year := range years {
		var headings []string
		for _, group := range strings.Split(year, "<h3>")[1:] {
			heading, count := captured(group, `^(\w+) <span`)[0], captured(group, `<span class="n">(\d+)</span></h3>`)[0]
			headings = append(headings, heading)
			all, ended := strings.Count(group, `<span class="when">`), strings.Count(group, `class="state retired"`)
			if n, _ := strconv.Atoi(count); n < all || all == 0 || ended != map[bool]int{true: all}[heading == "Retirements"] {
				t.Errorf("%s %s: %d events, %d of them retirements", heading, count, all, ended)
			}
		}
		if !slices.IsSorted(headings) || len(slices.Compact(headings)) != strings.Count(year, "<h3>") {
			t.Errorf("a year has %v", headings)
		}
	}
}
