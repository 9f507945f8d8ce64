package response

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// refused means in the tables that no encoding is acceptable.
const refused = encodings

func TestNegotiate(t *testing.T) {
	tests := []struct {
		accept       string
		large, small encoding
	}{
		{"", identity, identity},
		{"gzip", gzipped, identity},
		{"GZIP", gzipped, identity},
		{"x-gzip", gzipped, identity},
		{"gzip, deflate, br, zstd", brotlied, identity},
		{"gzip, deflate, zstd", zstandard, identity},
		{"br", brotlied, identity},
		{"BR;q=1.0, gzip;q=1", brotlied, identity},
		{"br;q=0.9, gzip", gzipped, identity},
		{"br;q=0.9, gzip;q=0.8, zstd;q=0.91", zstandard, identity},
		{"br;q=0, gzip, zstd", zstandard, identity},
		{"deflate", identity, identity},
		{"gzip;q=0", identity, identity},
		{"gzip;q=0.5", gzipped, identity},
		{"gzip;q=0.001", gzipped, identity},
		{"gzip;q=0.5, identity", identity, identity},
		{"gzip;q=0.5, identity;q=0.4", gzipped, identity},
		{"br;q=0.3, gzip;q=0.5, identity;q=0.4", gzipped, identity},
		{"gzip ; q=1 , identity ; q=1", gzipped, identity},
		{"identity;q=0", refused, refused},
		{"identity;q=0, gzip", gzipped, gzipped},
		{"identity;q=0, zstd", zstandard, zstandard},
		{"identity;q=0, *", brotlied, brotlied},
		{"identity;q=0, *, br;q=0", zstandard, zstandard},
		{"*;q=0", refused, refused},
		{"*;q=0, gzip;q=0.1", gzipped, gzipped},
		{"*;q=0, identity;q=0.1", identity, identity},
		{"*", brotlied, identity},
		{"gzip;q=0, *", brotlied, identity},
		{"gzip;q=0, br;q=0, zstd;q=0, *", identity, identity},
		{"gzip;q=0.25, *;q=0.75", brotlied, identity},
		{"gzip;q=0.75, *;q=0.25", gzipped, identity},
		{"gzip;q=nan", identity, identity},
		{"gzip;q=2", identity, identity},
		{"gzip;q=-1", identity, identity},
		{"gzip;level=9", identity, identity},
		{"gzip;q=", identity, identity},
		{",,;q=1, gzip", gzipped, identity},
		{"deflate, identity;q=0", refused, refused},

		// Weights, by the grammar.
		{"gzip;q=0.", identity, identity},
		{"gzip;q=1.", gzipped, identity},
		{"gzip;q=1.000, br;q=0.999", gzipped, identity},
		{"gzip;q=0.001, br;q=0.002", brotlied, identity},
		{"identity;q=0.000", refused, refused},
		{"identity;q=0.0000", identity, identity}, // a weight has at most three decimals
		{"gzip;q=0.5555", identity, identity},
		{"gzip;q=1.001", identity, identity},
		{"gzip;q=.5", identity, identity},
		{"gzip;q=00.5", identity, identity},
		{"gzip;q=0.5.5", identity, identity},
		{"gzip;q=0.5e", identity, identity},
		{"gzip;q=+0.5", identity, identity},
		{"gzip;q=\"0.5\"", identity, identity},
		{"gzip;Q=0.5", gzipped, identity},

		// White space is allowed around members and semicolons only.
		{"\t gzip \t; \tq=0.5\t, \t", gzipped, identity},
		{"gzip;q =0.5", identity, identity},
		{"gzip;q= 0.5", identity, identity},
		{"gz ip", identity, identity},
		{"gzip br", identity, identity},
		{"gzip\u00a0", identity, identity},
		{"gzip\v", identity, identity},

		// Members that violate the grammar are ignored.
		{"gzip;", identity, identity},
		{"gzip; ", identity, identity},
		{"gzip;;q=0.5", identity, identity},
		{"gzip;q=0.5;", identity, identity},
		{"gzip;q=0.5;level=9", identity, identity},
		{"\"gzip\"", identity, identity},
		{"identity;q=zero, *;q=none", identity, identity},
		{"gz\u0130p", identity, identity}, // folds to an i
		{"\u0130dentity;q=0", identity, identity},
		{"z\u017ftd", identity, identity}, // folds to an s
		{"gzip2", identity, identity},
		{"x-br", identity, identity},
		{"**", identity, identity},

		// The same encoding twice.
		{"gzip;q=0, gzip", gzipped, identity},
		{"gzip, gzip;q=0", gzipped, identity},
		{"x-gzip;q=0.5, gzip;q=0", gzipped, identity},
		{"identity;q=0, identity;q=0.5", identity, identity},
		{"*;q=0, *", brotlied, identity},
	}
	for _, test := range tests {
		for small, want := range map[bool]encoding{false: test.large, true: test.small} {
			got, ok := negotiate([]string{test.accept}, Often, small)
			if !ok {
				got = refused
			}
			if got != want {
				t.Errorf("negotiate(%q, small %v) = %d, want %d", test.accept, small, got, want)
			}
		}
	}
	if got, ok := negotiate(nil, Often, false); got != identity || !ok {
		t.Errorf("without the header: %v, %v", got, ok)
	}
	if got, ok := negotiate([]string{"identity;q=0", "gzip"}, Often, true); got != gzipped || !ok {
		t.Errorf("two header lines must be one list: got %v, %v", got, ok)
	}
	if got, ok := negotiate([]string{"gzip, br, zstd"}, Once, false); got != zstandard || !ok {
		t.Errorf("with effort Once: got %v, %v", got, ok)
	}
}

