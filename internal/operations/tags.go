package operations

import (
	"net/http"
	"strings"
)

// allTag is the cache tag of every response of the catalogue.
const allTag = "catalogue"

// tagOperations sets the values of the header with cache tags: allTag and, for lists and details, the
// kind of their records. Cache-Tag separates tags by commas, Surrogate-Key by spaces. Pictures have
// none, because the content of their paths never changes.
func (h *Handler) tagOperations(header string) {
	h.tagHeader = header
	if header == "" {
		return
	}
	separator := ","
	if header == "Surrogate-Key" {
		separator = " "
	}
	for i := range h.operations {
		op := &h.operations[i]
		op.tags = []string{strings.Join(op.cacheTags(), separator)}
	}
	h.pageOperation.tags = []string{allTag}
}

// cacheTags returns the cache tags of the responses of an operation.
func (op *operation) cacheTags() []string {
	switch {
	case op.list != "":
		return []string{allTag, string(op.list)}
	case op.record != nil:
		return []string{allTag, string(op.record.kind)}
	}
	return []string{allTag}
}

// tag sets the cache tags of a response. op is nil for an unknown path, which has none.
func (h *Handler) tag(header http.Header, op *operation) {
	if h.tagHeader != "" && op != nil {
		header[h.tagHeader] = op.tags
	}
}
