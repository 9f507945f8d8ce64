package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"vitrine/test/internal/trial"
)

// write writes a catalogue directory with accounts, chains and channels.
func write(dir string, accounts, chains, channels int) {
	trial.Check(os.MkdirAll(dir, 0o755))
	list(dir, "catalog.yaml", 1, func(int) string { return "{title: Syncs, default_locale: en, locales: [en]}" })
	list(dir, "twitter.ndjson", accounts, func(i int) string {
		return fmt.Sprintf(`{"handle":"account_%06d","name":"Account %d","followers_count":%d,"description":"What account %d says about itself."}`, i, i, i, i)
	})
	list(dir, "chains.ndjson", chains, func(i int) string {
		return fmt.Sprintf(`{"slug":"chain-%d","name":"Chain %d","chain_id":"%d"}`, i, i, i+1)
	})
	list(dir, "youtube.ndjson", channels, func(i int) string {
		return fmt.Sprintf(`{"channel_id":%q,"name":"Channel %d"}`, channelID(i), i)
	})
}

func channelID(i int) string { return fmt.Sprintf("UC%022d", i) }

// list writes a file of n lines.
func list(dir, name string, n int, line func(i int) string) {
	file := trial.Must(os.Create(filepath.Join(dir, name)))
	out := bufio.NewWriter(file)
	for i := range n {
		fmt.Fprintln(out, line(i))
	}
	trial.Check(out.Flush())
	trial.Check(file.Close())
}

// size returns the bytes of the store: of all files of SQLite, and of the database of PostgreSQL.
func (t *trialOf) size() int64 {
	if path, is := strings.CutPrefix(t.store, "sqlite:"); is {
		var n int64
		for _, suffix := range []string{"", "-wal"} {
			if info, err := os.Stat(path + suffix); err == nil {
				n += info.Size()
			}
		}
		return n
	}
	out := trial.Must(exec.Command("psql", "-Atc", "select pg_database_size(current_database())", t.store).Output())
	return trial.Must(strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64))
}
