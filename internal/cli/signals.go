package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"vitrine/internal/server"
)

// statusSignal plus the number of the signal is the exit status after a second signal, as in shells.
const statusSignal = 128

// untilSignal returns a context that SIGINT and SIGTERM cancel. Its cause names the signal, and wraps
// [server.ErrAtOnce] for SIGINT. A second signal ends the process.
func untilSignal(ctx context.Context, log *slog.Logger) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	done, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			log.Info("shutting down", "signal", signalName(s))
			cancel(asked(s))
		case <-done.Done():
			return
		}
		select {
		case s := <-signals:
			log.Warn("a second signal ends the process at once and aborts requests", "signal", signalName(s))
			os.Exit(statusSignal + int(s.(syscall.Signal)))
		case <-done.Done():
		}
	}()
	return ctx, func() { cancel(nil); stop() }
}

// asked returns the cause of a shutdown by a signal.
func asked(s os.Signal) error {
	if s == syscall.SIGINT {
		return fmt.Errorf("%w by %s", server.ErrAtOnce, signalName(s))
	}
	return errors.New("asked to end by " + signalName(s))
}

func signalName(s os.Signal) string {
	if s == syscall.SIGINT {
		return "SIGINT"
	}
	return "SIGTERM"
}

// onHangup calls reload for each SIGHUP, sequentially, until ctx is done.
func onHangup(reload func()) func(ctx context.Context) {
	signals := make(chan os.Signal, 1) // keeps a signal that arrives during a reload
	signal.Notify(signals, syscall.SIGHUP)
	return func(ctx context.Context) {
		for {
			select {
			case <-signals:
				reload()
			case <-ctx.Done():
				return // from now on SIGHUP has no effect
			}
		}
	}
}
