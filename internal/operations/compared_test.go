package operations_test

import (
	"slices"
	"testing"

	"vitrine/internal/operations"
)

// TestComparedOperations checks that a comparison has all operations with responses that follow from the
// catalogue.
func TestComparedOperations(t *testing.T) {
	apart := []string{"search", "listChanges", "getSpec", "getIndex", "mcp", "page", "asset", "bulk", "options", "unknown"}
	want := slices.DeleteFunc(operations.Operations(), func(name string) bool { return slices.Contains(apart, name) })
	var got []string
	for _, op := range operations.ComparedOperations() {
		got = append(got, op.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("compared: %q, want %q", got, want)
	}
}
