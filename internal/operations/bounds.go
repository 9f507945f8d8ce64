package operations

import (
	"fmt"
	"net/http"

	"vitrine/internal/response"
)

// The bounds of a request. They stand in the document and in docs/api.md, and
// lie well below what the listener reads, so that it is this package that
// answers.
const (
	maxTarget      = 8 << 10  // bytes of path and query string, as they were sent
	maxHeader      = 16 << 10 // bytes of the header section
	maxHeaderLines = 100
)

// defaultAnswers is the memory for answers where nothing else is said, in bytes.
const defaultAnswers = 64 << 20

// middlePart divides the memory for answers: one of so many parts is for those that
// are not large.
const middlePart = 4

// bounded returns an error for a request that is larger than any operation
// needs. It is asked before any work is done for the request.
func bounded(r *http.Request) error {
	if len(r.RequestURI) > maxTarget {
		return &response.Problem{
			Code: response.URITooLong, Detail: fmt.Sprintf("the URL is too long: at most %d bytes of path and query string", maxTarget),
		}
	}
	if size, lines := headerSize(r); size > maxHeader || lines > maxHeaderLines {
		return &response.Problem{
			Code:   response.HeadersTooLarge,
			Detail: fmt.Sprintf("the request's headers are too large: at most %d bytes in %d lines", maxHeader, maxHeaderLines),
		}
	}
	return nil
}

// headerSize returns about the bytes of a request's header section, and its
// lines.
func headerSize(r *http.Request) (size, lines int) {
	const around = len(": \r\n")
	size, lines = len("Host")+len(r.Host)+around, 1 // not among the others
	for name, values := range r.Header {
		lines += len(values)
		for _, value := range values {
			size += len(name) + len(value) + around
		}
	}
	return size, lines
}
