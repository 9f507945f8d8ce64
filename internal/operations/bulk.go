package operations

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/response"
)

// bulkPrefix begins the paths of the files of a distribution (docs/distribution.md#bulk-data).
const bulkPrefix = "/bulk/"

// The caching of files of a distribution. The content of a path in files/ never changes.
const (
	cacheBulkFile  = "public, max-age=86400, immutable"
	cacheBulkEntry = "public, max-age=5"
)

// maxBulk is the maximum number of files that are sent concurrently, all clients together. Each has
// an open file.
const maxBulk = 100

// exposedBulk are the headers that scripts of other origins may read.
const exposedBulk = exposed + ", Accept-Ranges, Content-Range, Content-Length"

// BulkPath is the path of the pointer of the distribution.
const BulkPath = bulkPrefix + "entry.json"

// bulkOperations returns the table of operations for files of the distribution, which serveBulk
// handles. The index has the pointer alone, which names the other files.
func bulkOperations() []operation {
	return []operation{
		{name: "getBulkEntry", template: BulkPath},
		{name: "getBulkSignature", template: BulkPath + ".minisig"},
		{name: "getBulkFile", template: bulkPrefix + "files/{file}"},
	}
}

// isBulk reports whether a path is one of the distribution, whose errors are JSON.
func (h *Handler) isBulk(escapedPath string) bool {
	return h.bulk != nil && strings.HasPrefix(escapedPath, bulkPrefix)
}

// serveBulk serves a file of the distribution. It needs no snapshot.
func (h *Handler) serveBulk(w http.ResponseWriter, r *http.Request, o *observation) {
	o.operation = h.observer.bulk
	w.Header().Set("Access-Control-Expose-Headers", exposedBulk)
	if r.Method == http.MethodOptions {
		o.sent = response.Preflight(w, "GET, HEAD, OPTIONS", "X-API-Key, Authorization, If-None-Match, If-Range, Range, X-Request-Id")
		return
	}
	pass, err := h.admit(w, r, admission.Bulk, o)
	if err == nil {
		err = h.sendBulk(w, r, o, pass)
	}
	if err != nil {
		o.err = err
		o.sent = response.Fail(w, r, err)
	}
}

// sendBulk sends the file at the path of a request. After an error nothing was sent.
func (h *Handler) sendBulk(w http.ResponseWriter, r *http.Request, o *observation, pass admission.Pass) error {
	op, _ := match(h.bulkOperations, r.URL.EscapedPath())
	if op == nil {
		return errNoBulkFile
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return &response.Problem{Code: response.MethodNotAllowed, Detail: "files of the distribution are read only: use GET, HEAD or OPTIONS"}
	}
	hold, err := h.bulkPlaces.Reserve(r.Context(), response.Client(pass.Taker(r)), 1)
	if err != nil {
		return h.overloaded("too many files are being sent at this moment; try again")
	}
	defer hold.Release()
	name := strings.TrimPrefix(r.URL.Path, bulkPrefix)
	file, tag, err := h.openBulk(name)
	if err != nil {
		return err
	}
	defer file.Close() // which is only read
	header := w.Header()
	header.Set("ETag", tag)
	header.Set("Content-Type", bulkType(name))
	header.Set("Cache-Control", cacheBulkEntry)
	if op.open {
		header.Set("Cache-Control", cacheBulkFile)
	}
	seen := &bulkWriter{chargingWriter{ResponseWriter: w, request: r, pass: pass}, false}
	defer func() { o.sent, o.sending = seen.sent, seen.sending }()
	http.ServeContent(seen, r, "", time.Time{}, file)
	if seen.unsatisfiable {
		return &response.Problem{Code: response.RangeNotSatisfiable, Detail: "the file has no bytes in this range; Content-Range has its size"}
	}
	return nil
}

var errNoBulkFile = &response.Problem{
	Code: response.NotFound, Detail: "the distribution has no file with this path; " + BulkPath + " names all, and changes with each revision",
}

// bulkFile is an opened file of the distribution.
type bulkFile interface {
	fs.File
	io.ReadSeeker
}

// openBulk opens a file and returns its entity tag.
func (h *Handler) openBulk(name string) (file bulkFile, tag string, err error) {
	opened, err := h.bulk.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && bulkPrefix+name == BulkPath:
		return nil, "", &response.Problem{Code: response.NotReady, Detail: "the distribution has not been written yet; retry in a moment. If this persists, the server cannot write it: " +
			"its log, its overview and distributionProblem in /readyz have the reason"}
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", errNoBulkFile
	case err != nil:
		return nil, "", err
	}
	file, ok := opened.(bulkFile)
	if !ok {
		opened.Close()
		return nil, "", errors.New("a file of the distribution cannot be read from a position")
	}
	if tag, err = bulkTag(name, file); err != nil {
		file.Close()
		return nil, "", err
	}
	return file, tag, nil
}

// contentHash matches the hash of the content in the name of a file. Signatures have that of the
// pointer.
var contentHash = regexp.MustCompile(`-([0-9a-f]{64})\.`)

// bulkTag returns the entity tag of a file. The name of a content-addressed one has its hash; others
// are small.
func bulkTag(name string, file io.ReadSeeker) (string, error) {
	if found := contentHash.FindStringSubmatch(name); found != nil && !strings.HasSuffix(name, ".minisig") {
		return strconv.Quote(found[1]), nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	_, err := file.Seek(0, io.SeekStart)
	return strconv.Quote(hex.EncodeToString(sum.Sum(nil))), err
}

// bulkType returns the media type of a file.
func bulkType(name string) string {
	switch path.Ext(name) {
	case ".json":
		return "application/json"
	case ".zst":
		return "application/zstd"
	case ".gz":
		return "application/gzip"
	case ".minisig":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

// bulkWriter charges what is sent, and keeps back the error page of an unsatisfiable range.
type bulkWriter struct {
	chargingWriter
	unsatisfiable bool
}

// WriteHeader charges the content of a GET before it is sent.
func (w *bulkWriter) WriteHeader(status int) {
	if response.IsUnsatisfiable(status) {
		w.unsatisfiable = true
		return
	}
	if w.request.Method == http.MethodHead {
		w.sending, w.sent.Status = true, status
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.chargingWriter.WriteHeader(status)
}

// Write discards the error page.
func (w *bulkWriter) Write(content []byte) (int, error) {
	if w.unsatisfiable {
		return len(content), nil
	}
	return w.chargingWriter.Write(content)
}
