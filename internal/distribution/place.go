package distribution

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"vitrine/internal/upstream"
)

// place is where a distribution is read. Its files are not trusted.
type place interface {
	// get returns a file of at most limit bytes. The error for a missing one wraps
	// [fs.ErrNotExist].
	get(ctx context.Context, path string, limit int64) ([]byte, error)
	close()
}

// find returns a file of at most limit bytes, nil for a missing one.
func find(ctx context.Context, from place, path string, limit int64) ([]byte, error) {
	data, err := from.get(ctx, path, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// newPlace returns the place with the name of a folder, an http(s) URL or a bucket. pointer is the
// path that is requested conditionally.
func newPlace(name, userAgent, pointer string) place {
	if IsBucket(name) {
		return &bucket{shown: name, conditional: pointer}
	}
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return &site{conditional: pointer, base: strings.TrimSuffix(name, "/") + "/", client: upstream.New(upstream.Options{
			UserAgent: userAgent, AllowPrivate: true, Attempts: 1, // the caller repeats
		})}
	}
	return folder(name)
}

// splitPlace divides the name of a file into that of its place and its path there.
func splitPlace(file string) (place, name string) {
	if !strings.Contains(file, "://") {
		return filepath.Split(file)
	}
	file, query, found := strings.Cut(file, "?")
	place, name = path.Split(file)
	if found {
		place += "?" + query
	}
	return place, name
}

// folder is a distribution in a local directory.
type folder string

func (dir folder) get(_ context.Context, path string, limit int64) ([]byte, error) {
	name := dir.name(path)
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would block
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return data, nil
}

func (folder) close() {}

// has reports whether the folder has a file of that size. Its content is not read.
func (dir folder) has(f File) bool {
	info, err := os.Stat(dir.name(f.Path))
	return err == nil && info.Mode().IsRegular() && info.Size() == f.Size
}

// site is a distribution on a web server. It is for one goroutine.
type site struct {
	base        string // ends with a slash
	client      *upstream.Client
	conditional string            // path of the pointer
	pointer     upstream.Document // as last received
}

func (s *site) get(ctx context.Context, path string, limit int64) ([]byte, error) {
	request := upstream.Request{URL: s.base + path, MaxBytes: limit}
	if path == s.conditional && s.pointer.Body != nil {
		request.ETag, request.LastModified = s.pointer.ETag, s.pointer.LastModified
	}
	document, err := s.client.Get(ctx, request)
	if status, ok := errors.AsType[*upstream.StatusError](err); ok && (status.Status == 404 || status.Status == 410) {
		return nil, fmt.Errorf("%s: %w (%w)", path, fs.ErrNotExist, err)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case document.NotModified:
		return s.pointer.Body, nil
	case path == s.conditional:
		s.pointer = *document
	}
	return document.Body, nil
}

func (s *site) close() { s.client.Close() }
