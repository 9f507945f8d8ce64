package distribution

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vitrine/internal/atomicfile"
)

// Errors of a distribution.
var (
	// ErrReplayed reports a pointer or a list of API keys that is older than an accepted one, or of another catalogue.
	ErrReplayed = errors.New("it is not newer than the accepted one")
	// ErrExpired reports that the publisher has not renewed the pointer in time.
	ErrExpired = errors.New("the distribution has expired")
)

// readSignature returns the signature of a pointer, verified by the trusted key. Without a key it is
// not verified, and nil if it is missing.
func readSignature(ctx context.Context, from place, trusted *trust, pointer []byte) ([]byte, error) {
	key, err := trusted.keyOf(pointer)
	if err != nil {
		return nil, err
	}
	signature, err := find(ctx, from, signaturePath(pointer), maxSignature)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the signature of the distribution: %w", err)
	case key == nil:
		return signature, nil
	case signature == nil:
		return nil, fmt.Errorf("%s: %w: there is no %s", EntryFile, ErrUnsigned, signaturePath(pointer))
	}
	return signature, key.verify(EntryFile, pointer, signature)
}

// follows returns an error for an entry that may not replace the accepted one, nil for none. forget
// says how an operator makes the process forget the accepted one.
func (e *Entry) follows(accepted *Entry, forget string) error {
	switch {
	case accepted == nil:
		return nil
	case e.Catalogue != accepted.Catalogue:
		return fmt.Errorf("%s: %w: it is of catalogue %s, not of %s; to follow it, %s", EntryFile, ErrReplayed, e.Catalogue, accepted.Catalogue, forget)
	case e.compare(accepted) < 0:
		return fmt.Errorf("%s: %w: it has revision %d of epoch %d, after revision %d of epoch %d",
			EntryFile, ErrReplayed, e.Revision.Number, e.Epoch, accepted.Revision.Number, accepted.Epoch)
	case e.compare(accepted) == 0 && e.IssuedAt.Before(accepted.IssuedAt):
		return fmt.Errorf("%s: %w: it has revision %d with an older time", EntryFile, ErrReplayed, e.Revision.Number)
	}
	return nil
}

// expired returns the error for an entry that has expired.
func (e *Entry) expired() error {
	return fmt.Errorf("%w: its publisher has not renewed revision %d since %s", ErrExpired, e.Revision.Number, e.IssuedAt.Format(time.RFC3339))
}

// pin is the path of a private file with what a reader accepted last, so that a restarted reader
// does not accept anything older; "" for none.
type pin string

// read returns the content, nil for none.
func (p pin) read(ctx context.Context, limit int64) ([]byte, error) {
	if p == "" {
		return nil, nil
	}
	return find(ctx, folder(""), string(p), limit)
}

// write replaces the content.
func (p pin) write(data []byte) error {
	if p == "" {
		return nil
	}
	return atomicfile.WriteBytes(string(p), "", 0o600, data)
}

// forgetPin says how an operator makes a server forget what it accepted, in a file or in memory.
func forgetPin(file string) string {
	if file == "" {
		return "restart the server"
	}
	return "remove " + file + " and restart the server"
}
