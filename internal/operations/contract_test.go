package operations_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	openapi "vitrine/api"
	"vitrine/internal/admission"
	"vitrine/internal/changelog"
	"vitrine/internal/operations"
	"vitrine/internal/ratelimit"
	"vitrine/internal/snapshot"
)

// TestEveryResponseKeepsTheContract exercises every operation and status of the document, and
// compares the status, headers and body of every response with it.
func TestEveryResponseKeepsTheContract(t *testing.T) {
	if testing.Short() {
		t.Skip("validates every response, in one goroutine")
	}
	snap := compile(t, smallCatalog(), servedRevision)
	c := newContract(t)
	for id, cases := range exercises(t) {
		t.Run(id, func(t *testing.T) {
			c.found(t, id, snap, cases.found)
			c.refused(t, id, serving(t, snap), cases)
			c.unavailable(t, id, snap, cases.found[0])
			if id != "getIndex" { // costs nothing
				c.limited(t, id, snap, cases.found[0])
			}
		})
	}
	c.bulk(t)
	for _, pair := range c.documented() {
		if !c.exercised[pair] {
			t.Errorf("%s is in the document and never happens here", pair)
		}
	}
	for id := range exercises(t) {
		for _, status := range []int{401, 405, 406, 414, 431, 500, 503} { // the statuses of `default`
			cannot := id == "getIndex" && status == 401 || id == "getSpec" && status == 500
			if c.happened[fmt.Sprint(id, status)] == cannot {
				t.Errorf("%s: status %d happened: %v", id, status, cannot)
			}
		}
	}
}

func (c *contract) found(t *testing.T, id string, snap *snapshot.Snapshot, targets []string) {
	h := serving(t, snap)
	for i, target := range targets {
		plain := c.check(t, h, id, exchange{target: target, status: http.StatusOK})
		if i > 3 { // the other forms of a response do not depend on parameters
			continue
		}
		etag := plain.header.Get("ETag")
		if got := plain.header.Get("Catalog-Revision"); got != strconv.Itoa(servedRevision) {
			t.Errorf("%s: Catalog-Revision %q, want %d", target, got, servedRevision)
		}
		for _, matching := range []string{etag, `"x", W/` + etag, "*"} {
			same := c.check(t, h, id, exchange{target: target, ifNoneMatch: matching, status: http.StatusNotModified})
			for _, name := range []string{"ETag", "Cache-Control", "Vary", "Content-Language"} {
				if same.header.Get(name) != plain.header.Get(name) {
					t.Errorf("%s: 304 has %s %q, 200 has %q", target, name, same.header.Get(name), plain.header.Get(name))
				}
			}
		}
		c.check(t, h, id, exchange{target: target, ifNoneMatch: `"x"`, status: http.StatusOK})
		c.encoded(t, h, id, target, plain)
		head := c.check(t, h, id, exchange{method: http.MethodHead, target: target, status: http.StatusOK})
		if diff := cmp.Diff(plain.header, head.header); diff != "" {
			t.Errorf("%s: headers (-GET +HEAD):\n%s", target, diff)
		}
	}
}

// encoded requests a body in every encoding.
func (c *contract) encoded(t *testing.T, h http.Handler, id, target string, plain fetched) {
	t.Helper()
	tags := []string{plain.header.Get("ETag")}
	for _, encoding := range []string{"gzip", "br", "zstd"} {
		packed := c.check(t, h, id, exchange{target: target, acceptEncoding: "identity;q=0, " + encoding, status: http.StatusOK})
		if got := packed.header.Get("Content-Encoding"); got != encoding {
			t.Errorf("%s: Content-Encoding %q, want %q", target, got, encoding)
		}
		tag := packed.header.Get("ETag")
		if slices.Contains(tags, tag) {
			t.Errorf("%s: two encodings share one strong entity tag", target)
		}
		tags = append(tags, tag)
		if diff := cmp.Diff(plain.body, unpacked(t, packed)); diff != "" {
			t.Errorf("%s: body in %s (-plain +unpacked):\n%s", target, encoding, diff)
		}
		c.check(t, h, id, exchange{target: target, acceptEncoding: "identity;q=0, " + encoding, ifNoneMatch: tag, status: http.StatusNotModified})
	}
}

