package response

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// unpack decodes a body within the limits of clients.
func unpack(t testing.TB, e encoding, packed []byte) []byte {
	t.Helper()
	var r io.Reader = bytes.NewReader(packed)
	switch e {
	case gzipped:
		unzipped, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		r = unzipped
	case brotlied:
		r = brotli.NewReader(r)
	case zstandard:
		decoder, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(8<<20)) // RFC 9659
		if err != nil {
			t.Fatal(err)
		}
		defer decoder.Close()
		r = decoder
	}
	return read(t, r)
}

func allEncodings() []encoding { return []encoding{identity, gzipped, brotlied, zstandard} }

// rows returns deterministic JSON of about the given size.
func rows(size int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	var w bytes.Buffer
	w.WriteString(`{"rows":[`)
	for w.Len() < size {
		fmt.Fprintf(&w, `{"slug":"row-%d","value":%d,"text":"以太坊 %x"},`, random.IntN(1000), random.Int64(), random.Uint32())
	}
	w.WriteString(`null]}`)
	return w.Bytes()
}

func TestEveryFormIsTheDocument(t *testing.T) {
	p := NewPacker()
	random := make([]byte, 100_000) // compressing makes it larger
	for i := range random {
		random[i] = byte(rand.Uint32())
	}
	documents := map[string][]byte{
		"small": []byte(`{}`), "one byte": []byte(`1`), "careful": rows(10_000, 1), "at the bound": rows(maxBest, 2)[:maxBest],
		"patient": rows(maxBest+1, 3), "large": rows(maxBalanced+1, 4),
		"larger than windows": bytes.Repeat([]byte("abc"), 3<<20), "random": random,
	}
	for name, plain := range documents {
		for _, effort := range []Effort{Often, Once} {
			b := p.Body(plain, effort)
			weight := b.Weight()
			for _, e := range allEncodings() {
				f := b.packed(e, true)
				if !bytes.Equal(unpack(t, e, f.content), plain) {
					t.Errorf("%s, effort %d: %v differs from the document", name, effort, e)
				}
				if f.length[0] != strconv.Itoa(len(f.content)) {
					t.Errorf("%s: length %s of %d bytes", name, f.length[0], len(f.content))
				}
				if e != identity {
					weight += len(f.content)
				}
			}
			if b.Weight() != weight {
				t.Errorf("%s weighs %d, its bytes are %d", name, b.Weight(), weight)
			}
			if len(plain) > maxBalanced {
				continue // slow
			}
			again := NewPacker().Body(plain, effort)
			for _, e := range allEncodings() {
				if again.forms[e].tag != b.forms[e].tag || !bytes.Equal(again.packed(e, true).content, b.packed(e, true).content) {
					t.Errorf("%s: two replicas differ in %v", name, e)
				}
			}
		}
	}
}

func FuzzForms(f *testing.F) {
	p := NewPacker()
	f.Add([]byte(`{"chains":[]}`), uint8(1), false)
	f.Add([]byte(`{"chains":[]}`), uint8(70), true)
	f.Fuzz(func(t *testing.T, piece []byte, times uint8, once bool) {
		plain := bytes.Repeat(piece, int(times))
		effort := Often
		if once {
			effort = Once
		}
		b := p.Body(plain, effort)
		for _, e := range allEncodings() {
			if !bytes.Equal(unpack(t, e, b.packed(e, true).content), plain) {
				t.Errorf("%v differs from the document", e)
			}
		}
	})
}

// TestFormsAreMadeOnce requests all forms of some bodies from more goroutines than there are
// encoders.
func TestFormsAreMadeOnce(t *testing.T) {
	p := NewPacker()
	bodies := []*Body{p.Body(rows(20_000, 1), Often), p.Body(rows(80_000, 2), Often), p.Body(rows(20_000, 1), Once)}
	firsts := make([][encodings]*byte, 16)
	var wait sync.WaitGroup
	for g := range firsts {
		wait.Go(func() {
			for _, b := range bodies {
				for _, e := range allEncodings() {
					firsts[g][e] = &b.packed(e, true).content[0]
				}
			}
		})
	}
	wait.Wait()
	for g := range firsts {
		if firsts[g] != firsts[0] {
			t.Fatal("a form was compressed twice")
		}
	}
}

