package main

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// merge is a line of the history: the files that one merge changed.
type merge struct {
	Commit  string   `json:"commit"`
	Date    string   `json:"date"`
	Changes []change `json:"changes"`
}

// change is a file before and after a merge, nil where it does not exist.
type change struct {
	Path   string  `json:"path"`
	Before *source `json:"before"`
	After  *source `json:"after"`
}

// source is a chain.json of the registry of Cosmos, as far as a catalogue has fields for it.
type source struct {
	ChainName   string `json:"chain_name"`
	ChainID     string `json:"chain_id"`
	PrettyName  string `json:"pretty_name"`
	Status      string `json:"status"`
	Network     string `json:"network_type"`
	Website     string `json:"website"`
	Description string `json:"description"`
	APIs        struct {
		RPC  []address `json:"rpc"`
		REST []address `json:"rest"`
		EVM  []address `json:"evm-http-jsonrpc"`
	} `json:"apis"`
	Explorers []struct {
		Kind string `json:"kind"`
		URL  string `json:"url"`
	} `json:"explorers"`
	Codebase struct {
		Repository string `json:"git_repo"`
		Version    string `json:"recommended_version"`
	} `json:"codebase"`
	Logo   picture         `json:"logo_URIs"`
	Images []picture       `json:"images"`
	Bech32 string          `json:"bech32_prefix"`
	Slip44 json.RawMessage `json:"slip44"`
	Fees   json.RawMessage `json:"fees"`
}

type address struct {
	Address string `json:"address"`
}

type picture struct {
	PNG string `json:"png"`
	SVG string `json:"svg"`
}

// record is a chain as a line of chains.ndjson.
type record struct {
	Slug        string         `json:"slug"`
	Name        string         `json:"name"`
	ChainID     string         `json:"chain_id"`
	Logo        string         `json:"logo,omitempty"`
	Description string         `json:"description,omitempty"`
	Categories  []string       `json:"categories,omitempty"`
	Status      string         `json:"status,omitempty"`
	Website     string         `json:"website,omitempty"`
	Links       []link         `json:"links,omitempty"`
	RPC         []endpoint     `json:"rpc,omitempty"`
	Extra       map[string]any `json:"extra,omitempty"`
}

type link struct {
	Type string `json:"type"`
	Name string `json:"name,omitempty"`
	URL  string `json:"url"`
}

type endpoint struct {
	URL string `json:"url"`
}

// slugOf returns the folder of a file, which is unique in the registry.
func slugOf(file string) string { return strings.ToLower(path.Base(path.Dir(file))) }

// convert returns the record of a file. Texts in drop, which check has refused, are left out.
func convert(file string, s *source, drop map[string]bool) record {
	keep := func(text string) string {
		if text = strings.TrimSpace(text); drop[text] {
			return ""
		}
		return text
	}
	slug := slugOf(file)
	if drop[slug] { // another record has it as its chain id
		slug += "-chain"
	}
	r := record{
		Slug: slug, Name: cmp.Or(keep(s.PrettyName), s.ChainName, slug), ChainID: cmp.Or(keep(s.ChainID), slug),
		Logo:        keep(logoOf(s)),
		Description: keep(s.Description), Website: keep(s.Website),
		Categories: []string{"mainnet"}, Extra: map[string]any{},
	}
	if s.Network != "mainnet" && s.Network != "" || strings.HasPrefix(file, "testnets/") {
		r.Categories = []string{"testnet"}
	}
	switch s.Status {
	case "killed":
		r.Status = "retired"
	case "upcoming":
		r.Status = "upcoming"
	}
	add := func(kind, name, url string) {
		if url = keep(url); url != "" && !slices.ContainsFunc(r.Links, func(l link) bool { return l.URL == url }) {
			r.Links = append(r.Links, link{kind, keep(name), url})
		}
	}
	for _, e := range s.Explorers {
		add("explorer", e.Kind, e.URL)
	}
	add("source", "", s.Codebase.Repository)
	for _, a := range s.APIs.REST {
		add("other", "REST", a.Address)
	}
	for _, a := range slices.Concat(s.APIs.RPC, s.APIs.EVM) {
		if url := keep(a.Address); url != "" && !slices.Contains(r.RPC, endpoint{url}) {
			r.RPC = append(r.RPC, endpoint{url})
		}
	}
	for name, value := range map[string]any{"bech32_prefix": s.Bech32, "version": s.Codebase.Version, "slip44": s.Slip44, "fees": s.Fees} {
		if text, is := value.(string); is && text == "" || !is && len(value.(json.RawMessage)) == 0 {
			continue
		}
		r.Extra[name] = value
	}
	return r
}

// logoOf returns the first picture of a chain, "" for none.
func logoOf(s *source) string {
	for _, p := range append([]picture{s.Logo}, s.Images...) {
		if url := cmp.Or(p.SVG, p.PNG); url != "" {
			return url
		}
	}
	return ""
}
