package distribution_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/logtest"
	"vitrine/internal/store"
)

// service is an S3 service in memory that does not verify signatures. test/bucket uses a real one.
type service struct {
	*httptest.Server
	objects map[string][]byte
	// ignoring is set if it ignores conditions of writes.
	ignoring bool
	// puts is the number of writes until it fails; negative for never.
	puts int
	// requests counts by method and status.
	requests map[string]int
	// before is called before each request; nil for no call.
	before func(*http.Request)
}

func newService(t *testing.T) *service {
	s := &service{objects: map[string][]byte{}, puts: -1, requests: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.before != nil {
			s.before(r)
		}
		status := s.answer(w, r)
		s.requests[r.Method+" "+http.StatusText(status)]++
	}))
	t.Cleanup(s.Close)
	t.Setenv("AWS_ENDPOINT_URL", s.URL)
	t.Setenv("AWS_ENDPOINT_URL_S3", "")
	t.Setenv("AWS_REGION", "eu-central-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "not-to-be-shown")
	return s
}

func (s *service) answer(w http.ResponseWriter, r *http.Request) int {
	key, ok := strings.CutPrefix(r.URL.Path, "/data/public/")
	data, there := s.objects[key]
	etag := `"` + distribution.HexSum(data)[:32] + `"`
	switch {
	case r.Method == http.MethodGet && r.URL.Query().Has("list-type"):
		return s.list(w, r.URL.Query().Get("prefix"))
	case !ok:
		return s.fail(w, http.StatusForbidden, "AccessDenied")
	case r.Method == http.MethodDelete:
		delete(s.objects, key)
		w.WriteHeader(http.StatusNoContent)
		return http.StatusNoContent
	case r.Method == http.MethodPut:
		return s.put(w, r, key, there, etag)
	case !there:
		return s.fail(w, http.StatusNotFound, "NoSuchKey")
	case r.Header.Get("If-None-Match") == etag:
		w.WriteHeader(http.StatusNotModified)
		return http.StatusNotModified
	}
	w.Header().Set("ETag", etag)
	w.Header().Set("Last-Modified", time.Unix(0, 0).UTC().Format(http.TimeFormat))
	w.Write(data)
	return http.StatusOK
}

func (s *service) put(w http.ResponseWriter, r *http.Request, key string, there bool, etag string) int {
	match, none := r.Header.Get("If-Match"), r.Header.Get("If-None-Match")
	if !s.ignoring && (match != "" && (!there || match != etag) || none == "*" && there) {
		return s.fail(w, http.StatusPreconditionFailed, "PreconditionFailed")
	}
	if s.puts == 0 {
		return s.fail(w, http.StatusForbidden, "QuotaExceeded")
	}
	s.puts--
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return s.fail(w, http.StatusBadRequest, "IncompleteBody")
	}
	s.objects[key] = data
	w.Header().Set("ETag", `"`+distribution.HexSum(data)[:32]+`"`)
	w.WriteHeader(http.StatusOK)
	return http.StatusOK
}

func (s *service) list(w http.ResponseWriter, prefix string) int {
	type object struct {
		Key  string
		Size int
	}
	var result struct {
		XMLName  xml.Name `xml:"ListBucketResult"`
		Contents []object
	}
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		if strings.HasPrefix("public/"+key, prefix) {
			result.Contents = append(result.Contents, object{"public/" + key, len(s.objects[key])})
		}
	}
	text, err := xml.Marshal(result)
	if err != nil {
		return s.fail(w, http.StatusInternalServerError, "InternalError")
	}
	w.Write(text)
	return http.StatusOK
}

func (s *service) fail(w http.ResponseWriter, status int, code string) int {
	w.WriteHeader(status)
	io.WriteString(w, "<Error><Code>"+code+"</Code><Message>no</Message></Error>")
	return status
}

const bucketName = "s3://data/public"

func fromBucket(c *distribution.ReaderConfig) { c.From = bucketName }

