package vitrine_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "vitrine"

// layers lists the packages from the bottom up. A package may import packages of lower layers
// only, so packages of one layer are independent. docs/architecture.md has the same table.
var layers = []struct {
	reason   string // why it must not import packages above
	packages []string
}{
	{
		"files, rules of text and processors must not know what they are used for",
		[]string{"api", "schema", "catalog", "internal/fold", "internal/locale", "internal/parallel", "internal/contain", "internal/logtest", "internal/checkout", "internal/spelling", "internal/atomicfile", "internal/recordjson", "internal/site/words", "internal/picture"},
	},
	{
		"the domain, and limits, must not know how catalogues are written, kept or sent",
		[]string{"internal/domain", "internal/clientip", "internal/ratelimit", "internal/upstream"},
	},
	{
		"what goes by the descriptions of fields must not know files and rows",
		[]string{"internal/reference", "internal/domain/domaintest"},
	},
	{
		"what reads or indexes must not know what is done with the result",
		[]string{"internal/bundle", "internal/query", "internal/search", "internal/connector", "internal/gate", "internal/changelog"},
	},
	{
		"snapshots, stores, upstreams and responses must not know each other",
		[]string{"internal/snapshot", "internal/store", "internal/connector/*", "internal/response", "internal/gitref", "internal/tables"},
	},
	{
		"shared SQL must not know engines, limits what they limit, converters command lines",
		[]string{"internal/store/sqlstore", "internal/admission", "internal/convert", "internal/observe", "internal/probe", "internal/distribution", "catalogtool/chainid"},
	},
	{
		"engines and sources must not know each other and what uses them",
		[]string{"internal/store/sqlite", "internal/store/postgres", "internal/store/storetest", "internal/sources"},
	},
	{
		"serving, publishing and history must not know each other",
		[]string{"internal/operations", "internal/mcp", "internal/site", "internal/publish", "internal/history", "internal/propose"},
	},
	{
		"who follows or previews must not know HTTP and concrete stores",
		[]string{"internal/follow", "internal/preview"},
	},
	{
		"the overview must not know HTTP",
		[]string{"internal/overview"},
	},
	{
		"the server must not know commands and concrete stores",
		[]string{"internal/server"},
	},
	{
		"no package imports the commands, which create all concrete types",
		[]string{"internal/cli"},
	},
	{
		"no package imports measurements",
		[]string{"bench/large"},
	},
	{
		"no package imports a main package",
		[]string{"cmd/*", "catalogtool", "bench/tool", "scripts/*"},
	},
}

// reserved lists external packages that only some packages may import.
var reserved = []struct {
	imported string // a path, or with /... all below it
	by       []string
	reason   string
}{
	{"net/http", []string{"internal/upstream", "internal/response", "internal/admission", "internal/operations", "internal/mcp", "internal/site", "internal/server"}, "HTTP stays at the edge"},
	{"github.com/modelcontextprotocol/go-sdk/...", []string{"internal/mcp"}, "one protocol, one package"},
	{"database/sql", []string{"internal/store/*", "internal/tables"}, "only engines of the store talk to databases; tables are a file"},
	{"modernc.org/sqlite/...", []string{"internal/store/sqlite", "internal/tables"}, "one engine, one package"},
	{"github.com/jackc/pgx/v5/...", []string{"internal/store/postgres"}, "one engine, one package"},
	{"aead.dev/minisign", []string{"internal/distribution"}, "only distributions are signed"},
	{"github.com/minio/minio-go/v7/...", []string{"internal/distribution"}, "only distributions are in buckets"},
	{"github.com/redis/go-redis/v9/...", []string{"internal/ratelimit"}, "only limits are shared through Redis"},
	{"go.yaml.in/yaml/v4/...", []string{"api", "internal/bundle", "internal/cli"}, "YAML is a form of files, not of the domain"},
	{"github.com/prometheus/...", []string{"internal/follow", "internal/server"}, "what counts does not know who reads the figures"},
	{"github.com/alecthomas/kong", []string{"internal/cli", "catalogtool"}, "flags and commands stay in cli"},
	{"github.com/coreos/go-systemd/v22/...", []string{"internal/cli"}, "service managers deal with the process, not with what it serves"},
	{"time", []string{
		"internal/ratelimit", // quotas per time
		"internal/snapshot",  // dates of a revision, no clock
		"internal/domain",    // dates of figures, no clock
		"internal/changelog", // times of revisions, no clock
		"internal/query",     // times in parameters, no clock
		"internal/store", "internal/store/*", "internal/publish", "internal/follow", "internal/server", "internal/cli",
		"internal/bundle",                                                                                           // times of files
		"internal/atomicfile",                                                                                       // ages of files
		"internal/connector", "internal/connector/*", "internal/convert", "internal/sources", "catalogtool/chainid", // dates of figures
		"internal/operations", "internal/mcp", "internal/response",
		"internal/site",         // formats dates, no clock
		"internal/admission",    // durations, no clock
		"internal/upstream",     // timeouts and delays
		"internal/probe",        // durations, no clock
		"internal/gitref",       // a timeout
		"internal/distribution", // times of pointers and files, the clock is a setting
		"internal/gate",         // durations between dates, no clock
		"internal/overview",     // ages, no clock
	}, "what is compiled has no clock"},
}

