package server

import (
	"net"
	"testing"
)

func TestThousandSilentConnections(t *testing.T) {
	path := serveOn(t, Options{})
	for range 1000 {
		dial(t, path)
	}
	c := dial(t, path)
	c.send(ping)
	c.expect(pong)
}

func TestMaxConnections(t *testing.T) {
	path := serveOn(t, Options{MaxConnections: 3})
	var served []*client
	for range 3 {
		c := dial(t, path)
		c.send(ping)
		c.expect(pong)
		served = append(served, c)
	}
	refused := dial(t, path)
	refused.expect(`…not served: 3 connections are open, which is the most`)
	refused.expect("")
	for _, c := range served {
		c.send(ping)
		c.expect(pong)
	}
	// When one goes, there is room for another, as soon as the server has seen it go.
	_ = served[0].conn.Close()
	for {
		c := dial(t, path)
		if _, err := c.conn.Write([]byte(ping)); err != nil {
			continue
		}
		line, err := c.lines.ReadLine()
		if err == nil && string(line) == pong {
			return
		}
	}
}

func TestAttachCountsUntilTheClientGoes(t *testing.T) {
	s := New(Options{})
	path := t.TempDir() + "/s"
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	stop := serveWith(t, s, l)
	defer stop(t.Context())
	c := dial(t, path)
	for range 2 { // twice is once
		c.send(`{"type":"Attach","client":"test","pid":1}` + "\n")
		c.expect("…Attached")
	}
	if got := s.Stats().Clients; got != 1 {
		t.Errorf("%d clients are attached, want 1", got)
	}
	c.closeWrite()
	c.expect("")
	if got := s.Stats().Clients; got != 0 {
		t.Errorf("%d clients are attached after it has gone", got)
	}
}
