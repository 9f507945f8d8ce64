package operations_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/changelog"
	"vitrine/internal/logtest"
	"vitrine/internal/operations"
	"vitrine/internal/ratelimit"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

const bulkFile = "files/chains-5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03.ndjson.zst"

func bulkFS() fstest.MapFS {
	return fstest.MapFS{
		"entry.json": {Data: []byte("{}\n")}, "entry.json.minisig": {Data: []byte("signature\n")},
		bulkFile: {Data: bytes.Repeat([]byte("0123456789"), 100_000)},
	}
}

// bulkServer serves bulk files without a snapshot.
func bulkServer(t *testing.T, files fs.FS, quotas admission.Config) http.Handler {
	gate := admission.New(ratelimit.NewMemory(), func() *admission.Keys { return nil }, slog.New(slog.DiscardHandler), quotas)
	return newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return nil }, Bulk: files, Gate: gate})
}

// TestBulk checks status and headers of requests for files of the distribution.
func TestBulk(t *testing.T) {
	h := bulkServer(t, bulkFS(), admission.Config{})
	const tag = `"5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"`
	entryTag := get(t, h, "/bulk/entry.json", nil).Header.Get("ETag")
	for _, tt := range []struct {
		name, method, path string
		header             http.Header
		status             int
		want               map[string]string // headers; "" for an absent one
		body               string
	}{
		{"pointer", "GET", "entry.json", nil, 200, map[string]string{
			"Content-Type": "application/json", "Cache-Control": "public, max-age=5", "Content-Length": "3", "Accept-Ranges": "bytes",
			"Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff", "Last-Modified": "",
		}, "{}\n"},
		{"signature", "GET", "entry.json.minisig", nil, 200, map[string]string{"Content-Type": "text/plain; charset=utf-8"}, "signature\n"},
		{"head", "HEAD", bulkFile, nil, 200, map[string]string{
			"Content-Type": "application/zstd", "Cache-Control": "public, max-age=86400, immutable", "Content-Length": "1000000", "Etag": tag,
		}, ""},
		{"range", "GET", bulkFile, http.Header{"Range": {"bytes=999998-"}}, 206, map[string]string{"Content-Range": "bytes 999998-999999/1000000", "Etag": tag}, "89"},
		{"suffix", "GET", bulkFile, http.Header{"Range": {"bytes=-3"}}, 206, map[string]string{"Content-Length": "3"}, "789"},
		{"same file", "GET", bulkFile, http.Header{"Range": {"bytes=0-1"}, "If-Range": {tag}}, 206, nil, "01"},
		{"other file", "GET", "entry.json", http.Header{"Range": {"bytes=0-1"}, "If-Range": {`"other"`}}, 200, nil, "{}\n"},
		{"not modified", "GET", "entry.json", http.Header{"If-None-Match": {entryTag}}, 304, map[string]string{"Content-Length": "", "Etag": entryTag}, ""},
		{"modified", "GET", "entry.json", http.Header{"If-None-Match": {tag}}, 200, nil, "{}\n"},
		{"beyond the end", "GET", bulkFile, http.Header{"Range": {"bytes=1000000-"}}, 416, map[string]string{
			"Content-Range": "bytes */1000000", "Content-Type": "application/json", "Cache-Control": "no-store", "Etag": "",
		}, "range_not_satisfiable"},
		{"preflight", "OPTIONS", "entry.json", nil, 204, map[string]string{
			"Access-Control-Allow-Headers": "X-API-Key, Authorization, If-None-Match, If-Range, Range, X-Request-Id",
		}, ""},
		{"another method", "DELETE", bulkFile, nil, 405, map[string]string{"Allow": "GET, HEAD, OPTIONS"}, "method_not_allowed"},
		{"no file", "GET", "files/none", nil, 404, map[string]string{"Content-Type": "application/json", "Cache-Control": "public, max-age=10"}, "not_found"},
		{"folder", "GET", "files/", nil, 404, nil, "not_found"},
		{"root", "GET", "", nil, 404, nil, "not_found"},
		{"parent", "GET", "files/../entry.json", nil, 404, nil, "not_found"},
		{"escape", "GET", "files/%2e%2e", nil, 404, nil, "not_found"},
		{"method at an unknown path", "POST", "other", nil, 404, nil, "not_found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := request(t, h, tt.method, "/bulk/"+tt.path, tt.header)
			if got.StatusCode != tt.status {
				t.Fatalf("status %d, want %d", got.StatusCode, tt.status)
			}
			for name, want := range tt.want {
				if value := got.Header.Get(name); value != want {
					t.Errorf("%s: %q, want %q", name, value, want)
				}
			}
			text := body(t, got)
			if tt.status < 400 && text != tt.body {
				t.Errorf("body %q, want %q", text, tt.body)
			}
			var problem struct{ Code string }
			if tt.status >= 400 && (json.Unmarshal([]byte(text), &problem) != nil || problem.Code != tt.body) {
				t.Errorf("problem %s, want code %s", text, tt.body)
			}
		})
	}
}

