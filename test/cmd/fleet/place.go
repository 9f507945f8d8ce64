package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/test/internal/trial"
)

// fault is how the place of the distribution behaves.
type fault int32

const (
	sound    fault = iota
	stopped        // connections end without a response
	slow           // each response takes seconds
	cut            // files end in their middle
	torn           // responses have their length, but other bytes at the end
	replayed       // the pointer is an old one
)

var faultNames = map[fault]string{stopped: "the place stops", slow: "the place is slow", cut: "files are cut", torn: "files are torn", replayed: "an old pointer is replayed"}

// place serves the files of a distribution, with faults.
type place struct {
	dir    string
	server *httptest.Server
	fault  atomic.Int32

	mu  sync.Mutex
	old []byte // an earlier pointer
}

func newPlace(dir string) *place {
	p := &place{dir: dir}
	p.server = httptest.NewServer(p)
	return p
}

// URL returns the address of the distribution.
func (p *place) URL() string { return p.server.URL }

// keepPointer keeps the present pointer for a later replay.
func (p *place) keepPointer() error {
	data, err := os.ReadFile(filepath.Join(p.dir, "entry.json"))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.old = data
	return err
}

// ServeHTTP serves a file.
func (p *place) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(name)))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	switch fault(p.fault.Load()) {
	case stopped:
		panic(http.ErrAbortHandler)
	case slow:
		time.Sleep(3 * time.Second)
	case cut:
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		w.Write(data[:len(data)/2])
		panic(http.ErrAbortHandler)
	case torn:
		for i := len(data) / 2; i < len(data); i++ {
			data[i] = 0
		}
	case replayed:
		p.mu.Lock()
		if name == "entry.json" && p.old != nil {
			data = p.old
		}
		p.mu.Unlock()
	}
	w.Write(data)
}

// gate forwards connections to an address while it is open.
type gate struct {
	address  string
	listener net.Listener
	to       string

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]bool
}

func newGate(to string) *gate {
	l := trial.Must(net.Listen("tcp", "127.0.0.1:0"))
	g := &gate{address: l.Addr().String(), listener: l, to: to, conns: map[net.Conn]bool{}}
	go g.accept()
	return g
}

func (g *gate) accept() {
	for {
		conn, err := g.listener.Accept()
		if err != nil {
			return // closed
		}
		go g.forward(conn)
	}
}

func (g *gate) forward(conn net.Conn) {
	defer conn.Close()
	if !g.admit(conn) {
		return
	}
	defer g.forget(conn)
	to, err := net.Dial("tcp", g.to)
	if err != nil || !g.admit(to) {
		return
	}
	defer g.forget(to)
	defer to.Close()
	go func() {
		defer to.Close()
		_, _ = io.Copy(to, conn) // either side may be cut
	}()
	_, _ = io.Copy(conn, to)
}

func (g *gate) admit(conn net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.conns[conn] = true
	}
	return !g.closed
}

func (g *gate) forget(conn net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, conn)
}

// shut cuts all connections and refuses new ones until open.
func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for conn := range g.conns {
		conn.Close()
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = false
}

func (g *gate) close() {
	g.listener.Close()
	g.shut()
}
