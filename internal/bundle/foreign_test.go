package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// registryFiles returns files in the formats of other registries, with made-up values.
func registryFiles(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/registries/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no files of registries: ", err)
	}
	var out []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}

// everyPlace has a path for each kind of file.
var everyPlace = []string{
	"catalog.json", "categories.json", "nav.json", "nav/x.json", "chains.json", "chains/x.json", "twitter.json", "youtube/x.json",
	"categories.yaml", "nav.yaml", "nav/x.yaml", "chains.yaml", "twitter/x.yaml", "youtube.yaml", "chains/x.ndjson",
}

// TestFilesOfOtherRegistries checks that files of other registries are errors everywhere, and
// cause nothing worse.
func TestFilesOfOtherRegistries(t *testing.T) {
	for i, data := range registryFiles(t) {
		for _, place := range everyPlace {
			t.Run(fmt.Sprint(i, "/", place), func(t *testing.T) {
				files := base(t)
				delete(files, strings.TrimSuffix(place, ".json")+".yaml")
				if strings.HasSuffix(place, ".ndjson") {
					data = strings.ReplaceAll(data, "\n", " ")
				}
				files[place] = data
				d := read(t, files)
				for _, p := range d.Problems {
					if p.File == place && p.Severity == "error" {
						return
					}
				}
				t.Errorf("no error names it: %q", lines(d.Problems))
			})
		}
	}
}
