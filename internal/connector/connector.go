// Package connector has the common parts of connectors to upstreams: bounded, streaming
// reading of JSON arrays and NDJSON, parsing of chain ids, and rows of figures that are joined to
// chains of another upstream. Each upstream has its own package below this one; they do not
// import each other.
//
// Connectors convert bytes into records. They neither fetch bytes nor write to a store. All
// functions are pure and safe for concurrent use.
package connector

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"vitrine/internal/domain"
)

// MaxBytes is the maximum size of a document. The largest known one, chains.json, has 2 MB.
const MaxBytes = 64 << 20

// MaxRecords is the maximum number of elements of a document.
const MaxRecords = 500_000

// ErrTooLarge is returned for a document over [MaxBytes] or [MaxRecords].
var ErrTooLarge = errors.New("the document is too large")

// Loss describes, for an editor, a record or value of an upstream that was omitted. Connectors
// report everything that they omit (catalog/chains-import.md).
type Loss struct {
	ChainID string // "" when there is none
	Name    string // "" when there is none
	Reason  string
}

// Lesser is the reason of a row that is not joined because another row of its chain has a larger
// figure. Upstreams keep a row for the former name of a chain, with 0 or the last count.
const Lesser = "another row of the chain has more"

// Row is an upstream's figure of a chain. It is joined on ChainID, never on Name, because names
// differ between upstreams.
type Row struct {
	ChainID string // canonical ([ParseChainID]) or reviewed; "" for none
	Name    string // upstream's name, for reports
	Figure  domain.Figure
}

// Loss returns the loss of the row for a reason.
func (r Row) Loss(reason string) Loss { return Loss{ChainID: r.ChainID, Name: r.Name, Reason: reason} }

// KeyedRow is an upstream's figure of a record that it was asked for by its key.
type KeyedRow struct {
	Key    string // as the upstream spells it
	ID     string // at the upstream, where it never changes
	Figure domain.Figure
}

// NoFigure is an error about an element of a record without a figure: the reason.
type NoFigure string

func (e NoFigure) Error() string { return string(e) }

// KeyedRows converts the elements of a response to a request for records of a kind. Each id and each key
// has one row, the first. lost has the other elements, with the error of read.
func KeyedRows(kind domain.Kind, elements []json.RawMessage, read func(json.RawMessage) (KeyedRow, error)) (rows []KeyedRow, lost []Loss) {
	d, seen := domain.Describe(kind), map[[2]string]bool{}
	for i, element := range elements {
		row, err := read(element)
		_, isRecord := errors.AsType[NoFigure](err)
		isRecord = isRecord || err == nil
		id, key := [2]string{"id", row.ID}, [2]string{"key", d.Identity(row.Key)}
		switch twice := seen[id] || seen[key]; {
		case !isRecord:
			err = fmt.Errorf("row %d: %w", i, err)
		case twice:
			err = fmt.Errorf("row %d: the response has the %s twice", i, d.Names[0])
		default:
			seen[id], seen[key] = true, true
		}
		if err != nil {
			lost = append(lost, Loss{Name: row.Key, Reason: err.Error()})
			continue
		}
		rows = append(rows, row)
	}
	return rows, lost
}

// Rows reads a JSON array or NDJSON and converts each element into a row, in order. lost has the
// elements that do not decode into E and the losses that convert returns. The error is that of
// [Array]; then rows and lost are nil.
func Rows[E, R any](r io.Reader, convert func(element E) (R, *Loss)) (rows []R, lost []Loss, err error) {
	take := func(_ int, element E) {
		if row, loss := convert(element); loss != nil {
			lost = append(lost, *loss)
		} else {
			rows = append(rows, row)
		}
	}
	refuse := func(i int, err error) {
		lost = append(lost, Loss{Reason: fmt.Sprintf("row %d: %v", i, err)})
	}
	if err := Array(r, take, refuse); err != nil {
		return nil, nil, err
	}
	return rows, lost, nil
}

// Array reads a JSON array or NDJSON and calls take with each element and its index, in order. For
// an element that does not decode into T it calls refuse with the reason instead. It returns an
// error if the document is neither, exceeds a bound or cannot be read to its end; then not all
// elements were passed.
func Array[T any](r io.Reader, take func(index int, element T), refuse func(index int, err error)) error {
	return arrayWithin(r, MaxBytes, MaxRecords, take, refuse)
}

