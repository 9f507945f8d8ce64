package main

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// registry converts the chains of chains.json to records. A member that a field can represent
// exactly goes there. All others, and the rest of such a member, go to `extra` in order.
type registry struct {
	parents map[string]string // the id of a chain to that of its parent, without cycles
}

func newRegistry(chains []object) registry {
	r := registry{parents: map[string]string{}}
	ids := map[string]bool{}
	for _, chain := range chains {
		ids[string(chain.get("chainId"))] = true
	}
	for _, chain := range chains {
		id := string(chain.get("chainId"))
		parent, ok := strings.CutPrefix(chain.part("parent").text("chain"), "eip155-")
		if ok && ids[parent] && !r.leadsTo(parent, id) {
			r.parents[id] = parent
		}
	}
	return r
}

// leadsTo reports whether a chain is another one or one of its descendants.
func (r registry) leadsTo(from, id string) bool {
	for ; from != ""; from = r.parents[from] {
		if from == id {
			return true
		}
	}
	return false
}

func slugOf(id string) string { return "eip155-" + id }

func (r registry) records(chains []object) (out []object) {
	for _, chain := range chains {
		out = append(out, r.record(chain))
	}
	return out
}

// statuses are the statuses of the registry that records have, too.
var statuses = map[string]string{"deprecated": "retired", "incubating": "upcoming"}

func (r registry) record(chain object) object {
	id := string(chain.get("chainId"))
	rec := object{}.with("slug", slugOf(id)).with("name", strings.TrimSpace(chain.text("name"))).with("chain_id", id)
	rest := chain.without("chainId")
	if isLine(chain.text("name")) {
		rest = rest.without("name")
	}
	if s := chain.text("shortName"); isLine(s) {
		rec, rest = rec.with("aliases", []string{s}), rest.without("shortName")
	}
	if s := statuses[chain.text("status")]; s != "" {
		rec, rest = rec.with("status", s), rest.without("status")
	}
	if s := chain.text("infoURL"); isPublic(s, "http", "https") {
		rec, rest = rec.with("website", s), rest.without("infoURL")
	}
	links, rest := links(chain, rest)
	if len(links) > 0 {
		rec = rec.with("links", links)
	}
	if urls := texts(chain.get("rpc")); allPublic(urls, "http", "https", "ws", "wss") {
		rec, rest = rec.with("rpc", pages("", urls)), rest.without("rpc")
	}
	if coin := chain.part("nativeCurrency"); len(coin) == 3 && isLine(coin.text("name")) && isLine(coin.text("symbol")) && coin.get("decimals") != nil {
		rec, rest = rec.with("native_currency", coin), rest.without("nativeCurrency")
	}
	if parent := r.parents[id]; parent != "" {
		rec, rest = rec.with("parent", slugOf(parent)), rest.replace("parent", rest.part("parent").without("chain"))
	}
	return rec.with("extra", rest)
}

// links returns the explorers, faucets and bridges that links can represent, and the rest.
func links(chain, rest object) (out []object, remaining object) {
	var explorers []object
	if json.Unmarshal(chain.get("explorers"), &explorers) == nil && len(explorers) > 0 && !slices.ContainsFunc(explorers, notLinked) {
		var remains []object
		for _, e := range explorers {
			out = append(out, object{}.with("type", "explorer").with("name", e.text("name")).with("url", e.text("url")))
			remains = append(remains, e.without("name", "url"))
		}
		rest = rest.replace("explorers", remains)
	}
	if faucets := texts(chain.get("faucets")); allPublic(faucets, "http", "https") {
		out, rest = append(out, pages("faucet", faucets)...), rest.without("faucets")
	}
	parent := rest.part("parent")
	if bridges := bridges(parent); allPublic(bridges, "http", "https") {
		out, rest = append(out, pages("bridge", bridges)...), rest.replace("parent", parent.without("bridges"))
	}
	return out, rest
}

func notLinked(explorer object) bool {
	return !isLine(explorer.text("name")) || !isPublic(explorer.text("url"), "http", "https")
}

