package cli

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// newReloading returns a reloader over a file, and its log without times.
func newReloading(t *testing.T, text string) (r *reloader, path string, log *bytes.Buffer) {
	t.Helper()
	path, log = writeConfig(t, text), new(bytes.Buffer)
	args := arguments{"serve", "--config", path, "--listen", "here:1"}
	_, command, err := readServe(args)
	must(t, err)
	return newReloader(args, command, slog.New(slog.NewTextHandler(log, nil))), path, log
}

var times = regexp.MustCompile(`(?m)^time=\S+ `)

func TestReload(t *testing.T) {
	const same = "level=INFO msg=\"configuration reloaded\" changed=[]\n"
	for _, tt := range []struct {
		name, before, after string
		refuse              error
		applied             string
		log                 string
		again               string // log of a second reload
	}{
		{"nothing changed", "drain: 1s\n", "drain: 1s\n", nil, "", same, same},
		{
			"what can change does, once", "log-level: info\n", "log-level: warn\n", nil, "warn",
			"level=INFO msg=\"configuration reloaded\" changed=[log-level]\n", same,
		},
		{
			"what cannot change is said each time", "drain: 1s\n", "drain: 2s\ncache-bytes: 1\n", nil, "",
			same + "level=WARN msg=\"a changed setting needs a restart to take effect\" settings=\"[cache-bytes drain]\"\n",
			same + "level=WARN msg=\"a changed setting needs a restart to take effect\" settings=\"[cache-bytes drain]\"\n",
		},
		{"a flag ranks above the file", "listen: a:1\n", "listen: b:1\n", nil, "", same, same},
		{
			"an error changes nothing", "", "log-level: warn\ncache-bytes: many\n", nil, "",
			"level=ERROR msg=\"the configuration is invalid and was not reloaded\" error=\"--cache-bytes: \\\"many\\\" is not a size: want bytes, or a number with KiB, MiB or GiB, such as 64MiB\"\n", "",
		},
		{
			"what is refused stays, and is tried again", "", "log-level: warn\n", errors.New("not now"), "",
			"level=ERROR msg=\"a setting was not reloaded and keeps its value\" settings=[log-level] error=\"not now\"\n" + same, "",
		},
		{
			"passwords stay out of the log", "", "store: postgres://ann:s3cr3t@db/v\n", nil, "",
			same + "level=WARN msg=\"a changed setting needs a restart to take effect\" settings=[store]\n", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, path, log := newReloading(t, tt.before)
			applied := ""
			r.on(func(c *serveCmd) error {
				if tt.refuse == nil {
					applied = c.LogLevel
				}
				return tt.refuse
			}, "log-level", "log-format")
			must(t, os.WriteFile(path, []byte(tt.after), 0o600))
			again := tt.again
			if again == "" {
				again = tt.log
			}
			for i, want := range []string{tt.log, again} {
				log.Reset()
				r.reload()
				if diff := cmp.Diff(want, times.ReplaceAllString(log.String(), "")); diff != "" {
					t.Errorf("log of reload %d (-want +got):\n%s", i+1, diff)
				}
			}
			if applied != tt.applied {
				t.Errorf("applied %q, want %q", applied, tt.applied)
			}
		})
	}
}

func TestAnswerBytes(t *testing.T) {
	for _, tt := range []struct{ memory, flag, want int64 }{
		{math.MaxInt64, 0, 256 << 20}, {8 << 30, 0, 256 << 20}, {1 << 30, 0, 128 << 20}, {128 << 20, 0, 32 << 20}, {128 << 20, 77 << 20, 77 << 20},
	} {
		c := &serveCmd{}
		if tt.flag > 0 {
			c.AnswerBytes = new(size(tt.flag))
		}
		if got := c.answerBytes(tt.memory); got != tt.want {
			t.Errorf("%d bytes for responses with the limit %d and the flag %d, want %d", got, tt.memory, tt.flag, tt.want)
		}
	}
}

func TestGroupMemory(t *testing.T) {
	const old = "sys/fs/cgroup/memory/a/memory.limit_in_bytes"
	const self, top, inner = "proc/self/cgroup", "sys/fs/cgroup/a.slice/memory.max", "sys/fs/cgroup/a.slice/b.service/memory.max"
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"no control groups", nil, 0},
		{"an older one", map[string]string{self: "4:memory:/a\n", "sys/fs/cgroup/memory.max": "5", old: "7"}, 7},
		{"an older one with others", map[string]string{self: "4:cpu,memory:/a/b\n0::/\n", old: "7\n"}, 7},
		{"an older one, not set", map[string]string{self: "4:memory:/a\n", old: "9223372036854771712\n"}, 0},
		{"an older one, in a container", map[string]string{self: "4:memory:/docker/0\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "8\n"}, 8},
		{"an older one of something else", map[string]string{self: "4:memory_x:/a\n", old: "7\n"}, 0},
		{"none set", map[string]string{self: "0::/a.slice/b.service\n", top: "max\n", inner: "max\n"}, 0},
		{"its own", map[string]string{self: "0::/a.slice/b.service\n", top: "max\n", inner: "1000\n"}, 1000},
		{"that of a group above", map[string]string{self: "0::/a.slice/b.service\n", top: "500\n", inner: "1000\n"}, 500},
		{"a container's", map[string]string{self: "0::/\n", "sys/fs/cgroup/memory.max": "134217728\n"}, 128 << 20},
		{"beside older ones", map[string]string{self: "1:name=x:/\n0::/a.slice\n", top: "500\n"}, 500},
		{"a path that leads elsewhere", map[string]string{self: "0::/../../etc\n", "etc/memory.max": "1"}, 0},
		{"no number", map[string]string{self: "0::/\n", "sys/fs/cgroup/memory.max": "-3\n"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, text := range tt.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := groupMemory(files); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

func TestConnectionsFor(t *testing.T) {
	for _, tt := range []struct {
		wanted int
		files  uint64
		want   int
	}{
		{10000, 0, 10000}, {10000, 20000, 10000}, {10000, 10200, 10000}, {10000, 10199, 9999}, {10000, 1024, 824},
		{10000, 300, 150}, {10000, 100, 50}, {10, 1024, 10},
	} {
		t.Run(fmt.Sprint(tt.wanted, " of ", tt.files), func(t *testing.T) {
			var log bytes.Buffer
			got := connectionsFor(tt.wanted, tt.files, slog.New(slog.NewTextHandler(&log, nil)))
			if got != tt.want || (log.Len() > 0) != (got != tt.wanted) {
				t.Errorf("%d, want %d; log %q", got, tt.want, log.String())
			}
		})
	}
}
