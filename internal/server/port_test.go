package server

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/protocol"
)

// A port carries HTTP only, by its own handler, and nobody tells whose process is at the other end. Its connections count among those
// of the socket, and Shutdown ends it.
func TestPort(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{MaxConnections: 2})
	served := make(chan error, 1)
	go func() {
		served <- s.ServePort(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, is := Do(r.Context(), &protocol.StatusRequest{}).(*protocol.StatusResponse)
			fmt.Fprint(w, PeerPID(r.Context()), is)
		}))
	}()
	dial := func(sent string) net.Conn {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, sent)
		return conn
	}
	for sent, want := range map[string]string{
		`{"type":"Ping"}` + "\n":            "this port speaks HTTP without TLS only",
		"\x16\x03\x01\x02":                  "this port speaks HTTP without TLS only",
		"GET / HTTP/1.0\r\nHost: x\r\n\r\n": "0 true",
	} {
		conn := dial(sent)
		if reply, err := io.ReadAll(conn); !strings.HasPrefix(string(reply), "HTTP/1.") || !strings.Contains(string(reply), want) {
			t.Errorf("%q is answered by %q, %v", sent, reply, err)
		}
		conn.Close()
	}
	idle := []net.Conn{dial("GET /"), dial("GET /"), dial("GET /")}
	// It is reset, not closed, where the server had not read what came.
	if _, err := io.ReadAll(idle[0]); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the oldest idle connection ends with %v", err)
	}
	if err := s.Shutdown(t.Context()); err != nil || <-served != nil {
		t.Error(err)
	}
	for _, conn := range idle {
		conn.Close()
	}
	if conn, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		conn.Close()
		t.Error("the port is open after Shutdown")
	}
}

// The end of a port's connection cancels its call: nothing tells whether the client still reads.
func TestPortHangUp(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	begun, ended := make(chan struct{}), make(chan struct{})
	s := New(Options{DrainTimeout: time.Minute})
	served := make(chan error, 1)
	go func() {
		served <- s.ServePort(listener, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(begun)
			<-r.Context().Done()
			close(ended)
		}))
	}()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	<-begun
	conn.Close()
	<-ended
	if err := s.Shutdown(t.Context()); err != nil || <-served != nil {
		t.Error(err)
	}
}
