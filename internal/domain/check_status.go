package domain

import (
	"fmt"
	"slices"
)

// status checks that the dates, the status and the successor of a record are consistent. It finds
// the fields by name, since chains and apps share them. The rules are for editing: published
// values stay valid.
func (ck *checker) status(at Ref, s *Shape, record any) {
	if ck.stored {
		return
	}
	value := func(field string) string {
		if f := s.Field(field); f != nil {
			return *f.Line(record)
		}
		return ""
	}
	status := Status(value("status"))
	launched, since := Date(value("launched")), Date(value("status_since"))
	if status != StatusUpcoming && ck.inFuture(launched) {
		ck.futureDate(at.in("launched"), "launched "+string(launched), "write the day on which it began, or status: upcoming until then")
	}
	if status == StatusUpcoming && launched.valid() && launched < ck.reading.Today {
		ck.report(at.in("launched"), RuleOverdueLaunch, fmt.Sprintf("launched %s is past, today is %s, but the status is upcoming", launched, ck.reading.Today),
			"set the current status, or write the new date")
	}
	if ck.inFuture(since) {
		ck.futureDate(at.in("status_since"), "status_since "+string(since), "write the date of its last status change, and its current status")
	}
	switch {
	case since != "" && status.String() == string(StatusLive):
		ck.report(at.in("status_since"), RuleStatusConflict, "status_since is set, but the status is live, the default",
			"set the status, or remove status_since; launched is for the day on which it began")
	case since.valid() && launched.valid() && since < launched && status != StatusUpcoming:
		ck.report(at.in("status_since"), RuleStatusConflict, fmt.Sprintf("status_since %s is before launched %s", since, launched), "correct one of the two days")
	}
	if successor := value("successor"); successor != "" && slices.Contains(Statuses(), Status(status.String())) && !status.Retired() {
		ck.report(at.in("successor"), RuleStatusConflict, fmt.Sprintf("successor %s is set, but the status is %s", quote(successor), quote(status.String())),
			"set status: retired, or omit the successor until it has replaced this record")
	}
}

// inFuture reports whether a day is after tomorrow.
func (ck *checker) inFuture(day Date) bool {
	return ck.latest != "" && day > ck.latest && day.valid()
}

// futureDate reports a date in the future. what is the name of the date in messages.
func (ck *checker) futureDate(at Ref, what, remedy string) {
	ck.report(at, RuleFutureDate, fmt.Sprintf("%s is in the future, today is %s", what, ck.reading.Today), remedy)
}
