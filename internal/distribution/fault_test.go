package distribution_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/domain"
	"vitrine/internal/logtest"
)

// files returns the content of all files of the distribution by path.
func (p *publisher) files() map[string][]byte {
	all := map[string][]byte{}
	must(p.t, filepath.WalkDir(p.dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		path, err := filepath.Rel(p.dir, name)
		must(p.t, err)
		all[filepath.ToSlash(path)], err = os.ReadFile(name)
		return err
	}))
	return all
}

// server serves files of a distribution, which a test may change.
type server struct {
	*httptest.Server
	files map[string][]byte
	// answer replaces the response for a path; it reports whether it did.
	answer func(w http.ResponseWriter, path string) bool
	asked  map[string]int // requests by path and status
	sent   int            // bytes
}

func serve(t testing.TB, files map[string][]byte) *server {
	s := &server{files: files, asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/bulk/")
		if s.answer != nil && s.answer(w, path) {
			return
		}
		data, ok := s.files[path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", `"`+distribution.HexSum(data)+`"`)
		if r.Header.Get("If-None-Match") == w.Header().Get("ETag") {
			s.asked[path+" 304"]++
			w.WriteHeader(http.StatusNotModified)
			return
		}
		s.asked[path]++
		s.sent += len(data)
		w.Write(data)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) from(c *distribution.ReaderConfig) { c.From = s.URL + "/bulk" }

func unverified(c *distribution.ReaderConfig) { c.Key = nil }

// pathOf returns the only path with a prefix in one set of files and not in another.
func pathOf(t testing.TB, files, without map[string][]byte, prefix string) string {
	t.Helper()
	for path := range files {
		if _, old := without[path]; !old && strings.HasPrefix(path, prefix) {
			return path
		}
	}
	t.Fatalf("no new file %s", prefix)
	return ""
}

// edited returns a pointer with other values.
func edited(t testing.TB, pointer []byte, edit func(e *distribution.Entry)) []byte {
	e := new(distribution.Entry)
	must(t, json.Unmarshal(pointer, e))
	edit(e)
	data, err := json.Marshal(e)
	must(t, err)
	return data
}

// TestFaults damages the second revision in transit. The reader keeps the first one, reports the
// fault, and reads the second once it is intact.
func TestFaults(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a", "b"))
	first, firstPointer := p.files(), ""
	firstPointer = string(first["entry.json"])
	before := p.head
	p.publish(chains("a", "c", "d"))
	second := p.files()
	newFile := func(prefix string) string { return pathOf(t, second, first, prefix) }
	signature, part, delta := newFile("files/entry-"), newFile("files/chains-"), newFile("files/delta-")
	newKey(t, p.keys, "other")
	other, err := distribution.ReadSigningKey(filepath.Join(p.keys, "other"))
	must(t, err)

	noDelta := func(files map[string][]byte) { delete(files, delta) }
	tests := map[string]struct {
		damage func(files map[string][]byte)
		answer func(w http.ResponseWriter, path string) bool
		change func(*distribution.ReaderConfig)
		want   string // "" if the reader reads the second revision all the same
	}{
		"nothing":          {damage: func(map[string][]byte) {}},
		"a pointer alone":  {damage: func(f map[string][]byte) { delete(f, signature) }, want: "its signature is missing or wrong: there is no files/entry-"},
		"a changed bit":    {damage: func(f map[string][]byte) { f["entry.json"] = flip(f["entry.json"]) }, want: "its signature is missing or wrong"},
		"a half pointer":   {damage: func(f map[string][]byte) { f["entry.json"] = half(f["entry.json"]) }, want: "its signature is missing or wrong"},
		"an empty pointer": {damage: func(f map[string][]byte) { f["entry.json"] = nil }, want: "its signature is missing or wrong"},
		"an error page":    {damage: func(f map[string][]byte) { f["entry.json"] = []byte("<html>") }, change: unverified, want: "entry.json is not JSON"},
		"no pointer":       {damage: func(f map[string][]byte) { delete(f, "entry.json") }, want: "entry.json: file does not exist"},
		"a wrong key": {damage: func(f map[string][]byte) {
			f[signature] = distribution.Sign(other, f["entry.json"])
		}, want: "it is signed by key "},
		"a signature of other bytes": {damage: func(f map[string][]byte) {
			f["entry.json"] = append(f["entry.json"], ' ')
			f[distribution.SignaturePath(f["entry.json"])] = f[signature]
		}, want: "the signature does not match"},
		"a malformed signature": {damage: func(f map[string][]byte) { f[signature] = []byte("x") }, want: "the signature is malformed"},
		"a later format": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) { e.Format = 2 })
		}, change: unverified, want: "format 2; this version reads format 1"},
		"another catalogue": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) { e.Catalogue = "other" })
		}, change: unverified, want: "it is of catalogue other"},
		"a path outside": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) { e.Kinds[0].Files[0].Path = "files/../../secret" })
		}, change: unverified, want: "is not the path of a file"},
		"another digest": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) { e.Digest = strings.Repeat("0", 64); e.Deltas = nil })
		}, change: unverified, want: "its digest is not that of its kinds"},
		"a negative size": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) { e.Kinds[0].Files[0].ContentSize = -1 })
		}, change: unverified, want: "impossible size"},
		"a file that is named twice": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) {
				k := &e.Kinds[slices.IndexFunc(e.Kinds, func(k distribution.Kind) bool { return k.Kind == "chains" })]
				k.Files = append(k.Files, k.Files[0])
				e.Deltas = nil
			})
		}, change: unverified, want: "is named twice"},
		"content that is named twice": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) {
				k := &e.Kinds[slices.IndexFunc(e.Kinds, func(k distribution.Kind) bool { return k.Kind == "chains" })]
				again := k.Files[0]
				again.Path = "files/again"
				f[again.Path] = f[k.Files[0].Path]
				k.Files, e.Deltas = append(k.Files, again), nil
			})
		}, change: unverified, want: "has the content of another file"},
		"a block of changes that is named twice": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) {
				e.Changes = []distribution.File{e.Kinds[0].Files[0], e.Kinds[0].Files[0]}
			})
		}, change: unverified, want: "is named twice"},
		"another number of records": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) { e.Kinds[0].Records, e.Deltas = 1<<60, nil })
		}, change: unverified, want: "have other lines than entry.json declares"},

		"no delta":        {damage: noDelta},
		"a half delta":    {damage: func(f map[string][]byte) { f[delta] = half(f[delta]) }},
		"a changed delta": {damage: func(f map[string][]byte) { f[delta] = flip(f[delta]) }},
		"a delta to another revision": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) { e.Deltas[0].Lines, e.Deltas[0].File = 0, nil })
		}, change: unverified},
		"no delta and a half part":    {damage: func(f map[string][]byte) { noDelta(f); f[part] = half(f[part]) }, want: "is damaged: it has other bytes"},
		"no delta and a changed part": {damage: func(f map[string][]byte) { noDelta(f); f[part] = flip(f[part]) }, want: "is damaged: it has other bytes"},
		"no delta and no part":        {damage: func(f map[string][]byte) { noDelta(f); delete(f, part) }, want: "is missing, although entry.json names it"},

		"an endless pointer":   {answer: endless("entry.json"), want: "the document is too large: more than 1048576 bytes"},
		"an endless signature": {answer: endless(signature), want: "the document is too large: more than 4096 bytes"},
		"endless files":        {answer: endless(delta, part), want: "the document is too large"},
		"a compressed endless pointer": {answer: func(w http.ResponseWriter, path string) bool {
			w.Header().Set("Content-Encoding", "gzip")
			bomb := gzip.NewWriter(w)
			for range 256 {
				bomb.Write(make([]byte, 1<<20))
			}
			return bomb.Close() == nil
		}, want: "the document is too large: more than 1048576 bytes"},
		"a redirect to a file": {answer: func(w http.ResponseWriter, _ string) bool {
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
			return true
		}, want: "the redirect is refused: it leads to file"},
		"a redirect loop": {answer: func(w http.ResponseWriter, path string) bool {
			w.Header().Set("Location", "/bulk/"+path)
			w.WriteHeader(http.StatusFound)
			return true
		}, want: "the redirect is refused: more than 5"},
		"a part of the pointer": {answer: func(w http.ResponseWriter, _ string) bool {
			w.Header().Set("Content-Range", "bytes 0-0/9")
			w.WriteHeader(http.StatusPartialContent)
			return true
		}, want: "answers 206 Partial Content"},
		"a page of a proxy": {answer: func(w http.ResponseWriter, _ string) bool {
			w.WriteHeader(http.StatusNonAuthoritativeInfo)
			return true
		}, want: "answers 203 Non-Authoritative Information"},
		"an unchanged signature": {answer: func(w http.ResponseWriter, path string) bool { // for a request without a condition
			if path == signature {
				w.WriteHeader(http.StatusNotModified)
			}
			return path == signature
		}, want: "answers 304 Not Modified"},
		"endless headers": {answer: func(w http.ResponseWriter, _ string) bool {
			return forever(w, "HTTP/1.1 200 OK\r\n", "X-Header: "+strings.Repeat("a", 1000)+"\r\n")
		}, want: "server response headers exceeded 65536 bytes"},
		"endless informational responses": {answer: func(w http.ResponseWriter, _ string) bool {
			return forever(w, "", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
		}, want: "server response headers exceeded 65536 bytes"},
		"a chunk of 2^64 bytes": {answer: func(w http.ResponseWriter, _ string) bool {
			return forever(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "ffffffffffffffff\r\n{")
		}, want: "the document is too large"},
		"two lines of a record": {damage: func(f map[string][]byte) {
			f["entry.json"] = edited(t, f["entry.json"], func(e *distribution.Entry) {
				line := []byte(`{"kind":"chains","key":"a","record":{"slug":"a"}}` + "\n")
				twice, packed, err := distribution.Pack("chains", bytes.Repeat(line, 2))
				must(t, err)
				f[twice.Path] = packed
				k := &e.Kinds[slices.IndexFunc(e.Kinds, func(k distribution.Kind) bool { return k.Kind == "chains" })]
				k.Files, e.Deltas = []distribution.File{twice}, nil
			})
		}, change: unverified, want: "has two lines"},
		"a server error": {answer: func(w http.ResponseWriter, _ string) bool {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}, want: "answers 502 Bad Gateway"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, maps.Clone(first))
			r := p.reader(s.from, func(c *distribution.ReaderConfig) {
				if tt.change != nil {
					tt.change(c)
				}
			})
			must(t, r.look())
			s.files, s.answer = maps.Clone(second), tt.answer
			if tt.damage != nil {
				tt.damage(s.files)
			}
			err := r.look()
			if tt.want == "" {
				must(t, err)
				r.want(p)
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want one with %q", err, tt.want)
			}
			if r.state.Revision.Number != before.Revision.Number {
				t.Fatalf("revision %d is served", r.state.Revision.Number)
			}
			s.files, s.answer = second, nil
			r.want(p)
		})
	}
	if string(first["entry.json"]) != firstPointer {
		t.Error("the test changed a file that it compares")
	}
}

