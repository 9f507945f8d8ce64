package site

import (
	"cmp"
	"net/url"
	"slices"
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
	Candidates []candidate
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
	if failure.Code == response.NotFound {
		main.Guess = strings.NewReplacer("-", " ", "_", " ", "/", " ").Replace(strings.TrimSuffix(lastSegment(path), markdownSuffix))
		if unescaped, err := url.PathUnescape(main.Guess); err == nil {
			main.Guess = unescaped
		}
		main.Candidates = v.meant(a, main.Guess, failure.Candidates)
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

// candidate is a record that an unknown path may mean.
type candidate struct {
	named
	Kind string // "" if it is a search
}

// mostMeant bounds the candidates of a page.
const mostMeant = 6

// meant returns the records that an unknown path may mean, given the words of its last segment and
// the near keys of the same kind: records of any kind with these words as a label, else near ones.
func (v *view) meant(a address, words string, near []string) []candidate {
	all := v.labelled(words)
	kind := query.Kind("")
	if r, _ := v.site.routeOf(a.path); r != nil {
		kind = r.kind()
	}
	for _, key := range near {
		name := cmp.Or(v.snapshot.TitleOf(kind, key, v.locale), key)
		all = append(all, candidate{named{name, v.At(strings.TrimSuffix(a.path, lastSegment(a.path)) + key)}, string(kind)})
	}
	if len(all) > 0 {
		return all[:min(mostMeant, len(all))]
	}
	name := query.ForName(words, v.locale)
	for _, label := range v.suggestions(words, "") {
		if !snapshot.CloseTo(name, fold.Text(label)) { // like the candidates of the API
			continue
		}
		records := v.labelled(label)
		if len(records) == 0 {
			records = []candidate{{named: named{label, withQuery(v.At("/search"), url.Values{"q": {label}}.Encode())}}}
		}
		for _, record := range records {
			if len(all) < mostMeant && !slices.Contains(all, record) {
				all = append(all, record)
			}
		}
	}
	return all
}

// labelled returns the first records with a label.
func (v *view) labelled(label string) []candidate {
	asked, err := query.ParseSearch(url.Values{"q": {label}, "limit": {"3"}}.Encode(), v.snapshot.Locales())
	if err != nil {
		return nil // the path of an error page may not be a valid search
	}
	asked.Locale, asked.AppCards = v.locale, false
	var all []candidate
	for _, found := range v.snapshot.SearchView(asked).Results {
		if r := v.result(found, fold.Phrase(label)); r.Exact {
			all = append(all, candidate{named{r.Title, r.Link}, r.Kind})
		}
	}
	return all
}

func lastSegment(path string) string {
	path = strings.TrimSuffix(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}
