package response

import (
	"strconv"
	"strings"
	"testing"
)

// refused stands for no acceptable encoding in the tables.
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
		{"gzip; ", gzipped, identity},
		{"gzip;q=", identity, identity},
		{",,;q=1, gzip", gzipped, identity},
		{"deflate, identity;q=0", refused, refused},
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
		t.Errorf("two header lines are one list: %v, %v", got, ok)
	}
	if got, ok := negotiate([]string{"gzip, br, zstd"}, Once, false); got != zstandard || !ok {
		t.Errorf("for an answer that is asked for once: %v, %v", got, ok)
	}
}

// FuzzAcceptEncoding holds negotiation against the rules of RFC 9110, section
// 12.5.3, written down one by one.
func FuzzAcceptEncoding(f *testing.F) {
	for _, seed := range []string{
		"gzip;q=0.5", "*;q=0", "identity;q=0,gzip", ";;,=", "gzip;q=1e9", "br,zstd;q=0.999, x-gzip, *;q=0.1", "gzip, deflate, br, zstd",
		"identity;q=0.5,br;q=0.5", "br;q=0,*", "GZip;Q=0.3;x",
	} {
		f.Add(seed, false, false)
		f.Add(seed, true, true)
	}
	f.Fuzz(func(t *testing.T, accept string, small, once bool) {
		effort := Often
		if once {
			effort = Once
		}
		got, ok := negotiate([]string{accept}, effort, small)
		if !ok {
			got = refused
		}
		if want := naively(accept, effort, small); got != want {
			t.Fatalf("negotiate(%q, effort %d, small %v) = %d, want %d", accept, effort, small, got, want)
		}
	})
}

// naively is negotiate by definition: it looks at each encoding by itself.
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
			return 1e-9 // acceptable, and liked less than all that is named
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

// highest returns the highest weight that any of the names has in a header.
func highest(accept string, names ...string) (q float64, named bool) {
	for _, element := range strings.Split(accept, ",") {
		parts := strings.SplitN(element, ";", 2)
		coding, weight := strings.TrimSpace(parts[0]), 1.0
		if len(parts) == 2 && strings.TrimSpace(parts[1]) != "" {
			pair := strings.SplitN(strings.TrimSpace(parts[1]), "=", 2)
			if len(pair) != 2 || !strings.EqualFold(strings.TrimSpace(pair[0]), "q") {
				continue
			}
			digits := strings.TrimSpace(pair[1])
			value, err := strconv.ParseFloat(digits, 64)
			if err != nil || strings.ContainsFunc(digits, func(c rune) bool { return (c < '0' || c > '9') && c != '.' }) || value > 1 {
				continue
			}
			weight = value
		}
		for _, name := range names {
			if coding != "" && strings.ToLower(coding) == name {
				q, named = max(q, weight), true
			}
		}
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
