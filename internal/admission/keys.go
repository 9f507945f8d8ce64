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

// Key is an API key, valid or expired.
type Key struct {
	Name  string            // of its holder; keys of one name share a quota
	Hash  [sha256.Size]byte // SHA-256 of the key
	Until time.Time         // when it expires, zero for never
	Limit *ratelimit.Policy // nil for the default of keys
}

// Keys are the API keys at one time. They are immutable except for their counters.
type Keys struct {
	holders map[[sha256.Size]byte]*holder
}

// holder is the holder of a key.
type holder struct {
	name            string
	requests, bytes ratelimit.Key
	bulk            ratelimit.Key // bytes of bulk data
	own             *quota        // nil for the default of keys
	until           time.Time     // when the key expires, zero for never

	uses *uses         // of all keys of the name
	last *atomic.Int64 // last use of the key in Unix seconds; 0 for never
}

// uses count requests with valid keys.
type uses struct {
	admitted, refused atomic.Uint64
}

// NewKeys returns Keys with the counters of before, which may be nil, for unchanged names and
// keys. It does not retain keys.
func NewKeys(keys []Key, before *Keys) *Keys {
	k := &Keys{holders: make(map[[sha256.Size]byte]*holder, len(keys))}
	counted := before.counted()
	for _, key := range keys {
		h := &holder{
			name:     key.Name,
			requests: ratelimit.KeyOf(append([]byte{keyRequests}, key.Name...)),
			bytes:    ratelimit.KeyOf(append([]byte{keyBytes}, key.Name...)),
			bulk:     ratelimit.KeyOf(append([]byte{keyVolume}, key.Name...)),
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

// counted returns the counters by name.
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

// used records a use of the key.
func (h *holder) used(now time.Time) {
	if second := now.Unix(); h.last.Load() < second { // avoids a write to a shared cache line
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

// Use counts the requests with valid keys of a name.
type Use struct {
	Name              string
	Admitted, Refused uint64 // Refused: over quota
}

// Uses returns the uses of all names with a valid key, sorted by name; none for nil.
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

// LastUses yields the last use of each key in this process, to the second, in no particular
// order. Unused keys are left out. It yields none for nil.
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

// maxKeyBytes bounds the bytes hashed per request: keys are far shorter.
const maxKeyBytes = 256

// presentedKey returns the API key of a request: that of X-API-Key or of Authorization
// with the scheme Bearer; "" for none. Empty values and other schemes are ignored. several
// is true for different keys; the first is returned.
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
