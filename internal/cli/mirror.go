package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/store"
)

// mirrorCmd copies a distribution (docs/distribution.md#mirrors).
type mirrorCmd struct {
	Place   string        `arg:"" help:"Distribution to copy: a directory, an http(s) URL or s3://BUCKET/PREFIX."`
	Dir     string        `arg:"" help:"Directory of the copy, created if missing."`
	FromKey string        `placeholder:"KEY" help:"Public key of minisign, or its file, that must have signed the distribution (default: none, signatures are not verified)." env:"-"`
	Every   time.Duration `placeholder:"TIME" help:"Copy again after this time, such as 1m, until SIGINT or SIGTERM (default: copy once)." env:"-"`
}

// mirrorLimit is the time limit of one copy.
const mirrorLimit = 6 * time.Hour

// Validate implements the interface of kong.
func (c *mirrorCmd) Validate() error {
	switch {
	case c.Place == "" || c.Dir == "":
		return errors.New("PLACE and DIR must not be empty")
	case checkPlace(c.Place) != nil:
		return fmt.Errorf("PLACE %w", checkPlace(c.Place))
	case strings.Contains(c.Dir, "://"):
		return errors.New("DIR must be a directory")
	case !strings.Contains(c.Place, "://") && sameFile(c.Place, c.Dir):
		return errors.New("PLACE and DIR are the same directory")
	case c.Every != 0 && c.Every < minFromEvery:
		return fmt.Errorf("--every is %s; it must be at least %s", c.Every, minFromEvery)
	}
	return nil
}

// Run copies once, or until a signal. The status of one copy is 1 if the distribution was rejected
// or has expired, and 2 if it could not be read or written.
func (c *mirrorCmd) Run(ctx context.Context, to streams) error {
	log := newLog(to.err, "text", slog.LevelInfo)
	config := distribution.MirrorConfig{From: c.Place, Dir: c.Dir, UserAgent: userAgent(), Now: time.Now}
	var err error
	if config.Key, err = publicKey(c.FromKey, c.Place, log); err != nil {
		return err
	}
	mirror := distribution.NewMirror(config)
	defer mirror.Close()
	ctx, stop := untilSignal(ctx, log)
	defer stop()
	if c.Every != 0 {
		c.repeat(ctx, mirror, log)
		return nil
	}
	copied, err := copyOnce(ctx, mirror)
	if copied.Entry != nil {
		if _, err := fmt.Fprintln(to.out, c.describe(copied)); err != nil {
			return printed(err)
		}
	}
	return mirrorError(err)
}

func copyOnce(ctx context.Context, mirror *distribution.Mirror) (distribution.Copied, error) {
	ctx, cancel := context.WithTimeout(ctx, mirrorLimit)
	defer cancel()
	copied, err := mirror.Copy(ctx)
	if errors.Is(err, distribution.ErrNoDistribution) {
		err = fmt.Errorf("%w; name the directory, URL or bucket that has entry.json", err)
	}
	return copied, err
}

// mirrorError marks errors of reading and writing, as opposed to a distribution that is rejected.
func mirrorError(err error) error {
	if err == nil || errors.Is(err, distribution.ErrReplayed) || errors.Is(err, distribution.ErrUnsigned) || errors.Is(err, distribution.ErrExpired) {
		return err
	}
	return could{err}
}

func (c *mirrorCmd) describe(copied distribution.Copied) string {
	number := copied.Entry.Revision.Number
	if !copied.Replaced && copied.Files == 0 {
		return fmt.Sprintf("%s has revision %d already", c.Dir, number)
	}
	return fmt.Sprintf("copied revision %d to %s: new files %d, bytes %d", number, c.Dir, copied.Files, copied.Bytes)
}

// repeat copies until ctx is done. It logs each new pointer, and a problem once until it changes.
func (c *mirrorCmd) repeat(ctx context.Context, mirror *distribution.Mirror, log *slog.Logger) {
	log.Info("mirroring", "from", store.RedactDSN(c.Place), "to", c.Dir, "every", c.Every)
	problem := ""
	for {
		copied, err := copyOnce(ctx, mirror)
		if ctx.Err() != nil {
			return
		}
		if copied.Entry != nil && (copied.Replaced || copied.Files > 0) {
			log.Info("copied a revision", "revision", copied.Entry.Revision.Number, "files", copied.Files, "bytes", copied.Bytes)
		}
		switch now := errorText(err); {
		case now != "" && now != problem:
			log.Error("the distribution cannot be copied", "error", now, "meanwhile", "the directory keeps what was copied last")
		case now == "" && problem != "":
			log.Info("the distribution can be copied again", "revision", copied.Entry.Revision.Number)
		}
		problem = errorText(err)
		if sleep(ctx, c.Every+rand.N(c.Every/5)) != nil { // many mirrors of one place must not come together
			return
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return store.RedactDSN(err.Error())
}
