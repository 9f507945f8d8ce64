package cli

import (
	"context"
	"fmt"
	"net"

	"github.com/coreos/go-systemd/v22/activation"
)

// The names of sockets that a service manager passes (LISTEN_FDNAMES).
const (
	apiSocket   = "api"
	adminSocket = "admin"
)

// inherited returns the sockets that a service manager passes by the protocol of sd_listen_fds, nil for
// missing ones. Unnamed sockets are the API's first, then the admin listener's.
func inherited() (public, admin net.Listener, err error) {
	for i, file := range activation.Files(true) {
		to := &public
		if name := file.Name(); name == adminSocket || name != apiSocket && i == 1 {
			to = &admin
		}
		if *to != nil || i > 1 {
			closeListeners(public, admin)
			return nil, nil, fmt.Errorf("the service manager passed an unexpected socket %q: want one named %s and at most one named %s",
				file.Name(), apiSocket, adminSocket)
		}
		*to, err = net.FileListener(file) // duplicates the descriptor
		file.Close()
		if err != nil {
			closeListeners(public, admin)
			return nil, nil, fmt.Errorf("listen on the socket %q of the service manager: %w", file.Name(), err)
		}
	}
	return public, admin, nil
}

// bind listens before any other work, so that an invalid address changes nothing and early connections
// wait instead of being refused. A passed socket overrides the address of its flag. admin is nil if it is off.
func (c *serveCmd) bind(ctx context.Context) (public, admin net.Listener, err error) {
	var config net.ListenConfig
	public, admin, err = inherited()
	if err != nil {
		return nil, nil, err
	}
	if public == nil {
		if public, err = config.Listen(ctx, "tcp", c.Listen); err != nil {
			closeListeners(admin)
			return nil, nil, fmt.Errorf("listen for the API: %w; stop the process that uses the address, or choose another with --listen", err)
		}
	}
	if admin == nil && c.AdminListen != "off" {
		if admin, err = config.Listen(ctx, "tcp", c.AdminListen); err != nil {
			public.Close()
			return nil, nil, fmt.Errorf("listen for operators: %w; stop the process that uses the address, or choose another with --admin-listen", err)
		}
	}
	return public, admin, nil
}
