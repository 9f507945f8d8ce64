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
	// memoryPercent of what a container or a service may use is what the garbage
	// collector works for, unless GOMEMLIMIT says otherwise.
	memoryPercent = 90

	// otherFiles are the open files that connections leave to everything else.
	otherFiles = 200
)

// The memory for answers, in bytes, where no flag says it.
const (
	answersPart = 8 // of the memory that there is: one of so many
	minAnswers  = 32 << 20
	maxAnswers  = 256 << 20
)

// answerBytes returns the memory for answers, of that which there is, as
// [limitMemory] returns it.
func (c *serveCmd) answerBytes(memory int64) int64 {
	if c.AnswerBytes != nil {
		return int64(*c.AnswerBytes)
	}
	return min(max(memory/answersPart, minAnswers), maxAnswers)
}

// limitMemory makes the garbage collector keep to the memory that there is, and
// returns how much that is in bytes, [math.MaxInt64] where nothing limits it. It
// collects more often near the limit, where the process would be killed beyond it.
func limitMemory(log *slog.Logger) int64 {
	if os.Getenv("GOMEMLIMIT") != "" {
		return debug.SetMemoryLimit(-1) // the runtime has read it
	}
	limit := groupMemory(os.DirFS("/"))
	if limit == 0 {
		return math.MaxInt64
	}
	log.Debug("memory is limited from outside", "bytes", limit, "collect_before_percent", memoryPercent)
	debug.SetMemoryLimit(limit / 100 * memoryPercent)
	return limit
}

// groupMemory returns the least memory limit of the process's control group and
// those above it, of either version of cgroups, 0 where none is set.
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

// unlimited is more memory than there is; version 1 writes such a number where
// there is no limit.
const unlimited = 1 << 60

// leastOf returns the least limit in files of a group and those above it, and
// [math.MaxInt64] where there is none. A container sees its own group at the
// top, where the name of the group leads nowhere.
func leastOf(root fs.FS, top, group, file string) int64 {
	least := int64(math.MaxInt64)
	for dir := path.Join(top, group); strings.HasPrefix(dir, top); dir = path.Dir(dir) {
		text, err := fs.ReadFile(root, path.Join(dir, file))
		if err != nil {
			continue // there is none at the top of all
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
			least = min(least, n) // else it is "max"
		}
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
