package server

import (
	"log"
	"log/slog"
	"strings"
)

// newErrorLog returns the log of an [http.Server], which writes whole texts.
// The message stays the same, so that a log that bounds how often one is
// repeated bounds these, too: clients can make as many as they like.
func newErrorLog(to *slog.Logger) *log.Logger {
	return log.New(reports{to}, "", 0)
}

type reports struct{ to *slog.Logger }

func (r reports) Write(text []byte) (int, error) {
	r.to.Warn("the HTTP server reports a fault", "report", strings.TrimSpace(string(text)))
	return len(text), nil
}
