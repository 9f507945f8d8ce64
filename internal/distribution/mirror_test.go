package distribution_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/store"
)

// mirror copies a distribution from a place into a folder.
func (p *publisher) mirror(from, dir string, change ...func(*distribution.MirrorConfig)) *distribution.Mirror {
	key, err := distribution.ParsePublicKey(filepath.Join(p.keys, "key.pub"))
	must(p.t, err)
	config := distribution.MirrorConfig{From: from, Dir: dir, Key: key, Now: func() time.Time { return p.now }}
	for _, set := range change {
		set(&config)
	}
	if p.mirroring != nil {
		p.mirroring.Close() // the process ended
	}
	m := distribution.NewMirror(config)
	p.mirroring = m
	if t, ok := p.t.(interface{ Cleanup(func()) }); ok {
		t.Cleanup(m.Close)
	}
	return m
}

// named returns the files of a distribution that its pointer names, and the pointer itself.
func named(files map[string][]byte) map[string][]byte {
	e := new(distribution.Entry)
	if json.Unmarshal(files["entry.json"], e) != nil {
		return nil
	}
	all := map[string][]byte{}
	for path, data := range files {
		if distribution.Files(e)[path] || strings.HasPrefix(path, "entry.json") || path == distribution.SignaturePath(files["entry.json"]) {
			all[path] = data
		}
	}
	return all
}

// copied returns the content of a mirror.
func (p *publisher) copied(dir string) map[string][]byte {
	other := *p
	other.dir = dir
	files := other.files()
	delete(files, ".mirror.json")
	delete(files, ".lock")
	return files
}