func (c *contract) refused(t *testing.T, id string, h http.Handler, cases operationCases) {
	for i, target := range cases.bad {
		c.check(t, h, id, exchange{target: target, status: http.StatusBadRequest})
		if i == 0 {
			c.check(t, h, id, exchange{method: http.MethodHead, target: target, status: http.StatusBadRequest})
		}
	}
	for _, target := range cases.missing {
		c.check(t, h, id, exchange{target: target, status: http.StatusNotFound})
	}
	for _, target := range cases.gone {
		c.check(t, h, id, exchange{target: target, status: http.StatusGone})
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} {
		for _, target := range append(cases.missing, cases.found[0]) {
			c.check(t, h, id, exchange{method: method, target: target, status: http.StatusMethodNotAllowed})
		}
	}
	for _, target := range cases.found[:1] {
		c.check(t, h, id, exchange{target: target, acceptEncoding: "*;q=0", status: http.StatusNotAcceptable})
		c.check(t, h, id, exchange{target: target, acceptEncoding: strings.Repeat("gzip,", 4000), status: http.StatusRequestHeaderFieldsTooLarge})
		c.check(t, h, id, exchange{target: target + "?" + strings.Repeat("x=1&", 3000), status: http.StatusRequestURITooLong})
	}
}

func (c *contract) unavailable(t *testing.T, id string, snap *snapshot.Snapshot, target string) {
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return snap }, MaxInFlight: 1})
	release := h.Occupy()
	c.check(t, h, id, exchange{target: target, status: http.StatusServiceUnavailable})
	release()
	if id == "getSpec" { // it is served without a catalogue
		return
	}
	empty := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return nil }})
	c.check(t, empty, id, exchange{target: target, status: http.StatusServiceUnavailable})
	// A snapshot that was never compiled makes every operation panic.
	broken := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return new(snapshot.Snapshot) }})
	c.check(t, broken, id, exchange{target: target, status: http.StatusInternalServerError})
}

// limited sends requests with a quota of three per minute, one of them with an invalid key.
func (c *contract) limited(t *testing.T, id string, snap *snapshot.Snapshot, target string) {
	h := limitedTo(t, snap, 3)
	c.check(t, h, id, exchange{target: target, apiKey: "wrong", status: http.StatusUnauthorized})
	etag := c.check(t, h, id, exchange{target: target, status: http.StatusOK}).header.Get("ETag")
	c.check(t, h, id, exchange{target: target, ifNoneMatch: etag, status: http.StatusNotModified})
	c.check(t, h, id, exchange{target: target, status: http.StatusTooManyRequests})
	c.check(t, h, id, exchange{method: http.MethodHead, target: target, status: http.StatusTooManyRequests})
	c.check(t, h, id, exchange{target: target, apiKey: "wrong", status: http.StatusTooManyRequests})
}

// bulk exercises the operations for files of the distribution.
func (c *contract) bulk(t *testing.T) {
	openapi3filter.RegisterBodyDecoder("application/zstd", openapi3filter.FileBodyDecoder)
	files := bulkFS()
	files["entry.json"] = &fstest.MapFile{Data: exampleEntry(t, c.document)}
	perMinute := func(n int64) ratelimit.Policy { return ratelimit.Policy{Quota: n, Window: time.Minute} }
	h := bulkServer(t, files, admission.Config{Pages: perMinute(100), Bulk: perMinute(10 << 20)})
	without := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return nil }})
	limited := bulkServer(t, files, admission.Config{Pages: perMinute(1)})
	get(t, limited, "/bulk/entry.json", nil)
	for id, target := range map[string]string{
		"getBulkEntry": "/bulk/entry.json", "getBulkSignature": "/bulk/entry.json.minisig", "getBulkFile": "/bulk/" + bulkFile,
	} {
		tag := c.check(t, h, id, exchange{target: target, status: http.StatusOK}).header.Get("ETag")
		c.check(t, h, id, exchange{method: http.MethodHead, target: target, status: http.StatusOK})
		c.check(t, h, id, exchange{target: target, ifNoneMatch: tag, status: http.StatusNotModified})
		c.check(t, h, id, exchange{method: http.MethodPost, target: target, status: http.StatusMethodNotAllowed})
		c.check(t, without, id, exchange{target: target, status: http.StatusNotFound})
		c.check(t, limited, id, exchange{target: target, ifNoneMatch: tag, status: http.StatusTooManyRequests})
	}
	offering, err := snapshot.Compile(nil, smallCatalog(), snapshot.Revision{Number: servedRevision, PublishedAt: time.Now(), Bulk: operations.BulkPath})
	if err != nil {
		t.Fatal(err)
	}
	offers := serving(t, offering.WithChanges(changelog.New(changelog.Revision{Number: servedRevision, PublishedAt: time.Now()})))
	c.check(t, offers, "getIndex", exchange{target: "/api/open", status: http.StatusOK})
	c.check(t, offers, "listChanges", exchange{target: "/api/open/changes?since=1", status: http.StatusGone})
	c.check(t, h, "getBulkFile", exchange{target: "/bulk/" + bulkFile, ranges: "bytes=1-2", status: http.StatusPartialContent})
	c.check(t, h, "getBulkFile", exchange{target: "/bulk/" + bulkFile, ranges: "bytes=9999999-", status: http.StatusRequestedRangeNotSatisfiable})
}

