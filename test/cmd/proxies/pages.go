package main

import (
	"bytes"
	"fmt"
	"net/http"

	"vitrine/test/internal/trial"
)

// pageRequests returns requests whose responses differ at one address: by language, by form and
// by a cookie.
func pageRequests() []pageRequest {
	const html, markdown = "text/html,application/xhtml+xml,*/*;q=0.8", "text/markdown"
	var all []pageRequest
	for _, path := range []string{"/chains", "/es/chains"} {
		for _, accept := range []string{html, markdown} {
			for _, language := range []string{"ja", "es-MX,es;q=0.9", "en"} {
				all = append(all, pageRequest{path, http.Header{"Accept": {accept}, "Accept-Language": {language}}})
			}
		}
	}
	for _, cookie := range []string{"theme=dark", "theme=light", "other=1"} {
		all = append(all, pageRequest{"/theme.css", http.Header{"Cookie": {cookie}}})
	}
	return all
}

type pageRequest struct {
	path   string
	header http.Header
}

// pages requests pages of the site in turns, and reports responses that differ from Vitrine's.
// The second round comes from caches.
func (s *setting) pages() (faults int) {
	for _, r := range pageRequests() {
		response, want, err := ask(s.client, http.MethodGet, s.direct, r.path, r.header.Clone())
		trial.Check(err)
		if response.StatusCode != http.StatusOK {
			trial.Failf("%s %v: %s", r.path, r.header, response.Status)
		}
		for _, c := range s.chains {
			for turn := range 2 {
				response, got, err := ask(s.client, http.MethodGet, c.address, r.path, r.header.Clone())
				if err != nil || response.StatusCode != http.StatusOK || !bytes.Equal(got, want) {
					faults++
					fmt.Printf("WRONG %s, %s %v, turn %d: not what Vitrine says, %v\n", c.name, r.path, r.header, turn+1, err)
				}
			}
		}
	}
	return faults
}
