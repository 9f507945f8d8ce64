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

// statusSignal is added to the number of a signal that ended the process at
// once, as shells count.
const statusSignal = 128

// untilSignal returns a context that is done when the process is asked to end,
// without delay if that was at a terminal; its cause says by what. A second
// signal ends the process.
func untilSignal(ctx context.Context, log *slog.Logger) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	done, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			log.Info("asked to end", "signal", signalName(s))
			cancel(asked(s))
		case <-done.Done():
			return
		}
		select {
		case s := <-signals:
			log.Warn("a second signal ends the process at once; requests are broken off", "signal", signalName(s))
			os.Exit(statusSignal + int(s.(syscall.Signal)))
		case <-done.Done():
		}
	}()
	return ctx, func() { cancel(nil); stop() }
}

// asked returns the cause of an end that a signal asked for.
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
