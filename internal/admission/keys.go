package admission

import (
	"crypto/sha256"

	"vitrine/internal/ratelimit"
)

// Key is a valid API key.
type Key struct {
	Hash  [sha256.Size]byte // SHA-256 of the key
	Limit *ratelimit.Policy // of its own; nil for that of all keys
}

// Keys are the valid API keys of a moment. They are immutable.
type Keys struct {
	holders map[[sha256.Size]byte]holder
}

// holder is whoever has a key.
type holder struct {
	requests, bytes ratelimit.Key
	own             *quota // nil for that of all keys
}

// NewKeys returns keys to look for; keys may be empty, and is only read.
func NewKeys(keys []Key) *Keys {
	k := &Keys{holders: make(map[[sha256.Size]byte]holder, len(keys))}
	for _, key := range keys {
		h := holder{
			requests: ratelimit.KeyOf(append([]byte{keyRequests}, key.Hash[:]...)),
			bytes:    ratelimit.KeyOf(append([]byte{keyBytes}, key.Hash[:]...)),
		}
		if key.Limit != nil {
			own := newQuota(nameKey, *key.Limit, "")
			h.own = &own
		}
		k.holders[key.Hash] = h
	}
	return k
}

// Len returns how many keys there are, 0 for nil.
func (k *Keys) Len() int {
	if k == nil {
		return 0
	}
	return len(k.holders)
}

// maxKey bounds what is hashed of a request: keys are far shorter.
const maxKey = 256

// isPresent reports whether an X-API-Key holds anything.
func isPresent(values []string) bool {
	for _, value := range values {
		if value != "" {
			return true
		}
	}
	return false
}

// find returns the holder of the key that the values of X-API-Key are. Several
// of them are none: nobody can say which one is meant.
func (k *Keys) find(values []string) (holder, bool) {
	if len(values) != 1 || len(values[0]) > maxKey {
		return holder{}, false
	}
	var presented [maxKey]byte
	n := copy(presented[:], values[0])
	h, ok := k.holders[sha256.Sum256(presented[:n])]
	return h, ok
}
