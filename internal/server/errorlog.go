package server

import (
	"log"
	"log/slog"
	"strings"
)

// newErrorLog returns the log of an [http.Server]. All its lines have one message, so that the log
// limits their number: clients can provoke them.
func newErrorLog(to *slog.Logger) *log.Logger {
	return log.New(reports{to}, "", 0)
}

type reports struct{ to *slog.Logger }

func (r reports) Write(text []byte) (int, error) {
	r.to.Warn("the HTTP server reports a fault", "report", strings.TrimSpace(string(text)))
	return len(text), nil
}