// TestBulkRanges checks several ranges in one response.
func TestBulkRanges(t *testing.T) {
	got := get(t, bulkServer(t, bulkFS(), admission.Config{}), "/bulk/"+bulkFile, http.Header{"Range": {"bytes=0-2,10-11"}})
	_, parameters, err := mime.ParseMediaType(got.Header.Get("Content-Type"))
	if err != nil || got.StatusCode != 206 {
		t.Fatal(got.StatusCode, err)
	}
	parts := multipart.NewReader(got.Body, parameters["boundary"])
	for _, want := range []string{"bytes 0-2/1000000", "bytes 10-11/1000000"} {
		part, err := parts.NextPart()
		if err != nil || part.Header.Get("Content-Range") != want {
			t.Fatalf("part %v, %v; want %s", part, err, want)
		}
	}
}

// TestBulkQuota checks that bytes are charged to a quota of their own, HEAD and 304 are free, and a
// refusal says what to do.
func TestBulkQuota(t *testing.T) {
	day := func(n int64) ratelimit.Policy { return ratelimit.Policy{Quota: n, Window: 24 * time.Hour} }
	h := bulkServer(t, bulkFS(), admission.Config{Bulk: day(1_500_000), Pages: day(100), Anonymous: day(1)})
	for range 3 {
		request(t, h, "HEAD", "/bulk/"+bulkFile, nil)
	}
	tag := get(t, h, "/bulk/entry.json", nil).Header.Get("ETag")
	if got := get(t, h, "/bulk/entry.json", http.Header{"If-None-Match": {tag}}); got.Header.Get("RateLimit") != `"bulk";r=95;t=864, "bulk-bytes";r=1499997;t=1` {
		t.Errorf("RateLimit: %s", got.Header.Get("RateLimit"))
	}
	for i, want := range []int{200, 200, 429} { // the second is admitted while bytes are left
		got := get(t, h, "/bulk/"+bulkFile, nil)
		if got.StatusCode != want {
			t.Fatalf("download %d has status %d, want %d", i+1, got.StatusCode, want)
		}
		if text := body(t, got); want == 429 && (got.Header.Get("Retry-After") == "" || !strings.Contains(text, "get the delta") || !strings.Contains(text, "rate_limited")) {
			t.Errorf("refusal %s, Retry-After %q", text, got.Header.Get("Retry-After"))
		}
	}
	if got := get(t, h, "/bulk/entry.json", nil); got.StatusCode != 429 {
		t.Errorf("the pointer has status %d over quota", got.StatusCode)
	}
	if got := get(t, h, "/api/open/spec", nil); got.StatusCode != 200 {
		t.Errorf("the quota of the API was charged: status %d", got.StatusCode)
	}
}

// failing is a file system whose files cannot be opened.
type failing struct{ error }

func (f failing) Open(string) (fs.File, error) { return nil, f.error }

// TestBulkFails checks the errors while there is no distribution, and of a broken disk.
func TestBulkFails(t *testing.T) {
	got := get(t, bulkServer(t, fstest.MapFS{}, admission.Config{}), "/bulk/entry.json", nil)
	if got.StatusCode != 503 || got.Header.Get("Retry-After") == "" || !strings.Contains(body(t, got), "not_ready") {
		t.Errorf("without a pointer: status %d", got.StatusCode)
	}
	log := &logtest.Lines{}
	h, err := operations.New(operations.Config{Snapshot: func() *snapshot.Snapshot { return nil }, Bulk: failing{&fs.PathError{Op: "open", Path: "/srv/secret", Err: fs.ErrPermission}}, Log: log.Logger()})
	if err != nil {
		t.Fatal(err)
	}
	got = get(t, h, "/bulk/entry.json", nil)
	if text := body(t, got); got.StatusCode != 500 || strings.Contains(text, "secret") || !strings.Contains(text, string(response.Internal)) {
		t.Errorf("a broken disk: status %d, %s", got.StatusCode, text)
	}
	if lines := strings.Join(log.Take(), "\n"); !strings.Contains(lines, "/srv/secret") || !strings.Contains(lines, "operation=bulk") {
		t.Errorf("the log has %s", lines)
	}
}

// TestBulkIsAdvertised checks that meta, the index and the error gone name the pointer of a
// distribution, and only then. The error has its absolute address, if it is known.
func TestBulkIsAdvertised(t *testing.T) {
	for _, tt := range []struct{ bulk, publicURL string }{{"", ""}, {"", "https://api.example.org"}, {operations.BulkPath, ""}, {operations.BulkPath, "https://api.example.org"}} {
		s, err := snapshot.Compile(nil, fixture(t), snapshot.Revision{Number: 7, PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Bulk: tt.bulk})
		if err != nil {
			t.Fatal(err)
		}
		s = s.WithChanges(changelog.New(changelog.Revision{Number: 7}))
		h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return s }, PublicURL: tt.publicURL})
		address := tt.publicURL + "/bulk/entry.json"
		for path, want := range map[string][]string{
			"/api/open/meta":            {`"bulk":{"href":"/bulk/entry.json"}`},
			"/api/open/":                {`"bulk":"/bulk/entry.json"`},
			"/api/open/changes?since=1": {`"bulk":"` + address + `"`, "the whole catalogue from " + address + ", then"},
		} {
			text := body(t, get(t, h, path, nil))
			for _, want := range want {
				if strings.Contains(text, want) != (tt.bulk != "") || strings.Contains(text, "bulk") != (tt.bulk != "") {
					t.Errorf("%+v: %s has %s", tt, path, text[:min(len(text), 600)])
				}
			}
		}
	}
}
