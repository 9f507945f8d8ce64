package domain

import "cmp"

// Status is the status of a chain or an app. "" is [StatusLive], which is not written.
type Status string

// The statuses, as docs/directory.md#chains names them.
const (
	StatusLive     Status = "live"
	StatusUpcoming Status = "upcoming"
	StatusRetired  Status = "retired"
)

// Statuses returns all statuses in chronological order.
func Statuses() []Status { return []Status{StatusLive, StatusUpcoming, StatusRetired} }

// Retired reports whether lists hide the record by default.
func (s Status) Retired() bool { return s == StatusRetired }

// String returns the status as responses have it, never "".
func (s Status) String() string { return string(cmp.Or(s, StatusLive)) }
