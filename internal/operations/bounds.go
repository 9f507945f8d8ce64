package operations

import (
	"fmt"
	"net/http"

	"vitrine/internal/response"
)

// The bounds of a request (docs/api.md). They are well below those of the listener, so that this
// package sends the error.
const (
	maxTarget      = 8 << 10  // bytes of path and query string, as they were sent
	maxHeader      = 16 << 10 // bytes of the header section
	maxHeaderLines = 100
)

// defaultAnswers is the default of [Config.AnswerBytes].
const defaultAnswers = 64 << 20

// middlePart is the divisor of the memory for responses: that fraction of it is for responses
// that are not large.
const middlePart = 4

// bounded returns an error for a request that is larger than any operation needs. It is called
// before any other work for the request.
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

// headerSize returns the approximate size of a request's header section in bytes, and its number
// of lines.
func headerSize(r *http.Request) (size, lines int) {
	const around = len(": \r\n")
	size, lines = len("Host")+len(r.Host)+around, 1 // Host is not in r.Header
	for name, values := range r.Header {
		lines += len(values)
		for _, value := range values {
			size += len(name) + len(value) + around
		}
	}
	return size, lines
}