// TestListsHaveTheirRecords checks the members of all forms of lists in the document: a row may also
// have the form of a whole record, so that responses do not prove them.
func TestListsHaveTheirRecords(t *testing.T) {
	c := newContract(t)
	for _, of := range snapshot.ListedKinds() {
		list := c.document.Paths.Value(strings.TrimSuffix(of.Path, "/")).Get
		body := list.Responses.Value("200").Value.Content.Get("application/json").Schema.Value
		want := []string{"facets", of.Name}
		slices.Sort(want)
		for _, form := range body.AnyOf {
			members := slices.Sorted(maps.Keys(form.Value.Properties))
			if diff := cmp.Diff(want, members); diff != "" {
				t.Errorf("members of %s (-want +got):\n%s", form.Ref, diff)
			}
		}
		if len(body.AnyOf) != 2 {
			t.Errorf("%s has %d forms, want rows and whole records", list.OperationID, len(body.AnyOf))
		}
	}
}

// exampleEntry returns the pointer that is an example of the document.
func exampleEntry(t *testing.T, document *openapi3.T) []byte {
	t.Helper()
	entry, err := json.Marshal(document.Paths.Value(operations.BulkPath).Get.Responses.Value("200").Value.Content.Get("application/json").Examples["one"].Value.Value)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

func TestSpecIsTheDocument(t *testing.T) {
	want := openapi.JSON()
	got := fetch(t, serving(t, compile(t, smallCatalog(), servedRevision)), "/api/open/spec")
	if diff := cmp.Diff(string(want), got.body); diff != "" {
		t.Errorf("spec (-document +served):\n%s", diff)
	}
}

// TestOptions checks the methods that the introduction of the document describes.
func TestOptions(t *testing.T) {
	h := serving(t, compile(t, smallCatalog(), servedRevision))
	for id, cases := range exercises(t) {
		r := request(t, h, http.MethodOptions, "/api/open/"+cases.found[0], http.Header{
			"Origin": {"https://example.org"}, "Access-Control-Request-Method": {"GET"},
		})
		if r.StatusCode != http.StatusNoContent || body(t, r) != "" {
			t.Errorf("%s: status %d, want 204 without a body", id, r.StatusCode)
		}
		for _, name := range []string{
			"Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Access-Control-Max-Age", "X-Request-Id", "Vary",
		} {
			if r.Header.Get(name) == "" {
				t.Errorf("%s: %s is missing", id, name)
			}
		}
		if r.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: Access-Control-Allow-Origin %q", id, r.Header.Get("Access-Control-Allow-Origin"))
		}
	}
}

// contract is the document, with the parts that have been exercised.
type contract struct {
	document  *openapi3.T
	routes    map[string]*routers.Route // by operationId
	exercised map[string]bool           // "operationId status", as the document has it
	happened  map[string]bool           // operationId and the status of a response
}

