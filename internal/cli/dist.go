package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/follow"
	"vitrine/internal/history"
	"vitrine/internal/store"
)

// distDeltas is the maximum number of earlier revisions from which a distribution has a delta.
const distDeltas = 16

// distFlags are the flags of a writer of distributions.
type distFlags struct {
	Dist            string  `placeholder:"PLACE" help:"Directory or s3://BUCKET/PREFIX to write as a distribution, from which vitrine serve --from reads (default: none)."`
	DistKey         string  `placeholder:"FILE" help:"Secret key that signs the distribution, as minisign -G -W writes it (default: unsigned)."`
	DistPreviousKey string  `placeholder:"FILE" help:"Secret key that signed until now. Readers with its public key then accept --dist-key, from the next write on (default: none)."`
	DistKeys        string  `placeholder:"FILE" help:"Private file for the API keys of the store, as a list for serve --from-keys, signed by --dist-key. It must be outside of --dist (default: none)."`
	DistValid       period  `default:"7d" placeholder:"TIME" help:"Time after which readers report that the distribution was not renewed (default ${default})."`
	DistTables      *period `placeholder:"TIME" help:"Add tables for analysts (CSV and SQLite), and write them again when they are older than this and differ, such as 1h, or 0s for each revision (default: none)."`
}

// minValid is the shortest validity of a distribution.
const minValid = time.Minute

// Validate implements the interface of kong.
func (f *distFlags) Validate() error {
	switch {
	case f.DistKeys != "" && (f.Dist == "" || f.DistKey == ""):
		return errors.New("--dist-keys needs --dist and --dist-key: readers use signed lists only")
	case f.DistKeys != "" && within(f.DistKeys, f.Dist):
		return fmt.Errorf("--dist-keys %s is in the public directory of --dist; name a file outside of it", f.DistKeys)
	}
	return checkDist(f.Dist, f.DistKey, f.DistPreviousKey, f.DistValid)
}

// checkDist checks the common flags of writers. dist is a place, "" for none.
func checkDist(dist, key, previous string, valid period) error {
	switch {
	case strings.Contains(dist, "://") && !distribution.IsBucket(dist):
		return errors.New("--dist must be a directory or s3://BUCKET/PREFIX")
	case checkPlace(dist) != nil:
		return fmt.Errorf("--dist %w", checkPlace(dist))
	case previous != "" && key == "":
		return errors.New("--dist-previous-key needs --dist-key, the key that follows")
	case time.Duration(valid) < minValid:
		return fmt.Errorf("--dist-valid is %s; it must be at least %s", time.Duration(valid), minValid)
	}
	return nil
}

// fromFlags are the flags of a reader of a distribution.
type fromFlags struct {
	From      *string       `placeholder:"PLACE" help:"Distribution to serve instead of a store: a directory, an http(s) URL or s3://BUCKET/PREFIX (default: none)."`
	FromKey   string        `placeholder:"KEY" help:"Public key of minisign, or its file, that must have signed the distribution (default: none, signatures are not verified)."`
	FromKeys  string        `placeholder:"PLACE" help:"Signed list of API keys, as --dist-keys writes it: a file, an http(s) URL or s3://BUCKET/KEY (default: none, requests with a key get 401). Needs --from-key."`
	FromEvery time.Duration `default:"5s" placeholder:"TIME" help:"Interval of looking for a new revision of the distribution, and for a new list of API keys (default ${default})."`
}

// minFromEvery is the shortest interval of looks at a distribution.
const minFromEvery = 100 * time.Millisecond

// Validate implements the interface of kong.
func (f *fromFlags) Validate() error {
	switch {
	case f.From != nil && *f.From == "":
		return errors.New("--from is empty; leave it out for a store")
	case f.From != nil && checkPlace(*f.From) != nil:
		return fmt.Errorf("--from %w", checkPlace(*f.From))
	case f.FromKeys != "" && (f.From == nil || f.FromKey == ""):
		return errors.New("--from-keys needs --from and --from-key: a list of API keys without a verified signature is not used")
	case f.FromKeys != "" && checkPlace(f.FromKeys) != nil:
		return fmt.Errorf("--from-keys %w", checkPlace(f.FromKeys))
	case f.FromEvery < minFromEvery:
		return fmt.Errorf("--from-every is %s; it must be at least %s", f.FromEvery, minFromEvery)
	}
	return nil
}

// checkPlace returns an error for the name of a place that is neither a local one nor an http(s) URL
// nor a bucket.
func checkPlace(place string) error {
	switch {
	case distribution.IsBucket(place):
		if err := distribution.CheckBucket(place); err != nil {
			return fmt.Errorf("is malformed: %w", err)
		}
	case strings.Contains(place, "://") && !isHTTP(place):
		return errors.New("must be local, an http(s) URL or s3://BUCKET/PREFIX")
	}
	return nil
}

func isHTTP(place string) bool {
	u, err := url.Parse(place)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == ""
}

// fromHeadLimit is the time limit of a look at a distribution: two requests to a distant server.
const fromHeadLimit = 15 * time.Second

