package recordjson_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/recordjson"
)

// TestStringsAreShared checks that equal lists share memory, and that lists with the same bytes in other strings
// are others.
func TestStringsAreShared(t *testing.T) {
	var r recordjson.Reader
	read := func(text string) []string {
		t.Helper()
		r.Reset([]byte(text))
		list, err := r.Strings()
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	long := `["` + strings.Repeat("long", 100) + `"]`
	for _, test := range []struct {
		text   string
		want   []string
		shared bool
	}{
		{`["a","b"]`, []string{"a", "b"}, true},
		{`["ab"]`, []string{"ab"}, true},
		{`["a","","b"]`, []string{"a", "", "b"}, true},
		{`["\u0001a"]`, []string{"\x01a"}, true},
		{`["a\u0001b"]`, []string{"a\x01b"}, true},
		{`["1","2","3","4","5","6","7","8","9"]`, []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, true},
		{long, []string{strings.Repeat("long", 100)}, false},
		{`[]`, nil, true},
	} {
		first, second := read(test.text), read(test.text)
		if !slices.Equal(first, test.want) || !slices.Equal(second, test.want) {
			t.Errorf("%s is %q, then %q", test.text, first, second)
		}
		if len(first) != cap(first) {
			t.Errorf("%s has room for %d more strings", test.text, cap(first)-len(first))
		}
		if same := len(first) == 0 || &first[0] == &second[0]; same != test.shared {
			t.Errorf("%s is the same slice twice: %t, want %t", test.text, same, test.shared)
		}
	}
}

// TestManyDistinctLists checks lists beyond the number that is shared.
func TestManyDistinctLists(t *testing.T) {
	var r recordjson.Reader
	for i := range 40_000 {
		r.Reset(fmt.Appendf(nil, `["x","%d"]`, i))
		list, err := r.Strings()
		if want := []string{"x", fmt.Sprint(i)}; err != nil || !slices.Equal(list, want) {
			t.Fatalf("list %d is %q (%v), want %q", i, list, err, want)
		}
	}
}

// TestStringsStay checks that later strings, also long ones, do not change earlier ones.
func TestStringsStay(t *testing.T) {
	var r recordjson.Reader
	var want, got []string
	for i := range 3000 {
		text := strings.Repeat(fmt.Sprint("é", i), i%700)
		r.Reset([]byte(`"` + text + `"`))
		s, err := r.String()
		if err != nil {
			t.Fatal(err)
		}
		want, got = append(want, text), append(got, s)
	}
	if !slices.Equal(want, got) {
		t.Error("a string changed")
	}
}
