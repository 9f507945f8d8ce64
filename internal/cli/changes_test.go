package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 12: "12", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func changed(key string, fields ...domain.FieldChange) domain.Change {
	return domain.Change{Kind: domain.KindChain, Key: key, Op: domain.Changed, Fields: fields}
}

func TestPrintChanges(t *testing.T) {
	long := strings.Repeat("ü", shownRunes+1)
	var manyFields []domain.FieldChange
	var manyRecords []domain.Change
	for i := range 12 {
		manyFields = append(manyFields, domain.FieldChange{Path: fmt.Sprintf("f%02d", i), New: "x"})
		manyRecords = append(manyRecords, domain.Change{Kind: domain.KindChain, Key: fmt.Sprintf("c%02d", i), Op: domain.Removed})
	}
	for _, tt := range []struct {
		name    string
		changes []domain.Change
		all     bool
		want    []string // required lines, in this order
		not     string
	}{
		{"none", nil, false, nil, "added"},
		{
			"what was changed comes before what is gone and new",
			[]domain.Change{
				{Kind: domain.KindChain, Key: "a", Op: domain.Added}, {Kind: domain.KindChain, Key: "b", Op: domain.Removed},
				changed("c", domain.FieldChange{Path: "logo", Old: "x"}), {Kind: domain.KindMenu, Key: "m", Op: domain.Added},
			},
			false,
			[]string{
				"2 added, 1 changed, 1 removed", "chains: 1 added, 1 changed, 1 removed", "  ~ c", `      logo: "x" → none`,
				"  - b", "  + a", "menus: 1 added", "  + m",
			},
			"more",
		},
		{"a long value is cut", []domain.Change{changed("c", domain.FieldChange{Path: "p", New: long})}, false,
			[]string{`      p: none → "` + strings.Repeat("ü", shownRunes) + `"…`}, ""},
		{"unless all is asked for", []domain.Change{changed("c", domain.FieldChange{Path: "p", New: long})}, true,
			[]string{`      p: none → "` + long + `"`}, "…"},
		{"two long values are cut around where they begin to differ",
			[]domain.Change{changed("c", domain.FieldChange{Path: "p", Old: long + "Old" + long, New: long + "New"})}, false,
			[]string{`      p: …"` + strings.Repeat("ü", 30) + `Old` + strings.Repeat("ü", 67) + `"… → …"` + strings.Repeat("ü", 30) + `New"`}, ""},
		{"a change at the beginning of long values",
			[]domain.Change{changed("c", domain.FieldChange{Path: "p", Old: "short", New: long})}, false,
			[]string{`      p: "short" → "` + strings.Repeat("ü", shownRunes) + `"…`}, ""},
		{"what has moved", []domain.Change{changed("c", domain.FieldChange{Path: "p", Old: "place 3", New: "place 1", Moved: true})}, false,
			[]string{`      p: moved from place 3 to place 1`}, "→"},
		{"many fields are folded", []domain.Change{changed("c", manyFields...)}, false,
			[]string{`      f09: none → "x"`, "      … and 2 more fields (--all shows them)"}, "f10"},
		{"many records are folded", manyRecords, false,
			[]string{"chains: 12 removed", "  - c09", "  … and 2 more removed (--all shows them)"}, "c10"},
		{"unless all are asked for", manyRecords, true, []string{"  - c11"}, "more"},
		{"nothing moves a terminal's cursor",
			[]domain.Change{changed("k\x1b[2J", domain.FieldChange{Path: "a\nb", Old: "\x1b]0;x\a", New: "l1\nl2"})}, false,
			[]string{"  ~ k [2J", `      a b: "\x1b]0;x\a" → "l1\nl2"`}, "\x1b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			must(t, printChanges(&out, tt.changes, tt.all))
			rest := "\n" + out.String()
			for _, line := range tt.want {
				_, after, found := strings.Cut(rest, "\n"+line+"\n")
				if !found {
					t.Fatalf("no line %q in order in:\n%s", line, out.String())
				}
				rest = "\n" + after
			}
			if tt.not != "" && strings.Contains(out.String(), tt.not) {
				t.Errorf("%q in:\n%s", tt.not, out.String())
			}
		})
	}
}