// bucket returns a bucket and a folder of a process that writes it.
func (p *publisher) bucket(t *testing.T) *distribution.Bucket {
	p.dir = t.TempDir()
	p.restart()
	b := distribution.NewBucket(bucketName, func() time.Time { return p.now })
	t.Cleanup(b.Close)
	must(t, b.Pull(t.Context(), p.dir))
	return b
}

// upload publishes a revision by a new process.
func (p *publisher) upload(t *testing.T, c ...string) {
	t.Helper()
	b := p.bucket(t)
	p.publish(chains(c...))
	must(t, b.Push(t.Context(), p.dir, false))
}

func TestBucket(t *testing.T) {
	s, p := newService(t), newPublisher(t)
	p.upload(t, "a")
	r := p.reader(fromBucket)
	r.want(p)
	clear(s.requests)
	must(t, r.look())
	if s.requests["GET Not Modified"] != 1 || len(s.requests) != 1 {
		t.Errorf("an unchanged pointer takes requests %v", s.requests)
	}
	p.upload(t, "a", "b")
	r.want(p)
	if r.deltas != 1 {
		t.Errorf("%d deltas are used, want 1", r.deltas)
	}
	for path := range s.objects {
		if strings.HasPrefix(path, "check-") {
			t.Errorf("%s stays", path)
		}
	}
	dir := t.TempDir()
	_, err := p.mirror(bucketName, dir).Copy(t.Context())
	must(t, err)
	want := named(s.objects)
	if got := named(p.copied(dir)); len(want) < 4 || !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("the mirror has %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// TestBucketConflict checks that of two writers one fails, and changes nothing.
func TestBucketConflict(t *testing.T) {
	s, p := newService(t), newPublisher(t)
	first := p.bucket(t)
	p.publish(chains("a"))
	dir := p.dir
	p.upload(t, "a", "b") // another process
	pointer := string(s.objects["entry.json"])
	if err := first.Push(t.Context(), dir, false); !errors.Is(err, distribution.ErrConflict) {
		t.Errorf("the slower writer: %v", err)
	}
	if string(s.objects["entry.json"]) != pointer {
		t.Error("the slower writer replaced the pointer")
	}
	p.upload(t, "a", "c")
	r := p.reader(fromBucket)
	r.want(p)
}

// TestBucketKeepsSignature is [TestWriterKeepsSignature] for a bucket.
func TestBucketKeepsSignature(t *testing.T) {
	s, p := newService(t), newPublisher(t)
	p.upload(t, "a")
	pointer := string(s.objects["entry.json"])
	b := p.bucket(t)
	p.unsigned()
	_, err := b.Write(t.Context(), p.writer, p.head, nil, p.has)
	signature := "files/entry-" + distribution.HexSum([]byte(pointer)) + ".minisig"
	if !errors.Is(err, distribution.ErrSigned) || !strings.HasPrefix(err.Error(), bucketName+" ") || !strings.Contains(err.Error(), "delete "+signature+" ") {
		t.Errorf("without a key: %v", err)
	}
	if string(s.objects["entry.json"]) != pointer || s.objects["entry.json.minisig"] == nil {
		t.Error("the signed pointer is replaced")
	}
	delete(s.objects, signature)
	for range 2 {
		_, err = b.Write(t.Context(), p.writer, p.head, nil, p.has)
		must(t, err)
	}
	if string(s.objects["entry.json"]) == pointer || s.objects["entry.json.minisig"] != nil {
		t.Error("the pointer is not replaced by an unsigned one")
	}
}

func TestBucketWithoutConditions(t *testing.T) {
	s, p := newService(t), newPublisher(t)
	s.ignoring = true
	b := p.bucket(t)
	p.publish(chains("a"))
	if err := b.Push(t.Context(), p.dir, false); !errors.Is(err, distribution.ErrUnconditional) {
		t.Errorf("a service that ignores conditions: %v", err)
	}
	if len(s.objects) != 0 {
		t.Errorf("objects %v were written", slices.Sorted(maps.Keys(s.objects)))
	}
}

// TestBucketStops stops an upload at each write. Readers keep a whole revision, and the next upload
// repairs what is missing.
func TestBucketStops(t *testing.T) {
	s, p := newService(t), newPublisher(t)
	p.upload(t, "a")
	r := p.reader(fromBucket)
	r.want(p)
	for puts, stopped := 0, true; stopped; puts++ {
		b := p.bucket(t)
		s.puts = puts
		p.publish(chains("a", strings.Repeat("b", puts+1)))
		err := b.Push(t.Context(), p.dir, false)
		s.puts = -1
		if stopped = err != nil; stopped && !strings.Contains(err.Error(), "QuotaExceeded") || puts > 100 {
			t.Fatalf("after %d writes: %v", puts, err)
		}
		if err := r.look(); err != nil {
			t.Fatalf("after %d writes a reader fails: %v", puts, err)
		}
		if stopped && strings.Contains(err.Error(), "not-to-be-shown") {
			t.Errorf("the error has a secret: %v", err)
		}
		for path := range named(s.objects) { // lost objects are written again
			if strings.HasPrefix(path, "files/chains") {
				delete(s.objects, path)
			}
		}
		p.upload(t, "a", strings.Repeat("c", puts+1))
		r.want(p)
	}
}

func TestBucketRemovesOldFiles(t *testing.T) {
	s, p := newService(t), newPublisher(t)
	p.upload(t, "a")
	old := named(s.objects)
	gone := func() (n int) {
		for path := range old {
			if s.objects[path] == nil {
				n++
			}
		}
		return n
	}
	p.now = p.now.Add(48 * time.Hour)
	p.upload(t, "b")
	p.now = p.now.Add(24 * time.Hour)
	p.upload(t, "c")
	if gone() > 0 {
		t.Error("files were removed a day after their last pointer")
	}
	p.now = p.now.Add(2 * time.Hour)
	p.upload(t, "d")
	if gone() == 0 {
		t.Error("files stay more than a day after their last pointer")
	}
	r := p.reader(fromBucket)
	r.want(p)

	b := p.bucket(t)
	p.publish(chains("e"))
	p.head.Revision.Op = store.OpPurge
	must(t, b.Push(t.Context(), p.dir, true))
	for path := range s.objects {
		if _, ok := named(s.objects)[path]; !ok && path != "retired.json" {
			t.Errorf("%s stays after a purge", path)
		}
	}
}

func TestBucketFaults(t *testing.T) {
	s, p := newService(t), newPublisher(t)
	p.upload(t, "a")
	for path, want := range map[string]string{
		"files/chains": "is damaged", "entry.json": "there is no files/entry-", "files/entry-": "malformed",
	} {
		kept := maps.Clone(s.objects)
		r := p.reader(fromBucket)
		for key := range named(s.objects) {
			if strings.HasPrefix(key, path) {
				s.objects[key] = half(s.objects[key])
			}
		}
		if err := r.look(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", path, err, want)
		}
		s.objects = kept
		r.want(p)
	}
	r := p.reader(func(c *distribution.ReaderConfig) { c.From = "s3://other/public" })
	if err := r.look(); err == nil || !strings.Contains(err.Error(), "403 AccessDenied") {
		t.Errorf("a bucket without access: %v", err)
	}
}

func TestBucketNames(t *testing.T) {
	t.Setenv("AWS_ENDPOINT_URL", "")
	t.Setenv("AWS_ENDPOINT_URL_S3", "")
	for name, ok := range map[string]bool{
		"s3://bucket": true, "s3://bucket/a/b/": true, "s3://bucket/a?endpoint=http://127.0.0.1:9000": true, "s3://bucket/a?region=eu-west-1": true,
		"s3://": false, "s3://B_": false, "s3://key:secret@bucket/a": false, "s3://bucket/a?endpoint=ftp://x": false, "s3://bucket/a?other=1": false,
		"s3://bucket/a?endpoint=http://a:b@127.0.0.1": false, "bucket": false,
	} {
		if err := distribution.CheckBucket(name); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		} else if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error has a secret: %v", name, err)
		}
	}
}

