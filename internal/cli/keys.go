package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"vitrine/internal/store"
)

type keysCmd struct {
	Add    keysAddCmd    `cmd:"" help:"Make an API key and print it, this once."`
	List   keysListCmd   `cmd:"" help:"List the API keys, also those that are valid no more, with their last use."`
	Rotate keysRotateCmd `cmd:"" help:"Make a new API key under a name and print it, this once; the one before stays valid for a while."`
	Revoke keysRevokeCmd `cmd:"" help:"Make the API keys of a name invalid."`
}

// keyName is what a key may be called: what needs no quotes in a shell.
var keyName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$`)

// actorFlag says who acts on keys.
type actorFlag struct {
	Actor string `placeholder:"NAME" help:"Who the list of keys says did it (default: the user of this process)."`
}

func (f actorFlag) actor() (string, error) {
	actor := cmp.Or(f.Actor, processUser())
	if !utf8.ValidString(actor) {
		return "", could{errors.New("--actor must be UTF-8")}
	}
	return actor, nil
}

type keysAddCmd struct {
	Name string `arg:"" help:"Who the key is for: 1 to 100 letters, digits and . _ @ + -."`
	storeFlag
	actorFlag
	Limit   *rate   `placeholder:"RATE" help:"The key's own limit, such as 1000/m, or \"off\" (default that of serve --rate-limit-key)." env:"-"`
	Expires *expiry `placeholder:"WHEN" help:"When the key ends by itself: in a time such as 90d or 12h, or at the beginning of a day such as 2027-06-30, UTC (default never)." env:"-"`
}

func (c *keysAddCmd) Run(ctx context.Context, to streams) (err error) {
	if !keyName.MatchString(c.Name) {
		return could{fmt.Errorf("%q cannot be the name of a key: use 1 to 100 letters, digits and . _ @ + -, the first a letter or a digit", c.Name)}
	}
	secret, made := newKey()
	made.Name = c.Name
	if made.CreatedBy, err = c.actor(); err != nil {
		return err
	}
	if c.Limit != nil {
		made.Limit = c.Limit.String()
	}
	if made.ExpiresAt, err = c.Expires.after(made.CreatedAt); err != nil {
		return could{err}
	}
	return withStore(ctx, c.open, func(s store.Store) error {
		err := s.AddKey(ctx, made)
		if errors.Is(err, store.ErrKeyExists) {
			return fmt.Errorf("%w; choose another one, or first: vitrine keys revoke %s (vitrine keys rotate replaces a key that is in use)", err, c.Name)
		}
		if err != nil {
			return could{err}
		}
		return printSecret(to, secret)
	})
}

// newKey returns a key, 160 random bits with a prefix by which a leaked one is
// found, and what a store keeps of it.
func newKey() (secret string, made store.APIKey) {
	var bits [20]byte
	rand.Read(bits[:]) // never fails
	secret = "vitrine_" + strings.ToLower(base32.StdEncoding.EncodeToString(bits[:]))
	return secret, store.APIKey{Hash: sha256.Sum256([]byte(secret)), CreatedAt: time.Now().UTC().Truncate(time.Millisecond)}
}

// printSecret prints a key, which nobody can do again.
func printSecret(to streams, secret string) error {
	if _, err := fmt.Fprintln(to.out, secret); err != nil {
		return printed(fmt.Errorf("%w; nobody has the key now: revoke it and add another", err))
	}
	fmt.Fprintf(to.err, "the key is kept as a hash only and is not shown again; send it as X-API-Key, servers of this store know it within seconds\n")
	return nil
}

type keysRotateCmd struct {
	Name string `arg:"" help:"The name that the key was added with."`
	storeFlag
	actorFlag
	Overlap period  `default:"24h" placeholder:"TIME" help:"How long the key before stays valid, such as 7d or 12h; 0s to end it now (default ${default})." env:"-"`
	Expires *expiry `placeholder:"WHEN" help:"When the new key ends by itself, as for keys add (default: in as long as the one before was made for)." env:"-"`
}

func (c *keysRotateCmd) Run(ctx context.Context, to streams) (err error) {
	secret, made := newKey()
	if made.CreatedBy, err = c.actor(); err != nil {
		return err
	}
	return withStore(ctx, c.openExisting, func(s store.Store) error {
		before, err := newestKey(ctx, s, c.Name, made.CreatedAt)
		if err != nil {
			return err
		}
		made.Name, made.Limit = before.Name, before.Limit
		switch {
		case c.Expires != nil:
			made.ExpiresAt, err = c.Expires.after(made.CreatedAt)
		case !before.ExpiresAt.IsZero():
			made.ExpiresAt = made.CreatedAt.Add(before.ExpiresAt.Sub(before.CreatedAt))
		}
		if err != nil {
			return could{err}
		}
		until := made.CreatedAt.Add(time.Duration(c.Overlap))
		err = s.ReplaceKey(ctx, made, until)
		if errors.Is(err, store.ErrNoKey) {
			return noKey(err)
		}
		if err != nil {
			return could{err}
		}
		if err := printSecret(to, secret); err != nil {
			return err
		}
		if end := before.EndsAt(); !end.IsZero() && end.Before(until) {
			until = end
		}
		fmt.Fprintf(to.err, "the key before is valid until %s; vitrine keys list says when it was used last\n", until.Format(timeForm))
		return nil
	})
}

// newestKey returns the key of a name that was made last of those that are valid.
func newestKey(ctx context.Context, s store.Store, name string, at time.Time) (store.APIKey, error) {
	keys, err := s.Keys(ctx)
	if err != nil {
		return store.APIKey{}, could{err}
	}
	for _, key := range slices.Backward(keys) { // by name, then time
		if key.Name == name && key.ValidAt(at) {
			return key, nil
		}
	}
	return store.APIKey{}, noKey(store.ErrNoKey)
}

func noKey(err error) error { return fmt.Errorf("%w that is valid; vitrine keys list names them", err) }

type keysRevokeCmd struct {
	Name string `arg:"" help:"The name that the key was added with."`
	storeFlag
	actorFlag
}

func (c *keysRevokeCmd) Run(ctx context.Context, to streams) error {
	actor, err := c.actor()
	if err != nil {
		return err
	}
	return withStore(ctx, c.openExisting, func(s store.Store) error {
		err := s.RevokeKey(ctx, c.Name, actor, time.Now())
		if errors.Is(err, store.ErrNoKey) {
			return noKey(err)
		}
		if err != nil {
			return could{err}
		}
		_, err = fmt.Fprintf(to.out, "revoked %s; servers of this store refuse it within seconds\n", printable(c.Name))
		return printed(err)
	})
}

// period is a time of some length: as Go writes them, or in days, such as 90d.
type period time.Duration

// maxPeriod keeps what lies ahead of today within the times that can be kept.
const maxPeriod = 100 * 365 * 24 * time.Hour

// UnmarshalText reads a period; it is how kong and tests make one.
func (p *period) UnmarshalText(text []byte) error {
	length, err := time.ParseDuration(string(text))
	if days, found := strings.CutSuffix(string(text), "d"); found {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 16)
		length = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || length < 0 || length > maxPeriod {
		return fmt.Errorf("%q is not a time, such as 90d, 12h or 30m, of 100 years at most", text)
	}
	*p = period(length)
	return nil
}

// expiry is when something ends: a moment, or a period from when it began.
type expiry struct {
	at time.Time // zero for in
	in period
}

// UnmarshalText reads an expiry; it is how kong and tests make one.
func (e *expiry) UnmarshalText(text []byte) error {
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(form, string(text)); err == nil {
			*e = expiry{at: at.UTC()}
			return nil
		}
	}
	*e = expiry{}
	if err := e.in.UnmarshalText(text); err != nil {
		return fmt.Errorf("%q is neither a time from now, such as 90d or 12h, nor a day, such as 2027-06-30", text)
	}
	return nil
}

// after returns when what began at a time ends, zero for never, which a nil
// expiry stands for. It must end later than it began.
func (e *expiry) after(began time.Time) (time.Time, error) {
	if e == nil {
		return time.Time{}, nil
	}
	end := e.at
	if end.IsZero() {
		end = began.Add(time.Duration(e.in))
	}
	if !end.After(began) {
		return time.Time{}, fmt.Errorf("--expires is %s, which is over; choose a time to come", end.Format(timeForm))
	}
	return end, nil
}