// TestImports compares the import rules of docs/architecture.md with the code.
func TestImports(t *testing.T) {
	packages := imports(t)
	if len(packages) < 10 {
		t.Fatalf("found only %d packages: the test looks in the wrong place", len(packages))
	}
	for name, imported := range packages {
		own := layerOf(name)
		if own < 0 {
			t.Errorf("%s is in no layer: add it to the table of this test and of docs/architecture.md", name)
			continue
		}
		for _, path := range imported {
			if inner, ok := strings.CutPrefix(path, module+"/"); ok {
				if layer := layerOf(inner); layer >= own {
					t.Errorf("%s (layer %d) imports %s (layer %d): imports go down only; %s",
						name, own, inner, layer, layers[own].reason)
				}
				continue
			}
			if strings.HasPrefix(name, "bench/") {
				continue // it runs other servers, with reserved packages
			}
			for _, rule := range reserved {
				if covers(rule.imported, path) && !slices.ContainsFunc(rule.by, func(p string) bool { return named(p, name) }) {
					t.Errorf("%s imports %s, which only %s may: %s", name, path, strings.Join(rule.by, ", "), rule.reason)
				}
			}
		}
	}
}

// TestStatusCodes checks that only package response and the admin pages of the server set status
// codes. Package upstream reads those of other servers.
func TestStatusCodes(t *testing.T) {
	for file, source := range sources(t) {
		if named("internal/response", path.Dir(file)) || named("internal/server", path.Dir(file)) || named("internal/upstream", path.Dir(file)) {
			continue
		}
		if strings.Contains(source, "http.Status") {
			t.Errorf("%s uses a status code: return an error and let internal/response map it", file)
		}
	}
}

func layerOf(name string) int {
	return slices.IndexFunc(layers, func(l struct {
		reason   string
		packages []string
	}) bool {
		return slices.ContainsFunc(l.packages, func(p string) bool { return named(p, name) })
	})
}

// named reports whether a pattern matches a package; a trailing /* matches one or more segments.
func named(pattern, name string) bool {
	if parent, ok := strings.CutSuffix(pattern, "/*"); ok {
		return strings.HasPrefix(name, parent+"/")
	}
	return pattern == name
}

func covers(pattern, path string) bool {
	if parent, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == parent || strings.HasPrefix(path, parent+"/")
	}
	return pattern == path
}

// imports returns the imports of each package of the module, without tests.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	packages := map[string][]string{}
	for file, source := range sources(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		name := path.Dir(file)
		packages[name] = append(packages[name], []string{}...)
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			packages[name] = append(packages[name], imported)
		}
	}
	return packages
}

// isModule reports whether a directory is a separate module.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// sources returns the Go files of the module by slash path, without tests.
func sources(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	root := filepath.FromSlash(".")
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || isModule(name)) {
			return fs.SkipDir
		}
		if !entry.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			source, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			files[filepath.ToSlash(name)] = string(source)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
