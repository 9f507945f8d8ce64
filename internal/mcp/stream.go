package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve serves one client that writes to in and reads from out, one message a line,
// until it closes in and has its answers, or ctx is done. It closes both.
func (h *Handler) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	s := &stream{in: in, out: out, answered: make(chan struct{}, 1)}
	err := h.server.Run(ctx, &sdk.IOTransport{Reader: s, Writer: (*streamOut)(s), MaxLineLength: maxBody})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// stream holds back the end of what a client writes until all that it asked is answered:
// the SDK answers nothing after it.
type stream struct {
	in  io.ReadCloser
	out io.WriteCloser

	line     []byte // what was read of the present one
	mu       sync.Mutex
	open     int           // calls without an answer
	answered chan struct{} // has a value when open may have changed
}

// Read reads for the SDK, from one goroutine.
func (s *stream) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	s.look(p[:n])
	if err == io.EOF {
		s.look([]byte("\n"))
		s.wait()
	}
	return n, err
}

func (s *stream) Close() error { return s.in.Close() }

// look counts the calls among the lines that end in a piece.
func (s *stream) look(piece []byte) {
	for len(piece) > 0 {
		end := bytes.IndexByte(piece, '\n')
		if end < 0 {
			if len(s.line) <= maxBody { // the SDK refuses what is longer
				s.line = append(s.line, piece...)
			}
			return
		}
		var message struct{ ID, Method json.RawMessage }
		if json.Unmarshal(append(s.line, piece[:end]...), &message) == nil && message.ID != nil && message.Method != nil {
			s.count(1)
		}
		s.line, piece = s.line[:0], piece[end+1:]
	}
}

func (s *stream) count(calls int) {
	s.mu.Lock()
	s.open += calls
	s.mu.Unlock()
	select {
	case s.answered <- struct{}{}:
	default:
	}
}

// wait returns when all calls are answered, or that took too long.
func (s *stream) wait() {
	late := time.After(maxTime)
	for {
		s.mu.Lock()
		open := s.open
		s.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-s.answered:
		case <-late:
			return
		}
	}
}

// streamOut is what the SDK writes to, a line at a time.
type streamOut stream

func (s *streamOut) Write(p []byte) (int, error) {
	n, err := s.out.Write(p)
	(*stream)(s).count(-bytes.Count(p[:n], []byte("\n")))
	return n, err
}

func (s *streamOut) Close() error { return s.out.Close() }
