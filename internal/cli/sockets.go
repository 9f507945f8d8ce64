package cli

import (
	"context"
	"fmt"
	"net"

	"github.com/coreos/go-systemd/v22/activation"
)

// The names of sockets that a service manager hands over (LISTEN_FDNAMES).
const (
	apiSocket   = "api"
	adminSocket = "admin"
)

// inherited returns the sockets that a service manager opened for this process
// by the protocol of sd_listen_fds, nil for each that it did not. Without one
// of the two names the first is that of the API, the second that of operators.
func inherited() (public, admin net.Listener, err error) {
	for i, file := range activation.Files(true) {
		to := &public
		if name := file.Name(); name == adminSocket || name != apiSocket && i == 1 {
			to = &admin
		}
		if *to != nil || i > 1 {
			closeListeners(public, admin)
			return nil, nil, fmt.Errorf("the service manager handed over a socket too many (%q): want one named %s and at most one named %s",
				file.Name(), apiSocket, adminSocket)
		}
		*to, err = net.FileListener(file) // has a descriptor of its own
		file.Close()
		if err != nil {
			closeListeners(public, admin)
			return nil, nil, fmt.Errorf("listen on the socket %q of the service manager: %w", file.Name(), err)
		}
	}
	return public, admin, nil
}

// bind takes the addresses before anything else is done, so that a wrong one
// changes nothing, and early callers wait rather than being refused. A socket
// that is handed over stands for the address of its flag. Admin is nil where
// there is to be none.
func (c *serveCmd) bind(ctx context.Context) (public, admin net.Listener, err error) {
	var config net.ListenConfig
	public, admin, err = inherited()
	if err != nil {
		return nil, nil, err
	}
	if public == nil {
		if public, err = config.Listen(ctx, "tcp", c.Listen); err != nil {
			closeListeners(admin)
			return nil, nil, fmt.Errorf("listen for the API: %w; end what holds the address, or choose another with --listen", err)
		}
	}
	if admin == nil && c.AdminListen != "off" {
		if admin, err = config.Listen(ctx, "tcp", c.AdminListen); err != nil {
			public.Close()
			return nil, nil, fmt.Errorf("listen for operators: %w; end what holds the address, or choose another with --admin-listen", err)
		}
	}
	return public, admin, nil
}
