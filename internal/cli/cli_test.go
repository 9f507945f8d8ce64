package cli

import (
	"bytes"
	"runtime/debug"
	"strings"
	"testing"

	"vitrine/internal/bundle"
	"vitrine/internal/catalog"
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
		"": "vitrine.db", "sqlite:a.db": "a.db", "sqlite:/var/lib/a b.db": "/var/lib/a b.db", "sqlite:a:b": "a:b",
		"postgres://u:secret@host/db": "", "postgresql://host/db": "",
	} {
		if got, err := storeFile(in); err != nil || got != want {
			t.Errorf("storeFile(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{
		"vitrine.db", "sqlite:", "SQLITE:a.db", ":", "postgres:u:secret@host/db", "mysql://u:secret@host/db", "host=h password=secret",
	} {
		if got, err := storeFile(in); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("storeFile(%q) = %q, %v; want an error that keeps secrets", in, got, err)
		}
	}
}

func TestPrintText(t *testing.T) {
	problems := []bundle.Problem{
		{File: "a.yaml", Line: 1, Column: 2, Severity: catalog.Error, Rule: "syntax", Message: "m", Remedy: "r"},
		{File: "b.yaml", Line: 3, Column: 4, Severity: catalog.Warning, Rule: "held-back", Message: "m", Remedy: "r"},
	}
	for name, tt := range map[string]struct {
		colored bool
		want    string
	}{
		"plain": {false, "a.yaml:1:2: error: syntax: m; r\nb.yaml:3:4: warning: held-back: m; r\n"},
		"coloured": {true, "\x1b[31ma.yaml:1:2: error: syntax: m; r\x1b[0m\n" +
			"\x1b[33mb.yaml:3:4: warning: held-back: m; r\x1b[0m\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := printText(&got, problems, tt.colored); err != nil || got.String() != tt.want {
				t.Errorf("%q, %v; want %q", got.String(), err, tt.want)
			}
		})
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
		{"released", "v1.2.3", nil, "vitrine v1.2.3 go1.26.8 linux/arm64"},
		{"without a version", "", nil, "vitrine (devel) go1.26.8 linux/arm64"},
		{"from a checkout", "(devel)", []string{"vcs.revision", "abc", "vcs.modified", "false"}, "vitrine (devel) revision abc go1.26.8 linux/arm64"},
		{"with changes", "(devel)", []string{"vcs.revision", "abc", "vcs.modified", "true"}, "vitrine (devel) revision abc (modified) go1.26.8 linux/arm64"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			info := &debug.BuildInfo{GoVersion: "go1.26.8", Settings: settings(append(tt.settings, platform...)...)}
			info.Main.Version = tt.version
			if got := describeBuild(info); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
