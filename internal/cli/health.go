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

// healthCmd asks the server of the same configuration, on the same machine,
// whether it is ready: for containers, which have nothing else to ask with.
type healthCmd struct {
	AdminListen string        `default:"127.0.0.1:9090" placeholder:"ADDR" help:"Address of the server's admin listener, as serve has it (default ${default})."`
	Timeout     time.Duration `default:"3s" placeholder:"TIME" env:"-" help:"How long to wait for the answer (default ${default})."`
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

// dialable returns an address of this machine under which a listener answers.
func dialable(listen string) (string, error) {
	if listen == "off" {
		return "", errors.New("--admin-listen is off, so that nobody answers; give the server an admin listener")
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