func flip(data []byte) []byte {
	changed := append([]byte(nil), data...)
	changed[len(changed)/2] ^= 1
	return changed
}

func half(data []byte) []byte { return append([]byte(nil), data[:len(data)/2]...) }

// endless answers paths with bytes without an end.
func endless(paths ...string) func(http.ResponseWriter, string) bool {
	return func(w http.ResponseWriter, path string) bool {
		for _, p := range paths {
			for p == path {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return true
				}
			}
		}
		return false
	}
}

// forever writes the beginning of a response, and the rest until the client closes the connection.
func forever(w http.ResponseWriter, beginning, rest string) bool {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer connection.Close()
	_, err = io.WriteString(connection, beginning)
	for err == nil {
		_, err = io.WriteString(connection, rest)
	}
	return true
}

// TestReplay offers earlier pointers, correctly signed, to a reader and to a restarted one.
func TestReplay(t *testing.T) {
	p := newPublisher(t)
	pin := func(c *distribution.ReaderConfig) { c.Pin = filepath.Join(p.keys, "pin") }
	p.publish(chains("a"))
	first := p.files()
	p.publish(chains("b"))
	second := p.files()
	p.past = nil // a restore: the next publish begins an epoch
	p.head.Revision.Number = 0
	s := serve(t, second)
	r := p.reader(s.from, pin)
	r.want2(2)
	refused := func(r *reader, files map[string][]byte, want string) {
		t.Helper()
		s.files = files
		if err := r.look(); !errors.Is(err, distribution.ErrReplayed) || !strings.Contains(err.Error(), want) {
			t.Fatalf("error %v, want one with %q", err, want)
		}
	}
	refused(r, first, "revision 1 of epoch")
	refused(p.reader(s.from, pin), first, "revision 1 of epoch")
	p.publish(chains("c"))
	third := p.files()
	s.files = third
	r.want(p)
	refused(r, second, "revision 2 of epoch")
	refused(p.reader(s.from, pin), second, "revision 2 of epoch")
	s.files = third
	must(t, p.reader(s.from, pin).look())

	p.now = p.now.Add(time.Minute)
	p.write()
	renewed := p.files()
	s.files = renewed
	must(t, r.look())
	refused(r, third, "an older time")
}