// bridges returns the addresses of a parent's bridges, nil if they have other members.
func bridges(parent object) (urls []string) {
	var list []object
	if json.Unmarshal(parent.get("bridges"), &list) != nil {
		return nil
	}
	for _, b := range list {
		if len(b) != 1 {
			return nil
		}
		urls = append(urls, b.text("url"))
	}
	return urls
}

// pages returns links of a type, or endpoints, which have none.
func pages(kind string, urls []string) (out []object) {
	for _, u := range urls {
		page := object{}
		if kind != "" {
			page = page.with("type", kind)
		}
		out = append(out, page.with("url", u))
	}
	return out
}

// replace returns the object with another value of an existing member.
func (o object) replace(name string, value any) object {
	out := slices.Clone(o)
	for i, m := range out {
		if m.name == name {
			out[i] = object{}.with(name, value)[0]
		}
	}
	return out
}

// texts returns a list of texts, nil for another shape.
func texts(value json.RawMessage) (out []string) {
	if json.Unmarshal(value, &out) != nil {
		return nil
	}
	return out
}

// isLine reports whether a field represents a text exactly.
func isLine(s string) bool { return s != "" && s == strings.TrimSpace(s) }

// isPublic reports whether a catalogue may have an address: one of these schemes, with a host,
// without a password or a placeholder for a key.
func isPublic(address string, schemes ...string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.Contains(schemes, u.Scheme) && u.Hostname() != "" && u.User == nil && !strings.ContainsAny(address, "{}<> ")
}

// allPublic reports whether the list is not empty and all addresses are public.
func allPublic(addresses []string, schemes ...string) bool {
	return len(addresses) > 0 && !slices.ContainsFunc(addresses, func(a string) bool { return !isPublic(a, schemes...) })
}

// chain converts a record back to the form of chains.json. records has all exported records by
// slug.
func (o object) chain(records map[string]object) object {
	out := o.part("extra").with("chainId", json.RawMessage(o.text("chain_id")))
	give := func(name string, value any) {
		if out.get(name) == nil {
			out = out.with(name, value)
		}
	}
	give("name", o.text("name"))
	for _, alias := range texts(o.get("aliases")) {
		give("shortName", alias)
	}
	for status, written := range statuses {
		if o.text("status") == written {
			give("status", status)
		}
	}
	if website := o.get("website"); website != nil {
		give("infoURL", website)
	}
	if coin := o.get("native_currency"); coin != nil {
		give("nativeCurrency", coin)
	}
	if urls := urls(o.get("rpc"), ""); urls != nil {
		give("rpc", urls)
	}
	if faucets := urls(o.get("links"), "faucet"); faucets != nil {
		give("faucets", faucets)
	}
	return out.withExplorers(o).withParent(o, records)
}

func urls(pages json.RawMessage, kind string) (out []string) {
	var list []object
	if json.Unmarshal(pages, &list) != nil {
		return nil
	}
	for _, page := range list {
		if page.text("type") == kind {
			out = append(out, page.text("url"))
		}
	}
	return out
}

func (o object) withExplorers(rec object) object {
	var remains, links, explorers []object
	_ = json.Unmarshal(o.get("explorers"), &remains) // of another shape, it has no links
	_ = json.Unmarshal(rec.get("links"), &links)
	links = slices.DeleteFunc(links, func(l object) bool { return l.text("type") != "explorer" })
	if len(links) == 0 || len(remains) != len(links) {
		return o
	}
	for i, link := range links {
		explorers = append(explorers, remains[i].with("name", link.text("name")).with("url", link.text("url")))
	}
	return o.replace("explorers", explorers)
}

func (o object) withParent(rec object, records map[string]object) object {
	parent := o.part("parent")
	if slug := rec.text("parent"); slug != "" {
		parent = parent.with("chain", "eip155-"+records[slug].text("chain_id"))
	}
	if bridges := urls(rec.get("links"), "bridge"); bridges != nil {
		parent = parent.with("bridges", pages("", bridges))
	}
	return o.replace("parent", parent)
}
