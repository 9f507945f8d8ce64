package domain

import (
	"fmt"
	"time"
)

// dateType is a line with a [Date].
type dateType struct{ lineType }

// datePattern matches dates in schemas, including those that are not in the calendar.
const datePattern = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"

func day[R any](name string, at func(*R) *Date) *Field {
	return lineField(TypeDate, name, func(r *R) *string { return (*string)(at(r)) })
}

func (dateType) check(ck *checker, at Ref, f *Field, record any) {
	if d := Date(*f.Line(record)); !d.valid() {
		ck.report(at.in(f.Name), RuleMalformedDate, fmt.Sprintf("%s %s is not a date", f.Name, quote(string(d))), "write the day as YYYY-MM-DD")
	}
}

func (dateType) readLine(text string, number bool) (line, wanted, remedy string) {
	if number {
		return "", "a day", "write it as YYYY-MM-DD"
	}
	return text, "", ""
}

func (dateType) isFree(*Field) bool { return false }

func (dateType) schema(f *Field, _ *Schemas) Object {
	if f.Required {
		return Object{{"type", "string"}, {"pattern", datePattern}, {"format", "date"}}
	}
	return Object{{"type", orNull("string")}, {"pattern", "^$|" + datePattern}, {"format", "date"}}
}

func (dateType) formName(*Field) string { return "Day. " }

func (dateType) random(r *Random, f *Field, record any) {
	*f.Line(record) = r.text("2015-07-30", "2024-02-29", "2025-01-01")
}

// valid reports whether d is a date of the calendar as YYYY-MM-DD.
func (d Date) valid() bool {
	_, err := time.Parse(time.DateOnly, string(d))
	return err == nil
}

// dayAfter returns the day after d, "" for an invalid date.
func (d Date) dayAfter() Date {
	day, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return ""
	}
	return Date(day.AddDate(0, 0, 1).Format(time.DateOnly))
}

// Date is a calendar date as YYYY-MM-DD, so dates sort as strings.
type Date string

// DateOf returns the day of a time in UTC.
func DateOf(t time.Time) Date { return Date(t.UTC().Format(time.DateOnly)) }
