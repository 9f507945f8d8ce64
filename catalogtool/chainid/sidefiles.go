package chainid

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"vitrine/internal/connector"
	registry "vitrine/internal/connector/chainid"
)

// ReadNetworks reads an operator's networks: [{"chain_id": "3", "kind": "testnet"}].
// It ignores further fields (name, why). An invalid entry is an error, since people write such files.
func ReadNetworks(r io.Reader) (map[string]Network, error) {
	type entry struct {
		ChainID json.RawMessage `json:"chain_id"`
		Network Network         `json:"kind"`
	}
	return byChain(r, "kinds", func(e entry) (json.RawMessage, Network, error) {
		if e.Network != Mainnet && e.Network != Testnet {
			return nil, "", fmt.Errorf("kind is %q; write mainnet or testnet", e.Network)
		}
		return e.ChainID, e.Network, nil
	})
}

// ReadNames reads names in further locales:
// [{"chain_id": "1", "name": {"zh-hans": "以太坊"}}]. An invalid entry is an error.
func ReadNames(r io.Reader) (map[string]NameTexts, error) {
	type entry struct {
		ChainID json.RawMessage `json:"chain_id"`
		Name    NameTexts       `json:"name"`
	}
	return byChain(r, "names", func(e entry) (json.RawMessage, NameTexts, error) {
		return e.ChainID, e.Name, e.Name.check()
	})
}

// check returns an error for the first invalid text, in the order of locales.
func (t NameTexts) check() error {
	for _, loc := range slices.Sorted(maps.Keys(t)) {
		if text := t[loc]; loc == "" || registry.Clean(text) == "" || !registry.Printable(text) {
			return fmt.Errorf("text %.40q in locale %q is empty, over 500 characters or holds control characters", text, loc)
		}
	}
	return nil
}

// byChain reads an array of entries into a map by chain id.
func byChain[E, V any](r io.Reader, what string, value func(E) (json.RawMessage, V, error)) (map[string]V, error) {
	out := map[string]V{}
	var first error
	fail := func(i int, err error) {
		if first == nil {
			first = fmt.Errorf("%s: entry %d: %w", what, i, err)
		}
	}
	take := func(i int, e E) {
		raw, v, err := value(e)
		if err != nil {
			fail(i, err)
			return
		}
		id, err := connector.ParseChainID(raw)
		if err != nil {
			fail(i, err)
			return
		}
		if _, twice := out[id]; id == "" || twice {
			fail(i, fmt.Errorf("chain_id %q is missing or stands there twice", id))
			return
		}
		out[id] = v
	}
	if err := connector.Array(r, take, fail); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return out, first
}

// ReadSlugs reads the slugs of a previous import from its records, as NDJSON or an array. An invalid
// entry is an error, because a lost slug breaks links.
func ReadSlugs(r io.Reader) (map[string]string, error) {
	type record struct {
		Slug    string          `json:"slug"`
		ChainID json.RawMessage `json:"chain_id"`
	}
	out := map[string]string{}
	seen := map[string]bool{}
	var first error
	fail := func(_ int, err error) { first = cmp.Or(first, err) }
	take := func(i int, rec record) {
		id, err := connector.ParseChainID(rec.ChainID)
		if err != nil || id == "" {
			fail(i, fmt.Errorf("%q has no numeric chain id", rec.Slug))
			return
		}
		if _, twice := out[id]; twice || seen[rec.Slug] || !isSlug(rec.Slug) {
			fail(i, fmt.Errorf("chain %s: slug %q is malformed, or the file lists the record twice", id, rec.Slug))
		}
		out[id] = rec.Slug
		seen[rec.Slug] = true
	}
	err := connector.Array(r, take, fail)
	if err = cmp.Or(err, first); err != nil {
		return nil, fmt.Errorf("earlier chains: %w", err)
	}
	return out, nil
}

// plainly describes a value of the wrong type by its JSON type instead of its Go type.
func plainly(err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	what := "a value"
	if wrong.Field != "" {
		what = wrong.Field
	}
	return fmt.Errorf("%s is of the wrong type: a JSON %s", what, wrong.Value)
}

func isSlug(s string) bool {
	if s == "" || len(s) > registry.MaxSlug {
		return false
	}
	for i, c := range []byte(s) {
		alphanumeric := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		if !alphanumeric && (i == 0 || !slices.Contains([]byte("._-"), c)) {
			return false
		}
	}
	return true
}
