package distribution

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"time"
)

const (
	// leaseFile is the object of the process that writes a bucket.
	leaseFile = "writer.json"
	// leaseTime is how long the object of a process must be unchanged before another one replaces it.
	leaseTime = 30 * time.Second
	// leaseEvery is the interval at which the process renews its object.
	leaseEvery = 10 * time.Second
)

// lease is what a process knows of [leaseFile]. It saves work: several processes with one store need
// not all upload each revision. The condition of the pointer protects the distribution.
type lease struct {
	holder  string    // of this process, random
	etag    string    // of the object of this process; "" if it has none
	renewed time.Time // when this process wrote it
	seen    string    // entity tag of the object of another process; "" for none
	since   time.Time // when it was seen first
}

// leased is the content of the object.
type leased struct {
	Holder string    `json:"holder"` // "" if it was released
	At     time.Time `json:"at"`     // for people
}

// Lead reports whether this process is the one of several that writes the bucket. It becomes that if
// there is none, or if the other one has not renewed its lease for 30 seconds.
func (b *Bucket) Lead(ctx context.Context) (bool, error) {
	if err := b.Check(ctx); err != nil {
		return false, err
	}
	l := &b.lease
	if l.etag != "" {
		if b.now().Sub(l.renewed) < leaseEvery {
			return true, nil
		}
		if led, err := b.take(ctx, l.etag); led || err != nil {
			return led, err
		}
	}
	data, etag, err := b.bucket.fetch(ctx, leaseFile, maxSignature, "")
	if errors.Is(err, fs.ErrNotExist) {
		return b.take(ctx, "*")
	}
	if err != nil {
		return false, err
	}
	var holds leased
	if json.Unmarshal(data, &holds) != nil || holds.Holder == "" || holds.Holder == l.holder {
		return b.take(ctx, etag) // released, damaged, or a write whose response was lost
	}
	if etag != l.seen {
		l.seen, l.since = etag, b.now()
	}
	if b.now().Sub(l.since) < leaseTime {
		return false, nil
	}
	return b.take(ctx, etag)
}

// take writes the object of this process on a condition, as in [bucket.put]. ok is false if another
// process was faster.
func (b *Bucket) take(ctx context.Context, match string) (ok bool, err error) {
	etag, err := b.putLease(ctx, b.lease.holder, match)
	b.lease.etag, b.lease.renewed = etag, b.now()
	if errors.Is(err, ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

func (b *Bucket) putLease(ctx context.Context, holder, match string) (etag string, err error) {
	text, err := json.Marshal(leased{holder, b.now().UTC()})
	if err != nil {
		return "", err
	}
	return b.bucket.put(ctx, leaseFile, text, match)
}

// Release lets another process write the bucket at once.
func (b *Bucket) Release(ctx context.Context) error {
	if b.lease.etag == "" {
		return nil
	}
	_, err := b.putLease(ctx, "", b.lease.etag)
	b.lease.etag = ""
	if errors.Is(err, ErrConflict) {
		return nil // another one has it
	}
	return err
}
