package quality_test

import (
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often: the live heap of these tests is small, and the default
// takes a fifth of their time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
