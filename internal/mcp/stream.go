package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve serves one client that writes to in and reads from out, one message per line,
// until it closes in and has its answers, or ctx is done. It closes both. A line that
// is no message is answered with an error, and the stream continues.
func (h *Handler) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	s := &stream{in: bufio.NewReader(in), close: in.Close, out: out, answered: make(chan struct{}, 1)}
	err := h.server.Run(ctx, &sdk.IOTransport{Reader: s, Writer: (*streamOut)(s), MaxLineLength: maxLine})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// maxLine bounds the lines that the SDK reads: ids that are replaced grow.
const maxLine = 4 * maxBody

// stream passes the valid messages of a client to the SDK. It delays the end of the
// stream until all calls are answered, since the SDK sends nothing after it.
type stream struct {
	in    *bufio.Reader
	close func() error
	next  []byte // rest of the current line

	mu       sync.Mutex // for out and open
	out      io.WriteCloser
	open     int           // calls without an answer
	answered chan struct{} // has a value when open may have changed
}

// Read reads for the SDK, from one goroutine.
func (s *stream) Read(p []byte) (int, error) {
	for len(s.next) == 0 {
		line, err := s.line()
		if err == nil {
			err = s.take(line)
		}
		if err == io.EOF {
			s.wait()
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, s.next)
	s.next = s.next[n:]
	return n, nil
}

func (s *stream) Close() error { return s.close() }

// line returns the next line without its end, cut where it is too long for a message.
// After the last one the error is [io.EOF].
func (s *stream) line() ([]byte, error) {
	var line []byte
	for {
		piece, err := s.in.ReadSlice('\n')
		line = append(line, piece[:min(len(piece), maxBody+2-len(line))]...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(line) > 0 {
			err = nil
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}

// take passes a line to the SDK, or sends an error if it is not a valid message. It skips
// blank lines and responses.
func (s *stream) take(line []byte) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if len(line) > maxBody {
		return s.write(failure(nil, invalidRequest(fmt.Sprintf("the message is larger than %d bytes", maxBody))), 0)
	}
	m, invalid := parseMessage(line)
	if invalid != nil {
		return s.write(failure(m.id, invalid), 0)
	}
	if m.text == nil {
		return nil
	}
	if m.isCall {
		s.count(1)
	}
	s.next = append(m.text, '\n')
	return nil
}

// write writes one message to the client, which answers so many calls.
func (s *stream) write(answer []byte, calls int) error {
	s.mu.Lock()
	_, err := s.out.Write(append(answer, '\n'))
	s.mu.Unlock()
	s.count(-calls)
	return err
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

// streamOut is the writer of the SDK, which writes whole lines.
type streamOut stream

func (s *streamOut) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if isCancelled(line) { // MCP: a cancelled request gets no response
			(*stream)(s).count(-1)
			continue
		}
		if err := (*stream)(s).write(outgoing(line), 1); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

func (s *streamOut) Close() error { return s.out.Close() }
