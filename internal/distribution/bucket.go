package distribution

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

const (
	bucketScheme = "s3://"
	// bucketLimit is the time limit of one request.
	bucketLimit = time.Minute
	// lookLimit is the time limit of a look at the pointer.
	lookLimit = 10 * time.Second
	// bucketTries is the number of attempts of one request.
	bucketTries = 3
	// maxObjects is the maximum number of objects of a distribution, for lists.
	maxObjects = 100_000
)

// bucket is a distribution in a bucket of an S3 service. It is for one goroutine.
type bucket struct {
	name   string // bucket
	prefix string // of all keys; ends with a slash unless it is empty
	shown  string // for errors

	client      *minio.Core
	idle        func()
	conditional string // path of the pointer
	pointer     []byte // as last received
	etag        string // of pointer; "" for none
}

// bucketAddress are the parts of a name of the form
// s3://BUCKET/PREFIX?endpoint=URL&region=REGION.
type bucketAddress struct {
	bucket, prefix, endpoint, region string
	secure                           bool
}

var bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// IsBucket reports whether the name of a place is that of a bucket.
func IsBucket(place string) bool { return strings.HasPrefix(place, bucketScheme) }

// CheckBucket returns an error if the name of a bucket, or its endpoint in the environment, is
// malformed.
func CheckBucket(place string) error {
	_, err := parseBucket(place)
	return err
}

// parseBucket reads the name of a place. Without parameters, the endpoint and the region are those
// of the environment, as for the tools of AWS.
func parseBucket(place string) (bucketAddress, error) {
	form := errors.New("want s3://BUCKET/PREFIX, with ?endpoint=URL for services other than AWS")
	u, err := url.Parse(place)
	if err != nil || !IsBucket(place) || u.User != nil || u.Fragment != "" || !bucketName.MatchString(u.Host) {
		return bucketAddress{}, form
	}
	query := u.Query()
	for name := range query {
		if name != "endpoint" && name != "region" {
			return bucketAddress{}, form
		}
	}
	a := bucketAddress{bucket: u.Host, region: cmp.Or(query.Get("region"), os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))}
	if path := strings.Trim(u.Path, "/"); path != "" {
		a.prefix = path + "/"
	}
	text := cmp.Or(query.Get("endpoint"), os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com")
	at, err := url.Parse(text)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.User != nil || at.RawQuery != "" || strings.Trim(at.Path, "/") != "" {
		return bucketAddress{}, errors.New("the endpoint must be an http(s) URL with only a host")
	}
	a.endpoint, a.secure = at.Host, at.Scheme == "https"
	return a, nil
}

// environmentCredentials returns the credentials of the environment: variables, the shared file, or the role
// of the workload. Without any, requests are anonymous.
func environmentCredentials() *credentials.Credentials {
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	for _, variable := range []string{"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"} {
		if os.Getenv(variable) != "" {
			providers = append(providers, &credentials.IAM{})
			break
		}
	}
	return credentials.NewChainCredentials(providers)
}

// connect creates the client. It sends no request.
func (b *bucket) connect() error {
	if b.client != nil {
		return nil
	}
	a, err := parseBucket(b.shown)
	if err != nil {
		return fmt.Errorf("%s: %w", b.shown, err)
	}
	transport, err := minio.DefaultTransport(a.secure)
	if err != nil {
		return err
	}
	transport.MaxResponseHeaderBytes = 64 << 10
	client, err := minio.NewCore(a.endpoint, &minio.Options{
		Creds: environmentCredentials(), Secure: a.secure, Region: a.region, Transport: transport, MaxRetries: bucketTries,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", b.shown, err)
	}
	b.name, b.prefix, b.client, b.idle = a.bucket, a.prefix, client, transport.CloseIdleConnections
	return nil
}

func (b *bucket) close() {
	if b.idle != nil {
		b.idle()
	}
}

// get implements [place]. Only a changed pointer is transferred.
func (b *bucket) get(ctx context.Context, path string, limit int64) ([]byte, error) {
	if path != b.conditional {
		data, _, err := b.fetch(ctx, path, limit, "")
		return data, err
	}
	data, etag, err := b.fetch(ctx, path, limit, b.etag)
	switch {
	case errors.Is(err, errUnchanged):
		return b.pointer, nil
	case err != nil:
		return nil, err
	}
	b.pointer, b.etag = data, etag
	return data, nil
}

// errUnchanged reports that an object still has an entity tag.
var errUnchanged = errors.New("the object is unchanged")

// fetch returns an object and its entity tag. The error is errUnchanged if it has the entity tag
// known, "" for none.
func (b *bucket) fetch(ctx context.Context, path string, limit int64, known string) (data []byte, etag string, err error) {
	if err := b.connect(); err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, bucketLimit)
	defer cancel()
	var options minio.GetObjectOptions
	if known != "" {
		if err := options.SetMatchETagExcept(known); err != nil {
			return nil, "", err
		}
	}
	body, info, _, err := b.client.GetObject(ctx, b.name, b.prefix+path, options)
	if statusOf(err) == 304 && known != "" {
		return nil, known, errUnchanged
	}
	if err != nil {
		return nil, "", b.failed(path, err)
	}
	defer body.Close()
	data, err = io.ReadAll(io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return nil, "", b.failed(path, err)
	case int64(len(data)) > limit:
		return nil, "", fmt.Errorf("%s/%s has more than %d bytes", b.shown, path, limit)
	}
	return data, info.ETag, nil
}

