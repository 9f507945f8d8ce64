package cli

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"vitrine/internal/store"
)

type keysCmd struct {
	Add    keysAddCmd    `cmd:"" help:"Make an API key and print it, this once."`
	List   keysListCmd   `cmd:"" help:"List the API keys, revoked ones included."`
	Revoke keysRevokeCmd `cmd:"" help:"Make an API key invalid."`
}

// keyName is what a key may be called: what needs no quotes in a shell.
var keyName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$`)

type keysAddCmd struct {
	Name string `arg:"" help:"Who the key is for: 1 to 100 letters, digits and . _ @ + -."`
	storeFlag
	Limit *rate `placeholder:"RATE" help:"The key's own limit, such as 1000/m, or \"off\" (default that of serve --rate-limit-key)." env:"-"`
}

func (c *keysAddCmd) Run(ctx context.Context, to streams) (err error) {
	if !keyName.MatchString(c.Name) {
		return could{fmt.Errorf("%q cannot be the name of a key: use 1 to 100 letters, digits and . _ @ + -, the first a letter or a digit", c.Name)}
	}
	limit := ""
	if c.Limit != nil {
		limit = c.Limit.String()
	}
	s, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	key := newKey()
	err = s.AddKey(ctx, store.APIKey{Name: c.Name, Hash: sha256.Sum256([]byte(key)), CreatedAt: time.Now(), Limit: limit})
	if errors.Is(err, store.ErrKeyExists) {
		return fmt.Errorf("%w; choose another one, or first: vitrine keys revoke %s", err, c.Name)
	}
	if err != nil {
		return could{err}
	}
	if _, err := fmt.Fprintln(to.out, key); err != nil {
		return couldNotPrint(fmt.Errorf("%w; nobody has the key now: revoke it and add another", err))
	}
	fmt.Fprintf(to.err, "the key is kept as a hash only and is not shown again; send it as X-API-Key, servers of this store know it within seconds\n")
	return nil
}

// newKey returns 160 random bits with a prefix by which a leaked key is found.
func newKey() string {
	var secret [20]byte
	rand.Read(secret[:]) // never fails
	return "vitrine_" + strings.ToLower(base32.StdEncoding.EncodeToString(secret[:]))
}

type keysListCmd struct {
	storeFlag
	Format string `enum:"text,json" default:"text" help:"How they are printed: ${enum}." env:"-"`
}

func (c *keysListCmd) Run(ctx context.Context, to streams) (err error) {
	s, err := c.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	keys, err := s.Keys(ctx)
	if err != nil {
		return could{err}
	}
	if err := c.print(to, keys); err != nil {
		return couldNotPrint(err)
	}
	return nil
}

// keyJSON is an API key in `--format json`.
type keyJSON struct {
	Name      string     `json:"name"`
	CreatedAt time.Time  `json:"createdAt"`
	RevokedAt *time.Time `json:"revokedAt,omitempty"`
	Limit     string     `json:"limit,omitempty"` // of its own
}

func (c *keysListCmd) print(to streams, keys []store.APIKey) error {
	if c.Format == "json" {
		list := make([]keyJSON, len(keys))
		for i, k := range keys {
			list[i] = keyJSON{Name: k.Name, CreatedAt: k.CreatedAt, Limit: k.Limit}
			if !k.RevokedAt.IsZero() {
				list[i].RevokedAt = &k.RevokedAt
			}
		}
		return writeJSON(to.out, struct {
			Keys []keyJSON `json:"keys"`
		}{list})
	}
	if len(keys) == 0 {
		_, err := fmt.Fprintln(to.err, "there are no API keys; vitrine keys add NAME makes one")
		return err
	}
	w := bufio.NewWriter(to.out)
	for _, k := range keys {
		revoked, limit := "valid", ""
		if !k.RevokedAt.IsZero() {
			revoked = "revoked " + k.RevokedAt.UTC().Format(timeForm)
		}
		if k.Limit != "" {
			limit = "  limit " + printable(k.Limit)
		}
		fmt.Fprintf(w, "%-20s  created %s  %s%s\n", printable(k.Name), k.CreatedAt.UTC().Format(timeForm), revoked, limit)
	}
	return w.Flush()
}

type keysRevokeCmd struct {
	Name string `arg:"" help:"The name that the key was added with."`
	storeFlag
}

func (c *keysRevokeCmd) Run(ctx context.Context, to streams) (err error) {
	s, err := c.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	err = s.RevokeKey(ctx, c.Name, time.Now())
	if errors.Is(err, store.ErrNoKey) {
		return fmt.Errorf("%w that is valid; vitrine keys list names them", err)
	}
	if err != nil {
		return could{err}
	}
	if _, err := fmt.Fprintf(to.out, "revoked %s; servers of this store refuse it within seconds\n", printable(c.Name)); err != nil {
		return couldNotPrint(err)
	}
	return nil
}
