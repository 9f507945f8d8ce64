package clientip_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"vitrine/internal/clientip"
)

func resolver(t testing.TB, header clientip.Header, trusted ...string) *clientip.Resolver {
	t.Helper()
	var prefixes []netip.Prefix
	for _, s := range trusted {
		prefix, err := clientip.ParseTrusted(s)
		if err != nil {
			t.Fatal(err)
		}
		prefixes = append(prefixes, prefix)
	}
	return clientip.New(prefixes, header)
}

func TestForwardedFor(t *testing.T) {
	r := resolver(t, clientip.XForwardedFor, "10.0.0.0/8", "fd00::1", "127.0.0.1", "::ffff:192.168.0.0/112")
	const proxy = "10.0.0.1:4000"
	for _, tt := range []struct {
		name, remote string
		values       []string
		want         string
	}{
		{"no proxy", "192.0.2.1:4000", nil, "192.0.2.1"},
		{"an untrusted peer is not believed", "192.0.2.1:4000", []string{"198.51.100.7"}, "192.0.2.1"},
		{"one proxy", proxy, []string{"198.51.100.7"}, "198.51.100.7"},
		{"no header", proxy, nil, "10.0.0.1"},
		{"the rightmost untrusted", proxy, []string{"203.0.113.9, 198.51.100.7"}, "198.51.100.7"},
		{"trusted hops are skipped", proxy, []string{"203.0.113.9,198.51.100.7 ,\t10.9.9.9 , 127.0.0.1"}, "198.51.100.7"},
		{"lines are one list", proxy, []string{"203.0.113.9", "198.51.100.7", "10.9.9.9"}, "198.51.100.7"},
		{"all are trusted", proxy, []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"garbage stops at the last good hop", proxy, []string{"203.0.113.9, what, 10.0.0.2"}, "10.0.0.2"},
		{"garbage at once", proxy, []string{"203.0.113.9, unix:"}, "10.0.0.1"},
		{"nothing between commas is garbage", proxy, []string{"203.0.113.9,, 10.0.0.2"}, "10.0.0.2"},
		{"an empty line is garbage", proxy, []string{"203.0.113.9", ""}, "10.0.0.1"},
		{"a comma at the end is garbage", proxy, []string{"203.0.113.9,"}, "10.0.0.1"},
		{"unknown", proxy, []string{"203.0.113.9, unknown"}, "10.0.0.1"},
		{"a port", proxy, []string{"198.51.100.7:81"}, "198.51.100.7"},
		{"a port that is none", proxy, []string{"198.51.100.7:812345"}, "10.0.0.1"},
		{"IPv6", proxy, []string{"2001:db8::1"}, "2001:db8::1"},
		{"IPv6 in brackets", proxy, []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"IPv6 with a port", proxy, []string{"[2001:db8::1]:81"}, "2001:db8::1"},
		{"an open bracket", proxy, []string{"[2001:db8::1"}, "10.0.0.1"},
		{"IPv4 in brackets", proxy, []string{"[192.0.2.1]"}, "10.0.0.1"},
		{"a zone is dropped", proxy, []string{"fe80::1%eth0"}, "fe80::1"},
		{"mapped IPv4", proxy, []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		{"a mapped hop is trusted", proxy, []string{"198.51.100.7, ::ffff:10.0.0.2"}, "198.51.100.7"},
		{"a mapped peer is trusted", "[::ffff:10.0.0.1]:1", []string{"198.51.100.7"}, "198.51.100.7"},
		{"a mapped network is trusted", "192.168.0.9:1", []string{"198.51.100.7"}, "198.51.100.7"},
		{"an IPv6 peer is trusted", "[fd00::1]:1", []string{"198.51.100.7"}, "198.51.100.7"},
		{"a peer without a port", "10.0.0.1", []string{"198.51.100.7"}, "198.51.100.7"},
		{"a Unix socket", "@", []string{"198.51.100.7"}, "invalid IP"},
		{"no peer", "", []string{"198.51.100.7"}, "invalid IP"},
		{"too long to be an address", proxy, []string{"203.0.113.9," + strings.Repeat(" ", 200) + "198.51.100.7"}, "10.0.0.1"},
		{"more hops than any chain has", proxy, []string{"198.51.100.7" + strings.Repeat(",10.0.0.2", 40)}, "10.0.0.2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := r.Caller(tt.remote, tt.values).Addr.String(); got != tt.want {
				t.Errorf("the client is %s, want %s", got, tt.want)
			}
		})
	}
}