func (p *publisher) wantMirror(dir string) {
	p.t.Helper()
	want, got := named(p.files()), named(p.copied(dir))
	if len(want) < 4 || !maps.EqualFunc(want, got, bytes.Equal) {
		p.t.Fatalf("the mirror has %q, want the same bytes of %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

func TestMirror(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a", "b"))
	s := serve(t, p.files())
	dir := filepath.Join(t.TempDir(), "mirror")
	m := p.mirror(s.URL+"/bulk", dir)
	first, err := m.Copy(t.Context())
	must(t, err)
	p.wantMirror(dir)
	if !first.Replaced || first.Files < 2 || first.Bytes == 0 || first.Entry.Revision.Number != 1 {
		t.Errorf("first copy %+v", first)
	}

	again, err := m.Copy(t.Context())
	must(t, err)
	if again.Replaced || again.Files != 0 || s.asked["entry.json"] != 1 || s.asked["entry.json 304"] != 1 {
		t.Errorf("second copy %+v with requests %v", again, s.asked)
	}

	before := p.files()
	p.publish(chains("a", "b", "c"))
	s.files = p.files()
	clear(s.asked)
	m = p.mirror(s.URL+"/bulk", dir) // a later process
	second, err := m.Copy(t.Context())
	must(t, err)
	p.wantMirror(dir)
	for path := range s.asked {
		if _, old := before[path]; old && path != "entry.json" {
			t.Errorf("%s is requested again", path)
		}
	}
	if !second.Replaced || second.Files == 0 {
		t.Errorf("copy of the second revision %+v", second)
	}

	clear(s.asked)
	m = p.mirror(s.URL+"/bulk", dir)
	if again, err := m.Copy(t.Context()); err != nil || again.Replaced || len(s.asked) != 1 || s.asked["entry.json 304"] != 1 {
		t.Errorf("copy of an unchanged distribution by a later process: %+v, %v, requests %v", again, err, s.asked)
	}

	r := p.reader(func(c *distribution.ReaderConfig) { c.From = dir })
	r.want(p)
}

// TestMirrorOfFolder checks an unsigned distribution, and that a signature that is gone is removed.
func TestMirrorOfFolder(t *testing.T) {
	p := newPublisher(t)
	dir := t.TempDir()
	p.publish(chains("a"))
	m := p.mirror(p.dir, dir, func(c *distribution.MirrorConfig) { c.Key = nil })
	_, err := m.Copy(t.Context())
	must(t, err)
	p.wantMirror(dir) // with the signature, for readers that verify it
	must(t, os.Remove(p.signature()))
	p.unsigned()
	p.publish(chains("b"))
	_, err = m.Copy(t.Context())
	must(t, err)
	if _, err := os.Stat(filepath.Join(dir, "entry.json.minisig")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the mirror of an unsigned distribution has a signature of another pointer (%v)", err)
	}
	p.wantUnsigned(dir)
}

func (p *publisher) wantUnsigned(dir string) {
	r := p.reader(unverified, func(c *distribution.ReaderConfig) { c.From = dir })
	r.want(p)
}

// TestMirrorFaults damages the second revision. The mirror keeps the first one complete, and copies
// the second once it is intact.
func TestMirrorFaults(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	first := p.files()
	p.publish(chains("a", "b"))
	second := p.files()
	pointer := second["entry.json"]
	data := pathOf(t, second, first, "files/chains-")
	delta := pathOf(t, second, first, "files/delta-")
	signature := distribution.SignaturePath(pointer)
	other := newPublisher(t)
	other.keys = p.keys
	other.restart()
	other.publish(chains("z"))

	for name, tt := range map[string]struct {
		damage func(s *server)
		want   string
		is     error
	}{
		"a torn file":          {func(s *server) { s.files[data] = half(s.files[data]) }, "has other bytes than entry.json declares", nil},
		"other bytes":          {func(s *server) { s.files[delta] = flip(s.files[delta]) }, "has other bytes than entry.json declares", nil},
		"a missing file":       {func(s *server) { delete(s.files, data) }, "is missing, although entry.json names it", nil},
		"an endless file":      {func(s *server) { s.answer = endless(data) }, "too large", nil},
		"an endless pointer":   {func(s *server) { s.answer = endless("entry.json") }, "too large", nil},
		"an endless signature": {func(s *server) { s.answer = endless(signature) }, "too large", nil},
		"a torn pointer":       {func(s *server) { s.files["entry.json"] = half(pointer) }, "is not JSON", nil},
		"no pointer":           {func(s *server) { delete(s.files, "entry.json") }, "404", fs.ErrNotExist},
		"no signature":         {func(s *server) { delete(s.files, signature) }, "there is no files/entry-", distribution.ErrUnsigned},
		"a wrong signature": {func(s *server) {
			s.files[signature] = s.files[distribution.SignaturePath(first["entry.json"])]
		}, "the signature does not match", distribution.ErrUnsigned},
		"another pointer with the old signature": {func(s *server) {
			s.files["entry.json"] = edited(t, pointer, func(e *distribution.Entry) { e.Revision.Number = 9 })
		}, "signature", distribution.ErrUnsigned},
		"another catalogue": {func(s *server) { s.files = other.files() }, "it is of catalogue", distribution.ErrReplayed},
		"a place that fails": {func(s *server) {
			s.answer = func(w http.ResponseWriter, _ string) bool { w.WriteHeader(http.StatusBadGateway); return true }
		}, "502", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, maps.Clone(first))
			dir := t.TempDir()
			m := p.mirror(s.URL+"/bulk", dir)
			_, err := m.Copy(t.Context())
			must(t, err)
			kept := p.copied(dir)

			s.files = maps.Clone(second)
			tt.damage(s)
			if _, err = m.Copy(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Fatalf("error %v, want %q", err, tt.want)
			}
			if got := p.copied(dir); !maps.EqualFunc(named(kept), named(got), bytes.Equal) {
				t.Error("the mirror is not what it was")
			}

			s.answer, s.files = nil, second
			_, err = m.Copy(t.Context())
			must(t, err)
			p.wantMirror(dir)

			s.files = first
			if _, err := p.mirror(s.URL+"/bulk", dir).Copy(t.Context()); !errors.Is(err, distribution.ErrReplayed) {
				t.Errorf("a later process gets error %v for an older pointer", err)
			}
			p.wantMirror(dir)
		})
	}
}

func TestMirrorStops(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	s := serve(t, p.files())
	ctx, cancel := context.WithCancel(t.Context())
	s.answer = func(_ http.ResponseWriter, path string) bool {
		if strings.HasPrefix(path, "files/entry-") { // the first request after that for the pointer
			cancel()
		}
		return false
	}
	dir := t.TempDir()
	if _, err := p.mirror(s.URL+"/bulk", dir).Copy(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "entry.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a copy that was stopped has a pointer (%v)", err)
	}
}

