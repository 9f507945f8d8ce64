package follow_test

import (
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/server"
)

// TestPositionsOfTheDirectory: the snapshot has the positions of the watched directory, also after a
// change that publishes nothing.
func TestPositionsOfTheDirectory(t *testing.T) {
	const settings = "title: One\ndefault_locale: en\nlocales: [en]\n"
	dir := newFolder(t, "One")
	dir.raw(settings + "edit_url: 'https://git.example/{file}#L{line}'\n")
	chains := func(text string) {
		must(t, os.WriteFile(filepath.Join(dir.dir, "chains.yaml"), []byte(text), 0o600))
	}
	chains("- {slug: a, name: A, chain_id: 1}\n")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		f := follow.New(follow.Config{Open: s.open, Every: every, Log: log.Logger(), Metrics: server.NewMetrics().Follow, Watcher: w})
		defer start(t, w.Run)()
		defer start(t, f.Run)()
		want := func(revision int64, link string) {
			t.Helper()
			pass(5)
			served := f.Snapshot()
			if got := served.EditURL(domain.KindChain, "a"); served.Revision().Number != revision || got != link {
				t.Errorf("revision %d links to %q, want %q of %d", served.Revision().Number, got, link, revision)
			}
		}
		want(1, "https://git.example/chains.yaml#L1")
		before := f.Snapshot()
		want(1, "https://git.example/chains.yaml#L1")
		if f.Snapshot() != before {
			t.Error("the snapshot changes without a change")
		}
		chains("# Chains\n- {slug: a, name: A, chain_id: 1}\n")
		want(1, "https://git.example/chains.yaml#L2")
		chains("# Chains\n\n- {slug: a, name: Another, chain_id: 1}\n")
		want(2, "https://git.example/chains.yaml#L3")
		dir.raw(settings)
		want(3, "")
	})
}
