package cli

import (
	"bytes"
	"log/slog"
	"runtime/debug"
	"strings"
	"testing"

	"vitrine/internal/contain"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]size{
		"0": 0, "1": 1, "65536": 65536, "1KiB": 1 << 10, "64MiB": 64 << 20, "2GiB": 2 << 30,
		"9223372036854775807": 1<<63 - 1, "8589934591GiB": 8589934591 << 30,
	} {
		var got size
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for n, want := range map[size]string{0: "0", 1000: "1000", 1 << 10: "1KiB", 64 << 20: "64MiB", 3 << 40: "3072GiB"} {
		if got, err := n.MarshalText(); err != nil || string(got) != want {
			t.Errorf("%d is %q, %v; want %q", int64(n), got, err, want)
		}
	}
	for _, text := range []string{
		"", "MiB", "-1", "+1", "1.5GiB", "64MB", "64 MiB", "64mib", "0x10", "1_000", "1e3", "64MiBKiB",
		"9223372036854775808", "8589934592GiB", "18446744073709551616KiB",
	} {
		got := size(7)
		if err := got.UnmarshalText([]byte(text)); err == nil || got != 7 {
			t.Errorf("%q is %d, %v; want an error and no change", text, got, err)
		}
	}
}

func TestStoreFile(t *testing.T) {
	for in, want := range map[string]string{
		defaultStore: "vitrine.db", "sqlite:a.db": "a.db", "sqlite:/var/lib/a b.db": "/var/lib/a b.db", "sqlite:a:b": "a:b",
		"postgres://u:secret@host/db": "", "postgresql://host/db": "",
	} {
		if got, err := storeFile(in); err != nil || got != want {
			t.Errorf("storeFile(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{
		"", "vitrine.db", "sqlite:", "SQLITE:a.db", ":", "postgres:u:secret@host/db", "mysql://u:secret@host/db", "host=h password=secret",
	} {
		if got, err := storeFile(in); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("storeFile(%q) = %q, %v; want an error that keeps secrets", in, got, err)
		}
	}
}

func TestDescribeBuild(t *testing.T) {
	settings := func(pairs ...string) (list []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	platform := []string{"GOOS", "linux", "GOARCH", "arm64"}
	for _, tt := range []struct {
		name, version string
		settings      []string
		want          string
	}{
		{"released", "v1.2.3", nil, "vitrine v1.2.3 commit unknown go1.26.8 linux/arm64"},
		{"without a version", "", nil, "vitrine unknown commit unknown go1.26.8 linux/arm64"},
		{"from a checkout", "(devel)", []string{"vcs.revision", "abc", "vcs.modified", "false"}, "vitrine (devel) commit abc go1.26.8 linux/arm64"},
		{"with changes", "(devel)", []string{"vcs.revision", "abc", "vcs.modified", "true"}, "vitrine (devel) commit abc (modified) go1.26.8 linux/arm64"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			info := &debug.BuildInfo{GoVersion: "go1.26.8", Settings: settings(append(tt.settings, platform...)...)}
			info.Main.Version = tt.version
			if got := describeBuild(info).String(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestPanicWhileReadingIsReported checks that commands and the log of a server report a panic of
// reading with the details for a bug report.
func TestPanicWhileReadingIsReported(t *testing.T) {
	failed := &contain.Error{Text: "reading chains/x.json failed (index out of range)", Stack: "goroutine 1"}
	var out bytes.Buffer
	if status := fail(streams{out: &out, err: &out}, could{failed}); status != statusUnable {
		t.Errorf("status %d", status)
	}
	newLog(&out, "json", slog.LevelInfo).Error("the directory cannot be published", "error", failed)
	if status := fail(streams{out: &out, err: &out}, could{&contain.Error{Text: "publishing failed (nil map)", Stack: "goroutine 2"}}); status != statusUnable {
		t.Errorf("status %d", status)
	}
	for _, part := range []string{"vitrine: error: publishing failed (nil map)", "\ngoroutine 2\n", "vitrine: error: reading chains/x.json failed", "\ngoroutine 1\n", `"stack":"goroutine 1"`} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in %s", part, out.String())
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
