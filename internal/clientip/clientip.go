// Package clientip finds the client of a request: its peer or, behind trusted
// proxies, the address that the outermost trusted proxy saw.
//
// It takes addresses and the values of headers as text. It must not know HTTP, API
// keys or limits. A [Resolver] is immutable and safe for concurrent use.
package clientip

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
)

// maxHops bounds the number of proxies that are read from a header. No honest chain
// is longer.
const maxHops = 32

// Header is the one header in which trusted proxies name the client. The operator
// chooses it, because a proxy that writes one of the two headers forwards the other
// as the client wrote it.
type Header string

// The supported headers.
const (
	XForwardedFor Header = "X-Forwarded-For"
	Forwarded     Header = "Forwarded" // RFC 7239
)

// Resolver finds clients. Make one with [New].
type Resolver struct {
	trusted []netip.Prefix
	element func(rest string) (addr netip.Addr, before string, ok bool)
}

// New returns a resolver that trusts the header of proxies with addresses in
// trusted, as returned by [ParseTrusted]; nil for none.
func New(trusted []netip.Prefix, header Header) *Resolver {
	r := &Resolver{trusted: trusted, element: lastForwardedFor}
	if header == Forwarded {
		r.element = lastForwarded
	}
	return r
}

// ParseTrusted parses the address of a trusted proxy: a network such as 10.0.0.0/8,
// or a single address.
func ParseTrusted(s string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(s)
	if err != nil {
		addr, err := netip.ParseAddr(s)
		if err != nil || addr.Zone() != "" {
			return netip.Prefix{}, fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8", s)
		}
		prefix = netip.PrefixFrom(addr, addr.BitLen())
	}
	if prefix.Addr().Is4In6() && prefix.Bits() >= 96 {
		prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
	}
	if prefix.Bits() == 0 {
		return netip.Prefix{}, errors.New("a network of all addresses would let every client choose its own: name those of the proxies")
	}
	return prefix.Masked(), nil
}

// Caller is the sender of a request.
type Caller struct {
	// Peer is the other end of the connection. It is the zero Addr without an IP
	// address, as on a Unix socket.
	Peer netip.Addr
	// Trusted reports whether the peer is a trusted proxy.
	Trusted bool
	// Addr is the client's address: the peer's, or the one that the outermost
	// trusted proxy saw.
	Addr netip.Addr
}

// Client returns the address that identifies a client for quotas: a whole IPv4
// address, or the /64 of an IPv6 address, which one subscriber has. All clients
// without an address share the zero Addr.
func (c Caller) Client() netip.Addr {
	if !c.Addr.Is6() {
		return c.Addr
	}
	bytes := c.Addr.As16()
	clear(bytes[8:])
	return netip.AddrFrom16(bytes)
}

// Caller returns the sender of a request. Remote is the peer as `address:port`; values
// are those of the resolver's header in their order, or nil.
//
// Proxies append, so Caller reads the values from the right, as one list. The client
// is the first address that is not trusted. At an element without an address, it is
// the last proxy to its right, because the client may have written everything left
// of it.
func (r *Resolver) Caller(remote string, values []string) Caller {
	peer := parsePeer(remote)
	c := Caller{Peer: peer, Trusted: r.trusts(peer), Addr: peer}
	if !c.Trusted {
		return c
	}
	hops := 0
	for i := len(values) - 1; i >= 0; i-- {
		for rest := values[i]; ; {
			addr, before, ok := r.element(rest)
			if hops++; !ok || hops > maxHops {
				return c
			}
			c.Addr = addr
			if !r.trusts(addr) {
				return c
			}
			if before == "" {
				break
			}
			rest = before[:len(before)-1] // without its comma
		}
	}
	return c
}

func (r *Resolver) trusts(addr netip.Addr) bool {
	for _, prefix := range r.trusted {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// parsePeer returns the zero Addr if there is no IP address.
func parsePeer(remote string) netip.Addr {
	if peer, err := netip.ParseAddrPort(remote); err == nil {
		return plain(peer.Addr())
	}
	addr, err := netip.ParseAddr(remote)
	if err != nil {
		return netip.Addr{}
	}
	return plain(addr)
}

// plain returns the canonical form of an address: IPv4 instead of IPv4-mapped IPv6,
// and without a zone, which has no meaning on another machine.
func plain(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

// maxNode is longer than any address with zone and port.
const maxNode = 128

// parseNode parses a node as proxies write it: an address, with or without a port,
// IPv6 with or without brackets. A port may be obfuscated (RFC 7239, section 6).
// Obfuscated nodes (`unknown`, `_name`) have no address.
func parseNode(s string) (netip.Addr, bool) {
	if s == "" || len(s) > maxNode {
		return netip.Addr{}, false
	}
	host := s
	if inner, bracketed := strings.CutPrefix(s, "["); bracketed {
		address, port, closed := strings.Cut(inner, "]")
		if !closed || port != "" && !isPort(port) || !strings.Contains(address, ":") {
			return netip.Addr{}, false
		}
		host = address
	} else if colon := strings.IndexByte(s, ':'); colon >= 0 && strings.LastIndexByte(s, ':') == colon {
		if !isPort(s[colon:]) {
			return netip.Addr{}, false
		}
		host = s[:colon]
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}, false
	}
	return plain(addr), true
}

// isPort reports whether s is a colon and a port, or a name that hides one.
func isPort(s string) bool {
	if len(s) < 2 || s[0] != ':' {
		return false
	}
	if s[1] == '_' {
		return len(s) > 2 && !strings.ContainsFunc(s[2:], notName)
	}
	return len(s) <= 6 && !strings.ContainsFunc(s[1:], func(c rune) bool { return c < '0' || c > '9' })
}

func notName(c rune) bool {
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	return !letter && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-'
}
