package quality_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// A launch date has one of two meanings, which its source names: catalog/README.md#launch-dates.
func TestLaunchesHaveMeaningAndSource(t *testing.T) {
	var evm []struct {
		ChainID string `json:"chain_id"`
		Source  string `json:"source"`
	}
	decodeFile(t, filepath.FromSlash("../../catalog/.import/launched.json"), &evm)
	var other []evidencedID
	decodeFile(t, idsFile, &other)

	if len(evm) == 0 || len(other) == 0 {
		t.Fatalf("%d and %d entries", len(evm), len(other))
	}
	for _, e := range evm {
		if fault := launchFault(e.Source); fault != "" {
			t.Errorf("launched.json: %s: %s", e.ChainID, fault)
		}
	}
	for _, e := range other {
		if e.Launched == "" {
			continue
		}
		if fault := launchFault(e.LaunchedSource); fault != "" {
			t.Errorf("other-ids.json: %s: %s", e.Slug, fault)
		}
	}
}

// The launch dates of apps are in apps.yaml; .import/app-launches.json has the same dates with
// their sources, under the same rules.
func TestAppLaunchesHaveSources(t *testing.T) {
	var sourced []struct {
		Key      string `json:"key"`
		Launched string `json:"launched"`
		Source   string `json:"source"`
	}
	decodeFile(t, filepath.FromSlash("../../catalog/.import/app-launches.json"), &sourced)
	want := map[string]string{}
	for _, e := range sourced {
		want[e.Key] = e.Launched
		if fault := launchFault(e.Source); fault != "" {
			t.Errorf("app-launches.json: %s: %s", e.Key, fault)
		}
	}

	for _, app := range readBundled(t).Catalog.Apps {
		if day := want[app.Key]; day != string(app.Launched) {
			t.Errorf("launched of the app %s is %q, its source has %q", app.Key, app.Launched, day)
		}
		delete(want, app.Key)
	}
	for key := range want {
		t.Errorf("app-launches.json: no app has the key %s", key)
	}
}

func TestLaunchFault(t *testing.T) {
	for _, source := range []string{"open: x.com/base/status/1", "first block: bitcoin/bitcoin, chainparams.cpp", "open: announcement of its makers, not found again", "first block: the time that block explorers show"} {
		if fault := launchFault(source); fault != "" {
			t.Errorf("%q: %s", source, fault)
		}
	}
	for _, source := range []string{"", "x.com/base/status/1", "announcement of its makers", "open: everybody knows"} {
		if launchFault(source) == "" {
			t.Errorf("%q is accepted", source)
		}
	}
}

// launchFault returns the fault of the source of a launch date, or "".
func launchFault(source string) string {
	kind, where, _ := strings.Cut(source, ": ")
	switch {
	case kind != "open" && kind != "first block":
		return "the source " + source + " does not say whether the chain opened or made its first block"
	case strings.HasPrefix(where, "announcement of its makers, not found again"), where == "the time that block explorers show":
		return ""
	case !strings.ContainsAny(where, "/."):
		return "the source " + source + " names no place"
	}
	return ""
}
