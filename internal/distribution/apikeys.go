package distribution

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"vitrine/internal/atomicfile"
	"vitrine/internal/store"
)

// A list of API keys is a private file beside a distribution: a JSON object with the signed text of
// the list and its signature, so that both are replaced together.

// keyListType is in the signed text, so that no other signed document is a list.
const keyListType = "vitrine-api-keys"

// maxKeyList is the maximum size of a file: some ten thousand keys.
const maxKeyList = 8 << 20

// maxKeyListText bounds the signed text, which the file has as a JSON string.
const maxKeyListText = 3 << 20

// keyEnvelope is the file.
type keyEnvelope struct {
	List      string `json:"list"`
	Signature string `json:"signature"`
}

// keyList is the signed text.
type keyList struct {
	Type       string      `json:"type"`
	Format     int         `json:"format"`
	ID         string      `json:"id"` // random, the same for all versions of the file
	IssuedAt   time.Time   `json:"issuedAt"`
	ValidUntil time.Time   `json:"validUntil"`
	Keys       []listedKey `json:"keys"`
}

// listedKey is a valid API key.
type listedKey struct {
	Name  string     `json:"name"`
	Hash  string     `json:"hash"` // SHA-256 of the key, hexadecimal
	Limit string     `json:"limit,omitempty"`
	Until *time.Time `json:"until,omitempty"` // nil for never
}

// KeyListWriter writes the valid API keys of a store into a signed file with mode 600. It is for
// one goroutine, and a file has one writer at a time. All fields are required.
type KeyListWriter struct {
	Path  string
	Key   *SigningKey
	Valid time.Duration // time until which the list is written again
	Now   func() time.Time
}

