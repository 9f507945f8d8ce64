package cli

import (
	"io"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine/internal/ratelimit"
)

// parse parses a command line like the process, without running it.
func parse(t *testing.T, args ...string) (root, error) {
	t.Helper()
	var commands root
	parser, err := newParser(t.Context(), &commands, streams{out: io.Discard, err: io.Discard})
	must(t, err)
	_, err = parser.Parse(args)
	return commands, err
}

func writeConfig(t *testing.T, text string) (path string) { return written(t, "vitrine.yaml", text) }

// TestPrecedence checks the precedence of flags, VITRINE_* variables, the config file and
// defaults (docs/operating.md).
func TestPrecedence(t *testing.T) {
	for _, tt := range []struct {
		name            string
		flag, env, file string // "" if absent
		want            string
	}{
		{name: "default", want: "127.0.0.1:8080"},
		{name: "file", file: "file:1", want: "file:1"},
		{name: "environment", env: "env:1", want: "env:1"},
		{name: "environment over file", env: "env:1", file: "file:1", want: "env:1"},
		{name: "flag", flag: "flag:1", want: "flag:1"},
		{name: "flag over file", flag: "flag:1", file: "file:1", want: "flag:1"},
		{name: "flag over environment", flag: "flag:1", env: "env:1", want: "flag:1"},
		{name: "flag over all", flag: "flag:1", env: "env:1", file: "file:1", want: "flag:1"},
		{name: "environment that is the default over file", env: "127.0.0.1:8080", file: "file:1", want: "127.0.0.1:8080"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"serve"}
			if tt.flag != "" {
				args = append(args, "--listen", tt.flag)
			}
			if tt.env != "" {
				t.Setenv("VITRINE_LISTEN", tt.env)
			}
			if tt.file != "" {
				args = append(args, "--config", writeConfig(t, "listen: "+tt.file+"\n"))
			}
			got, err := parse(t, args...)
			must(t, err)
			if got.Serve.Listen != tt.want {
				t.Errorf("listen = %q, want %q", got.Serve.Listen, tt.want)
			}
		})
	}
}