func TestForwarded(t *testing.T) {
	r := resolver(t, clientip.Forwarded, "10.0.0.0/8")
	for _, tt := range []struct {
		name   string
		values []string
		want   string
	}{
		{"a token", []string{"for=198.51.100.7"}, "198.51.100.7"},
		{"names in any case", []string{"Proto=https; FOR=198.51.100.7 ;by=10.0.0.1"}, "198.51.100.7"},
		{"quoted", []string{`for="198.51.100.7:81"`}, "198.51.100.7"},
		{"quoted IPv6", []string{`for="[2001:db8::1]:_port"`}, "2001:db8::1"},
		{"quoted IPv6 without brackets", []string{`for="2001:db8::1"`}, "2001:db8::1"},
		{"escapes", []string{`for="\1\98.51.100.7"`}, "198.51.100.7"},
		{"from the right", []string{"for=203.0.113.9, for=198.51.100.7", "for=10.0.0.2;by=10.0.0.1"}, "198.51.100.7"},
		{"a comma in quotes", []string{`for=203.0.113.9, for=198.51.100.7;host="a,b\"c,\\"`}, "198.51.100.7"},
		{"an open quote further left", []string{`for="203.0.113.9, for=198.51.100.7`}, "198.51.100.7"},
		{"a backslash further left", []string{`for="x\`, `for="198.51.100.7"`}, "198.51.100.7"},
		{"unknown", []string{"for=203.0.113.9, for=unknown"}, "10.0.0.1"},
		{"a hidden name", []string{"for=203.0.113.9, for=_hidden, for=10.0.0.2"}, "10.0.0.2"},
		{"no for", []string{"for=203.0.113.9, proto=https"}, "10.0.0.1"},
		{"two fors", []string{"for=198.51.100.7;for=203.0.113.9"}, "10.0.0.1"},
		{"an open quote", []string{`for="198.51.100.7`}, "10.0.0.1"},
		{"text after a quote", []string{`for="198.51.100.7"x`}, "10.0.0.1"},
		{"a quote within a token", []string{`for=198".51.100.7"`}, "10.0.0.1"},
		{"nothing", []string{""}, "10.0.0.1"},
		{"no value", []string{"for"}, "10.0.0.1"},
		{"an element without an end", []string{"for=203.0.113.9, for=198.51.100.7;host=" + strings.Repeat("a", 2000)}, "10.0.0.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := r.Caller("10.0.0.1:4000", tt.values).Addr.String(); got != tt.want {
				t.Errorf("the client is %s, want %s", got, tt.want)
			}
		})
	}
}

func TestCaller(t *testing.T) {
	r := resolver(t, clientip.XForwardedFor, "10.0.0.1")
	got := r.Caller("10.0.0.1:1", []string{"192.0.2.1"})
	want := clientip.Caller{Peer: netip.MustParseAddr("10.0.0.1"), Trusted: true, Addr: netip.MustParseAddr("192.0.2.1")}
	if got != want {
		t.Errorf("Caller() = %v, want %v", got, want)
	}
	got = r.Caller("10.0.0.2:1", []string{"192.0.2.1"})
	want = clientip.Caller{Peer: netip.MustParseAddr("10.0.0.2"), Addr: netip.MustParseAddr("10.0.0.2")}
	if got != want {
		t.Errorf("Caller() = %v, want %v", got, want)
	}
}

// A subscriber has a /64 of IPv6, and may use any address in it.
func TestClient(t *testing.T) {
	r := resolver(t, clientip.XForwardedFor)
	clients := map[netip.Addr]bool{}
	for i := range 1 << 16 {
		clients[r.Caller(fmt.Sprintf("[2001:db8::1:%x:%x]:80", i, 0xffff-i), nil).Client()] = true
	}
	if len(clients) != 1 || !clients[netip.MustParseAddr("2001:db8::")] {
		t.Errorf("the addresses of one /64 are %d clients, want 1", len(clients))
	}
	for _, remote := range []string{"[2001:db8:0:1::]:80", "192.0.2.1:80", "192.0.2.2:80", "[::ffff:192.0.2.3]:80", "@"} {
		clients[r.Caller(remote, nil).Client()] = true
	}
	if len(clients) != 6 {
		t.Errorf("there are %d clients, want 6", len(clients))
	}
	if r.Caller("[::ffff:192.0.2.1]:1", nil).Client() != r.Caller("192.0.2.1:2", nil).Client() {
		t.Error("mapped IPv4 is another client")
	}
}

