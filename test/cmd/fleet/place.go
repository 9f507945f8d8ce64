package main

import (
	"bytes"
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
	half           // files are written, but the pointer is not; only of a bucket
)

var faultNames = map[fault]string{stopped: "the place stops", slow: "the place is slow", cut: "files are cut", torn: "files are torn", replayed: "an old pointer is replayed", half: "revisions are half written"}

// place serves the files of a distribution, with faults. With a gateway it forwards to that S3 server,
// for which dir has the objects.
type place struct {
	dir     string
	gateway string // address of the S3 server, "" for none
	server  *httptest.Server
	fault   atomic.Int32

	mu  sync.Mutex
	old []byte // an earlier pointer
}

func newPlace(dir, gateway string) *place {
	p := &place{dir: dir, gateway: gateway}
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

// ServeHTTP serves a file, or forwards a request.
func (p *place) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := fault(p.fault.Load())
	switch {
	case now == stopped, now == half && r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/entry.json"):
		panic(http.ErrAbortHandler)
	case now == slow:
		time.Sleep(3 * time.Second)
	}
	if p.gateway != "" {
		p.forward(w, r, now)
		return
	}
	data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(r.URL.Path)))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	p.send(w, r, now, data)
}

// forward sends a request to the S3 server, unchanged because it is signed.
func (p *place) forward(w http.ResponseWriter, r *http.Request, now fault) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	request, err := http.NewRequestWithContext(r.Context(), r.Method, "http://"+p.gateway+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	request.Header, request.Host = r.Header, r.Host
	response, err := client.Do(request)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	isPointer := strings.HasSuffix(r.URL.Path, "/entry.json")
	replay := now == replayed && r.Method == http.MethodGet && isPointer && (response.StatusCode == http.StatusOK || response.StatusCode == http.StatusNotModified)
	if replay {
		response.Header.Del("Content-Length")
		response.Header.Set("ETag", `"00000000000000000000000000000000"`)
		response.StatusCode = http.StatusOK
	}
	for name, values := range response.Header {
		w.Header()[name] = values
	}
	if r.Method == http.MethodGet && response.StatusCode == http.StatusOK && (isPointer || strings.Contains(r.URL.Path, "/files/")) {
		p.send(w, r, now, data)
		return
	}
	w.WriteHeader(response.StatusCode)
	w.Write(data)
}

// send sends the content of a file.
func (p *place) send(w http.ResponseWriter, r *http.Request, now fault, data []byte) {
	switch now {
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
		if strings.HasSuffix(r.URL.Path, "/entry.json") && p.old != nil {
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