func newContract(t *testing.T) *contract {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(openapi.JSON())
	if err != nil {
		t.Fatal(err)
	}
	c := &contract{document: document, routes: map[string]*routers.Route{}, exercised: map[string]bool{}, happened: map[string]bool{}}
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			c.routes[operation.OperationID] = &routers.Route{
				Spec: document, Path: path, PathItem: item, Method: method, Operation: operation,
			}
		}
	}
	return c
}

func (c *contract) documented() []string {
	var pairs []string
	for id, route := range c.routes {
		for status := range route.Operation.Responses.Map() {
			pairs = append(pairs, id+" "+status)
		}
	}
	slices.Sort(pairs)
	return pairs
}

// exchange is a request and the status that it must have.
type exchange struct {
	method         string // GET if empty
	target         string // below /api/open/, or a whole path
	ranges         string
	ifNoneMatch    string
	acceptEncoding string
	apiKey         string
	status         int
}

// check sends the request and compares the response with the document.
func (c *contract) check(t *testing.T, h http.Handler, id string, x exchange) fetched {
	t.Helper()
	if x.method == "" {
		x.method = http.MethodGet
	}
	name := fmt.Sprintf("%s %s %q %q", x.method, x.target, x.ifNoneMatch, x.acceptEncoding)
	target := x.target
	if !strings.HasPrefix(target, "/") {
		target = "/api/open/" + target
	}
	r := httptest.NewRequest(x.method, target, nil)
	r.Header.Set("X-Request-Id", "contract-test")
	if x.ranges != "" {
		r.Header.Set("Range", x.ranges)
	}
	if x.ifNoneMatch != "" {
		r.Header.Set("If-None-Match", x.ifNoneMatch)
	}
	if x.acceptEncoding != "" {
		r.Header.Set("Accept-Encoding", x.acceptEncoding)
	}
	if x.apiKey != "" {
		r.Header.Set("X-API-Key", x.apiKey)
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, r)
	got := fetched{status: recorder.Code, header: recorder.Result().Header, body: recorder.Body.String()}
	if got.status != x.status {
		t.Errorf("%s: status %d, want %d: %s", name, got.status, x.status, got.body)
		return got
	}
	route := c.routes[id]
	documented := strconv.Itoa(got.status)
	response := route.Operation.Responses.Value(documented)
	if response == nil {
		documented, response = "default", route.Operation.Responses.Default()
	}
	c.exercised[id+" "+documented] = true
	c.happened[fmt.Sprint(id, got.status)] = true
	for name := range ofEveryResponse() {
		if !strings.Contains(c.document.Info.Description, "`"+name+"`") {
			t.Errorf("the introduction does not tell of the header %s", name)
		}
	}
	like := response.Value
	if got.status == http.StatusNotModified { // it has the headers of the 200
		like = route.Operation.Responses.Value("200").Value
	}
	for _, err := range wrongHeaders(like, got) {
		t.Errorf("%s: %d: %v", name, got.status, err)
	}
	isList := strings.HasPrefix(id, "list") && id != "listNavGroups" || id == "search"
	if isList && got.status < 400 && got.header.Get("Total-Count") == "" {
		t.Errorf("%s: %d without Total-Count", name, got.status)
	}
	if got.status == http.StatusNotModified || x.method == http.MethodHead {
		if got.body != "" {
			t.Errorf("%s: %d has a body", name, got.status)
		}
		return got
	}
	if says := fmt.Sprintf(`"status":%d,`, got.status); got.status >= 400 && !strings.Contains(got.body, says) {
		t.Errorf("%s: %d and not %s in %s", name, got.status, says, got.body)
	}
	if err := wrongBody(t, route, r, got); err != nil {
		t.Errorf("%s: %d: %v\n%s", name, got.status, err, got.body)
	}
	return got
}

// ofEveryResponse returns the headers that the introduction of the document describes for all
// operations, with the statuses that must have them; 0 stands for all.
func ofEveryResponse() map[string][]int {
	return map[string][]int{
		"X-Request-Id": {0}, "Catalog-Revision": nil, "RateLimit": nil, "RateLimit-Policy": nil, "Cache-Control": {0}, "Vary": {0},
		"Content-Encoding": nil, "Catalog-Notice": nil, "Access-Control-Allow-Origin": {0}, "Access-Control-Expose-Headers": {0}, "X-Content-Type-Options": {0},
		"Allow": {405}, "WWW-Authenticate": {401}, "Retry-After": {429, 503},
	}
}

