package bundle

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"vitrine/internal/domain"
)

// writeMany writes a directory with a list of many chains.
func writeMany(t testing.TB, ext string, many int) string {
	t.Helper()
	dir := t.TempDir()
	catalogFile := []byte("title: x\ndefault_locale: en\nlocales: [en]\n")
	if err := os.WriteFile(filepath.Join(dir, "catalog.yaml"), catalogFile, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "chains"+ext))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	sep := ""
	if ext == ".json" {
		fmt.Fprint(w, "[")
		sep = ","
	}
	for i := range many {
		if i > 0 {
			fmt.Fprintln(w, sep)
		}
		fmt.Fprintf(w, `{"slug":"chain-%d","name":"Chain number %d","chain_id":%d,"llama_tvl":{"value":%d.5,"source":"defillama","as_of":"2025-08-17"}}`, i, i, i, i)
	}
	if ext == ".json" {
		fmt.Fprint(w, "]")
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestLongListsStream checks that reading long lists takes little memory in addition to the
// records: neither the bytes nor the nodes of the file.
func TestLongListsStream(t *testing.T) {
	const many = 40_000
	for _, ext := range []string{".ndjson", ".json"} {
		t.Run(ext, func(t *testing.T) {
			fsys, done, err := Open(writeMany(t, ext, many))
			if err != nil {
				t.Fatal(err)
			}
			defer done()
			before := heap()
			l, err := survey(fsys)
			if err != nil {
				t.Fatal(err)
			}
			calls, reading := 0, uint64(0)
			r := newReader(context.Background(), fsys, Options{Progress: func(_ string, records int) {
				if calls++; records > many*9/10 && reading == 0 {
					reading = heap() - before
				}
			}})
			for _, f := range l.files {
				if err := r.read(f, nil); err != nil {
					t.Fatal(err)
				}
			}
			after := heap() - before
			if calls < 10 || len(r.catalog.Chains) != many || len(r.problems) > 0 {
				t.Fatalf("%d calls, %d chains, %v", calls, len(r.catalog.Chains), r.problems)
			}
			// A file of this size has 5 MiB; its nodes would take far more.
			if slack := uint64(2 << 20); reading > after+slack {
				t.Errorf("%d MiB while reading, %d MiB of catalogue", reading>>20, after>>20)
			}
			runtime.KeepAlive(r)
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, ext := range []string{".ndjson", ".json"} {
		b.Run(ext[1:], func(b *testing.B) {
			fsys, done, err := Open(writeMany(b, ext, 200_000))
			if err != nil {
				b.Fatal(err)
			}
			defer done()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(context.Background(), fsys, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReadYAML(b *testing.B) {
	var c domain.Catalog
	for i := range 10_000 {
		c.Categories = append(c.Categories, domain.Category{Key: fmt.Sprintf("category-%d", i), Scopes: []domain.Module{"chain", "twitter"},
			Name: domain.Text{{Locale: "en", Value: "Chain"}, {Locale: "zh-hans", Value: "以太坊"}}})
	}
	data, err := yamlOf(listsOf(&c, "categories"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseYAML(data); err != nil {
			b.Fatal(err)
		}
	}
}