// Write replaces the file and returns the number of valid keys. Its time is later than that of the
// file before, so that readers reject that one from now on.
func (w *KeyListWriter) Write(ctx context.Context, keys []store.APIKey) (int, error) {
	now := w.Now().UTC().Truncate(time.Millisecond)
	list := keyList{Type: keyListType, Format: Format, IssuedAt: now, Keys: []listedKey{}}
	before, err := w.last(ctx)
	switch {
	case err != nil:
		return 0, err
	case before == nil:
		list.ID = newID()
	default:
		list.ID = before.ID
		if !now.After(before.IssuedAt) {
			list.IssuedAt = before.IssuedAt.Add(time.Millisecond)
		}
	}
	list.ValidUntil = list.IssuedAt.Add(w.Valid)
	for i := range keys {
		if keys[i].ValidAt(now) {
			list.Keys = append(list.Keys, listed(&keys[i]))
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return 0, err
	}
	if len(text) > maxKeyListText {
		return 0, fmt.Errorf("the list of %d API keys has %d bytes, more than %d", len(list.Keys), len(text), maxKeyListText)
	}
	data, err := json.Marshal(keyEnvelope{List: string(text), Signature: string(w.Key.signList(text, list.IssuedAt))})
	if err != nil {
		return 0, err
	}
	return len(list.Keys), atomicfile.WriteBytes(w.Path, "", 0o600, append(data, '\n'))
}

func listed(k *store.APIKey) listedKey {
	l := listedKey{Name: k.Name, Hash: hex.EncodeToString(k.Hash[:]), Limit: k.Limit}
	if until := k.EndsAt(); !until.IsZero() {
		until = until.UTC()
		l.Until = &until
	}
	return l
}

// last returns the list of the existing file, nil for none.
func (w *KeyListWriter) last(ctx context.Context) (*keyList, error) {
	data, err := find(ctx, folder(""), w.Path, maxKeyList)
	if data == nil {
		return nil, err
	}
	_, list, err := parseKeyList(data)
	if err != nil {
		return nil, fmt.Errorf("%s exists already: %w; name another file, or remove it", w.Path, err)
	}
	return list, nil
}

// parseKeyList decodes a file, without verifying its signature.
func parseKeyList(data []byte) (keyEnvelope, *keyList, error) {
	var envelope keyEnvelope
	list := new(keyList)
	if json.Unmarshal(data, &envelope) != nil || json.Unmarshal([]byte(envelope.List), list) != nil || list.Type != keyListType {
		return envelope, nil, errors.New("it is not a list of API keys")
	}
	switch {
	case list.Format != Format:
		return envelope, nil, fmt.Errorf("it has format %d; this version reads format %d", list.Format, Format)
	case !plainName.MatchString(list.ID) || !list.ValidUntil.After(list.IssuedAt):
		return envelope, nil, errors.New("its id or its times are malformed")
	}
	return envelope, list, nil
}

// stored returns the keys of a list.
func (l *keyList) stored() ([]store.APIKey, error) {
	keys := make([]store.APIKey, len(l.Keys))
	for i, k := range l.Keys {
		hash, err := hex.DecodeString(k.Hash)
		if err != nil || len(hash) != len(keys[i].Hash) || k.Name == "" {
			return nil, fmt.Errorf("API key %q has no SHA-256 or no name", k.Name)
		}
		keys[i] = store.APIKey{Name: k.Name, Hash: [32]byte(hash), Limit: k.Limit}
		if k.Until != nil {
			keys[i].ExpiresAt = k.Until.UTC()
		}
	}
	return keys, nil
}

// KeyListReaderConfig configures a [KeyListReader]. Fields are required unless they say otherwise.
type KeyListReaderConfig struct {
	From string // a file, or an http(s) URL
	// Key returns the public key that must have signed the list.
	Key func() *PublicKey
	// Pin is the file with the last accepted list, so that a restarted reader does not accept an
	// older one; "" for none. It is created if missing.
	Pin       string
	UserAgent string
	Log       *slog.Logger
	Now       func() time.Time
}

// KeyListReader reads API keys from a list that a [KeyListWriter] wrote. It is safe for concurrent
// use.
type KeyListReader struct {
	config KeyListReaderConfig
	name   string // of the list at the place

	mu    sync.Mutex
	place place
	list  *keyList // the newest accepted one, nil for none
	data  string   // of list, the signed text; "" if it is that of the pin
}

// NewKeyListReader returns a reader that has read nothing yet.
func NewKeyListReader(config KeyListReaderConfig) *KeyListReader {
	dir, name := splitPlace(config.From)
	return &KeyListReader{config: config, name: name, place: newPlace(dir, config.UserAgent, name)}
}

// Close closes idle connections. The reader stays usable and keeps what it knows.
func (r *KeyListReader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.place.close()
	return nil
}

// Keys returns the keys of the list. It rejects a list with a wrong signature, one that is older
// than an accepted one (the error wraps [ErrReplayed]), and one that has expired ([ErrExpired]).
func (r *KeyListReader) Keys(ctx context.Context) ([]store.APIKey, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.readPin(ctx); err != nil {
		return nil, err
	}
	data, err := r.place.get(ctx, r.name, maxKeyList)
	if err != nil {
		return nil, err
	}
	envelope, list, err := parseKeyList(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	if envelope.List != r.data {
		if err := r.accept(envelope, list); err != nil {
			return nil, err
		}
		if err := pin(r.config.Pin).write(data); err != nil { // its revocations matter more
			r.config.Log.Warn("the list of API keys cannot be kept; after a restart an older one would be accepted", "file", r.config.Pin, "error", err)
		}
		r.list, r.data = list, envelope.List
	}
	if r.config.Now().After(r.list.ValidUntil) {
		return nil, fmt.Errorf("%w: the list of API keys was not renewed since %s", ErrExpired, r.list.IssuedAt.Format(time.RFC3339))
	}
	return r.list.stored()
}

// accept returns an error for a list that may not replace the accepted one.
func (r *KeyListReader) accept(envelope keyEnvelope, list *keyList) error {
	if err := r.config.Key().verify(r.name, []byte(envelope.List), []byte(envelope.Signature)); err != nil {
		return err
	}
	if _, err := list.stored(); err != nil {
		return err
	}
	switch {
	case r.list == nil:
		return nil
	case list.ID != r.list.ID:
		return fmt.Errorf("%s: %w: it is another list, %s, not %s; to follow it, %s", r.name, ErrReplayed, list.ID, r.list.ID, forgetPin(r.config.Pin))
	case list.IssuedAt.Before(r.list.IssuedAt):
		return fmt.Errorf("%s: %w: it is of %s, before %s", r.name, ErrReplayed, list.IssuedAt.Format(time.RFC3339Nano), r.list.IssuedAt.Format(time.RFC3339Nano))
	}
	return nil
}

// readPin reads the list that an earlier process accepted. It was verified then.
func (r *KeyListReader) readPin(ctx context.Context) error {
	if r.list != nil {
		return nil
	}
	data, err := pin(r.config.Pin).read(ctx, maxKeyList)
	if err != nil {
		return fmt.Errorf("read the last accepted list of API keys: %w", err)
	}
	if data == nil {
		return nil
	}
	_, list, err := parseKeyList(data)
	if err != nil {
		return fmt.Errorf("%s: %w; remove it and restart the server", r.config.Pin, err)
	}
	r.list = list
	return nil
}
