package operations

import (
	"net/http"
	"testing"
)

func TestTraceParent(t *testing.T) {
	const trace, span = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	for header, valid := range map[string]bool{
		"00-" + trace + "-" + span + "-01":                    true,
		"cc-" + trace + "-" + span + "-01-more":               true, // a later version
		"00-" + trace + "-" + span + "-01-more":               false,
		"ff-" + trace + "-" + span + "-01":                    false,
		"00-" + trace + "-" + span:                            false,
		"00-00000000000000000000000000000000-" + span + "-01": false,
		"00-" + trace + "-0000000000000000-01":                false,
		"00-0AF7651916CD43DD8448EB211C80319C-" + span + "-01": false,
		"00-" + trace + "-" + span + "-0\n":                   false,
		"":                                                    false,
	} {
		gotTrace, gotSpan := traceParent(&http.Request{Header: http.Header{"Traceparent": {header}}})
		wantTrace, wantSpan := "", ""
		if valid {
			wantTrace, wantSpan = trace, span
		}
		if gotTrace != wantTrace || gotSpan != wantSpan {
			t.Errorf("%q: %q, %q", header, gotTrace, gotSpan)
		}
	}
	if trace, _ := traceParent(&http.Request{Header: http.Header{"Traceparent": {"00-" + trace + "-" + span + "-01", "x"}}}); trace != "" {
		t.Errorf("of two headers: %q", trace)
	}
}
