package site

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestLogos: pages show pictures of the catalogue with their size, and those of other hosts only if the
// operator wants it.
func TestLogos(t *testing.T) {
	s := snapshotOf(t, fstest.MapFS{
		"catalog.yaml":    {Data: []byte("title: T\ndefault_locale: en\nlocales: [en]\n")},
		"assets/base.svg": {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 24"/>`)},
		"chains.yaml": {Data: []byte("- {slug: base, name: Base, chain_id: \"1\", logo: assets/base.svg}\n" +
			"- {slug: far, name: Far, chain_id: \"2\", logo: https://far.example/l.svg}\n- {slug: own, name: Own, chain_id: \"3\", logo: /l.svg}\n")},
	})
	const own, remote = ` width="48" height="24" `, `src="https://far.example/l.svg"`
	for _, tt := range []struct {
		images      Images
		own, remote bool
		policy      string
	}{
		{ImagesOwn, true, false, "img-src 'self';"}, {ImagesRemote, true, true, "img-src 'self' https:;"}, {ImagesNone, false, false, "img-src 'self';"},
	} {
		site := siteOf(t, Config{PublicURL: "https://a.example", Look: Look{Images: tt.images}})
		page, err := site.Page(s, "/en/chains", "")
		if err != nil {
			t.Fatal(err)
		}
		text := string(page.Body)
		if strings.Contains(text, own) != tt.own || strings.Contains(text, remote) != tt.remote || strings.Contains(text, `src="/l.svg"`) {
			t.Errorf("images %q: %s", tt.images, text)
		}
		if strings.Contains(text, "<span>B</span>") == tt.own || !strings.Contains(text, "<span>F</span>") {
			t.Errorf("images %q: the wrong initials: %s", tt.images, text)
		}
		if got := page.Fields.More.Get("Content-Security-Policy"); !strings.Contains(got, tt.policy) {
			t.Errorf("images %q: policy %s", tt.images, got)
		}
		record, err := site.Page(s, "/en/chains/base", "")
		if err != nil || !strings.Contains(string(record.Body), `"image":"https://a.example/assets/`) {
			t.Errorf("linked data: %v, %s", err, record.Body)
		}
		files, err := site.Static(s, []string{"/en/chains"}, nil)
		pictures := 0
		for name := range files {
			if strings.HasPrefix(name, "assets/") && strings.Contains(string(files[name]), "0 0 48 24") {
				pictures++
			}
		}
		if err != nil || pictures > 0 != tt.own {
			t.Errorf("images %q: %d pictures in static files, %v", tt.images, pictures, err)
		}
	}
}