// failed describes an error of the service, which wraps [fs.ErrNotExist] for a missing object.
func (b *bucket) failed(path string, err error) error {
	answer, ok := errors.AsType[minio.ErrorResponse](err)
	switch {
	case !ok && errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %s: the service does not answer: %w", b.shown, path, err)
	case !ok:
		return fmt.Errorf("%s: %s: %w", b.shown, path, err)
	case answer.Code == "NoSuchBucket":
		return fmt.Errorf("%s: the bucket does not exist", b.shown)
	case answer.StatusCode == 404:
		return fmt.Errorf("%s: %s: %w (%s)", b.shown, path, fs.ErrNotExist, answer.Code)
	}
	const most = 200
	return fmt.Errorf("%s: %s: the service answers %d %s: %.*q", b.shown, path, answer.StatusCode, answer.Code, most, answer.Message)
}

// statusOf returns the HTTP status of an error of the service, 0 for others.
func statusOf(err error) int {
	if failed, ok := errors.AsType[minio.ErrorResponse](err); ok {
		return failed.StatusCode
	}
	return 0
}

// put writes an object. match is the entity tag that it must have, "*" for none at all, "" for no
// condition. It returns the new entity tag; the error for an object that does not match wraps
// [ErrConflict].
func (b *bucket) put(ctx context.Context, path string, data []byte, match string) (string, error) {
	if err := b.connect(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, bucketLimit)
	defer cancel()
	// The request has the SHA-256 of the whole object instead of signed chunks.
	options := minio.PutObjectOptions{DisableContentSha256: true, ContentType: "application/octet-stream", CacheControl: "public, max-age=31536000, immutable"}
	if !strings.HasPrefix(path, "files/") {
		options.ContentType, options.CacheControl = "application/json", "no-cache"
	}
	switch match {
	case "":
	case "*":
		options.SetMatchETagExcept("*")
	default:
		options.SetMatchETag(match)
	}
	info, err := b.client.PutObject(ctx, b.name, b.prefix+path, bytes.NewReader(data), int64(len(data)), "", hexSum(data), options)
	if status := statusOf(err); match != "" && (status == 412 || status == 409) {
		return "", fmt.Errorf("%s: %s: %w", b.shown, path, ErrConflict)
	}
	if statusOf(err) == 501 && match != "" {
		return "", fmt.Errorf("%s: %s: %w", b.shown, path, ErrUnconditional)
	}
	if err != nil {
		return "", b.failed(path, err)
	}
	return info.ETag, nil
}

// remove removes an object, which may be missing.
func (b *bucket) remove(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, bucketLimit)
	defer cancel()
	err := b.client.RemoveObject(ctx, b.name, b.prefix+path, minio.RemoveObjectOptions{})
	if err != nil && statusOf(err) != 404 {
		return b.failed(path, err)
	}
	return nil
}

// list returns the sizes of the objects below files/, by path.
func (b *bucket) list(ctx context.Context) (map[string]int64, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*bucketLimit)
	defer cancel()
	sizes := map[string]int64{}
	for object := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix + "files/", Recursive: true}) {
		if object.Err != nil {
			return nil, b.failed("files/", object.Err)
		}
		if sizes[strings.TrimPrefix(object.Key, b.prefix)] = object.Size; len(sizes) > maxObjects {
			return nil, fmt.Errorf("%s has more than %d objects", b.shown, maxObjects)
		}
	}
	return sizes, nil
}