// reading returns how the distribution is read. lastGood is the path of the last good file, "" for
// none.
func (f *fromFlags) reading(lastGood string, log *slog.Logger) (*distribution.ReaderConfig, error) {
	reading := distribution.ReaderConfig{From: *f.From, UserAgent: userAgent(), Log: log, Now: time.Now}
	if lastGood != "" {
		reading.Pin = lastGood + ".entry"
	}
	var err error
	reading.Key, err = publicKey(f.FromKey, *f.From, log)
	return &reading, err
}

// publicKey returns the key of --from-key. Without one it logs a warning and returns nil.
func publicKey(key, from string, log *slog.Logger) (*distribution.PublicKey, error) {
	if key == "" {
		log.Warn("the signature of the distribution is not verified", "from", store.RedactDSN(from), "remedy", "--from-key KEY")
		return nil, nil
	}
	parsed, err := distribution.ParsePublicKey(key)
	if err != nil {
		return nil, could{fmt.Errorf("--from-key: %w", err)}
	}
	return parsed, nil
}

// follow makes a follower read the distribution instead of a store.
func (f *fromFlags) follow(config *follow.Config, reader *distribution.Reader) {
	config.Source, config.Open, config.Name = reader, nil, "the distribution"
	config.Every, config.HeadLimit, config.Spread = f.FromEvery, fromHeadLimit, true
	config.WhenEmpty = "publish one with vitrine export --dist DIR"
}

// newDistWriter returns a writer of a directory. key and previous are paths of keys, "" for none;
// tables is nil for no tables. fresh is for a directory that is copied to a bucket.
func newDistWriter(dir, key, previous string, valid period, tables *period, fresh bool) (*distribution.Writer, error) {
	config := distribution.WriterConfig{Dir: dir, Valid: time.Duration(valid), Deltas: distDeltas, Tables: (*time.Duration)(tables), Fresh: fresh, Now: time.Now}
	var err error
	if config.Key, err = signingKey("--dist-key", key); err != nil {
		return nil, err
	}
	if config.Previous, err = signingKey("--dist-previous-key", previous); err != nil {
		return nil, err
	}
	return distribution.NewWriter(config), nil
}

// signingKey reads the secret key of a flag, nil for no path.
func signingKey(flag, path string) (*distribution.SigningKey, error) {
	if path == "" {
		return nil, nil
	}
	key, err := distribution.ReadSigningKey(path)
	if err != nil {
		return nil, could{fmt.Errorf("%s: %w", flag, err)}
	}
	return key, nil
}

// distribute writes a state of a store as a distribution, and then the list of API keys.
func (c *exportCmd) distribute(ctx context.Context, to streams, s store.Store, state *store.State) error {
	var written distribution.Written
	var err error
	if distribution.IsBucket(c.Dist) {
		written, err = c.upload(ctx, s, state)
	} else {
		written, err = c.write(ctx, c.Dist, nil, s, state)
	}
	if errors.Is(err, distribution.ErrNewer) || errors.Is(err, distribution.ErrRotation) || errors.Is(err, distribution.ErrSigned) {
		return err
	}
	if err != nil {
		return could{err}
	}
	_, err = fmt.Fprintf(to.out, "wrote revision %d to %s: new files %d, bytes %d\n", state.Revision.Number, c.Dist, written.Files, written.Bytes)
	if err != nil {
		return printed(err)
	}
	for _, name := range written.Omitted {
		if _, err := fmt.Fprintf(to.err, "vitrine: the table %s is too large and not offered; use the other tables or the full set\n", name); err != nil {
			return printed(err)
		}
	}
	if err := c.distributeKeys(ctx, to, s); err != nil || written.TablesFault == nil {
		return err
	}
	return could{fmt.Errorf("the distribution is written with its previous tables or none: %w", written.TablesFault)}
}

// write writes a state into a directory, and then into a bucket, nil for none.
func (c *exportCmd) write(ctx context.Context, dir string, bucket *distribution.Bucket, s store.Store, state *store.State) (distribution.Written, error) {
	writer, err := newDistWriter(dir, c.DistKey, c.DistPreviousKey, c.DistValid, c.DistTables, bucket != nil)
	if err != nil {
		return distribution.Written{}, err
	}
	defer writer.Close()
	log, err := history.Changes(ctx, s, nil, state)
	if err != nil {
		return distribution.Written{}, err
	}
	has := func(ctx context.Context, r distribution.Revision) (bool, error) {
		revisions, err := s.History(ctx, 0)
		return slices.ContainsFunc(revisions, r.Is), err
	}
	if bucket != nil {
		return bucket.Write(ctx, writer, state, log, has)
	}
	return writer.Write(ctx, state, log, has)
}

// upload writes a state into a bucket, by way of a temporary directory.
func (c *exportCmd) upload(ctx context.Context, s store.Store, state *store.State) (written distribution.Written, err error) {
	dir, err := os.MkdirTemp("", "vitrine-dist-*")
	if err != nil {
		return written, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bucket := distribution.NewBucket(c.Dist, time.Now)
	defer bucket.Close()
	return c.write(ctx, dir, bucket, s, state)
}
