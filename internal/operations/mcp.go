package operations

import (
	"net/http"
	"strconv"

	"vitrine/internal/admission"
)

// mcpPath is where agents ask.
const mcpPath = "/mcp"

// serveMCP lets the handler of /mcp answer, once the caller may ask. OPTIONS costs
// nothing, as elsewhere.
func (h *Handler) serveMCP(w http.ResponseWriter, r *http.Request, o *observation) {
	o.operation = h.observer.mcp
	var pass admission.Pass
	if r.Method != http.MethodOptions {
		var err error
		pass, err = h.admit(w, r)
		o.apiKey = pass.Key()
		if err != nil {
			o.fail(w, r, err)
			return
		}
	}
	h.mcp.ServeHTTP(&witness{ResponseWriter: w, request: r, pass: pass, seen: o}, r)
}

// witness sees what another handler sends, and charges it.
type witness struct {
	http.ResponseWriter
	request *http.Request
	pass    admission.Pass
	seen    *observation
}

// WriteHeader charges the content before it is sent, as for operations.
func (w *witness) WriteHeader(status int) {
	w.seen.sending, w.seen.sent.Status = true, status
	if length, err := strconv.Atoi(w.Header().Get("Content-Length")); err == nil {
		w.pass.Sent(w.request.Context(), length)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write notes whether the connection takes the content.
func (w *witness) Write(content []byte) (int, error) {
	n, err := w.ResponseWriter.Write(content)
	w.seen.sent.Bytes += n
	w.seen.sent.Broken = w.seen.sent.Broken || err != nil
	return n, err
}

// Unwrap is for [http.ResponseController].
func (w *witness) Unwrap() http.ResponseWriter { return w.ResponseWriter }
