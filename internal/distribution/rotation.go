package distribution

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"aead.dev/minisign"
)

// KeyStatement is the statement of a key that another one follows it. Pointers have all statements of
// their distribution, oldest first, so that readers with any of the keys learn the last one.
type KeyStatement struct {
	By        string `json:"by"`        // public key that made the statement
	Key       string `json:"key"`       // public key that follows
	Signature string `json:"signature"` // of the text, by the key that made the statement
}

// maxStatements is the maximum number of statements of a pointer.
const maxStatements = 100

// text returns the signed text of a statement.
func (s KeyStatement) text(catalogue string) []byte {
	return fmt.Appendf(nil, "key of catalogue %s: %s is followed by %s\n", catalogue, s.By, s.Key)
}

// followedBy returns the statement that the next key follows this one.
func (k *SigningKey) followedBy(next *PublicKey, catalogue string) KeyStatement {
	s := KeyStatement{By: k.Public().key.String(), Key: next.key.String()}
	s.Signature = string(minisign.SignWithComments(k.key, s.text(catalogue), "next key", "statement of a Vitrine distribution"))
	return s
}

// successor returns the key to which the statements of a pointer lead from this one, which is itself
// without any. The pointer need not be verified: each statement is.
func (k *PublicKey) successor(pointer []byte) *PublicKey {
	var e struct {
		Catalogue string         `json:"catalogue"`
		Keys      []KeyStatement `json:"keys"`
	}
	if json.Unmarshal(pointer, &e) != nil || len(e.Keys) > maxStatements {
		return k
	}
	last := k
	for _, s := range e.Keys {
		next := new(PublicKey)
		if s.By != last.key.String() || next.key.UnmarshalText([]byte(s.Key)) != nil {
			continue
		}
		if last.verify(EntryFile, s.text(e.Catalogue), []byte(s.Signature)) == nil {
			last = next
		}
	}
	return last
}

// trust knows which key must have signed pointers. Once it has accepted a key, it never returns to
// an earlier one. accept and recall are for one goroutine; current is safe for concurrent use.
type trust struct {
	given    *PublicKey // by the operator, nil for none
	accepted atomic.Pointer[PublicKey]
}

// current returns the key that signs now, as far as it is known; nil for none.
func (t *trust) current() *PublicKey {
	if k := t.accepted.Load(); k != nil {
		return k
	}
	return t.given
}

// keyOf returns the key that must have signed a pointer, nil for none. A pointer without the
// statements that lead from the given key to the accepted one is rejected: a restarted process, which
// knows the accepted key from the last pointer only, would trust the given one again.
func (t *trust) keyOf(pointer []byte) (*PublicKey, error) {
	if t.given == nil {
		return nil, nil
	}
	key := t.current().successor(pointer)
	if t.given.successor(pointer).key.String() != key.key.String() {
		return nil, fmt.Errorf("%s: %w: it lacks the statements that lead from key %016X to key %016X", EntryFile, ErrUnsigned, t.given.key.ID(), key.key.ID())
	}
	return key, nil
}

// accept trusts the key of a verified pointer from now on.
func (t *trust) accept(pointer []byte) {
	if t.given != nil {
		t.accepted.Store(t.current().successor(pointer))
	}
}

// ErrRotation reports keys of a writer that the distribution does not lead to.
var ErrRotation = errors.New("the signing key does not follow the last key of the distribution")

// statements returns the statements of the next pointer. last are those of the last one.
func (c *WriterConfig) statements(catalogue string, last []KeyStatement) ([]KeyStatement, error) {
	if c.Key == nil {
		return last, nil
	}
	key, end := c.Key.Public(), ""
	if len(last) > 0 {
		end = last[len(last)-1].Key
	}
	switch {
	case end == key.key.String():
		return last, nil // also if the previous key is still given
	case slices.ContainsFunc(last, func(s KeyStatement) bool { return s.By == key.key.String() }):
		return nil, fmt.Errorf("%w: %s was replaced, and the last key is %s; give the secret key file of the last key by --dist-key", ErrRotation, key.key, end)
	case c.Previous == nil && end == "":
		return nil, nil
	case c.Previous == nil:
		return nil, fmt.Errorf("%w, %s; give the secret key file of that key by --dist-previous-key", ErrRotation, end)
	case c.Previous.Public().key.String() == key.key.String():
		return nil, fmt.Errorf("%w: the previous key is the same key; give the secret key file that signed until now by --dist-previous-key", ErrRotation)
	case end != "" && end != c.Previous.Public().key.String():
		return nil, fmt.Errorf("%w, %s, and neither does the previous one; give the secret key file of that key by --dist-previous-key", ErrRotation, end)
	case len(last) == maxStatements:
		return nil, fmt.Errorf("the distribution has %d statements of keys already; begin a new one", maxStatements)
	}
	return append(slices.Clone(last), c.Previous.followedBy(key, catalogue)), nil
}
