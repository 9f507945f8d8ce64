package cli

import (
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

const (
	// memoryPercent is the memory limit of the garbage collector, in percent of the limit of the
	// control group, unless GOMEMLIMIT is set.
	memoryPercent = 90

	// otherFiles are the open files reserved for other uses than connections.
	otherFiles = 200
)

// The default memory for responses in progress, in bytes.
const (
	answersPart = 8 // divisor of the memory limit
	minAnswers  = 32 << 20
	maxAnswers  = 256 << 20
)

// answerBytes returns the memory for responses in progress. memory is the result of [limitMemory].
func (c *serveCmd) answerBytes(memory int64) int64 {
	if c.AnswerBytes != nil {
		return int64(*c.AnswerBytes)
	}
	return min(max(memory/answersPart, minAnswers), maxAnswers)
}

// limitMemory sets the memory limit of the garbage collector below that of the control group, so that
// it collects more often instead of being killed. It returns the limit of the control group in bytes,
// [math.MaxInt64] for none.
func limitMemory(log *slog.Logger) int64 {
	if os.Getenv("GOMEMLIMIT") != "" {
		return debug.SetMemoryLimit(-1) // the runtime has applied it
	}
	limit := groupMemory(os.DirFS("/"))
	if limit == 0 {
		return math.MaxInt64
	}
	log.Debug("the control group limits memory", "bytes", limit, "collect_before_percent", memoryPercent)
	debug.SetMemoryLimit(limit / 100 * memoryPercent)
	return limit
}

// groupMemory returns the lowest memory limit of the process's control group and its ancestors, for
// both versions of cgroups, 0 for none.
func groupMemory(root fs.FS) int64 {
	data, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	least := int64(math.MaxInt64)
	for line := range strings.Lines(string(data)) {
		_, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		switch {
		case controllers == "":
			least = min(least, leastOf(root, "sys/fs/cgroup", group, "memory.max"))
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			least = min(least, leastOf(root, "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"))
		}
	}
	if least >= unlimited {
		return 0
	}
	return least
}

// unlimited is more memory than any machine has. Version 1 has such a number for no limit.
const unlimited = 1 << 60

// leastOf returns the lowest limit in the files of a group and its ancestors, [math.MaxInt64] for none.
// In a container, the group itself is at the top, and the path of its name does not exist.
func leastOf(root fs.FS, top, group, file string) int64 {
	least := int64(math.MaxInt64)
	for dir := path.Join(top, group); strings.HasPrefix(dir, top); dir = path.Dir(dir) {
		text, err := fs.ReadFile(root, path.Join(dir, file))
		if err != nil {
			continue // the root group has no limit
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
			least = min(least, n) // otherwise it is "max"
		}
	}
	return least
}

// connectionsFor returns the maximum number of connections: wanted, or less if the limit of open files
// is too low.
func connectionsFor(wanted int, files uint64, log *slog.Logger) int {
	if files == 0 || uint64(wanted) <= files-min(files, otherFiles) {
		return wanted
	}
	allowed := int(max(files/2, files-min(files, otherFiles)))
	log.Warn("the limit of open files is too low for --max-connections",
		"connections", allowed, "files", files, "remedy", "raise the limit (ulimit -n, LimitNOFILE=)")
	return allowed
}