func TestEverySettingMayComeFromAFile(t *testing.T) {
	path := writeConfig(t, `
listen: 0.0.0.0:80
admin-listen: off
store: "sqlite:/var/lib/vitrine.db"
catalog: /srv/catalog
cache-bytes: 1048576
answer-bytes: 32MiB
max-connections: 7
drain: 2m
log-format: json
log-level: debug
log-requests: all
rate-limit: 5/s
rate-limit-pages: 9/s
limited-clients: address
rate-limit-key: off
rate-limit-bytes: 2KiB/h
rate-limit-store: redis://127.0.0.1:6379/1
trusted-proxy: 10.0.0.0/8, fd00::1
forwarded-header: forwarded
mcp: off
site: off
site-name: Shop
site-accent: "#102030"
site-images: off
probe-resolver: off
probe-contact: ops@example.org
`)
	t.Setenv("VITRINE_CONFIG", path)
	got, err := parse(t, "serve")
	must(t, err)
	want := serveCmd{
		Listen: "0.0.0.0:80", AdminListen: "off", Store: new("sqlite:/var/lib/vitrine.db"), Catalog: new("/srv/catalog"),
		CacheBytes: 1 << 20, AnswerBytes: new(size(32 << 20)), MaxConnections: 7, Drain: 2 * time.Minute, LogFormat: "json", LogLevel: "debug", LogRequests: "all",
		limitFlags: limitFlags{
			RateLimit:        rate{ratelimit.Policy{Quota: 5, Window: time.Second}},
			RateLimitPages:   &rate{ratelimit.Policy{Quota: 9, Window: time.Second}},
			RateLimitBytes:   byteRate{ratelimit.Policy{Quota: 2048, Window: time.Hour}},
			RateLimitBulk:    byteRate{ratelimit.Policy{Quota: 1 << 30, Window: time.Hour}},
			RateLimitBulkKey: byteRate{ratelimit.Policy{Quota: 10 << 30, Window: time.Hour}},
			RateLimitStore:   new("redis://127.0.0.1:6379/1"),
			TrustedProxy:     []proxy{{netip.MustParsePrefix("10.0.0.0/8")}, {netip.MustParsePrefix("fd00::1/128")}},
			LimitedClients:   "address",
			ForwardedHeader:  "forwarded",
		},
		siteFlags:     siteFlags{Site: "off", SiteName: "Shop", SiteAccent: "#102030", SiteImages: "off"},
		MCP:           "off",
		scheduleFlags: scheduleFlags{ProbeResolver: "off", ProbeContact: "ops@example.org"},
		fromFlags:     fromFlags{FromEvery: 5 * time.Second},
		bulkFlags:     bulkFlags{DistValid: period(7 * 24 * time.Hour)},
		cacheFlags:    cacheFlags{CacheTags: "off", PurgeMethod: "POST"},
	}
	if diff := cmp.Diff(want, got.Serve, cmp.AllowUnexported(serveCmd{}), cmpopts.EquateComparable(netip.Prefix{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDefaults(t *testing.T) {
	got, err := parse(t, "serve")
	must(t, err)
	want := serveCmd{
		Listen: "127.0.0.1:8080", AdminListen: "127.0.0.1:9090", CacheBytes: 64 << 20, MaxConnections: 10000, Drain: 10 * time.Second,
		LogFormat: "text", LogLevel: "info", LogRequests: "errors",
		limitFlags: limitFlags{
			RateLimit:        rate{ratelimit.Policy{Quota: 60, Window: time.Minute}},
			RateLimitKey:     rate{ratelimit.Policy{Quota: 300, Window: time.Minute}},
			RateLimitBulk:    byteRate{ratelimit.Policy{Quota: 1 << 30, Window: time.Hour}},
			RateLimitBulkKey: byteRate{ratelimit.Policy{Quota: 10 << 30, Window: time.Hour}},
			LimitedClients:   "prefix",
			ForwardedHeader:  "x-forwarded-for",
		},
		siteFlags:     siteFlags{Site: "on", SiteImages: "own"},
		MCP:           "on",
		scheduleFlags: scheduleFlags{ProbeResolver: "1.1.1.1:53"},
		fromFlags:     fromFlags{FromEvery: 5 * time.Second},
		bulkFlags:     bulkFlags{DistValid: period(7 * 24 * time.Hour)},
		cacheFlags:    cacheFlags{CacheTags: "off", PurgeMethod: "POST"},
	}
	if diff := cmp.Diff(want, got.Serve, cmp.AllowUnexported(serveCmd{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestConfigPathItself(t *testing.T) {
	t.Setenv("VITRINE_CONFIG", writeConfig(t, "listen: env:1\n"))
	got, err := parse(t, "serve", "--config", writeConfig(t, "store: sqlite:flag.db\n"))
	must(t, err)
	if got.Serve.Listen != "127.0.0.1:8080" || orEmpty(got.Serve.Store) != "sqlite:flag.db" {
		t.Errorf("the files of both the environment and the flag were read: %+v", got.Serve)
	}
	t.Setenv("VITRINE_CONFIG", "")
	if _, err := parse(t, "serve"); err != nil {
		t.Errorf("an empty path is no file, but: %v", err)
	}
}

func TestConfigRefuses(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"an unknown setting", "listn: a\n", "unknown settings: listn (did you mean listen?); vitrine config prints all"},
		{"a flag for one run", "accept: shrink:chains\n", "unknown settings: accept;"},
		{"itself", "config: other.yaml\n", "unknown settings: config;"},
		{"a list", "listen: [a, b]\n", "listen: want one plain value"},
		{"a map", "serve:\n  listen: a\n", "serve: want one plain value"},
		{"nothing for a setting", "listen:\n", "listen: want one plain value"},
		{"a setting twice", "listen: a\nlisten: b\n", "listen"},
		{"not a map", "- listen\n", "config file "},
		{"not YAML", "listen: [\n", "config file "},
		{"a bad value", "cache-bytes: many\n", `"many" is not a size`},
		{"a value outside an enumeration", "log-format: xml\n", "--log-format must be one of"},
		{"a large file", strings.Repeat("# \n", maxConfigBytes/3+1), "it has more than 1048576 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse(t, "serve", "--config", writeConfig(t, tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
	for name, text := range map[string]string{"an empty file": "", "comments alone": "# none\n"} {
		t.Run(name+" is fine", func(t *testing.T) {
			if _, err := parse(t, "serve", "--config", writeConfig(t, text)); err != nil {
				t.Error(err)
			}
		})
	}
}

func FuzzParseSettings(f *testing.F) {
	f.Add([]byte("listen: 127.0.0.1:1\ncache-bytes: 1\nlog-level: debug\n"))
	f.Add([]byte("a: &x 1\nb: *x\n"))
	f.Add([]byte("{a: .inf, b: 0x10, c: 2026-11-21, d: ~, e: !!str 1}"))
	f.Add([]byte("- a"))
	// Inputs that mutations of bytes rarely produce: many fields, many records, deep nesting.
	f.Add([]byte(strings.Repeat("a: 1\n", 500)))
	f.Add([]byte("a: " + strings.Repeat("[", 9000)))
	f.Fuzz(func(t *testing.T, data []byte) {
		values, err := parseSettings(data)
		if err != nil && values != nil {
			t.Errorf("values %v with the error %v", values, err)
		}
	})
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