func arrayWithin[T any](r io.Reader, maxBytes int64, maxRecords int, take func(int, T), refuse func(int, error)) error {
	limited := &io.LimitedReader{R: r, N: maxBytes + 1}
	buffered := bufio.NewReader(limited)
	err := array(json.NewDecoder(buffered), beginsObject(buffered), maxRecords, take, refuse)
	if limited.N <= 0 {
		return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, maxBytes)
	}
	return err
}

// beginsObject skips white space and reports whether an object follows.
func beginsObject(r *bufio.Reader) bool {
	for {
		next, err := r.Peek(1)
		if err != nil || !bytes.ContainsAny(next, " \t\r\n") {
			return err == nil && next[0] == '{'
		}
		r.Discard(1) // cannot fail: the byte is there
	}
}

// array reads the elements of an array or of NDJSON.
func array[T any](dec *json.Decoder, lines bool, maxRecords int, take func(int, T), refuse func(int, error)) error {
	if !lines {
		if tok, err := dec.Token(); err != nil {
			return broken(dec, err)
		} else if tok != json.Delim('[') {
			if tok == nil {
				tok = "null"
			}
			return fmt.Errorf("the document is neither a JSON array nor NDJSON but begins with %v", tok)
		}
	}
	for i := 0; dec.More(); i++ {
		if i == maxRecords {
			return fmt.Errorf("%w: more than %d elements", ErrTooLarge, maxRecords)
		}
		var element T
		err := dec.Decode(&element)
		// The decoder has consumed the element, so it can continue.
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			refuse(i, fmt.Errorf("%s is of the wrong type: a JSON %s", cmp.Or(wrong.Field, "the record"), wrong.Value))
			continue
		}
		if err != nil {
			return broken(dec, err)
		}
		take(i, element)
	}
	if !lines {
		if _, err := dec.Token(); err != nil {
			return broken(dec, err)
		}
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("there is more after the array, at byte %d", dec.InputOffset())
	}
	return nil
}

// Object decodes a document that is a JSON object. It returns [ErrTooLarge] for one of over [MaxBytes].
func Object(r io.Reader, into any) error {
	limited := &io.LimitedReader{R: r, N: MaxBytes + 1}
	dec := json.NewDecoder(limited)
	err := dec.Decode(into)
	switch wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); {
	case err == nil:
		return nil
	case limited.N <= 0:
		return ErrTooLarge
	case ok:
		return fmt.Errorf("%s is of the wrong type: a JSON %s", cmp.Or(wrong.Field, "the document"), wrong.Value)
	}
	return broken(dec, err)
}

func broken(dec *json.Decoder, err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("the document is not valid JSON near byte %d: %w", dec.InputOffset(), err)
}

// Text returns a JSON string or number as text, "" for null and an absent value. Upstreams have ids and
// counts as both.
func Text(raw json.RawMessage) string {
	text := strings.Trim(string(raw), `"`)
	if text == "null" {
		return ""
	}
	return text
}

// IsCount reports whether a number is a count: whole, and from 0 to 2^53.
func IsCount(n float64) bool { return n >= 0 && n <= 1<<53 && n == math.Trunc(n) }

// MaxChainIDDigits is the maximum length of a chain id: 2^256 has 78 digits.
const MaxChainIDDigits = 78

// ParseChainID returns a numeric chain id in canonical form: decimal digits without leading
// zeros. It accepts numbers of any size, also quoted. It returns "" for an absent value, null, ""
// and 0, which upstreams use as placeholders, and an error for anything else.
func ParseChainID(raw json.RawMessage) (string, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	text := string(raw)
	if raw[0] == '"' {
		if err := json.Unmarshal(raw, &text); err != nil {
			return "", fmt.Errorf("chain id: %w", err)
		}
		text = strings.TrimSpace(text)
	}
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return "", fmt.Errorf("chain id %.100q is not a positive decimal integer", text)
		}
	}
	text = strings.TrimLeft(text, "0")
	if len(text) > MaxChainIDDigits {
		return "", fmt.Errorf("chain id has %d digits, more than %d", len(text), MaxChainIDDigits)
	}
	return text, nil
}

// CompareChainIDs compares canonical chain ids by value.
func CompareChainIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
