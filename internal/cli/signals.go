package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"vitrine/internal/server"
)

// untilSignal returns a context that is done when the process is asked to end,
// without delay if that was at a terminal. A second signal ends the process.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			if s == syscall.SIGINT {
				cancel(server.ErrAtOnce)
			}
			cancel(nil)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// onHangup calls reload for each SIGHUP, one after the other, until ctx is done.
func onHangup(reload func()) func(ctx context.Context) {
	signals := make(chan os.Signal, 1) // one that comes during a reload is not lost
	signal.Notify(signals, syscall.SIGHUP)
	return func(ctx context.Context) {
		for {
			select {
			case <-signals:
				reload()
			case <-ctx.Done():
				return // and SIGHUP is without effect from now on
			}
		}
	}
}
