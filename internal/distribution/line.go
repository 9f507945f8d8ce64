package distribution

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// line is one record as a JSON object on one line. Its bytes are canonical: equal records have
// equal lines.
type line struct {
	key  string
	body []byte // without the line break
}

// Reasons why lists hide a record.
const (
	heldBack = "held-back" // an account without followers
	unlisted = "unlisted"  // a menu of no nav group
)

// encoder encodes the lines of a catalogue.
type encoder struct {
	public domain.Catalog  // without what only its editors need
	listed map[string]bool // the menus of nav groups
}

// newEncoder returns the encoder of a served catalogue. It leaves out what only its editors need:
// acceptances, settings of the gate, expectations and reserved ids.
func newEncoder(served *domain.Catalog) encoder {
	e := encoder{public: *served, listed: map[string]bool{}}
	e.public.Accept, e.public.Gate, e.public.Expect, e.public.PastIDs = nil, nil, nil, nil
	for i := range e.public.NavGroups {
		for _, menu := range e.public.NavGroups[i].Menus {
			e.listed[menu] = true
		}
	}
	return e
}

// line returns the line of the record at an index.
func (e *encoder) line(d *domain.Description, index int) (line, error) {
	record := d.Record(&e.public, index)
	key := store.KeyOf(d, record)
	body, err := e.append(fmt.Appendf(nil, `{"kind":%q,"key":`, d.Kind), d, index, key)
	if err != nil {
		return line{}, fmt.Errorf("encode %s %q: %w", d.Kind, key, err)
	}
	return line{key, body}, nil
}

// append appends a line from its key on.
func (e *encoder) append(b []byte, d *domain.Description, index int, key string) ([]byte, error) {
	b, err := jsontext.AppendQuote(b, key)
	if err != nil {
		return nil, err
	}
	if d.Ordered {
		b = fmt.Appendf(b, `,"position":%d`, index)
	}
	record := d.Record(&e.public, index)
	if hidden := e.hidden(record); hidden != "" {
		b = fmt.Appendf(b, `,"hidden":%q`, hidden)
	}
	if chain, ok := record.(*domain.Chain); ok {
		if b, err = appendEndpoints(b, chain.RPC); err != nil {
			return nil, err
		}
	}
	b = append(b, `,"record":`...)
	if b, err = d.Shape.AppendJSON(b, record, ""); err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

// hidden returns the reason why lists hide a record, "" for none.
func (e *encoder) hidden(record any) string {
	switch r := record.(type) {
	case *domain.Account:
		if domain.HeldBack(r) {
			return heldBack
		}
	case *domain.Menu:
		if !e.listed[r.PathSlug] {
			return unlisted
		}
	}
	return ""
}

// appendEndpoints appends the observed states of endpoints, if any are known.
func appendEndpoints(b []byte, all []domain.Endpoint) ([]byte, error) {
	known := slices.DeleteFunc(slices.Clone(all), func(e domain.Endpoint) bool { return e.Reached.Reach == domain.ReachUnknown })
	for i, e := range known {
		b = append(b, map[bool]string{true: `,"endpoints":[{"url":`, false: `,{"url":`}[i == 0]...)
		var err error
		if b, err = jsontext.AppendQuote(b, e.URL); err != nil {
			return nil, err
		}
		b = fmt.Appendf(b, `,"state":%q,"since":%q}`, e.Reached.Reach, e.Reached.Since)
	}
	if len(known) > 0 {
		b = append(b, ']')
	}
	return b, nil
}

// shortestLine is less than the bytes of any line, so that short files cannot have many lines.
const shortestLine = len(`{"kind":"nav","key":"","record":{}}`)

// removal is the line of a delta for a removed record.
func removal(kind domain.Kind, key string) ([]byte, error) {
	b, err := jsontext.AppendQuote(fmt.Appendf(nil, `{"kind":%q,"key":`, kind), key)
	return append(b, `,"removed":true}`...), err
}

// endpoint is the observed state of an endpoint.
type endpoint struct {
	URL   string       `json:"url"`
	State domain.Reach `json:"state"`
	Since domain.Date  `json:"since"`
}

// parsed is a decoded line.
type parsed struct {
	Kind      domain.Kind     `json:"kind"`
	Key       string          `json:"key"`
	Position  int             `json:"position"`
	Removed   bool            `json:"removed"`
	Endpoints []endpoint      `json:"endpoints"`
	Record    json.RawMessage `json:"record"`

	sum [sha256.Size]byte
}

// parseLines decodes the lines of a file, at most limit. Each ends with a line break.
func parseLines(file []byte, limit int) ([]parsed, error) {
	n := bytes.Count(file, []byte{'\n'})
	if n > limit || n > len(file)/shortestLine {
		return nil, fmt.Errorf("it has more lines than %s declares, or empty ones", EntryFile)
	}
	all := make([]parsed, 0, n)
	err := eachLine(file, func(text []byte) error {
		var p parsed
		if err := json.Unmarshal(text, &p); err != nil {
			return err
		}
		if domain.Describe(p.Kind) == nil {
			return fmt.Errorf("the kind %q is unknown", p.Kind)
		}
		if p.Removed != (p.Record == nil) {
			return errors.New("there is neither a record nor its removal")
		}
		p.sum = sha256.Sum256(text)
		all = append(all, p)
		return nil
	})
	return all, err
}

// eachLine calls use for each line of a file, which must end with a line break. It stops at the
// first error, to which it adds the number of the line.
func eachLine(file []byte, use func(text []byte) error) error {
	n := 0
	for text := range bytes.Lines(file) {
		n++
		text, ended := bytes.CutSuffix(text, []byte{'\n'})
		if !ended {
			return fmt.Errorf("line %d does not end", n)
		}
		if err := use(text); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

// row returns the stored form of the record; a removed one is a tombstone.
func (p *parsed) row() store.Row {
	return store.Row{Kind: p.Kind, Key: p.Key, Position: p.Position, Body: p.Record}
}

// observations returns the states of the record's endpoints.
func (p *parsed) observations() []domain.Observation {
	var all []domain.Observation
	for i, e := range p.Endpoints {
		if !slices.ContainsFunc(p.Endpoints[:i], func(other endpoint) bool { return other.URL == e.URL }) {
			all = append(all, domain.ObserveReach(p.Kind, p.Key, "rpc", e.URL, domain.Reached{Reach: e.State, Since: e.Since}))
		}
	}
	return all
}

// forgotten returns observations that end earlier ones of the record's endpoints without a state.
// They have no date, so [domain.Merge] ignores them.
func (p *parsed) forgotten() ([]domain.Observation, error) {
	if p.Kind != domain.KindChain || p.Removed {
		return nil, nil
	}
	record, err := p.row().Record()
	if err != nil {
		return nil, err
	}
	var all []domain.Observation
	done := map[string]bool{}
	for _, e := range p.Endpoints {
		done[e.URL] = true
	}
	for _, e := range record.(*domain.Chain).RPC {
		if !done[e.URL] {
			done[e.URL] = true
			all = append(all, domain.ObserveReach(p.Kind, p.Key, "rpc", e.URL, domain.Reached{}))
		}
	}
	return all, nil
}