// TestMirrorRepairs checks that a copy repairs damaged files, also if the pointer is unchanged.
func TestMirrorRepairs(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	dir := t.TempDir()
	_, err := p.mirror(p.dir, dir).Copy(t.Context())
	must(t, err)
	for path, data := range p.copied(dir) {
		if path != "entry.json" {
			must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(path)), flip(data), 0o644))
		}
	}
	copied, err := p.mirror(p.dir, dir).Copy(t.Context())
	must(t, err)
	if copied.Replaced || copied.Files == 0 {
		t.Errorf("repair %+v", copied)
	}
	p.wantMirror(dir)
	must(t, os.WriteFile(filepath.Join(dir, "entry.json"), []byte("{"), 0o644))
	if _, err := p.mirror(p.dir, dir).Copy(t.Context()); err == nil || !strings.Contains(err.Error(), "remove "+filepath.Join(dir, "entry.json")) {
		t.Errorf("a damaged pointer of the mirror: %v", err)
	}
}

func TestMirrorRemovesOldFiles(t *testing.T) {
	p := newPublisher(t)
	dir := t.TempDir()
	m := p.mirror(p.dir, dir)
	copyNext := func(wait time.Duration, c ...string) {
		t.Helper()
		p.now = p.now.Add(wait)
		p.publish(chains(c...))
		_, err := m.Copy(t.Context())
		must(t, err)
	}
	copyNext(0, "a")
	first := p.files()
	copyNext(48*time.Hour, "b")
	old := ""
	for path := range first {
		if strings.HasPrefix(path, "files/chains-") {
			old = path
		}
	}
	copyNext(24*time.Hour, "c")
	if _, ok := p.copied(dir)[old]; !ok {
		t.Error("a file was removed a day after its last pointer")
	}
	copyNext(2*time.Hour, "d")
	if _, ok := p.copied(dir)[old]; ok {
		t.Error("a file stays more than a day after its last pointer")
	}

	// A purge that the mirror missed removes at once.
	p.publish(chains("e"))
	p.head.Revision.Op = store.OpPurge
	p.past[len(p.past)-1] = p.head.Revision
	p.head.Revision.Number++
	p.past = append(p.past, p.head.Revision)
	p.write()
	copyNext(0, "f")
	if got, want := p.copied(dir), named(p.copied(dir)); len(got) != len(want) {
		t.Errorf("after a purge the mirror has %q, want only %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

func TestMirrorOfExpired(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	p.now = p.now.Add(2 * time.Hour)
	dir := t.TempDir()
	copied, err := p.mirror(p.dir, dir).Copy(t.Context())
	if !errors.Is(err, distribution.ErrExpired) || !copied.Replaced {
		t.Errorf("copy of an expired distribution %+v, %v", copied, err)
	}
	p.wantMirror(dir)
}

// TestMirrorCopiesUnknownMembers checks that files of members of a later version are copied.
func TestMirrorCopiesUnknownMembers(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	files, original := p.files(), p.files()["entry.json"]
	table := []byte("slug\na\n")
	at := "files/chains-" + distribution.HexSum(table) + ".csv"
	pointer := func(member string) []byte {
		return bytes.Replace(original, []byte("{"), []byte(`{"later":[{"`+member+`":{"path":"`+at+`","size":7,"sha256":"`+distribution.HexSum(table)+`"}}],`), 1)
	}
	s := serve(t, files)
	files[at] = table
	files["entry.json"] = pointer("csv")
	dir := t.TempDir()
	m := p.mirror(s.URL+"/bulk", dir, func(c *distribution.MirrorConfig) { c.Key = nil })
	_, err := m.Copy(t.Context())
	must(t, err)
	if got := p.copied(dir)[at]; !bytes.Equal(got, table) {
		t.Errorf("the file of an unknown member is %q", got)
	}
	at = "files/../../evil"
	files["entry.json"] = pointer("csv")
	if _, err := m.Copy(t.Context()); err == nil || !strings.Contains(err.Error(), "is not the path of a file") {
		t.Errorf("a path outside of the folder: %v", err)
	}
}

// TestOneMirror checks that a folder has one mirror at a time.
func TestOneMirror(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	dir := t.TempDir()
	m := p.mirror(p.dir, dir)
	_, err := m.Copy(t.Context())
	must(t, err)
	p.mirroring = nil
	other := p.mirror(p.dir, dir)
	if _, err := other.Copy(t.Context()); !errors.Is(err, distribution.ErrLocked) {
		t.Errorf("a second mirror: %v", err)
	}
	m.Close()
	if _, err := other.Copy(t.Context()); err != nil {
		t.Error(err)
	}
}
