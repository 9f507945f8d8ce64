package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"time"
)

// habits are the behaviours of clients with an open connection, until it is closed or they close
// it.
var habits = []struct {
	name string
	keep func(ctx context.Context, conn *net.TCPConn, t *tally) error
}{
	{"silent", silent},
	{"kept alive", keepAlive},
	{"slow to ask", slowToAsk},
	{"kept alive", keepAlive},
	{"silent", silent},
	{"kept alive", keepAlive},
	{"slow to ask", slowToAsk},
	{"slow to read", slowToRead},
}

// patience is the maximum time for which a client holds a connection.
const patience = 3 * time.Minute

// hold keeps n connections open until ctx is done, and replaces each that the server closes after
// a while.
func hold(ctx context.Context, addr string, t *tally, n int) {
	var running sync.WaitGroup
	for i := range n {
		running.Go(func() {
			for pause(ctx, 0.2) {
				habit := habits[i%len(habits)]
				conn, err := somewhere().Dial("tcp", addr)
				if err != nil {
					t.event("held: not connected")
					continue
				}
				stop := context.AfterFunc(ctx, func() { conn.Close() })
				if habit.keep(ctx, conn.(*net.TCPConn), t) != nil && ctx.Err() == nil {
					t.event("held: closed by the server, " + habit.name)
				}
				stop()
				conn.Close()
			}
		})
	}
	running.Wait()
}

// silent sends nothing.
func silent(_ context.Context, conn *net.TCPConn, _ *tally) error {
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err := conn.Read(make([]byte, 1))
	return err
}

// keepAlive sends a request from time to time.
func keepAlive(ctx context.Context, conn *net.TCPConn, t *tally) error {
	in := bufio.NewReader(conn)
	for since := time.Now(); time.Since(since) < patience && pause(ctx, 0.5); {
		request := get(target())
		status, err := exchange(conn, in, request)
		if err != nil {
			return err
		}
		if t.answered(status); status != "200" && !declared(status) {
			t.fault(fmt.Sprintf("%.60q: %s", request, status))
		}
	}
	return nil
}

// slowToAsk sends a header with one byte per second.
func slowToAsk(ctx context.Context, conn *net.TCPConn, _ *tally) error {
	for _, b := range []byte(get("/api/open/chains", "X-Slow: "+strings.Repeat("a", 200))) {
		if !pause(ctx, 1) {
			return nil
		}
		if _, err := conn.Write([]byte{b}); err != nil {
			return err
		}
	}
	return nil
}

// slowToRead requests far more than it reads, and more than the kernel buffers. It disconnects
// itself, because the end of the connection follows all buffered data.
func slowToRead(ctx context.Context, conn *net.TCPConn, _ *tally) error {
	if err := conn.SetReadBuffer(4096); err != nil {
		return err
	}
	if _, err := io.WriteString(conn, strings.Repeat(get("/api/open/chains"), 100)); err != nil {
		return err
	}
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	buffer := make([]byte, 1024)
	for since := time.Now(); time.Since(since) < patience/4 && pause(ctx, 1); {
		if _, err := conn.Read(buffer[:1+rand.IntN(1024)]); err != nil {
			return err
		}
	}
	return nil
}
