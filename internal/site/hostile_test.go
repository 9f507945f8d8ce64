package site

import (
	"strings"
	"testing"
)

// Texts of a catalogue never become elements, attributes or script addresses, on any page.
func TestHostileTextIsText(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: "https://catalogue.example"}), hostileSnapshot(t)
	for _, r := range routes() {
		for _, path := range pathsOf(r) {
			found, err := s.Page(of, path, "")
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			body := string(found.Body)
			for _, never := range []string{"<script>alert", "<img src=x", `href="javascript:`, `src="javascript:`} {
				if strings.HasSuffix(path, markdownSuffix) && never != "<script>alert" {
					continue // Markdown has no attributes
				}
				if strings.Contains(strings.ReplaceAll(body, `\<`, ""), never) {
					t.Errorf("%s holds %s", path, never)
				}
			}
		}
	}
}

// pathsOf returns the canonical paths of a route for the hostile catalogue, in both of its languages.
func pathsOf(r route) []string {
	path := r.path
	if r.hasSegment() {
		segment, ok := map[string]string{
			"/chains/": "x", "/nav/": "m", "/twitter/": "someone", "/youtube/": "UC0000000000000000000000", "/docs/": "caching",
		}[path]
		if !ok {
			return nil
		}
		path += segment
	}
	if !r.localed {
		return []string{path}
	}
	all := []string{"/en" + path, "/ar" + path}
	if r.markdown {
		all = append(all, withMarkdown("/ar"+path))
	}
	return all
}
