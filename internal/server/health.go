package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxReadinessBytes bounds what is read of an answer of /readyz.
const maxReadinessBytes = 1 << 20

// ErrNotReady is the error of a server that answered that it is not ready, or
// that did not answer.
var ErrNotReady = errors.New("not ready")

// Health asks the admin listener at address, HOST:PORT, whether its server is
// ready, and returns the revision that it serves. The error wraps [ErrNotReady]
// with the reason where that is known. It is bounded by ctx alone.
func Health(ctx context.Context, address string) (revision int64, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return 0, err
	}
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request) // no proxy, no redirect
	if err != nil {
		return 0, fmt.Errorf("%w: no answer from the admin listener: %w", ErrNotReady, err)
	}
	defer response.Body.Close()
	var state struct {
		Ready *bool `json:"ready"` // which every answer has
		readiness
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxReadinessBytes)).Decode(&state); err != nil || state.Ready == nil {
		return 0, fmt.Errorf("%w: what answers at %s is no admin listener of vitrine (%s)", ErrNotReady, address, response.Status)
	}
	if *state.Ready {
		return state.Revision, nil
	}
	for _, reason := range []string{state.Draining, state.StoreProblem, state.APIKeysProblem} {
		if reason != "" {
			return 0, fmt.Errorf("%w: %s", ErrNotReady, reason)
		}
	}
	return 0, ErrNotReady
}
