package upstream

import (
	"context"
	"sync"
)

// Limits of a [Kept].
const (
	maxKeptBytes = 64 << 20
	keptOverhead = 256 // of a document, beside its texts
)

// Kept keeps the last document of each address, for conditional requests. The zero value is empty.
// If it is full, any documents make room for a new one. It is safe for concurrent use.
type Kept struct {
	mu        sync.Mutex
	documents map[string]keptDocument // by URL
	bytes     int
}

// keptDocument is a document without its header.
type keptDocument struct {
	body               []byte
	etag, lastModified string
	size               int // of the entry
}

// Get fetches a document as [Client.Get] does, with the validators of the last document of that
// address. If that one is still current, the result is its body, NotModified, and the date and the
// header of the new response.
func (k *Kept) Get(ctx context.Context, c *Client, r Request) (*Document, error) {
	last := k.last(r.URL)
	r.ETag, r.LastModified = last.etag, last.lastModified
	document, err := c.Get(ctx, r)
	if err != nil {
		return nil, err
	}
	if document.NotModified {
		document.Body = last.body
		return document, nil
	}
	k.keep(r.URL, document)
	return document, nil
}

// Forget forgets all documents, so that the next requests are not conditional.
func (k *Kept) Forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.documents, k.bytes = nil, 0
}

// last returns the kept document of an address, or the zero value.
func (k *Kept) last(url string) keptDocument {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.documents[url]
}

// keep keeps a document that has a validator, within the limits.
func (k *Kept) keep(url string, document *Document) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop(url)
	kept := keptDocument{
		document.Body, document.ETag, document.LastModified,
		cap(document.Body) + len(url) + len(document.ETag) + len(document.LastModified) + keptOverhead,
	}
	if kept.etag == "" && kept.lastModified == "" || kept.size > maxKeptBytes {
		return
	}
	for other := range k.documents {
		if k.bytes+kept.size <= maxKeptBytes {
			break
		}
		k.drop(other)
	}
	if k.documents == nil {
		k.documents = map[string]keptDocument{}
	}
	k.documents[url] = kept
	k.bytes += kept.size
}

func (k *Kept) drop(url string) {
	if last, ok := k.documents[url]; ok {
		k.bytes -= last.size
		delete(k.documents, url)
	}
}
