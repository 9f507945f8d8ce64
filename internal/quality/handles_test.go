package quality_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitrine/internal/domain"
)

var handlesFile = filepath.FromSlash("../../catalog/.import/handles.json")

// handlesSince is the first day on which a source proves that a handle is in use: handles
// change hands, so an older source proves nothing.
const handlesSince domain.Date = "2025-01-01"

// unverifiedHandle begins sources.handle of an account that no such source names.
const unverifiedHandle = "not found in use since "

// evidencedHandle is an element of .import/handles.json: a source that names the handle of an
// account, and the day on which it did.
type evidencedHandle struct {
	Handle string      `json:"handle"`
	AsOf   domain.Date `json:"as_of"`
	Source string      `json:"source"`
}

// Every account has a source of 2025 or later for its handle, as a row of handles.json that its
// record names, or as a recording of its followers. The record of any other account says so.
func TestHandlesAreInUse(t *testing.T) {
	var rows []evidencedHandle
	decodeFile(t, handlesFile, &rows)
	wrong := unprovenHandles(readBundled(t).Catalog.Accounts, rows, recordedFollowers(t))
	tellAll(t, wrong)
}

// unprovenHandles returns what is missing or wrong in the sources of handles, sorted.
func unprovenHandles(accounts []*domain.Account, rows []evidencedHandle, recorded map[string]domain.Figure) []string {
	var wrong []string
	evidenced := map[string]evidencedHandle{}
	for _, r := range rows {
		if _, twice := evidenced[r.Handle]; twice {
			wrong = append(wrong, fmt.Sprintf("%s has two sources", r.Handle))
		}
		evidenced[r.Handle] = r
		if r.AsOf < handlesSince {
			wrong = append(wrong, fmt.Sprintf("%s has a source of %s", r.Handle, r.AsOf))
		}
		if msg := misdatedPost(r); msg != "" {
			wrong = append(wrong, msg)
		}
	}
	for _, a := range accounts {
		r, has := evidenced[a.Handle]
		delete(evidenced, a.Handle)
		named := sourceOf(a.Sources, "handle")
		switch {
		case has && named != r.Source:
			wrong = append(wrong, fmt.Sprintf("%s names the source %q, %q is recorded", a.Handle, named, r.Source))
		case has:
		case recorded[a.Handle].AsOf >= handlesSince:
		case !strings.HasPrefix(named, unverifiedHandle):
			wrong = append(wrong, fmt.Sprintf("%s has no source for its handle", a.Handle))
		}
	}
	for handle := range evidenced {
		wrong = append(wrong, fmt.Sprintf("%s is not an account", handle))
	}
	slices.Sort(wrong)
	return wrong
}

// sourceOf returns the source of a field, or "".
func sourceOf(sources domain.JSON, field string) string {
	for name, source := range sources.Strings() {
		if name == field {
			return source
		}
	}
	return ""
}

// misdatedPost returns what is wrong with a source that is a post on X, or "". The id of a post
// contains its time, and its address the handle.
func misdatedPost(r evidencedHandle) string {
	path, isPost := strings.CutPrefix(r.Source, "https://x.com/")
	if !isPost {
		return ""
	}
	handle, id, found := strings.Cut(path, "/status/")
	if !found || handle != r.Handle {
		return fmt.Sprintf("%s has %s as its source, which is no post of it", r.Handle, r.Source)
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return fmt.Sprintf("%s has a post without an id: %s", r.Handle, r.Source)
	}
	const epoch = 1288834974657 // of ids of posts, in milliseconds since 1970
	if day := domain.Date(time.UnixMilli(n>>22 + epoch).UTC().Format(time.DateOnly)); day != r.AsOf {
		return fmt.Sprintf("%s has a post of %s, recorded as of %s", r.Handle, day, r.AsOf)
	}
	return ""
}

func TestUnprovenHandles(t *testing.T) {
	const post = "https://x.com/a/status/1912945720237367449" // of 2025-04-17
	account := func(source string) *domain.Account {
		return &domain.Account{Handle: "a", Sources: domain.JSON(`{"handle":"` + source + `"}`)}
	}
	row := evidencedHandle{Handle: "a", AsOf: "2025-04-17", Source: post}
	for _, tt := range []struct {
		name     string
		accounts []*domain.Account
		rows     []evidencedHandle
		recorded map[string]domain.Figure
		wrong    int
	}{
		{"a post", []*domain.Account{account(post)}, []evidencedHandle{row}, nil, 0},
		{"a recording", []*domain.Account{account("")}, nil, map[string]domain.Figure{"a": {AsOf: "2025-01-09"}}, 0},
		{"an old recording", []*domain.Account{account("")}, nil, map[string]domain.Figure{"a": {AsOf: "2023-07-18"}}, 1},
		{"marked", []*domain.Account{account(unverifiedHandle + "2023-10-31")}, nil, nil, 0},
		{"no source", []*domain.Account{account("")}, nil, nil, 1},
		{"another source", []*domain.Account{account("https://example.org/")}, []evidencedHandle{row}, nil, 1},
		{"no account", nil, []evidencedHandle{row}, nil, 1},
		{"twice", []*domain.Account{account(post)}, []evidencedHandle{row, row}, nil, 1},
		{"another day", []*domain.Account{account(post)}, []evidencedHandle{{"a", "2025-04-18", post}}, nil, 1},
		{"another handle", []*domain.Account{account("https://x.com/b/status/1")}, []evidencedHandle{{"a", "2025-04-17", "https://x.com/b/status/1"}}, nil, 1},
		{"an old source", []*domain.Account{account("https://example.org/")}, []evidencedHandle{{"a", "2024-12-31", "https://example.org/"}}, nil, 1},
	} {
		if wrong := unprovenHandles(tt.accounts, tt.rows, tt.recorded); len(wrong) != tt.wrong {
			t.Errorf("%s: %q, want %d", tt.name, wrong, tt.wrong)
		}
	}
}

// Every channel names a page that ties its id to its name.
func TestChannelsHaveSources(t *testing.T) {
	channels := readBundled(t).Catalog.Channels
	if len(channels) == 0 {
		t.Fatal("the catalogue has no channels")
	}
	for _, ch := range channels {
		if source := sourceOf(ch.Sources, "channel_id"); !strings.HasPrefix(source, "https://") {
			t.Errorf("%s names %q as the source of its id, want an address", ch.Name, source)
		}
	}
}
