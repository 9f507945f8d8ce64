package upstream

import (
	"context"
	"sync"
)

// Limits of a [Kept].
const (
	maxKept      = 8
	maxKeptBytes = 32 << 20 // of a document
)

// Kept keeps the last document of each address, for conditional requests. The zero value is empty.
// It keeps few and not very large documents; others are fetched whole each time. It is safe for
// concurrent use.
type Kept struct {
	mu        sync.Mutex
	documents map[string]*Document // by URL
}

// Get fetches a document as [Client.Get] does, with the validators of the last document of that
// address. If that one is still current, the result is its body, NotModified, and the date and the
// header of the new response.
func (k *Kept) Get(ctx context.Context, c *Client, r Request) (*Document, error) {
	last := k.last(r.URL)
	if last != nil {
		r.ETag, r.LastModified = last.ETag, last.LastModified
	}
	document, err := c.Get(ctx, r)
	if err != nil {
		return nil, err
	}
	if document.NotModified {
		document.Body = last.Body
		return document, nil
	}
	k.keep(r.URL, document)
	return document, nil
}

// Forget forgets all documents, so that the next requests are not conditional.
func (k *Kept) Forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.documents = nil
}

func (k *Kept) last(url string) *Document {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.documents[url]
}

// keep keeps a document that has a validator, within the limits.
func (k *Kept) keep(url string, document *Document) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.documents, url)
	if document.ETag == "" && document.LastModified == "" || len(document.Body) > maxKeptBytes || len(k.documents) == maxKept {
		return
	}
	if k.documents == nil {
		k.documents = map[string]*Document{}
	}
	k.documents[url] = document
}
