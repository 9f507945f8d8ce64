package admission

import (
	"cmp"
	"crypto/sha256"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"vitrine/internal/ratelimit"
)

// Key is an API key that is valid, or was.
type Key struct {
	Name  string            // of whoever has it; keys of one name share a quota
	Hash  [sha256.Size]byte // SHA-256 of the key
	Until time.Time         // from when on it is refused, zero for never
	Limit *ratelimit.Policy // of its own; nil for that of all keys
}

// Keys are the API keys of a moment. But for what they count, they are immutable.
type Keys struct {
	holders map[[sha256.Size]byte]*holder
}

// holder is whoever has a key.
type holder struct {
	name            string
	requests, bytes ratelimit.Key
	own             *quota    // nil for that of all keys
	until           time.Time // from when on the key is refused, zero for never

	uses *uses         // of all keys of the name
	last *atomic.Int64 // when the key was used last, in seconds since 1970; 0 for never
}

// uses count requests with valid keys.
type uses struct {
	admitted, refused atomic.Uint64
}

// NewKeys returns keys to look for; keys may be empty, and is only read. What
// before, which may be nil, has counted for a name or a key goes on.
func NewKeys(keys []Key, before *Keys) *Keys {
	k := &Keys{holders: make(map[[sha256.Size]byte]*holder, len(keys))}
	counted := before.counted()
	for _, key := range keys {
		h := &holder{
			name:     key.Name,
			requests: ratelimit.KeyOf(append([]byte{keyRequests}, key.Name...)),
			bytes:    ratelimit.KeyOf(append([]byte{keyBytes}, key.Name...)),
			until:    key.Until,
			uses:     counted[key.Name],
			last:     new(atomic.Int64),
		}
		if h.uses == nil {
			h.uses = new(uses)
			counted[key.Name] = h.uses
		}
		if before != nil && before.holders[key.Hash] != nil {
			h.last = before.holders[key.Hash].last
		}
		if key.Limit != nil {
			own := newQuota(nameKey, *key.Limit, "")
			h.own = &own
		}
		k.holders[key.Hash] = h
	}
	return k
}

// counted returns what is counted by name.
func (k *Keys) counted() map[string]*uses {
	counted := map[string]*uses{}
	if k == nil {
		return counted
	}
	for _, h := range k.holders {
		counted[h.name] = h.uses
	}
	return counted
}

// expired reports whether a key is no longer valid.
func (h *holder) expired(now time.Time) bool { return !h.until.IsZero() && !now.Before(h.until) }

// used takes note that a request with the key came at a time.
func (h *holder) used(now time.Time) {
	if second := now.Unix(); h.last.Load() < second { // readers share the memory
		h.last.Store(second)
	}
}

// Valid returns how many keys are valid at a time, 0 for nil.
func (k *Keys) Valid(now time.Time) int {
	if k == nil {
		return 0
	}
	n := 0
	for _, h := range k.holders {
		if !h.expired(now) {
			n++
		}
	}
	return n
}

// Use is how often valid keys of a name were used.
type Use struct {
	Name              string
	Admitted, Refused uint64 // Refused: the quota of the name was spent
}

// Uses returns how often keys were used, by name, of those names that have a
// valid key at a time; none for nil.
func (k *Keys) Uses(now time.Time) []Use {
	if k == nil {
		return nil
	}
	byName := map[string]Use{}
	for _, h := range k.holders {
		if !h.expired(now) {
			byName[h.name] = Use{h.name, h.uses.admitted.Load(), h.uses.refused.Load()}
		}
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b Use) int { return cmp.Compare(a.Name, b.Name) })
}

// LastUses returns when each key was used last here, to the second, of those
// that were; none for nil.
func (k *Keys) LastUses() iter.Seq2[[sha256.Size]byte, time.Time] {
	return func(yield func([sha256.Size]byte, time.Time) bool) {
		if k == nil {
			return
		}
		for hash, h := range k.holders {
			if second := h.last.Load(); second != 0 && !yield(hash, time.Unix(second, 0).UTC()) {
				return
			}
		}
	}
}

// maxKeyBytes bounds what is hashed of a request: keys are far shorter.
const maxKeyBytes = 256

// presentedKey returns the API key of a request: that of X-API-Key or of Authorization
// with the scheme Bearer; "" for none. Empty values and other schemes are ignored. several
// is true for different keys, of which the first is returned.
func presentedKey(header http.Header) (key string, several bool) {
	for _, value := range header["X-Api-Key"] {
		if value != "" {
			several = several || key != "" && key != value
			key = cmp.Or(key, value)
		}
	}
	for _, value := range header["Authorization"] {
		if value = bearer(value); value != "" {
			several = several || key != "" && key != value
			key = cmp.Or(key, value)
		}
	}
	return key, several
}

// bearer returns the token of an Authorization field (RFC 6750, section 2.1), "" for
// another scheme.
func bearer(value string) string {
	scheme, token, _ := strings.Cut(value, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.Trim(token, " \t")
}

// holderOf returns the holder of a key, nil if there is none.
func (k *Keys) holderOf(key string) *holder {
	if len(key) > maxKeyBytes {
		return nil
	}
	var presented [maxKeyBytes]byte
	n := copy(presented[:], key)
	return k.holders[sha256.Sum256(presented[:n])]
}
