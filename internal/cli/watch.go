package cli

import (
	"context"
	"os/signal"
	"syscall"
	"time"

	"vitrine/internal/bundle"
)

// watchEvery is the interval of looks at a watched directory.
const watchEvery = time.Second

// watch checks the directory, and again after each change, until an interrupt.
func (c *checkCmd) watch(ctx context.Context, to streams) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	eachChange(ctx, ticker.C, c.look, func() {
		if err := c.run(ctx, to); ctx.Err() == nil {
			fail(to, err) // prints what is not printed yet; the next change may mend it
		}
	})
	return nil
}

// look returns a text that differs after a change of the directory.
func (c *checkCmd) look() string {
	fsys, closeDir, err := bundle.Open(c.Dir)
	if err != nil {
		return err.Error()
	}
	defer closeDir() // nothing was written
	now, err := bundle.Fingerprint(fsys)
	if err != nil {
		return err.Error()
	}
	return now
}

// eachChange calls do, and again if look differs at a tick, until ctx is done.
func eachChange(ctx context.Context, ticks <-chan time.Time, look func() string, do func()) {
	last := "" // no look
	for {
		if now := look(); now != last {
			last = now
			do()
		}
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
	}
}
