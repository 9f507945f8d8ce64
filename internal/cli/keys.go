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
	Add    keysAddCmd    `cmd:"" help:"Create an API key and print it. It is not shown again."`
	List   keysListCmd   `cmd:"" help:"List all API keys, including invalid ones, with their last use."`
	Rotate keysRotateCmd `cmd:"" help:"Replace an API key and print the new one. The old key stays valid for a while."`
	Revoke keysRevokeCmd `cmd:"" help:"Revoke the API keys of a name."`
}

// keyName matches the valid names of keys, which need no quotes in a shell.
var keyName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$`)

// actorFlag is the actor of a change of keys.
type actorFlag struct {
	Actor string `placeholder:"NAME" help:"Actor in the list of keys (default: the user of this process)."`
}

func (f actorFlag) actor() (string, error) {
	actor := cmp.Or(f.Actor, processUser())
	if !utf8.ValidString(actor) {
		return "", could{errors.New("--actor must be UTF-8")}
	}
	return actor, nil
}

type keysAddCmd struct {
	Name string `arg:"" help:"Name of the key: 1 to 100 letters, digits and . _ @ + -."`
	storeFlag
	actorFlag
	Limit   *rate   `placeholder:"RATE" help:"Quota of this key, such as 1000/m, or \"off\" (default: serve --rate-limit-key)." env:"-"`
	Expires *expiry `placeholder:"WHEN" help:"Expiry of the key: a time from now such as 90d or 12h, or a day such as 2027-06-30, at 00:00 UTC (default: never)." env:"-"`
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

// newKey returns a new key, 160 random bits with a prefix for secret scanners, and its record in
// the store.
func newKey() (secret string, made store.APIKey) {
	var bits [20]byte
	rand.Read(bits[:]) // never fails
	secret = "vitrine_" + strings.ToLower(base32.StdEncoding.EncodeToString(bits[:]))
	return secret, store.APIKey{Hash: sha256.Sum256([]byte(secret)), CreatedAt: time.Now().UTC().Truncate(time.Millisecond)}
}

// printSecret prints a new key. It cannot be printed again.
func printSecret(to streams, secret string) error {
	if _, err := fmt.Fprintln(to.out, secret); err != nil {
		return printed(fmt.Errorf("%w; the key is lost: revoke it and add another", err))
	}
	fmt.Fprintf(to.err, "only a hash of the key is stored, so it is not shown again; send it as X-API-Key; servers of this store accept it within seconds\n")
	return nil
}

type keysRotateCmd struct {
	Name string `arg:"" help:"The name that the key was added with."`
	storeFlag
	actorFlag
	Overlap period  `default:"24h" placeholder:"TIME" help:"How long the old key stays valid, such as 7d or 12h; 0s to revoke it now (default ${default})." env:"-"`
	Expires *expiry `placeholder:"WHEN" help:"Expiry of the new key, as for keys add (default: after the lifetime of the old key)." env:"-"`
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
		if err := s.ReplaceKey(ctx, made, until); err != nil {
			return keyError(err)
		}
		if err := printSecret(to, secret); err != nil {
			return err
		}
		if end := before.EndsAt(); !end.IsZero() && end.Before(until) {
			until = end
		}
		fmt.Fprintf(to.err, "the old key is valid until %s; vitrine keys list shows its last use\n", until.Format(timeForm))
		return nil
	})
}

// newestKey returns the newest valid key of a name.
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
	return store.APIKey{}, keyError(store.ErrNoKey)
}

// keyError classifies an error of changing a key: a name without a valid key has status 1.
func keyError(err error) error {
	if errors.Is(err, store.ErrNoKey) {
		return fmt.Errorf("%w that is valid; vitrine keys list names them", err)
	}
	return could{err}
}

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
		if err := s.RevokeKey(ctx, c.Name, actor, time.Now()); err != nil {
			return keyError(err)
		}
		_, err := fmt.Fprintf(to.out, "revoked %s; servers of this store refuse it within seconds\n", printable(c.Name))
		return printed(err)
	})
}

// period is a duration in the form of Go, or a whole number of days or weeks, such as 90d or 12w.
type period time.Duration

// maxPeriod is the maximum period, so that dates stay within the range of the stores.
const maxPeriod = 100 * 365 * 24 * time.Hour

// UnmarshalText implements [encoding.TextUnmarshaler].
func (p *period) UnmarshalText(text []byte) error {
	length, err := time.ParseDuration(string(text))
	for suffix, unit := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if digits, found := strings.CutSuffix(string(text), suffix); found {
			var n uint64
			n, err = strconv.ParseUint(digits, 10, 16)
			length = time.Duration(n) * unit
		}
	}
	if err != nil || length < 0 || length > maxPeriod {
		return fmt.Errorf("%q is not a time, such as 90d, 12h or 30m, of 100 years at most", text)
	}
	*p = period(length)
	return nil
}

// String returns the period as UnmarshalText reads it, in days if it has whole ones.
func (p period) String() string {
	const day = 24 * time.Hour
	if length := time.Duration(p); length%day != 0 {
		return length.String()
	}
	return strconv.Itoa(int(time.Duration(p)/day)) + "d"
}

// expiry is the end of a key: a time, or a period after its creation.
type expiry struct {
	at time.Time // zero for in
	in period
}

// UnmarshalText implements [encoding.TextUnmarshaler].
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

// after returns the expiry of a key that is created at a time, zero for a nil expiry. It returns an
// error if the expiry is not later.
func (e *expiry) after(began time.Time) (time.Time, error) {
	if e == nil {
		return time.Time{}, nil
	}
	end := e.at
	if end.IsZero() {
		end = began.Add(time.Duration(e.in))
	}
	if !end.After(began) {
		return time.Time{}, fmt.Errorf("--expires is %s, which is in the past; choose a later time", end.Format(timeForm))
	}
	return end, nil
}
