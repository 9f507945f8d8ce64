package site

import (
	"net/url"
	"strings"

	"vitrine/internal/contain"
	"vitrine/internal/fold"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// failureMain is the data of an error page.
type failureMain struct {
	response.Failure
	Key        string // of the words for the error
	Guess      string // a search for what the path names
	Candidates []named
}

// failure returns the error page for a canonical path, or a line of text if there is no
// snapshot or rendering the page fails.
func (s *Site) failure(of *snapshot.Snapshot, path string, failure response.Failure) response.Document {
	if of != nil {
		if page, err := s.failurePage(of, path, failure); err == nil {
			return page
		}
	}
	return response.Document{
		Body:   []byte(failure.Title + ": " + failure.Detail + "\n"),
		Fields: response.Fields{More: map[string][]string{"Content-Type": {"text/plain; charset=utf-8"}}},
	}
}

// failurePage returns the error page for a canonical path. A panic becomes an error,
// because the snapshot may be the cause of the failure.
func (s *Site) failurePage(of *snapshot.Snapshot, path string, failure response.Failure) (page response.Document, err error) {
	defer contain.Panic(&err, func(cause string) string { return "panic: " + cause })
	a, ok := s.split(of, path)
	if !ok {
		a = address{locale: of.Locales().Default(), path: "/", localed: true}
	}
	a.markdown = false
	v := s.newView(of, a, &route{name: "failure"}, "", "")
	main := failureMain{Failure: failure, Key: "failure." + string(failure.Code)}
	for _, key := range failure.Candidates { // of the same kind as the requested record
		main.Candidates = append(main.Candidates, named{key, v.At(strings.TrimSuffix(a.path, lastSegment(a.path)) + key)})
	}
	if failure.Code == response.NotFound {
		main.Guess = strings.NewReplacer("-", " ", "_", " ", "/", " ").Replace(strings.TrimSuffix(lastSegment(path), markdownSuffix))
	}
	if main.Guess != "" && len(main.Candidates) == 0 {
		name := query.ForName(main.Guess, v.locale)
		for _, label := range v.suggestions(main.Guess, "") {
			if snapshot.CloseTo(name, fold.Text(label)) { // like the candidates of the API
				main.Candidates = append(main.Candidates, named{label, withQuery(v.At("/search"), url.Values{"q": {label}}.Encode())})
			}
		}
	}
	if !v.words.has(main.Key) {
		main.Key = "failure.other"
	}
	v.NoIndex, v.Title, v.Main = true, v.T(main.Key), main
	if page, err = v.render(); err != nil {
		return response.Document{}, err
	}
	delete(page.Fields.More, "Cache-Control") // the error has its own
	return page, nil
}

func lastSegment(path string) string {
	path = strings.TrimSuffix(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}
