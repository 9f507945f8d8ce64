package operations

import (
	"net/http"
	"strconv"

	"vitrine/internal/admission"
	"vitrine/internal/response"
)

// mcpPath is the path of the MCP server.
const mcpPath = "/mcp"

// serveMCP passes an admitted request to the MCP handler. OPTIONS costs no quota.
func (h *Handler) serveMCP(w http.ResponseWriter, r *http.Request, o *observation) {
	o.operation = h.observer.mcp
	var pass admission.Pass
	if r.Method != http.MethodOptions {
		var err error
		pass, err = h.admit(w, r, admission.API, o)
		if err != nil {
			h.fail(w, r, o, err)
			return
		}
	}
	seen := &chargingWriter{ResponseWriter: w, request: r, pass: pass}
	defer func() { o.sent, o.sending = seen.sent, seen.sending }() // copying two fields keeps the observation off the heap
	h.mcp.ServeHTTP(seen, r)
}

// chargingWriter records what another handler sends, and charges it.
type chargingWriter struct {
	http.ResponseWriter
	request *http.Request
	pass    admission.Pass
	sent    response.Sent
	sending bool
}

// WriteHeader charges the content before it is sent, as for operations.
func (w *chargingWriter) WriteHeader(status int) {
	w.sending, w.sent.Status = true, status
	if length, err := strconv.Atoi(w.Header().Get("Content-Length")); err == nil {
		w.pass.Sent(w.request.Context(), length)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write records whether the connection accepts the content.
func (w *chargingWriter) Write(content []byte) (int, error) {
	n, err := w.ResponseWriter.Write(content)
	w.sent.Bytes += n
	w.sent.Broken = w.sent.Broken || err != nil
	return n, err
}

// Unwrap implements the interface of [http.ResponseController].
func (w *chargingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
