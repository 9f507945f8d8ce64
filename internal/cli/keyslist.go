package cli

import (
	"bufio"
	"context"
	"fmt"
	"time"

	"vitrine/internal/store"
)

type keysListCmd struct {
	storeFlag
	Format string `enum:"text,json" default:"text" help:"Output format: ${enum}." env:"-"`
}

func (c *keysListCmd) Run(ctx context.Context, to streams) error {
	return withStore(ctx, c.openToRead, func(s store.Store) error {
		keys, err := s.Keys(ctx)
		if err != nil {
			return could{err}
		}
		return printed(c.print(to, keys, time.Now()))
	})
}

// keyJSON is an API key in `--format json`. RevokedAt of a replaced key may be in the future.
type keyJSON struct {
	Name      string    `json:"name"`
	Valid     bool      `json:"valid"`
	CreatedAt time.Time `json:"createdAt"`
	CreatedBy string    `json:"createdBy,omitempty"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	RevokedAt time.Time `json:"revokedAt,omitzero"`
	RevokedBy string    `json:"revokedBy,omitempty"`
	LastUsed  time.Time `json:"lastUsedAt,omitzero"`
	Limit     string    `json:"limit,omitempty"` // of its own
}

func newKeyJSON(k store.APIKey, now time.Time) keyJSON {
	return keyJSON{
		Name: k.Name, Valid: k.ValidAt(now), CreatedAt: k.CreatedAt, CreatedBy: k.CreatedBy, ExpiresAt: k.ExpiresAt,
		RevokedAt: k.RevokedAt, RevokedBy: k.RevokedBy, LastUsed: k.UsedAt, Limit: k.Limit,
	}
}

func (c *keysListCmd) print(to streams, keys []store.APIKey, now time.Time) error {
	if c.Format == "json" {
		var list []keyJSON
		for _, k := range keys {
			list = append(list, newKeyJSON(k, now))
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
		limit, used := "", "not used yet"
		if k.Limit != "" {
			limit = "  limit " + printable(k.Limit)
		}
		if !k.UsedAt.IsZero() {
			used = "last used " + k.UsedAt.Format(timeForm)
		}
		fmt.Fprintf(w, "%-20s  created %s%s  %s%s  %s\n", printable(k.Name), k.CreatedAt.Format(timeForm), by(k.CreatedBy),
			validity(k, now), limit, used)
	}
	return w.Flush()
}

// validity describes whether a key is valid, and until or since when.
func validity(k store.APIKey, now time.Time) string {
	end, valid := k.EndsAt(), k.ValidAt(now)
	switch {
	case end.IsZero():
		return "valid"
	case k.RevokedAt.IsZero() && valid:
		return "valid until " + end.Format(timeForm)
	case k.RevokedAt.IsZero():
		return "expired " + end.Format(timeForm)
	case valid:
		return "replaced" + by(k.RevokedBy) + ", valid until " + end.Format(timeForm)
	}
	return "revoked " + end.Format(timeForm) + by(k.RevokedBy)
}

// by returns " by" and the actor, "" without one.
func by(actor string) string {
	if actor == "" {
		return ""
	}
	return " by " + printable(actor)
}
