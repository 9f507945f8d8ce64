package operations

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// deprecation announces that an operation will be removed (docs/api.md#stability). The OpenAPI document has
// the member deprecated for the operation.
type deprecation struct {
	since   time.Time
	removal time.Time // a year after since at the earliest
	about   string    // address of the explanation
}

// exposedDeprecated are the headers of a deprecated operation that scripts of other origins may read.
const exposedDeprecated = exposed + ", Deprecation, Sunset"

// announce sets the headers of a deprecation in the response of an operation. Errors have no Link.
func (r *reply) announce(header http.Header) {
	if r.operation == nil || r.operation.deprecated == nil {
		return
	}
	d := r.operation.deprecated
	header.Set("Deprecation", "@"+strconv.FormatInt(d.since.Unix(), 10))
	header.Set("Sunset", d.removal.UTC().Format(http.TimeFormat))
	header.Set("Access-Control-Expose-Headers", exposedDeprecated)
	r.fields.Link = slices.Concat(r.fields.Link, []string{"<" + d.about + `>; rel="deprecation"; type="text/html"`})
}
