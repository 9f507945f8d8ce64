package bundle

import (
	"crypto/sha256"
	"io"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
)

// maxAhead bounds the size of the documents that are parsed ahead: their nodes take up to a hundred
// times as much memory.
const maxAhead = 2 << 20

// parseAhead looks at documents on all processors while others are decoded, in the order of files, and
// sends each result on the channel of its file. Other files have none. It parses the first documents
// that are not known, up to a size; nil knows none. The caller must call end, which returns when no
// file is being read any more.
func parseAhead(fsys fs.FS, files []*file, known knownDocument) (documents map[*file]chan parsed, end func()) {
	documents = map[*file]chan parsed{}
	var order []*file
	for _, f := range files {
		if !streamed(f.path, f.kind) && !f.kind.Raw {
			order = append(order, f)
			documents[f] = make(chan parsed, 1)
		}
	}
	var working sync.WaitGroup
	var next, size atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		working.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(order)); i = next.Add(1) - 1 {
				f := order[i]
				d := knownAhead(fsys, f, known)
				if !d.known {
					if d.later = size.Add(f.info.Size()) > maxAhead; !d.later {
						d = parseDocument(fsys, f.path)
					}
				}
				documents[f] <- d
			}
		})
	}
	return documents, func() {
		next.Store(int64(len(order)))
		working.Wait()
	}
}

// knownAhead returns whether a document is known, by its hash. An unreadable one is not; parsing it
// reports why.
func knownAhead(fsys fs.FS, f *file, known knownDocument) (d parsed) {
	if known == nil {
		return d
	}
	from, err := fsys.Open(f.path)
	if err != nil {
		return d
	}
	defer from.Close() // it was only read
	h := sha256.New()
	if _, err := io.Copy(h, from); err == nil {
		h.Sum(d.sum[:0])
		d.known = known(f.kind, d.sum)
	}
	return d
}
