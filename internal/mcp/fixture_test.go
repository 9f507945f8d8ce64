package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/changelog"
	"vitrine/internal/domain"
	"vitrine/internal/mcp"
	"vitrine/internal/snapshot"
)

// compile compiles a catalogue directory.
func compile(t testing.TB, files fs.FS) *snapshot.Snapshot {
	t.Helper()
	dir, err := bundle.Read(context.Background(), files, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range dir.Problems {
		if problem.Severity == domain.Error {
			t.Fatal(problem)
		}
	}
	s, err := snapshot.Compile(nil, dir.Catalog, snapshot.Revision{Number: 42, PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return s.WithChanges(logTo(s.Revision(), dir.Catalog))
}

// logTo returns a log in which a revision added all records of a catalogue.
func logTo(rev snapshot.Revision, c *domain.Catalog) *changelog.Log {
	return changelog.New(changelog.Revision{Number: 1}).Append(changelog.Revision{
		Number: rev.Number, PublishedAt: rev.PublishedAt, Entries: changelog.Compare(rev.Number, nil, c),
	})
}

var bundledOnce = sync.OnceValue(func() func(testing.TB) *snapshot.Snapshot {
	var once sync.Once
	var s *snapshot.Snapshot
	return func(t testing.TB) *snapshot.Snapshot {
		once.Do(func() { s = compile(t, bundled.FS) })
		return s
	}
})

// bundledCatalogue returns the bundled catalogue, compiled once.
func bundledCatalogue(t testing.TB) *snapshot.Snapshot { return bundledOnce()(t) }

// files returns a catalogue directory with the given files.
func files(texts map[string]string) fs.FS {
	dir := fstest.MapFS{}
	for name, text := range texts {
		dir[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return dir
}

func serving(s *snapshot.Snapshot, origins ...string) *mcp.Handler {
	return mcp.New(mcp.Config{
		Snapshot: func() *snapshot.Snapshot { return s }, Version: "test", Log: slog.New(slog.DiscardHandler), Origins: origins,
	})
}

// connect connects a client of the SDK to an address.
func connect(t testing.TB, url string) *sdk.ClientSession {
	t.Helper()
	session, err := newClient().Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func newClient() *sdk.Client {
	return sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
}

// client serves a handler over HTTP and connects to it.
func client(t testing.TB, h http.Handler) *sdk.ClientSession {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return connect(t, server.URL+"/mcp")
}

// checked compares results with the output schemas of a server.
type checked struct {
	*sdk.ClientSession
	schemas map[string]*jsonschema.Schema
}

func newChecked(t testing.TB, session *sdk.ClientSession) checked {
	t.Helper()
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := checked{session, map[string]*jsonschema.Schema{}}
	for _, tool := range listed.Tools {
		c.schemas[tool.Name] = compileSchema(t, tool.OutputSchema)
	}
	return c
}

func compileSchema(t testing.TB, schema any) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("schema.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// content is the structured content of a result.
type content struct {
	Revision    int64
	PublishedAt string
	Locale      string
	Notice      string
	Total       int
	Offset      int
	LeftOut     *struct {
		Records    int
		Members    []string
		NextOffset int `json:"next_offset"`
		How        string
	} `json:"left_out"`
	Unknown []struct {
		Parameter, Value string
		Candidates       []string
	}
	Data map[string]any
}

// maxResult is the maximum size of a result in bytes (docs/mcp.md#limits).
const maxResult = 32_000

// call calls a tool that must succeed, and checks the schema and the size of the result. The text
// must be the same JSON.
func (c checked) call(t testing.TB, tool string, arguments map[string]any) content {
	t.Helper()
	result := c.callAny(t, tool, arguments)
	if result.IsError {
		t.Fatalf("%s %v: %s", tool, arguments, textOf(t, result))
	}
	sent, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	if len(sent) > maxResult {
		t.Errorf("%s %v: a result of %d bytes, at most %d are promised", tool, arguments, len(sent), maxResult)
	}
	if err := c.schemas[tool].Validate(result.StructuredContent); err != nil {
		t.Errorf("%s %v: %v", tool, arguments, err)
	}
	var got content
	if err := json.Unmarshal([]byte(textOf(t, result)), &got); err != nil {
		t.Fatal(err)
	}
	same, err := json.Marshal(result.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if !equalJSON(t, same, []byte(textOf(t, result))) {
		t.Errorf("%s %v: the text is not the structured content", tool, arguments)
	}
	return got
}

func (c checked) callAny(t testing.TB, tool string, arguments map[string]any) *sdk.CallToolResult {
	t.Helper()
	result, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	return result
}

// problem is the error in a result.
type problem struct {
	Code, Detail, Parameter, DidYouMean string
	Allowed, Candidates                 []string
}

// fails calls a tool that must fail.
func (c checked) fails(t testing.TB, tool string, arguments map[string]any) problem {
	t.Helper()
	result := c.callAny(t, tool, arguments)
	var p problem
	if err := json.Unmarshal([]byte(textOf(t, result)), &p); err != nil || !result.IsError {
		t.Fatalf("%s %v: no error, %s", tool, arguments, textOf(t, result))
	}
	return p
}

func textOf(t testing.TB, result *sdk.CallToolResult) string {
	t.Helper()
	if len(result.Content) != 1 {
		t.Fatalf("%d pieces of content, want one", len(result.Content))
	}
	return result.Content[0].(*sdk.TextContent).Text
}

func equalJSON(t testing.TB, a, b []byte) bool {
	t.Helper()
	return bytes.Equal(canonical(t, a), canonical(t, b))
}

// canonical returns JSON with sorted members.
func canonical(t testing.TB, document []byte) []byte {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in %s", err, document)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
