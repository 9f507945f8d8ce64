package site

import (
	"bytes"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestStatic checks that all links of static pages lead to files, whatever the texts are.
func TestStatic(t *testing.T) {
	s, of := siteOf(t, Config{}), hostileSnapshot(t)
	pages := []string{"/en/", "/ar/", "/en/chains", "/en/chains/x", "/en/nav/m", "/ar/categories"}
	files, err := s.Static(of, pages, []byte("changes"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.html", leftOutFile, "en/index.html", "en/chains.html", "en/chains/x.html", "assets/theme/auto.css"} {
		if files[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	for name, content := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, link := range linksIn(t, content) {
			u, err := url.Parse(link)
			if err != nil || u.IsAbs() || u.Path == "" {
				continue
			}
			if to := path.Join(path.Dir(name), u.Path); strings.HasPrefix(link, "/") || files[to] == nil {
				t.Errorf("%s: the link %s leads to %s, which is no file", name, link, to)
			}
		}
	}
	if links := linksIn(t, files["en/chains.html"]); !slices.Contains(links, "../en/chains/x.html") || !slices.Contains(links, "../"+leftOutFile) {
		t.Errorf("%q", links)
	}
	if index := string(files["index.html"]); !strings.Contains(index, "<h2>Overviews</h2>\n<ul>\n<li>/: <a href=\"en/index.html\">en</a> <a href=\"ar/index.html\">ar</a></li>") ||
		!strings.Contains(index, "<h2>Chains</h2>\n<ul>\n<li>/chains/x: <a href=\"en/chains/x.html\">en</a></li>\n</ul>") {
		t.Errorf("the index is\n%s", index)
	}
	original, err := s.Page(of, "/en/chains/x", "")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := elements(original.Body), elements(files["en/chains/x.html"]); !slices.Equal(got, want) {
		t.Errorf("the elements are %q, want %q", got, want)
	}
	if _, err := s.Static(of, []string{"/en/chains/unknown"}, nil); err == nil {
		t.Error("an unknown page is no error")
	}
}

// linksIn returns the addresses in attributes.
func linksIn(t *testing.T, content []byte) (links []string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "href" || a.Key == "src" || a.Key == "action" {
				links = append(links, a.Val)
			}
		}
	}
	return links
}

// elements returns the names of the elements of a page, with the number of their attributes.
func elements(content []byte) (all []string) {
	tokens := html.NewTokenizer(bytes.NewReader(content))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		if kind == html.StartTagToken {
			token := tokens.Token()
			all = append(all, token.Data+strings.Repeat("*", len(token.Attr)))
		}
	}
	return all
}
