package operations

import (
	"net/http"
	"strings"
)

// traceParent returns the ids of the trace and of the caller's span of a valid traceparent header
// (https://www.w3.org/TR/trace-context/), else "". They are plain hexadecimal, so that they cannot
// forge a line of the log. Later versions of the header may have more parts.
func traceParent(r *http.Request) (trace, span string) {
	const length = len("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	values := r.Header["Traceparent"]
	if len(values) != 1 || len(values[0]) < length || len(values[0]) > maxLogged {
		return "", ""
	}
	parts := strings.Split(values[0], "-")
	if len(parts) < 4 || len(parts) > 4 && parts[0] == "00" || parts[0] == "ff" {
		return "", ""
	}
	for i, digits := range []int{2, 32, 16, 2} {
		if len(parts[i]) != digits || strings.Trim(parts[i], "0123456789abcdef") != "" {
			return "", ""
		}
	}
	if strings.Trim(parts[1], "0") == "" || strings.Trim(parts[2], "0") == "" {
		return "", ""
	}
	return parts[1], parts[2]
}