func TestParseTrusted(t *testing.T) {
	for in, want := range map[string]string{
		"10.0.0.0/8": "10.0.0.0/8", "10.1.2.3/8": "10.0.0.0/8", "192.0.2.1": "192.0.2.1/32", "2001:db8::1": "2001:db8::1/128",
		"::ffff:10.0.0.0/104": "10.0.0.0/8", "::ffff:10.0.0.1": "10.0.0.1/32",
	} {
		if got, err := clientip.ParseTrusted(in); err != nil || got.String() != want {
			t.Errorf("ParseTrusted(%q) = %v, %v, want %s", in, got, err, want)
		}
	}
	for _, in := range []string{"", "proxy", "10.0.0.0/33", "10.0.0", "0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96", "fe80::1%eth0"} {
		if got, err := clientip.ParseTrusted(in); err == nil {
			t.Errorf("ParseTrusted(%q) = %v, want an error", in, got)
		}
	}
}

// client is the client as seen by the trusted proxies of the fuzzers.
const client = "198.51.100.7"

// FuzzForwardedFor checks that the elements that proxies append determine the client, for any
// header of a client.
func FuzzForwardedFor(f *testing.F) {
	fuzzHeader(f, clientip.XForwardedFor, client+", 10.0.0.2", client)
}

// FuzzForwarded is FuzzForwardedFor for the other header, with all parameters that a proxy may
// write in an element.
func FuzzForwarded(f *testing.F) {
	fuzzHeader(f, clientip.Forwarded,
		`proto=https;For="`+client+`:_a";host="a,\"b\\", for=10.0.0.2;by="[fd00::1]:443"`, "for="+client)
}

func fuzzHeader(f *testing.F, header clientip.Header, appended, bare string) {
	r := resolver(f, header, "10.0.0.0/8")
	for _, seed := range []string{"", "203.0.113.9", "for=203.0.113.9", `for="`, `\`, `"`, "10.0.0.3,", ",,,", `for="a\",`, "[::1"} {
		f.Add(seed)
	}
	want := netip.MustParseAddr(client)
	f.Fuzz(func(t *testing.T, sent string) {
		for _, values := range [][]string{
			{sent + ", " + appended}, {sent, appended}, {sent + "," + bare, appended[strings.LastIndexByte(appended, ',')+1:]},
		} {
			if got := r.Caller("10.0.0.1:80", values).Addr; got != want {
				t.Errorf("after %q the client is %s", sent, got)
			}
		}
		r.Caller("10.0.0.1:80", []string{sent}) // must terminate
		if got := r.Caller("192.0.2.1:80", []string{sent}).Addr.String(); got != "192.0.2.1" {
			t.Errorf("a client that is not trusted became %s", got)
		}
	})
}

// BenchmarkLongHeaders measures the longest headers that a server accepts, in the most expensive
// forms.
func BenchmarkLongHeaders(b *testing.B) {
	for _, bench := range []struct {
		name, value string
		header      clientip.Header
	}{
		{"trusted", strings.Repeat("10.0.0.1,", 1800) + "10.0.0.1", clientip.XForwardedFor},
		{"garbage", strings.Repeat("x", 16<<10), clientip.XForwardedFor},
		{"backslashes", `for="` + strings.Repeat(`\`, 16<<10) + `"`, clientip.Forwarded},
		{"quotes", strings.Repeat(`"`, 16<<10), clientip.Forwarded},
		{"pairs", strings.Repeat("for=10.0.0.1;", 1200), clientip.Forwarded},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := resolver(b, bench.header, "10.0.0.0/8")
			b.ReportAllocs()
			for b.Loop() {
				r.Caller("10.0.0.1:80", []string{bench.value})
			}
		})
	}
}

func BenchmarkCaller(b *testing.B) {
	r := resolver(b, clientip.XForwardedFor, "10.0.0.0/8")
	b.ReportAllocs()
	for b.Loop() {
		r.Caller("10.0.0.1:80", []string{"203.0.113.9, 198.51.100.7"})
	}
}
