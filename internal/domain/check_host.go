package domain

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// reservedRanges are the addresses outside the public Internet, by the special-purpose address
// registries of IANA.
var reservedRanges = []struct {
	what     string
	prefixes []netip.Prefix
}{
	{"a loopback address", prefixes("127.0.0.0/8", "::1/128")},
	{"a private network address", prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10", "64:ff9b:1::/48")},
	{"a link-local address", prefixes("169.254.0.0/16", "fe80::/10")},
	{"a carrier-grade NAT address", prefixes("100.64.0.0/10")},
	{"a documentation address", prefixes("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20")},
	{"the unspecified address", prefixes("0.0.0.0/8", "::/128")},
	{"a multicast address", prefixes("224.0.0.0/4", "ff00::/8")},
	{"a reserved address", prefixes("192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "240.0.0.0/4", "2001::/23")},
}

// globalIPv6 contains all IPv6 addresses of the public Internet.
var globalIPv6 = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, s := range list {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

// unreachableDomains are the domains without public hosts, by their purpose: the special-use
// domain names of IANA and RFC 6761, the domains of local networks of RFC 6762 (appendix G) and
// ICANN, and those of clusters and containers. The domains for documentation have a separate
// trait, documentationHost.
var unreachableDomains = domainsFor(map[string][]string{
	"a local network name": {
		"cluster", "corp", "docker", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain", "localhost", "mail", "private", "svc", "test",
	},
	"a name of the DNS itself":             {"arpa"},
	"a name outside of the DNS":            {"alt", "onion"},
	"a public name for a loopback address": {"lacolhost.com", "local.gd", "localho.st", "localtest.me", "lvh.me", "vcap.me"},
})

// documentationDomain is the top-level domain of examples (RFC 2606), which has no hosts.
// example.com, example.net and example.org are real hosts.
const documentationDomain = "example"

// addressDomains resolve names that contain an IP address to that address.
var addressDomains = domainsFor(map[string][]string{"": {"backname.io", "nip.io", "sslip.io", "traefik.me", "xip.io"}})

// domains maps domains to their purpose.
type domains map[string]string

func domainsFor(lists map[string][]string) domains {
	all := domains{}
	for what, list := range lists {
		for _, domain := range list {
			all[domain] = what
		}
	}
	return all
}

// of returns the domain that a host equals or is below, "" for none, and its purpose.
func (d domains) of(host string) (domain, what string) {
	for host != "" {
		if what, ok := d[host]; ok {
			return host, what
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return "", ""
}

// plainHost returns a host as programs resolve it: in lower case, with compatibility characters
// replaced by ASCII, without the final dot.
func plainHost(host string) string {
	if !only(host, func(c byte) bool { return c < 0x80 }) {
		host = strings.ReplaceAll(norm.NFKC.String(host), "。", ".")
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// unreachable returns the reason why readers cannot reach a host, as returned by plainHost; ""
// for a host that they may reach.
func unreachable(host string) string {
	if addr, usual, ok := hostAddress(host); ok {
		if what := reserved(addr); what != "" {
			return what
		}
		if !usual {
			return "an unusual spelling of the address " + addr.String()
		}
		return ""
	}
	if domain, what := unreachableDomains.of(host); domain != "" {
		return what
	}
	if domain, _ := addressDomains.of(host); domain != "" {
		for addr := range addressesIn(host) {
			if what := reserved(addr); what != "" {
				return fmt.Sprintf("a name for %s, %s", addr, what)
			}
		}
	}
	if !strings.Contains(host, ".") {
		return "a host name without a domain"
	}
	return ""
}

// addressesIn yields the IP addresses that a name below one of addressDomains may contain: four
// decimal numbers between dots or dashes, eight hexadecimal digits, or an IPv6 address with
// dashes for colons.
func addressesIn(host string) iter.Seq[netip.Addr] {
	return func(yield func(netip.Addr) bool) {
		numbers := strings.FieldsFunc(host, func(r rune) bool { return r == '.' || r == '-' })
		for i, s := range numbers {
			if i+4 <= len(numbers) {
				if addr, err := netip.ParseAddr(strings.Join(numbers[i:i+4], ".")); err == nil && !yield(addr) {
					return
				}
			}
			if b, err := hex.DecodeString(s); err == nil && len(b) == 4 && !yield(netip.AddrFrom4([4]byte(b))) {
				return
			}
		}
		for label := range strings.SplitSeq(host, ".") {
			if addr, err := netip.ParseAddr(strings.ReplaceAll(label, "-", ":")); err == nil && addr.Is6() && !yield(addr) {
				return
			}
		}
	}
}

// isHosted reports whether links of a scheme have a host of the Internet.
func isHosted(scheme string) bool { return slices.Contains(endpointSchemes, scheme) }

func reserved(addr netip.Addr) string {
	for _, r := range reservedRanges {
		for _, p := range r.prefixes {
			if p.Contains(addr) {
				return r.what
			}
		}
	}
	if addr.Is6() && !globalIPv6.Contains(addr) {
		return "a reserved address"
	}
	return ""
}

// hostAddress returns the address of a host, also of an IPv4 address within an IPv6 address.
// usual reports whether it has the canonical spelling.
func hostAddress(host string) (addr netip.Addr, usual, ok bool) {
	if !strings.Contains(host, ":") {
		return looseIPv4(host)
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}, false, false
	}
	zone := addr.Zone()
	addr = addr.WithZone("")
	if v4, ok := embeddedIPv4(addr); ok {
		return v4, false, true
	}
	return addr, zone == "", true
}

// embeddedIPv4 returns the IPv4 address within an IPv6 address: mapped, translated, compatible,
// NAT64 or 6to4.
func embeddedIPv4(addr netip.Addr) (netip.Addr, bool) {
	b := addr.As16()
	last, second := netip.AddrFrom4([4]byte(b[12:])), netip.AddrFrom4([4]byte(b[2:6]))
	switch {
	case addr.Is4In6(), netip.MustParsePrefix("::ffff:0:0:0/96").Contains(addr), netip.MustParsePrefix("64:ff9b::/96").Contains(addr):
		return last, true
	case netip.MustParsePrefix("::/96").Contains(addr) && binary.BigEndian.Uint32(b[12:]) > 1:
		return last, true
	case netip.MustParsePrefix("2002::/16").Contains(addr):
		return second, true
	}
	return netip.Addr{}, false
}

// looseIPv4 parses an IPv4 address like browsers: one to four numbers in decimal, octal with
// prefix 0 or hexadecimal with prefix 0x. The last number fills the rest of the 32 bits.
func looseIPv4(host string) (addr netip.Addr, usual, ok bool) {
	if !endsInNumber(host) {
		return netip.Addr{}, false, false
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr, true, true
	}
	numbers := strings.Split(host, ".")
	if len(numbers) > 4 {
		return netip.Addr{}, false, false
	}
	var value uint64
	for i, s := range numbers {
		n, ok := looseNumber(s)
		last := i == len(numbers)-1
		switch {
		case !ok, !last && n > 0xff, last && n >= 1<<(8*(4-i)):
			return netip.Addr{}, false, false
		case last:
			value |= n
		default:
			value |= n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(value)))), false, true
}

func looseNumber(s string) (uint64, bool) {
	base := 10
	switch {
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
		if s == "" {
			return 0, true
		}
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	if strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") || strings.Contains(s, "_") {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 33)
	return n, err == nil
}

// endsInNumber reports whether browsers parse a host as an IPv4 address.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && (only(last, isDigit) || strings.HasPrefix(last, "0x") && only(last[2:], isHex))
}