func TestColors(t *testing.T) {
	var out bytes.Buffer
	p := changeText{Writer: bufio.NewWriter(&out), colored: true}
	p.record(domain.Change{Key: "a", Op: domain.Added})
	p.record(domain.Change{Key: "b", Op: domain.Removed})
	p.record(changed("c"))
	p.Flush()
	want := "\x1b[32m  + a\x1b[0m\n\x1b[31m  - b\x1b[0m\n\x1b[33m  ~ c\x1b[0m\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseRecord(t *testing.T) {
	for _, tt := range []struct {
		kind, key string
		want      selector
	}{
		{"chains", "ethereum", selector{domain.KindChain, "ethereum", 0}},
		{"CHAIN", "ethereum@7", selector{domain.KindChain, "ethereum", 7}},
		{"twitter", "@ann", selector{domain.KindAccount, "ann", 0}},
		{"users", "@ann@3", selector{domain.KindAccount, "ann", 3}},
		{"account", "ann@3", selector{domain.KindAccount, "ann", 3}},
		{"groups", "chain/layer@12", selector{domain.KindGroup, "chain/layer", 12}},
		{"catalog", "", selector{domain.KindCatalog, "catalog", 0}},
		{"catalogue", "@4", selector{domain.KindCatalog, "catalog", 4}},
		{"catalog", "catalog@4", selector{domain.KindCatalog, "catalog", 4}},
	} {
		got, err := recordArgs{tt.kind, tt.key}.parse()
		if err != nil || got != tt.want {
			t.Errorf("%s %s is %+v, %v; want %+v", tt.kind, tt.key, got, err, tt.want)
		}
	}
	for _, args := range []recordArgs{
		{"stamps", "a"}, {"", "a"}, {"chains", ""}, {"twitter", "@"}, {"chains", "@7"}, {"chains", "a@"}, {"chains", "a@0"},
		{"chains", "a@-1"}, {"chains", "a@1@2"}, {"chains", "a@x"}, {"chains", "a@99999999999999999999"}, {"catalog", "title"},
	} {
		if got, err := args.parse(); err == nil {
			t.Errorf("%+v is %+v, want an error", args, got)
		}
	}
}

func TestAge(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90d": 90 * 24 * time.Hour, "2w": 14 * 24 * time.Hour, "36h": 36 * time.Hour, "1h30m": 90 * time.Minute,
	} {
		var got age
		if err := got.UnmarshalText([]byte(text)); err != nil || time.Duration(got) != want {
			t.Errorf("%q is %v, %v; want %v", text, time.Duration(got), err, want)
		}
	}
	for _, text := range []string{"", "90", "d", "-1d", "0d", "0s", "-1h", "1.5d", "36500000d", "40000d", "1y", "9999999h"} {
		var got age
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is %v; want an error", text, time.Duration(got))
		}
	}
}

func TestPruneLimit(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	day := 24 * time.Hour
	history := []store.Revision{ // the clock of the publisher of 7 was ahead
		{Number: 9, PublishedAt: now.Add(-20 * day)}, {Number: 8, PublishedAt: now.Add(-40 * day)},
		{Number: 7, PublishedAt: now.Add(-10 * day)}, {Number: 5, PublishedAt: now.Add(-90 * day)},
	}
	for _, tt := range []struct {
		command pruneCmd
		want    int64 // 0 for an error
	}{
		{pruneCmd{Keep: 1}, 9},
		{pruneCmd{Keep: 3}, 7},
		{pruneCmd{Keep: 50}, 5},
		{pruneCmd{Before: 8}, 8},
		{pruneCmd{Before: 9}, 9},
		{pruneCmd{Before: 10}, 0},
		{pruneCmd{OlderThan: age(100 * day)}, 5},
		{pruneCmd{OlderThan: age(90 * day)}, 5},
		{pruneCmd{OlderThan: age(30 * day)}, 7}, // never one that an earlier revision follows
		{pruneCmd{OlderThan: age(day)}, 9},
	} {
		got, err := tt.command.limit(history, now)
		if got != tt.want || (err == nil) != (tt.want != 0) {
			t.Errorf("%+v keeps from %d on, %v; want %d", tt.command, got, err, tt.want)
		}
	}
}

func TestOutcomeOf(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		err    error
		want   string
		status int
	}{
		"somebody was faster": {
			&publish.ConflictError{
				Base: store.Revision{Number: 7},
				Head: store.Revision{Number: 8, PublishedAt: at, Op: store.OpImport, Actor: "bob", Message: "a\nb"},
			},
			"nothing was published: the changes were relative to revision 7, but revision 8 (import, 2026-11-21 09:00:00 UTC, bob: a b) was published meanwhile; run the command again",
			statusFailed,
		},
		"who it was is not known": {
			&publish.ConflictError{},
			"nothing was published: the changes were relative to an empty store, but another revision was published meanwhile; run the command again",
			statusFailed,
		},
		"an old revision breaks the rules": {
			&publish.InvalidError{Revision: 3, Cause: &domain.InvalidError{Errors: 1, Rule: "r", In: "chains base", Message: "m"}},
			"revision 3 is not valid any more: errors: 1; the first is r in chains base: m", statusFailed,
		},
		"an empty store":     {store.ErrEmpty, store.ErrEmpty.Error(), statusFailed},
		"no such revision":   {store.ErrNoRevision, store.ErrNoRevision.Error() + "; vitrine history --limit 0 lists all", statusFailed},
		"a store that fails": {fmt.Errorf("load: %w", errors.New("the disk is full")), "load: the disk is full", statusUnable},
	} {
		t.Run(name, func(t *testing.T) {
			err := outcomeOf(tt.err)
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if status := fail(streams{err: new(bytes.Buffer)}, err); status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
		})
	}
}
