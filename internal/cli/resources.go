package cli

import (
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

const (
	// memoryPercent of what a container or a service may use is what the garbage
	// collector works for, unless GOMEMLIMIT says otherwise.
	memoryPercent = 90

	// otherFiles are the open files that connections leave to everything else.
	otherFiles = 200
)

// limitMemory makes the garbage collector keep to the memory that there is. It
// collects more often near the limit, where it would be killed beyond it.
func limitMemory(log *slog.Logger) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return // the runtime has read it
	}
	if limit := groupMemory(os.DirFS("/")); limit > 0 {
		log.Debug("memory is limited from outside", "bytes", limit, "collect_before_percent", memoryPercent)
		debug.SetMemoryLimit(limit / 100 * memoryPercent)
	}
}

// groupMemory returns the least memory.max of the process's control group and
// those above it (cgroup v2), 0 where none is set.
func groupMemory(root fs.FS) int64 {
	data, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	_, group, ok := strings.Cut("\n"+string(data), "\n0::/")
	if !ok {
		return 0
	}
	group, _, _ = strings.Cut(group, "\n")
	least := int64(math.MaxInt64)
	for dir := path.Join("sys/fs/cgroup", group); strings.HasPrefix(dir, "sys/fs/cgroup"); dir = path.Dir(dir) {
		text, err := fs.ReadFile(root, dir+"/memory.max")
		if err != nil {
			continue // there is none at the top of all
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
			least = min(least, n) // else it is "max"
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// connectionsFor returns how many connections may be open where so many are
// wanted: no more than the process may have files.
func connectionsFor(wanted int, files uint64, log *slog.Logger) int {
	if files == 0 || uint64(wanted) <= files-min(files, otherFiles) {
		return wanted
	}
	allowed := int(max(files/2, files-min(files, otherFiles)))
	log.Warn("fewer connections than --max-connections: the process may not have more files open",
		"connections", allowed, "files", files, "remedy", "raise the limit (ulimit -n, LimitNOFILE=)")
	return allowed
}
