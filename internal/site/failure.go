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

// failureMain is what the page of an error shows.
type failureMain struct {
	response.Failure
	Key        string // of the texts that tell of it
	Guess      string // what to search for
	Candidates []candidate
}

// candidate is what was perhaps meant, and where it is.
type candidate struct{ Name, Path string }

// failure returns the page of an error at a canonical path. It must not fail itself:
// where there is nothing to make a page of, it is a line of text.
func (s *Site) failure(of *snapshot.Snapshot, path string, failure response.Failure) response.Document {
	if of == nil {
		return plainFailure(failure)
	}
	page, err := s.failurePage(of, path, failure)
	if err != nil {
		return plainFailure(failure)
	}
	return page
}

// failurePage is [Site.failure] that may fail: a fault may be why there is a failure.
func (s *Site) failurePage(of *snapshot.Snapshot, path string, failure response.Failure) (page response.Document, err error) {
	defer contain.Panic(&err, func(cause string) string { return "panic: " + cause })
	a, ok := s.split(of, path)
	if !ok {
		a = address{locale: of.Locales().Default(), path: "/", localed: true}
	}
	v, err := s.newView(of, a, &route{name: "failure"}, "", "")
	if err != nil {
		return response.Document{}, err
	}
	main := failureMain{Failure: failure, Key: "failure." + string(failure.Code)}
	for _, key := range failure.Candidates { // of the same kind as what was asked for
		main.Candidates = append(main.Candidates, candidate{key, v.At(strings.TrimSuffix(a.path, lastSegment(a.path)) + key)})
	}
	if failure.Code == response.NotFound {
		main.Guess = strings.NewReplacer("-", " ", "_", " ", "/", " ").Replace(strings.TrimSuffix(lastSegment(path), markdown))
	}
	if main.Guess != "" && len(main.Candidates) == 0 {
		name := query.ForName(main.Guess, v.locale)
		for _, label := range v.suggestions(main.Guess, "") {
			if snapshot.CloseTo(name, fold.Text(label)) { // as candidates of the API are
				main.Candidates = append(main.Candidates, candidate{label, withQuery(v.At("/search"), url.Values{"q": {label}}.Encode())})
			}
		}
	}
	if _, ok := v.words.Texts[main.Key]; !ok {
		main.Key = "failure.other"
	}
	v.NoIndex = true
	if v.Title, err = v.T(main.Key); err != nil {
		return response.Document{}, err
	}
	if page, err = v.render("failure", main); err != nil {
		return response.Document{}, err
	}
	delete(page.Fields.More, "Cache-Control") // the error says how long it may be kept
	return page, nil
}

// plainFailure is the page of an error where there are no pages.
func plainFailure(failure response.Failure) response.Document {
	return response.Document{
		Body:   []byte(failure.Title + ": " + failure.Detail + "\n"),
		Fields: response.Fields{More: map[string][]string{"Content-Type": {"text/plain; charset=utf-8"}}},
	}
}

func lastSegment(path string) string {
	path = strings.TrimSuffix(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}
