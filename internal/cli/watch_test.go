package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestEachChange: it runs at first and after ticks that find a change, and ends with its context.
func TestEachChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ticks := make(chan time.Time)
		now, done := "a", []string{}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			eachChange(ctx, ticks, func() string { return now }, func() { done = append(done, now) })
		}()
		for _, next := range []string{"a", "b", "b", "a"} {
			synctest.Wait()
			now = next
			ticks <- time.Time{}
		}
		synctest.Wait()
		cancel()
		<-ended
		if want := []string{"a", "b", "a"}; !slices.Equal(done, want) {
			t.Errorf("checked %q, want %q", done, want)
		}
	})
}

// TestCheckWatch: each change of the directory is a look that differs, and what is printed is the
// result of each check.
func TestCheckWatch(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		must(t, os.WriteFile(filepath.Join(dir, "catalog.yaml"), []byte(text), 0o644))
	}
	c := &checkCmd{Dir: filepath.Join(dir, "none"), Format: "text"}
	missing := c.look()
	c.Dir = dir
	write("title: Shop\ndefault_locale: en\nlocales: [en]\n")
	first := c.look()
	write("title: Shop\ndefault_locale: en\nlocales: [en, en]\n")
	second := c.look()
	if missing == first || first == second || second != c.look() {
		t.Errorf("looks %q, %q, %q", missing, first, second)
	}
	var out bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	eachChange(ctx, nil, c.look, func() {
		fail(streams{&out, &out}, c.run(ctx, streams{&out, &out}))
		cancel()
	})
	if !strings.Contains(out.String(), "catalog.yaml:3:") || !strings.HasSuffix(out.String(), ": errors: 1, warnings: 0\n") {
		t.Errorf("printed %q", out.String())
	}
}