func TestPackMakesRequestedForms(t *testing.T) {
	p := NewPacker()
	old, next := p.Body(rows(5000, 1), Often), p.Body(rows(5000, 2), Often)
	accept := httptest.NewRequest("GET", "/", nil)
	accept.Header.Set("Accept-Encoding", "zstd")
	if _, err := Select(accept, old); err != nil {
		t.Fatal(err)
	}
	old.packed(gzipped, true) // compressed, but not requested
	next.Pack(old)
	for e, want := range map[encoding]bool{gzipped: false, brotlied: false, zstandard: true} {
		if got := next.forms[e].content != nil; got != want {
			t.Errorf("%v is there: %v, want %v", e, got, want)
		}
	}
	third := p.Body(rows(5000, 3), Often)
	third.Pack(next)
	if third.forms[zstandard].content == nil {
		t.Error("requested encodings are lost after a body without requests")
	}
}

func TestIDs(t *testing.T) {
	p := NewPacker()
	a, same := p.Body([]byte(`{"a":1}`), Often), p.Body([]byte(`{"a":1}`), Often)
	if a.ID() != same.ID() {
		t.Error("the same bytes have two ids")
	}
	if a.ID() == p.Body([]byte(`{"a":2}`), Often).ID() || a.ID() == p.Body([]byte(`{"a":1}`), Once).ID() {
		t.Error("different bodies have the same id")
	}
}

func send(t *testing.T, method string, body *Body, header http.Header) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, "/", nil)
	r.Header = header
	selection, err := Select(r, body)
	if err != nil {
		Fail(w, r, err)
		return w.Result()
	}
	selection.Send(w, r, Fields{ContentLanguage: []string{"zh-hans"}, TotalCount: []string{"7"}})
	return w.Result()
}

func TestSend(t *testing.T) {
	plainText := []byte(`{"text":"` + strings.Repeat("long ", 1000) + `"}`)
	body := NewPacker().Body(plainText, Often)
	tags := map[string]bool{}
	for _, e := range allEncodings() {
		t.Run(e.String(), func(t *testing.T) {
			header := func() http.Header { return http.Header{"Accept-Encoding": {e.String()}} }
			got, head := send(t, "GET", body, header()), send(t, "HEAD", body, header())
			if !bytes.Equal(unpack(t, e, read(t, got.Body)), plainText) {
				t.Error("the body is not the document")
			}
			if diff := cmp.Diff(got.Header, head.Header); diff != "" {
				t.Errorf("headers of GET and HEAD (-GET +HEAD)\n%s", diff)
			}
			if len(read(t, head.Body)) > 0 {
				t.Error("HEAD has a body")
			}
			tag := got.Header.Get("ETag")
			if tags[tag] {
				t.Error("two encodings share one strong entity tag")
			}
			tags[tag] = true

			conditional := header()
			conditional.Set("If-None-Match", tag)
			again := send(t, "GET", body, conditional)
			if again.StatusCode != http.StatusNotModified || len(read(t, again.Body)) > 0 {
				t.Errorf("status %d, want 304 without a body", again.StatusCode)
			}
			for _, name := range []string{"ETag", "Cache-Control", "Content-Language"} {
				if again.Header.Get(name) != got.Header.Get(name) {
					t.Errorf("304 has %s %q, 200 has %q", name, again.Header.Get(name), got.Header.Get(name))
				}
			}
			conditional.Set("If-None-Match", `"other", `+strings.Replace(tag, `"`, `"x`, 1))
			if other := send(t, "GET", body, conditional); other.StatusCode != http.StatusOK {
				t.Errorf("If-None-Match with another tag gives %d, want 200", other.StatusCode)
			}
		})
	}
}

func TestNothingIsAcceptable(t *testing.T) {
	got := send(t, "GET", NewPacker().Body(rows(5000, 1), Often), http.Header{"Accept-Encoding": {"*;q=0"}})
	if got.StatusCode != http.StatusNotAcceptable {
		t.Errorf("status %d, want 406", got.StatusCode)
	}
	for _, name := range []string{"ETag", "Content-Language", "Total-Count"} {
		if value := got.Header.Get(name); value != "" {
			t.Errorf("406 tells of a body that it does not have: %s %q", name, value)
		}
	}
}

// TestAnswersShareNoHeader checks that adding to the headers of a response does not change
// another response.
func TestAnswersShareNoHeader(t *testing.T) {
	body := NewPacker().Body(rows(5000, 1), Often)
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Encoding", "br")
	selection, err := Select(r, body)
	if err != nil {
		t.Fatal(err)
	}
	fields := Fields{ContentLanguage: []string{"en"}, TotalCount: []string{"7"}, Link: []string{"<x>"}}
	first, second := httptest.NewRecorder(), httptest.NewRecorder()
	selection.Send(first, r, fields)
	for name := range first.Header() {
		first.Header().Add(name, "more")
	}
	selection.Send(second, r, fields)
	for name, values := range second.Header() {
		if len(values) != 1 || len(first.Header()[name]) != 2 {
			t.Errorf("%s: %q, then %q", name, first.Header()[name], values)
		}
	}
}