// replica is one of several processes that write a bucket.
type replica struct {
	*publisher
	bucket *distribution.Bucket
}

// replicas returns processes of one store, each with a folder of its own.
func replicas(t *testing.T, n int) []*replica {
	first := newPublisher(t)
	var all []*replica
	for range n {
		p := *first
		p.dir = t.TempDir()
		key, err := distribution.ReadSigningKey(first.keys + "/key")
		must(t, err)
		r := &replica{&p, distribution.NewBucket(bucketName, func() time.Time { return first.now })}
		p.writer = distribution.NewWriter(distribution.WriterConfig{Dir: p.dir, Key: key, Valid: time.Hour, Deltas: 4, Fresh: true, Now: func() time.Time { return first.now }})
		t.Cleanup(r.bucket.Close)
		all = append(all, r)
	}
	return all
}

// state returns a state with a catalogue.
func (r *replica) state(number int64, op store.Op, slugs ...string) *store.State {
	var rows []store.Row
	for row, err := range store.Rows(chains(slugs...), nil) {
		must(r.t, err)
		rows = append(rows, row)
	}
	state, err := store.NewState(store.Revision{Number: number, PublishedAt: r.now.Add(time.Duration(number) * time.Minute), Op: op}, rows, nil)
	must(r.t, err)
	return state
}

