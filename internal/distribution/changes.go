package distribution

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// The log of changes is a file with one line per revision, oldest first. Values of fields are
// hashes, so that changes that were undone can be omitted.

type loggedRevision struct {
	Number      int64         `json:"number"`
	PublishedAt time.Time     `json:"publishedAt"`
	Entries     []loggedEntry `json:"entries,omitempty"`
}

type loggedEntry struct {
	Kind   domain.Kind   `json:"kind"`
	ID     string        `json:"id"`
	WasID  string        `json:"wasId,omitempty"` // if it differs
	Key    string        `json:"key"`
	Was    string        `json:"was,omitempty"`
	Menu   string        `json:"menu,omitempty"`
	Op     domain.Op     `json:"change"`
	Values []loggedValue `json:"values,omitempty"`
	Title  [][2]string   `json:"title,omitempty"` // locale and text
	Name   string        `json:"name,omitempty"`
	Purged bool          `json:"purged,omitempty"`
}

type loggedValue struct {
	Field  string `json:"field"`
	Before string `json:"before,omitempty"` // hexadecimal; "" for an empty field
	After  string `json:"after,omitempty"`
}

// encodeLog returns the content of the file of a log.
func encodeLog(log *changelog.Log) ([]byte, error) {
	var content []byte
	for _, r := range log.Revisions() {
		next := loggedRevision{Number: r.Number, PublishedAt: r.PublishedAt.UTC()}
		for _, e := range r.Entries {
			next.Entries = append(next.Entries, logEntry(e))
		}
		text, err := json.Marshal(next)
		if err != nil {
			return nil, err
		}
		content = append(append(content, text...), '\n')
	}
	return content, nil
}

func logEntry(e changelog.Entry) loggedEntry {
	next := loggedEntry{Kind: e.Kind, ID: e.ID, Key: e.Key, Was: e.Was, Menu: e.Menu, Op: e.Op, Name: e.Name, Purged: e.Purged}
	if e.WasID != e.ID {
		next.WasID = e.WasID
	}
	for _, v := range e.Values {
		next.Values = append(next.Values, loggedValue{v.Field, hexHash(v.Before), hexHash(v.After)})
	}
	for _, t := range e.Title {
		next.Title = append(next.Title, [2]string{t.Locale, t.Value})
	}
	return next
}

func hexHash(h uint64) string {
	if h == 0 {
		return ""
	}
	return strconv.FormatUint(h, 16)
}

// decodeLog returns the log of the content of a file.
func decodeLog(content []byte) (*changelog.Log, error) {
	var revisions []changelog.Revision
	err := eachLine(content, func(text []byte) error {
		var next loggedRevision
		if err := json.Unmarshal(text, &next); err != nil {
			return err
		}
		r := changelog.Revision{Number: next.Number, PublishedAt: next.PublishedAt}
		for _, logged := range next.Entries {
			e, err := logged.entry(r.Number)
			if err != nil {
				return err
			}
			r.Entries = append(r.Entries, e)
		}
		if n := len(revisions); n > 0 && revisions[n-1].Number >= r.Number {
			return fmt.Errorf("revision %d follows revision %d", r.Number, revisions[n-1].Number)
		}
		revisions = append(revisions, r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(revisions) == 0 {
		return nil, fmt.Errorf("it has no revision")
	}
	return changelog.New(revisions[0]).Append(revisions[1:]...), nil
}

func (e loggedEntry) entry(revision int64) (changelog.Entry, error) {
	next := changelog.Entry{
		Revision: revision, Kind: e.Kind, ID: e.ID, WasID: e.WasID, Key: e.Key, Was: e.Was, Menu: e.Menu, Op: e.Op, Name: e.Name, Purged: e.Purged,
	}
	if next.WasID == "" {
		next.WasID = e.ID
	}
	for _, v := range e.Values {
		before, err := parseHash(v.Before)
		if err != nil {
			return next, err
		}
		after, err := parseHash(v.After)
		if err != nil {
			return next, err
		}
		next.Values = append(next.Values, changelog.Value{Field: v.Field, Before: before, After: after})
	}
	for _, t := range e.Title {
		next.Title = append(next.Title, domain.Translation{Locale: t[0], Value: t[1]})
	}
	return next, nil
}

func parseHash(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	return strconv.ParseUint(text, 16, 64)
}

// ChangeLog returns the log of the changes up to a revision, that of the state that was read last;
// nil if the distribution has none. The error for another revision wraps [store.ErrNoRevision].
func (r *Reader) ChangeLog(ctx context.Context, revision int64) (*changelog.Log, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.loaded
	if e == nil || e.Revision.Number != revision {
		e = r.entry
	}
	if e == nil || e.Revision.Number != revision {
		return nil, store.ErrNoRevision
	}
	if e.Changes == nil {
		return nil, nil
	}
	content, err := readContent(ctx, r.place, *e.Changes)
	if err != nil {
		return nil, err
	}
	log, err := decodeLog(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Changes.Path, err)
	}
	if log.Newest().Number != revision {
		return nil, fmt.Errorf("%s ends at revision %d, not %d", e.Changes.Path, log.Newest().Number, revision)
	}
	return log, nil
}
