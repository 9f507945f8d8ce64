package site

import (
	"net/url"
	"strings"
	"testing"
)

// Below a path, which a proxy removes from requests, every address in a page, file or header begins with it.
func TestBasePath(t *testing.T) {
	const base = "/catalogue"
	of, s := theBundled(t), siteOf(t, Config{PublicURL: "https://example.org" + base})
	for _, path := range []string{
		"/en/", "/ja/chains", "/en/chains/base", "/en/apps/uniswap", "/en/nav", "/en/nav/wallets", "/en/twitter", "/en/categories", "/en/news",
		"/en/changes", "/en/compare", "/en/docs", "/en/docs/caching", "/en/feed.atom", "/sitemap.xml", "/robots.txt", "/llms.txt", "/opensearch.xml", "/.well-known/api-catalog",
		"/en/chains.md", "/en/chains/base.md",
	} {
		page, err := s.Page(of, path, "")
		if err != nil {
			t.Fatal(path, err)
		}
		links := linksIn(t, page.Body)
		for _, link := range links {
			if _, err := url.Parse(link); err != nil || strings.HasPrefix(link, "/") && !strings.HasPrefix(link, base+"/") {
				t.Errorf("%s: the link %s leads outside: %v", path, link, err)
			}
		}
		if body := string(page.Body); strings.Contains(body, "https://example.org/") && strings.Count(body, "https://example.org/") != strings.Count(body, "https://example.org"+base+"/") ||
			strings.Contains(body, base+base) {
			t.Errorf("%s has an address outside, or one with the path twice", path)
		}
		if strings.HasPrefix(path, "/en/") && !strings.Contains(path, ".") && len(links) < 10 {
			t.Errorf("%s has %d links", path, len(links))
		}
		for _, value := range page.Fields.More["Link"] {
			if strings.Contains(value, "</") && strings.Count(value, "</") != strings.Count(value, "<"+base+"/") {
				t.Errorf("%s: Link: %s", path, value)
			}
		}
	}
}

// Without an MCP endpoint, nothing mentions one.
func TestWithoutMCP(t *testing.T) {
	of := theBundled(t)
	for _, without := range []bool{false, true} {
		s := siteOf(t, Config{PublicURL: public, NoMCP: without})
		for _, path := range []string{"/llms.txt", "/en/docs", "/.well-known/api-catalog"} {
			if path == "/.well-known/api-catalog" && !without {
				continue
			}
			if has := strings.Contains(pageAt(t, s, of, path, ""), public+"/mcp"); has == without {
				t.Errorf("without MCP %t: %s mentions it: %t", without, path, has)
			}
		}
	}
}