func (r *replica) writes(state *store.State) error {
	_, err := r.bucket.Write(r.t.Context(), r.writer, state, nil, func(context.Context, distribution.Revision) (bool, error) { return true, nil })
	return err
}

// complete fails unless the bucket has all files that its pointer names.
func (s *service) complete(t *testing.T) {
	t.Helper()
	r := distribution.NewReader(distribution.ReaderConfig{From: bucketName, Log: (&logtest.Lines{}).Logger(), Now: time.Now})
	defer r.Close()
	_, err := r.Head(t.Context())
	if err == nil || errors.Is(err, distribution.ErrExpired) {
		_, err = r.Load(t.Context(), 0)
	}
	if err != nil {
		t.Errorf("a reader cannot load: %v", err)
	}
	var entry distribution.Entry
	must(t, json.Unmarshal(s.objects[distribution.EntryFile], &entry))
	for path := range distribution.Files(&entry) {
		if s.objects[path] == nil {
			t.Errorf("the pointer names %s, which is missing", path)
		}
	}
}

// TestWritersDuringASweep lets one writer remove files while the next one uploads a revision whose
// content equals that of a removed file.
func TestWritersDuringASweep(t *testing.T) {
	s := newService(t)
	all := replicas(t, 2)
	a, b := all[0], all[1]
	must(t, a.writes(a.state(1, store.OpImport, "old")))
	must(t, a.writes(a.state(2, store.OpImport, "new")))
	// The second writer acts after the pointer of the purge was replaced, before files are removed.
	s.before = func(r *http.Request) {
		if r.Method != http.MethodDelete || strings.Contains(r.URL.Path, "check-") {
			return
		}
		s.before = nil
		if err := b.writes(b.state(4, store.OpImport, "old")); err != nil {
			t.Error(err)
		}
	}
	must(t, a.writes(a.state(3, store.OpPurge, "other")))
	if s.before != nil {
		t.Error("nothing was removed")
	}
	s.complete(t)
}

