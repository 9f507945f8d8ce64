package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"vitrine/internal/server"
)

// healthCmd checks whether the server of the same configuration on this machine is ready. It is
// the health check of containers, which have no other HTTP client.
type healthCmd struct {
	AdminListen string        `default:"127.0.0.1:9090" placeholder:"ADDR" help:"Address of the server's admin listener (default ${default})."`
	Timeout     time.Duration `default:"3s" placeholder:"TIME" env:"-" help:"Timeout of the request (default ${default})."`
}

func (c *healthCmd) Run(ctx context.Context, to streams) error {
	address, err := dialable(c.AdminListen)
	if err != nil {
		return could{err}
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	revision, err := server.Health(ctx, address)
	if errors.Is(err, server.ErrNotReady) {
		return err
	}
	if err != nil {
		return could{err}
	}
	_, err = fmt.Fprintf(to.out, "ready: revision %d\n", revision)
	return printed(err)
}

// dialable returns a local address that reaches a listener.
func dialable(listen string) (string, error) {
	if listen == "off" {
		return "", errors.New("--admin-listen is off, so the server cannot be reached; enable the admin listener")
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("--admin-listen: %w", err)
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "" || err == nil && ip == netip.IPv4Unspecified():
		host = "127.0.0.1"
	case err == nil && ip == netip.IPv6Unspecified():
		host = "::1"
	}
	return net.JoinHostPort(host, port), nil
}
