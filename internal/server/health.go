package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxReadinessBytes is the maximum size of a response of /readyz.
const maxReadinessBytes = 1 << 20

// ErrNotReady reports that a server is not ready, or did not answer.
var ErrNotReady = errors.New("not ready")

// Health requests /readyz of the admin listener at address, HOST:PORT, and returns the served
// revision. The error wraps [ErrNotReady], with the reason if known. Only ctx limits its time.
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
		Ready *bool `json:"ready"` // every response has it
		readiness
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxReadinessBytes)).Decode(&state); err != nil || state.Ready == nil {
		return 0, fmt.Errorf("%w: the server at %s is not an admin listener of Vitrine (%s)", ErrNotReady, address, response.Status)
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
