package chainid

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// ReadKinds reads an operator's kinds: [{"chain_id": "3", "kind": "testnet"}].
// It ignores further fields (name, why). An invalid entry is an error, since people write such files.
func ReadKinds(r io.Reader) (map[string]Kind, error) {
	type entry struct {
		ChainID json.RawMessage `json:"chain_id"`
		Kind    Kind            `json:"kind"`
	}
	return byChain(r, "kinds", func(e entry) (json.RawMessage, Kind, error) {
		if e.Kind != Mainnet && e.Kind != Testnet {
			return nil, "", fmt.Errorf("kind is %q; write mainnet or testnet", e.Kind)
		}
		return e.ChainID, e.Kind, nil
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
		if text := t[loc]; loc == "" || clean(text) == "" || !printable(text) {
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
	if s == "" || len(s) > maxSlug {
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

// ReadPlatforms reads counts of apps, each with its source and date:
// [{"chain_id": 1, "name": "Ethereum", "platforms": 884, "source": "…", "as_of": "2023-10-16"}].
// Rows without an id have ChainID "", so the join reports them. Rows without a count, a source or a
// date are losses.
func ReadPlatforms(r io.Reader) ([]connector.Row, []connector.Loss, error) {
	type entry struct {
		ChainID   json.RawMessage `json:"chain_id"`
		Name      string          `json:"name"`
		Platforms *float64        `json:"platforms"`
		Source    string          `json:"source"`
		AsOf      string          `json:"as_of"`
	}
	rows, lost, err := connector.Rows(r, func(e entry) (connector.Row, *connector.Loss) {
		name := clean(e.Name)
		id, err := connector.ParseChainID(e.ChainID)
		if err == nil {
			err = checkCount(e.Platforms, clean(e.Source), e.AsOf)
		}
		if err != nil {
			return connector.Row{}, &connector.Loss{ChainID: id, Name: name, Reason: err.Error()}
		}
		return connector.Row{ChainID: id, Name: name,
			Figure: domain.Figure{Value: math.Abs(*e.Platforms), Source: clean(e.Source), AsOf: domain.Date(e.AsOf)}}, nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("platforms: %w", err)
	}
	return rows, lost, nil
}

func checkCount(count *float64, source, asOf string) error {
	if count == nil {
		return fmt.Errorf("the row has no platforms")
	}
	if *count < 0 || *count > 1<<53 || *count != math.Trunc(*count) {
		return fmt.Errorf("platforms %v is not a count", *count)
	}
	if source == "" || !printable(source) {
		return fmt.Errorf("the row has no source")
	}
	if _, err := time.Parse(time.DateOnly, asOf); err != nil {
		return fmt.Errorf("as_of %.40q is not a date like 2023-10-16", asOf)
	}
	return nil
}
