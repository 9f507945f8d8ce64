package distribution

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"aead.dev/minisign"
)

// SigningKey signs pointers.
type SigningKey struct{ key minisign.PrivateKey }

// PublicKey verifies pointers.
type PublicKey struct{ key minisign.PublicKey }

// ReadSigningKey reads a secret key without a password, as `minisign -G -W` writes it.
func ReadSigningKey(path string) (*SigningKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	if minisign.IsEncrypted(text) {
		return nil, fmt.Errorf("the signing key %s has a password; make one without by: minisign -G -W -s FILE", path)
	}
	k := new(SigningKey)
	if err := k.key.UnmarshalText(text); err != nil {
		return nil, fmt.Errorf("%s is not a secret key of minisign; make one by: minisign -G -W -s FILE", path)
	}
	return k, nil
}

// ParsePublicKey returns a public key of minisign: the key itself, or the path of its file.
func ParsePublicKey(text string) (*PublicKey, error) {
	k := new(PublicKey)
	if k.key.UnmarshalText([]byte(text)) == nil {
		return k, nil
	}
	file, err := os.ReadFile(text)
	if err != nil {
		return nil, fmt.Errorf("it is neither a public key of minisign nor its file: %w", err)
	}
	if err := k.key.UnmarshalText([]byte(strings.TrimSpace(string(file)))); err != nil {
		return nil, fmt.Errorf("%s is not a public key of minisign", text)
	}
	return k, nil
}

// Public returns the public key.
func (k *SigningKey) Public() *PublicKey { return &PublicKey{k.key.Public().(minisign.PublicKey)} }

// sign returns the signature of a pointer in minisign's format.
func (k *SigningKey) sign(pointer []byte, e *Entry) []byte {
	return minisign.SignWithComments(k.key, pointer, fmt.Sprintf("catalogue:%s epoch:%d revision:%d", e.Catalogue, e.Epoch, e.Revision.Number),
		"signature of a Vitrine distribution")
}

// signList returns the signature of a list of API keys in minisign's format.
func (k *SigningKey) signList(list []byte, at time.Time) []byte {
	return minisign.SignWithComments(k.key, list, "API keys of "+at.Format(time.RFC3339Nano), "signature of a list of API keys of Vitrine")
}

// ErrUnsigned reports a document whose signature is missing, malformed or wrong.
var ErrUnsigned = errors.New("its signature is missing or wrong")

// verify returns an error if a signature is not that of a document by this key.
func (k *PublicKey) verify(name string, document, signature []byte) error {
	var s minisign.Signature
	if err := s.UnmarshalText(signature); err != nil {
		return fmt.Errorf("%s: %w: the signature is malformed", name, ErrUnsigned)
	}
	if s.KeyID != k.key.ID() {
		return fmt.Errorf("%s: %w: it is signed by key %016X, not by %016X", name, ErrUnsigned, s.KeyID, k.key.ID())
	}
	if !minisign.Verify(k.key, document, signature) {
		return fmt.Errorf("%s: %w: the signature does not match", name, ErrUnsigned)
	}
	return nil
}

// signaturePath returns the path of the signature of a pointer. It names the signed bytes, so that
// pointer and signature are never of two revisions.
func signaturePath(pointer []byte) string {
	return "files/entry-" + hexSum(pointer) + signatureSuffix
}