// want2 fails unless a revision is served after a look.
func (r *reader) want2(number int64) {
	r.t.Helper()
	must(r.t, r.look())
	if r.state.Revision.Number != number {
		r.t.Fatalf("revision %d, want %d", r.state.Revision.Number, number)
	}
}

func TestExpiry(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	r := p.reader()
	r.want(p)
	p.now = p.now.Add(2 * time.Hour)
	expired := func(r *reader) {
		t.Helper()
		if err := r.look(); !errors.Is(err, distribution.ErrExpired) {
			t.Fatalf("error %v, want ErrExpired", err)
		}
	}
	expired(r)
	late := p.reader()
	late.want(p) // what is there is better than nothing
	expired(late)
	p.write()
	r.want(p)
	late.want(p)

	p.now = p.now.Add(2 * time.Hour)
	resumed := p.reader()
	resumed.state = late.state // from a last good file
	must(t, resumed.look())
	expired(resumed)
}

// TestClockOfPublisher checks that readers accept a revision that is written again after the clock of
// the publisher was set back, and that the next revision has the right time.
func TestClockOfPublisher(t *testing.T) {
	p := newPublisher(t)
	right := p.now
	p.now = right.Add(48 * time.Hour)
	p.publish(chains("a"))
	r := p.reader()
	r.want(p)
	p.now = right
	p.restart()
	p.write()
	must(t, r.look())
	r.want(p)
	if written := p.publish(chains("a", "b")); written.Entry.IssuedAt.After(right.Add(time.Hour)) {
		t.Errorf("the next revision was issued at %s, two days late", written.Entry.IssuedAt)
	}
	must(t, r.look())
	r.want(p)
}