// wrongHeaders compares the headers of a response with the document, in both directions.
func wrongHeaders(documented *openapi3.Response, got fetched) []error {
	var wrong []error
	known := map[string]bool{}
	for name, statuses := range ofEveryResponse() {
		always := len(statuses) > 0 && statuses[0] == 0
		known[http.CanonicalHeaderKey(name)] = always || len(statuses) == 0 || slices.Contains(statuses, got.status)
		if (always || slices.Contains(statuses, got.status)) && len(got.header.Values(name)) != 1 {
			wrong = append(wrong, fmt.Errorf("header %s is sent %d times, want once", name, len(got.header.Values(name))))
		}
	}
	for name := range documented.Headers {
		known[http.CanonicalHeaderKey(name)] = true
	}
	general := []string{"Content-Type", "Content-Length"} // HTTP's own; content types are in the document's content
	for name := range got.header {
		if !known[name] && !slices.Contains(general, name) {
			wrong = append(wrong, fmt.Errorf("header %s is not in the document", name))
		}
	}
	for name, header := range documented.Headers {
		values := got.header.Values(name)
		switch {
		case len(values) == 0 && header.Value.Required:
			wrong = append(wrong, fmt.Errorf("header %s is missing", name))
		case len(values) > 1:
			wrong = append(wrong, fmt.Errorf("header %s is sent %d times", name, len(values)))
		case len(values) == 1:
			var value any = values[0]
			if header.Value.Schema.Value.Type.Is("integer") {
				number, err := strconv.ParseFloat(values[0], 64)
				if err != nil {
					wrong = append(wrong, fmt.Errorf("header %s: %w", name, err))
				}
				value = number
			}
			if err := header.Value.Schema.Value.VisitJSON(value, openapi3.EnableJSONSchema2020()); err != nil {
				wrong = append(wrong, fmt.Errorf("header %s: %q: %w", name, values[0], err))
			}
		}
	}
	return wrong
}

// wrongBody validates the body of a response by the document, and for a 200 also the request.
func wrongBody(t *testing.T, route *routers.Route, r *http.Request, got fetched) error {
	t.Helper()
	input := &openapi3filter.RequestValidationInput{
		Request:    r,
		PathParams: pathParams(route.Path, r.URL.Path),
		Route:      route,
		Options:    &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	if got.status == http.StatusOK {
		if err := openapi3filter.ValidateRequest(t.Context(), input); err != nil {
			return fmt.Errorf("a request that was answered is wrong by the document: %w", err)
		}
	}
	plain := got.header.Clone()
	plain.Del("Content-Encoding")
	output := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input,
		Status:                 got.status,
		Header:                 plain,
		Options: &openapi3filter.Options{
			IncludeResponseStatus:   true,
			SchemaValidationOptions: []openapi3.SchemaValidationOption{openapi3.EnableFormatValidation()},
		},
	}
	return openapi3filter.ValidateResponse(t.Context(), output.SetBodyBytes([]byte(unpacked(t, got))))
}

func pathParams(template, path string) map[string]string {
	params := map[string]string{}
	segments := strings.Split(path, "/")
	for i, segment := range strings.Split(template, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			params[strings.TrimSuffix(name, "}")] = segments[i]
		}
	}
	return params
}

// unpacked returns the decoded body of a response.
func unpacked(t *testing.T, r fetched) string {
	t.Helper()
	packed := strings.NewReader(r.body)
	var reader io.Reader
	var err error
	switch encoding := r.header.Get("Content-Encoding"); encoding {
	case "":
		return r.body
	case "gzip":
		reader, err = gzip.NewReader(packed)
	case "br":
		reader = brotli.NewReader(packed)
	case "zstd":
		var decoder *zstd.Decoder
		if decoder, err = zstd.NewReader(packed); err == nil {
			defer decoder.Close()
			reader = decoder
		}
	default:
		err = fmt.Errorf("Content-Encoding %q", encoding)
	}
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}
