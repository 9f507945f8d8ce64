package bundle

import (
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
)

// maxAhead bounds the size of the documents that are parsed ahead: their nodes take up to a hundred
// times as much memory.
const maxAhead = 2 << 20

// parseAhead parses documents on all processors while others are decoded: the first ones of files,
// in this order. Each result is sent on the channel of its file; other files have none. The caller
// must call end, which returns when no file is being read any more. Known documents are not parsed;
// nil knows none.
func parseAhead(fsys fs.FS, files []*file, known knownDocument) (documents map[*file]chan parsed, end func()) {
	documents = map[*file]chan parsed{}
	var order []*file
	size := int64(0)
	for _, f := range files {
		if streamed(f.path, f.kind) || isRaw(f.kind) {
			continue
		}
		if size += f.info.Size(); size > maxAhead {
			break
		}
		order = append(order, f)
		documents[f] = make(chan parsed, 1)
	}
	var working sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		working.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(order)); i = next.Add(1) - 1 {
				documents[order[i]] <- parseDocument(fsys, order[i].path, order[i].kind, known)
			}
		})
	}
	return documents, func() {
		next.Store(int64(len(order)))
		working.Wait()
	}
}