// FuzzAcceptEncoding compares negotiation with a naive implementation of RFC 9110, section
// 12.5.3, and of our order of preference.
func FuzzAcceptEncoding(f *testing.F) {
	for _, seed := range []string{
		"gzip;q=0.5", "*;q=0", "identity;q=0,gzip", ";;,=", "gzip;q=1e9", "br,zstd;q=0.999, x-gzip, *;q=0.1", "gzip, deflate, br, zstd",
		"identity;q=0.5,br;q=0.5", "br;q=0,*", "GZip;Q=0.3;x", "gzip;q=1.000 , br ;\tq=0.", "identity;q=0.0000", "\u0130dentity;q=0",
	} {
		f.Add(seed, "", false, false)
		f.Add("identity;q=0", seed, true, true)
	}
	f.Fuzz(func(t *testing.T, first, second string, small, once bool) {
		effort := Often
		if once {
			effort = Once
		}
		got, ok := negotiate([]string{first, second}, effort, small)
		if !ok {
			got = refused
		}
		if want := naively(first+","+second, effort, small); got != want {
			t.Fatalf("negotiate(%q, %q, effort %d, small %v) = %d, want %d", first, second, effort, small, got, want)
		}
	})
}

// naively implements negotiate by its definition: it weighs each encoding separately.
func naively(accept string, effort Effort, small bool) encoding {
	names := map[encoding][]string{identity: {"identity"}, gzipped: {"gzip", "x-gzip"}, brotlied: {"br"}, zstandard: {"zstd"}}
	quality := func(e encoding) float64 {
		if q, named := highest(accept, names[e]...); named {
			return q
		}
		if q, named := highest(accept, "*"); named {
			return q
		}
		if e == identity {
			return 1e-9 // acceptable, with less weight than all listed encodings
		}
		return 0
	}
	if small && quality(identity) > 0 {
		return identity
	}
	order := []encoding{brotlied, zstandard, gzipped, identity}
	if effort == Once {
		order = []encoding{zstandard, brotlied, gzipped, identity}
	}
	for _, candidate := range order {
		beaten := quality(candidate) == 0
		for _, other := range order {
			beaten = beaten || quality(other) > quality(candidate)
		}
		if !beaten {
			return candidate
		}
	}
	return refused
}

// member matches a member of Accept-Encoding by the RFC: a token with an optional weight.
var member = regexp.MustCompile("^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)" +
	`(?:[ \t]*;[ \t]*[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?[ \t]*$`)

// highest returns the highest weight that any of the names has in a header.
func highest(accept string, names ...string) (q float64, named bool) {
	for _, element := range strings.Split(accept, ",") {
		parts := member.FindStringSubmatch(element)
		if parts == nil || !slices.Contains(names, strings.ToLower(parts[1])) {
			continue
		}
		weight := 1.0
		if parts[2] != "" {
			weight, _ = strconv.ParseFloat(parts[2], 64)
		}
		q, named = max(q, weight), true
	}
	return q, named
}

// BenchmarkNegotiate reads what browsers send.
func BenchmarkNegotiate(b *testing.B) {
	accept := []string{"gzip, deflate, br, zstd"}
	for b.Loop() {
		negotiate(accept, Often, false)
	}
}

// BenchmarkNegotiateWorst reads as much as a request may hold.
func BenchmarkNegotiateWorst(b *testing.B) {
	for _, member := range []string{",", "a,", "GZIP;q=0.999,", "*;q=0.001,"} {
		accept := []string{strings.Repeat(member, 16384/len(member))}
		b.Run(member, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				negotiate(accept, Often, false)
			}
		})
	}
}
