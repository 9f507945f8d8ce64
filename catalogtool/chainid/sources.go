package chainid

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	registry "vitrine/internal/connector/chainid"
	"vitrine/internal/domain"
)

// Addresses are a website and links that the registry lacks, with their source. They apply while the
// chain has the reviewed name.
type Addresses struct {
	Name    string
	Website string
	Links   []domain.Link
	Source  string
}

// ReadAddresses reads websites and explorers by chain id: [{"chain_id": "88", "name": "Viction",
// "website": "https://…", "explorer": "https://…", "source": "https://…"}]. An entry without a source
// or without an address is an error.
func ReadAddresses(r io.Reader) (map[string]Addresses, error) {
	return byReview(r, "links", func(e entry) (Addresses, error) {
		a := Addresses{Name: e.Name, Website: e.Website, Source: e.Source}
		if e.Explorer != "" {
			a.Links = []domain.Link{{Type: "explorer", URL: e.Explorer}}
		}
		return a, cmp.Or(required(e.Source != "", "source"), required(e.Website != "" || e.Explorer != "", "website or explorer"))
	})
}

// address adds the reviewed addresses that the registry lacks to chain i. The website of the registry
// stays.
func (c *conversion) address(i int, a Addresses) {
	ch := &c.chains[i]
	if ch.Website == "" && a.Website != "" {
		ch.Website = a.Website
		c.cite(ch.ChainID, "website", a.Source)
	}
	for _, link := range a.Links {
		if !slices.ContainsFunc(ch.Links, func(l domain.Link) bool { return l.Type == link.Type && l.URL == link.URL }) {
			ch.Links = append(ch.Links, link)
			c.cite(ch.ChainID, "links", a.Source)
		}
	}
}

// cite records the source of a field of a chain, if it is not empty.
func (c *conversion) cite(id, field, source string) {
	if source == "" {
		return
	}
	if c.sources[id] == nil {
		c.sources[id] = map[string]string{}
	}
	c.sources[id][field] = source
}

// citeAll sets the recorded sources of the chains.
func (c *conversion) citeAll() error {
	for i := range c.chains {
		sources := c.sources[c.chains[i].ChainID]
		if sources == nil {
			continue
		}
		doc, err := json.Marshal(sources)
		if err != nil {
			return fmt.Errorf("sources of %s: %w", c.chains[i].Slug, err)
		}
		c.chains[i].Sources = domain.JSON(doc)
	}
	return nil
}

var (
	// webAddress matches the address of a page, with or without its scheme, at the beginning of a note.
	webAddress = regexp.MustCompile(`^(?:https://)?((?:[a-z0-9-]+\.)+[a-z]{2,}/[^\s,;]+)`)
	// repositoryFile matches "owner/repository, path".
	repositoryFile = regexp.MustCompile(`^([\w.-]+/[\w.-]+), ([\w.-]+(?:/[\w.@-]+)+)`)
	// pullRequest matches "owner/repository pull request 12".
	pullRequest = regexp.MustCompile(`^([\w.-]+/[\w.-]+) pull request (\d+)`)
	// registryFile matches a file of the EVM registry in a note on that registry.
	registryFile = regexp.MustCompile(`^github\.com/ethereum-lists/chains, _data/chains, [^:]*: (eip155-\d+\.json)`)
)

// linked returns the address that a reviewer's note on a source begins with, after "open:" or "first
// block:", or "". Files of repositories become links to their present version.
func linked(note string) string {
	if kind, rest, found := strings.Cut(note, ": "); found && (kind == "open" || kind == "first block") {
		note = rest
	}
	if m := registryFile.FindStringSubmatch(note); m != nil {
		return "https://github.com/ethereum-lists/chains/blob/HEAD/_data/chains/" + m[1]
	}
	if m := repositoryFile.FindStringSubmatch(note); m != nil {
		return "https://github.com/" + m[1] + "/blob/HEAD/" + m[2]
	}
	if m := pullRequest.FindStringSubmatch(note); m != nil {
		return "https://github.com/" + m[1] + "/pull/" + m[2]
	}
	if m := webAddress.FindStringSubmatch(note); m != nil {
		return "https://" + strings.TrimRight(m[1], ".:)")
	}
	return ""
}

// mainSource returns the first link of notes on sources, else the first note.
func mainSource(notes ...string) string {
	for _, note := range notes {
		if link := linked(registry.Clean(note)); link != "" {
			return link
		}
	}
	return registry.Clean(cmp.Or(notes...))
}