// TestLease follows which of two processes writes a bucket.
func TestLease(t *testing.T) {
	s := newService(t)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a, b := distribution.NewBucket(bucketName, func() time.Time { return now }), distribution.NewBucket(bucketName, func() time.Time { return now })
	defer a.Close()
	defer b.Close()
	want := func(step string, leadsA, leadsB bool) {
		t.Helper()
		// In this order: the second process counts the time of a lease from when it saw it renewed.
		if got, err := a.Lead(t.Context()); err != nil || got != leadsA {
			t.Errorf("%s: the first leads %t, error %v; want %t", step, got, err, leadsA)
		}
		if got, err := b.Lead(t.Context()); err != nil || got != leadsB {
			t.Errorf("%s: the second leads %t, error %v; want %t", step, got, err, leadsB)
		}
	}
	if led, err := a.Lead(t.Context()); err != nil || !led {
		t.Fatalf("the only process does not lead: %t, %v", led, err)
	}
	want("begin", true, false)
	for range 10 {
		now = now.Add(15 * time.Second)
		want("renewed", true, false)
	}
	now = now.Add(29 * time.Second)
	if led, err := b.Lead(t.Context()); err != nil || led {
		t.Errorf("before the end of the lease: %t, %v", led, err)
	}
	now = now.Add(2 * time.Second)
	if led, err := b.Lead(t.Context()); err != nil || !led {
		t.Errorf("after the end of the lease: %t, %v", led, err)
	}
	want("taken", false, true)
	must(t, a.Release(t.Context())) // of nothing
	want("taken", false, true)
	must(t, b.Release(t.Context()))
	if led, err := a.Lead(t.Context()); err != nil || !led {
		t.Errorf("after a release: %t, %v", led, err)
	}
	want("released", true, false)
	s.objects["writer.json"] = []byte("damaged")
	now = now.Add(time.Minute)
	if led, err := a.Lead(t.Context()); err != nil || !led {
		t.Errorf("with a damaged object: %t, %v", led, err)
	}
	want("damaged", true, false)
	s.ignoring = true
	c := distribution.NewBucket(bucketName, time.Now)
	defer c.Close()
	if _, err := c.Lead(t.Context()); !errors.Is(err, distribution.ErrUnconditional) {
		t.Errorf("a service that ignores conditions: %v", err)
	}
}

// TestReplicas lets two processes write one bucket in turn.
func TestReplicas(t *testing.T) {
	s := newService(t)
	all := replicas(t, 2)
	a, b := all[0], all[1]
	must(t, a.writes(a.state(1, store.OpImport, "a")))
	first := s.objects[distribution.EntryFile]
	if current, err := b.bucket.Current(t.Context()); err != nil || current {
		t.Errorf("a process that has not read the bucket: %t, %v", current, err)
	}
	must(t, b.writes(b.state(2, store.OpImport, "a", "b")))
	if current, err := a.bucket.Current(t.Context()); err != nil || current {
		t.Errorf("after the pointer was replaced: %t, %v", current, err)
	}
	if current, err := b.bucket.Current(t.Context()); err != nil || !current {
		t.Errorf("of the one that replaced it: %t, %v", current, err)
	}
	var one, two distribution.Entry
	must(t, json.Unmarshal(first, &one))
	must(t, json.Unmarshal(s.objects[distribution.EntryFile], &two))
	if one.Catalogue != two.Catalogue || one.Epoch != two.Epoch || len(two.Deltas) != 1 {
		t.Errorf("the second process does not continue the distribution: %+v after %+v", two, one)
	}
	if err := a.writes(a.state(1, store.OpImport, "a")); !errors.Is(err, distribution.ErrNewer) {
		t.Errorf("a process that is behind: %v", err)
	}
	must(t, a.writes(a.state(3, store.OpImport, "c")))
	s.complete(t)

	// A purge is not forgotten when its upload fails.
	s.puts = 1
	if err := a.writes(a.state(4, store.OpPurge, "d")); err == nil {
		t.Error("an upload that fails is no error")
	}
	s.puts = -1
	must(t, a.writes(a.state(5, store.OpImport, "e")))
	var last distribution.Entry
	must(t, json.Unmarshal(s.objects[distribution.EntryFile], &last))
	for path := range s.objects {
		if strings.HasPrefix(path, "files/") && !strings.HasPrefix(path, "files/entry-") && !distribution.Files(&last)[path] {
			t.Errorf("%s stays after a purge", path)
		}
	}
	delete(s.objects, distribution.EntryFile)
	if current, err := a.bucket.Current(t.Context()); err != nil || current {
		t.Errorf("without a pointer: %t, %v", current, err)
	}
	must(t, a.writes(a.state(5, store.OpImport, "e")))
	s.complete(t)
}