// TestConditionalRequests checks that an unchanged distribution costs one small response per look.
func TestConditionalRequests(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a", "b"))
	s := serve(t, p.files())
	r := p.reader(s.from)
	r.want(p)
	s.asked = map[string]int{}
	for range 5 {
		r.want(p)
	}
	if len(s.asked) != 1 || s.asked["entry.json 304"] != 5 {
		t.Errorf("requests %v, want 5 for an unchanged pointer", s.asked)
	}
	p.publish(chains("a", "c"))
	s.files = p.files()
	s.asked = map[string]int{}
	r.want(p)
	if len(s.asked) != 3 || r.deltas != 1 {
		t.Errorf("requests %v, want pointer, signature and delta", s.asked)
	}
}

// TestSlowServer checks that a look ends with its context.
func TestSlowServer(t *testing.T) {
	p := newPublisher(t)
	p.publish(chains("a"))
	s := serve(t, p.files())
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	s.answer = func(http.ResponseWriter, string) bool { <-stop; return true }
	r := p.reader(s.from)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := r.Head(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestDecompressionIsBounded decompresses a small file with much content.
func TestDecompressionIsBounded(t *testing.T) {
	f, packed, err := distribution.Pack("chains", make([]byte, 32<<20))
	must(t, err)
	f.ContentSize = 1000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = distribution.Unpack(f, packed)
	runtime.ReadMemStats(&after)
	if err == nil {
		t.Error("content beyond the declared size was accepted")
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 16<<20 {
		t.Errorf("%d bytes were allocated for a declared size of 1000", allocated)
	}
}

// TestLinesAreBounded reads files with more lines than the pointer declares.
func TestLinesAreBounded(t *testing.T) {
	for name, change := range map[string]func(e *distribution.Entry, f distribution.File){
		"full set": func(e *distribution.Entry, f distribution.File) {
			k := &e.Kinds[slices.IndexFunc(e.Kinds, func(k distribution.Kind) bool { return k.Kind == "chains" })]
			k.Files, e.Deltas = []distribution.File{f}, nil
		},
		"delta": func(e *distribution.Entry, f distribution.File) { e.Deltas[0].File = &f },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPublisher(t)
			p.publish(chains("a"))
			s := serve(t, p.files())
			r := p.reader(s.from, unverified)
			must(t, r.look())
			p.publish(chains("b"))
			f, packed, err := distribution.Pack("chains", bytes.Repeat([]byte("\n"), 32<<20))
			must(t, err)
			s.files = p.files()
			s.files[f.Path] = packed
			s.files["entry.json"] = edited(t, s.files["entry.json"], func(e *distribution.Entry) { change(e, f) })
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err = r.look()
			runtime.ReadMemStats(&after)
			if log := r.log.Take(); name == "delta" {
				must(t, err) // the full set is intact
				if len(log) != 1 || !strings.Contains(log[0], "has more lines than entry.json declares") {
					t.Errorf("logged %q", log)
				}
			} else if err == nil || !strings.Contains(err.Error(), "has more lines than entry.json declares") {
				t.Errorf("error %v", err)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 100<<20 {
				t.Errorf("%d bytes were allocated for a file of 32 MiB", allocated)
			}
		})
	}
}

// lockedKey is a secret key with the password "password".
const lockedKey = "untrusted comment: minisign encrypted secret key\n" +
	"RWRTY0Iy2FYWxLrG146enwYbHXf/O7+ubP0Vdlmw6LKrrfyDLggAAAACAAAAAAAAAEAAAAAAsvThA47ggMmqlwdyRIY+6csgrcJF5d4gk4fPVP+u7ROh9vbMOM2oB/NQSJJHI5/jixj6Z+FOX/WUZWM1rv2EXHKS6JwbTSsnae9n3CUuh4oR06Sh+L/G5Po0+pOlHlZrLd9EB+PzEEM=\n"

func TestKeys(t *testing.T) {
	dir := t.TempDir()
	newKey(t, dir, "key")
	public, err := os.ReadFile(filepath.Join(dir, "key.pub"))
	must(t, err)
	bare := strings.Fields(string(public))
	for _, text := range []string{filepath.Join(dir, "key.pub"), bare[len(bare)-1]} {
		if _, err := distribution.ParsePublicKey(text); err != nil {
			t.Errorf("public key %q: %v", text, err)
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, "locked"), []byte(lockedKey), 0o600))
	for file, want := range map[string]string{"locked": "has a password", "key.pub": "is not a secret key", "none": "read the signing key"} {
		if _, err := distribution.ReadSigningKey(filepath.Join(dir, file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", file, err, want)
		}
	}
	if _, err := distribution.ParsePublicKey(filepath.Join(dir, "key")); err == nil {
		t.Error("a secret key was taken for a public one")
	}
}

// FuzzEntry checks that no pointer of an unsigned distribution makes a reader fail otherwise than by
// an error.
func FuzzEntry(f *testing.F) {
	p := newPublisher(f)
	p.publish(chains("a"))
	p.publish(&domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}})
	files := p.files()
	f.Add(files["entry.json"])
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte(`{"format":1,"kinds":[{"files":[{}]}],"deltas":[{}]}`))
	f.Fuzz(func(t *testing.T, pointer []byte) {
		must(t, os.WriteFile(filepath.Join(p.dir, "entry.json"), pointer, 0o600))
		r := distribution.NewReader(distribution.ReaderConfig{From: p.dir, Log: new(logtest.Lines).Logger(), Now: time.Now})
		if _, err := r.Head(t.Context()); err == nil {
			_, _ = r.Load(t.Context(), 0)
		}
	})
}
