package response

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// source returns a producer of a document for [Packer.Large].
func source(plain []byte) func(size int, take func([]byte)) {
	return func(size int, take func([]byte)) {
		buffer := make([]byte, size)
		for piece := range slices.Chunk(plain, size) {
			n := copy(buffer, piece)
			take(buffer[:n])
			clear(buffer) // the caller may reuse it
		}
	}
}

func choices(t testing.TB) []Choice {
	var all []Choice
	for _, e := range allEncodings() {
		c, err := Choose([]string{e.String()}, Once)
		if err != nil || c.encoding != e {
			t.Fatalf("%v is chosen of %v: %v", c.encoding, e, err)
		}
		if again, err := Choose(c.Accept(), Often); err != nil || again != c {
			t.Fatalf("the client of %v chooses %v: %v", e, again.encoding, err)
		}
		all = append(all, c)
	}
	return all
}

// TestLargeBodies checks that every form decodes to the document, that different packers make the
// same bytes and tag, and that only that form stays in memory.
func TestLargeBodies(t *testing.T) {
	documents := map[string][]byte{
		"none": {}, "small": []byte(`{}`), "rows": rows(3*pieceSize/2, 1), "whole pieces": rows(2*pieceSize, 2)[:2*pieceSize],
		"repeats": bytes.Repeat([]byte("abc"), pieceSize),
	}
	packers := []*Packer{NewPacker(), NewPacker()}
	for name, plain := range documents {
		for _, effort := range []Effort{Often, Once} {
			for _, c := range choices(t) {
				first := packers[0].Large(c, effort, source(plain))
				second := packers[1].Large(c, effort, source(plain))
				if first.ID() != second.ID() || !first.Large() || !first.Counts() {
					t.Errorf("%s: two packers make different bodies", name)
				}
				if first.ID() == packers[0].Body(plain, effort).ID() {
					t.Errorf("%s: a form is mistaken for the document", name)
				}
				got := send(t, "GET", first, http.Header{"Accept-Encoding": {"ignored"}})
				content := read(t, got.Body)
				if !bytes.Equal(unpack(t, c.encoding, content), plain) {
					t.Errorf("%s: %v differs from the document", name, c.encoding)
				}
				if got.Header.Get("Content-Length") != strconv.Itoa(len(content)) {
					t.Errorf("%s: length %s of %d bytes", name, got.Header.Get("Content-Length"), len(content))
				}
				if !bytes.Equal(content, bytes.Join(second.forms[c.encoding].pieces, nil)) {
					t.Errorf("%s: %v is not always the same bytes", name, c.encoding)
				}
				if weight := first.Weight(); weight != overhead+len(content) {
					t.Errorf("%s: %v weighs %d, and has %d bytes", name, c.encoding, weight, len(content))
				}
				// A small body has other compressed bytes.
				small := packers[0].Body(plain, effort)
				if same := small.forms[c.encoding].tag == first.forms[c.encoding].tag; same != (c.encoding == identity) {
					t.Errorf("%s: the tag of %v is that of the body that is not large: %v", name, c.encoding, same)
				}
			}
		}
	}
}

func TestLargeBodiesAreSentAsOthers(t *testing.T) {
	p, plain := NewPacker(), rows(2*pieceSize, 1)
	for _, c := range choices(t) {
		b := p.Large(c, Once, source(plain))
		got, head := send(t, "GET", b, http.Header{}), send(t, "HEAD", b, http.Header{})
		for _, name := range []string{"ETag", "Content-Length", "Content-Encoding", "Content-Type", "Cache-Control"} {
			if got.Header.Get(name) != head.Header.Get(name) {
				t.Errorf("%s: GET has %q, HEAD has %q", name, got.Header.Get(name), head.Header.Get(name))
			}
		}
		again := send(t, "GET", b, http.Header{"If-None-Match": {got.Header.Get("ETag")}})
		if again.StatusCode != http.StatusNotModified || len(read(t, again.Body)) > 0 {
			t.Errorf("%v: status %d, want 304", c.encoding, again.StatusCode)
		}
		b.Pack(p.Body(plain, Once)) // no effect: a large body has one form
		r := httptest.NewRequest("GET", "/", nil)
		if s, err := Select(r, b); err != nil || s.Length(r) != b.Weight()-overhead {
			t.Errorf("%v: length %d of %d, %v", c.encoding, s.Length(r), b.Weight()-overhead, err)
		}
	}
	if _, err := Choose([]string{"*;q=0"}, Once); err == nil {
		t.Error("a client that accepts no encoding gets a form")
	}
}

// TestLargeBodiesShareEncoders makes different forms concurrently.
func TestLargeBodiesShareEncoders(t *testing.T) {
	p := NewPacker()
	var making sync.WaitGroup
	for i := range 4 {
		making.Go(func() {
			plain := rows(pieceSize+i*1000, uint64(i))
			for _, c := range choices(t) {
				b := p.Large(c, Once, source(plain))
				if !bytes.Equal(unpack(t, c.encoding, bytes.Join(b.forms[c.encoding].pieces, nil)), plain) {
					t.Errorf("%v differs from the document", c.encoding)
				}
			}
		})
	}
	making.Wait()
}

// BenchmarkLarge makes the forms of a search result of 24 MiB. The metric is the compressed size.
func BenchmarkLarge(b *testing.B) {
	p, plain := NewPacker(), rows(24<<20, 1)
	for _, effort := range []Effort{Often, Once} {
		for _, c := range choices(b) {
			b.Run([]string{"often", "once"}[effort]+"/"+c.encoding.String(), func(b *testing.B) {
				b.SetBytes(int64(len(plain)))
				b.ReportAllocs()
				var body *Body
				for b.Loop() {
					body = p.Large(c, effort, source(plain))
				}
				b.ReportMetric(100*float64(body.Weight())/float64(len(plain)), "%left")
			})
		}
	}
}
