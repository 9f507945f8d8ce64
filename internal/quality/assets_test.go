package quality_test

import (
	"io/fs"
	"testing"

	bundled "vitrine/catalog"
	"vitrine/internal/picture"
)

// TestPicturesAreClean checks that no start of the demonstration has to encode a picture again, which
// takes a tenth of a second.
func TestPicturesAreClean(t *testing.T) {
	files, err := fs.Glob(bundled.FS, "assets/*")
	if err != nil || len(files) < 500 {
		t.Fatalf("%d pictures, %v", len(files), err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(bundled.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		format := picture.FormatOf(name)
		if string(picture.Decode(format, picture.Encode(format, data))) != string(data) {
			t.Errorf("%s has more than a picture; go run ./scripts/icons writes it without", name)
		}
	}
}
