package snapshot

import "vitrine/internal/domain"

// Positions returns the file, as a slash path, and the line of the record with a key. The file is ""
// for an unknown one. It is safe for concurrent use.
type Positions func(kind domain.Kind, key string) (file string, line int)

// WithPositions returns a copy of the snapshot that knows the positions of its records. It shares
// all else. nil means unknown positions.
func (s *Snapshot) WithPositions(at Positions) *Snapshot {
	c := *s
	c.places = at
	return &c
}

// EditURL returns the address for editing a record in its file, "" if the catalogue has no template
// or the position is unknown.
func (s *Snapshot) EditURL(kind domain.Kind, key string) string {
	if s.catalog.EditURL == "" || s.places == nil {
		return ""
	}
	file, line := s.places(kind, key)
	if file == "" {
		return ""
	}
	return domain.EditLink(s.catalog.EditURL, file, line)
}
