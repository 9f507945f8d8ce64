package domain

import "fmt"

// status checks that the dates, the status and the successor of a record fit together. It
// goes by the names of the fields, which chains and apps share. It is about writing: what
// was published before stays valid.
func (ck *checker) status(at Ref, s *Shape, record any) {
	if ck.stored {
		return
	}
	value := func(field string) string {
		if f := s.Field(field); f != nil {
			return *f.line(record)
		}
		return ""
	}
	status := Status(value("status"))
	launched, since := Date(value("launched")), Date(value("status_since"))
	if status != StatusUpcoming {
		ck.notFuture(at.in("launched"), "launched "+string(launched), launched, "write the day on which it began, or status: upcoming until then")
	}
	ck.notFuture(at.in("status_since"), "status_since "+string(since), since, "write the date of its last status change, and its current status")
	switch {
	case since != "" && status.String() == string(StatusLive):
		ck.report(at.in("status_since"), RuleStatusConflict, "status_since is set, but the status is live, the default",
			"set the status, or remove status_since; launched is for the day on which it began")
	case since.valid() && launched.valid() && since < launched && status != StatusUpcoming:
		ck.report(at.in("status_since"), RuleStatusConflict, fmt.Sprintf("status_since %s is before launched %s", since, launched), "correct one of the two days")
	}
	if successor := value("successor"); successor != "" && !status.Retired() {
		ck.report(at.in("successor"), RuleStatusConflict, fmt.Sprintf("successor %s is set, but the status is %s", quote(successor), quote(status.String())),
			"set status: retired, or omit the successor until it has replaced this record")
	}
}

// notFuture reports a day that is after tomorrow. What is what messages call it.
func (ck *checker) notFuture(at Ref, what string, day Date, remedy string) {
	if ck.latest != "" && day.valid() && day > ck.latest {
		ck.report(at, RuleFutureDate, fmt.Sprintf("%s is in the future, today is %s", what, ck.reading.Today), remedy)
	}
}
