package distribution

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// set identifies the lines of a revision: per kind the keys in order, and the hashes of their
// lines. It is immutable.
type set map[domain.Kind]kindSet

type kindSet struct {
	keys []string // sorted
	sums [][sha256.Size]byte
}

// digest returns the digest of a kind: the SHA-256 of the hashes of its lines, by key.
func (s kindSet) digest() string {
	sum := sha256.New()
	for i := range s.sums {
		sum.Write(s.sums[i][:])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// digestOf returns the digest of a revision: the SHA-256 of a text with a line for each kind, its
// name and digest.
func digestOf(kinds []Kind) string {
	var text strings.Builder
	for _, k := range kinds {
		fmt.Fprintf(&text, "%s %s\n", k.Kind, k.Digest)
	}
	return hexSum([]byte(text.String()))
}

// with returns the set after the changes of lines, which may be in any order. It returns an error
// for a repeated key.
func (s kindSet) with(changes []parsed) (kindSet, error) {
	order := make([]int, len(changes)) // sorting indices is faster than sorting lines
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(changes[a].Key, changes[b].Key) })
	n := len(s.keys) + len(changes)
	next := kindSet{make([]string, 0, n), make([][sha256.Size]byte, 0, n)}
	at := 0
	for i, k := range order {
		c := &changes[k]
		if i > 0 && c.Key == changes[order[i-1]].Key {
			return kindSet{}, fmt.Errorf("%s %q has two lines", c.Kind, c.Key)
		}
		until, found := slices.BinarySearch(s.keys[at:], c.Key)
		until += at
		next.keys, next.sums = append(next.keys, s.keys[at:until]...), append(next.sums, s.sums[at:until]...)
		if at = until; found {
			at++
		}
		if !c.Removed {
			next.keys, next.sums = append(next.keys, c.Key), append(next.sums, c.sum)
		}
	}
	next.keys, next.sums = append(next.keys, s.keys[at:]...), append(next.sums, s.sums[at:]...)
	return next, nil
}

// id identifies a record.
type id struct {
	kind domain.Kind
	key  string
}

// changed returns the records whose lines differ between two sets.
func changed(before, after set) []id {
	var ids []id
	for _, kind := range domain.Kinds() {
		a, b := before[kind], after[kind]
		for len(a.keys) > 0 || len(b.keys) > 0 {
			switch {
			case len(b.keys) == 0 || len(a.keys) > 0 && a.keys[0] < b.keys[0]:
				ids = append(ids, id{kind, a.keys[0]})
				a = a.rest()
			case len(a.keys) == 0 || b.keys[0] < a.keys[0]:
				ids = append(ids, id{kind, b.keys[0]})
				b = b.rest()
			default:
				if a.sums[0] != b.sums[0] {
					ids = append(ids, id{kind, a.keys[0]})
				}
				a, b = a.rest(), b.rest()
			}
		}
	}
	return ids
}

func (s kindSet) rest() kindSet { return kindSet{s.keys[1:], s.sums[1:]} }
