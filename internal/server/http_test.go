package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/protocol"
)

// overHTTP answers a request by the tool that its path names.
var overHTTP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/pid":
		fmt.Fprint(w, PeerPID(r.Context()))
	case "/panic":
		panic("oh")
	default:
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write(protocol.AppendResponse(nil, Do(r.Context(), &protocol.MCPToolCall{ID: "h", ToolName: strings.Trim(r.URL.Path, "/")})))
	}
})

// browser returns an HTTP client of a socket.
func browser(t testing.TB, path string) *http.Client {
	t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// get returns the status and the body of a route.
func get(t testing.TB, c *http.Client, route string) (status int, body string) {
	t.Helper()
	response, err := c.Get("http://tidepool" + route)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(data)
}

// Lines and HTTP share a socket, the tools and their counters. The peer of a request is known.
func TestHTTP(t *testing.T) {
	path := serveOn(t, Options{HTTP: overHTTP, Tools: scripted{"find": func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) {
		return Result{JSON: json.RawMessage(`{"found":1}`)}, nil
	}}})
	c := browser(t, path)
	for range 3 { // on one connection
		if status, body := get(t, c, "/find"); status != 200 || !strings.Contains(body, `"id":"h","result":{"found":1},"error":null`) {
			t.Errorf("%d %s", status, body)
		}
	}
	if _, body := get(t, c, "/lose"); !strings.Contains(body, `"code":-32601`) {
		t.Errorf("got %s", body)
	}
	if _, body := get(t, c, "/pid"); body != fmt.Sprint(os.Getpid()) {
		t.Errorf("the peer is %s", body)
	}
	lines := dial(t, path)
	lines.send(`{"type":"StatusRequest"}` + "\n")
	lines.expect(`…"calls_in_flight":0,"calls":4`)
}

// A panic of a handler is a reply, and the daemon lives on.
func TestHTTPPanic(t *testing.T) {
	c := browser(t, serveOn(t, Options{HTTP: overHTTP}))
	for range 2 {
		if status, body := get(t, c, "/panic"); status != 500 || strings.Contains(body, "oh") {
			t.Errorf("%d %s", status, body)
		}
	}
}

// What is no request of HTTP is refused, and its connection closed.
func TestNoHTTP(t *testing.T) {
	path := serveOn(t, Options{HTTP: overHTTP})
	for sent, want := range map[string]string{
		"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n":          "HTTP/1.1 505",
		"HELLO WORLD\r\n\r\n":                       "HTTP/1.1 400",
		"HELLO\n\n":                                 "HTTP/1.1 400", // shorter than a preface of HTTP/2
		"GET / HTTP/1.1\r\n\r\n":                    "HTTP/1.1 400", // without a host
		"GET /" + strings.Repeat("x", 32<<10):       "HTTP/1.1 431",
		"GET /pid HTTP/1.1\nHost: x\n\nGET / x\n\n": "HTTP/1.1 200",
		"<html>": `{"type":"ErrorResponse"`,
	} {
		c := dial(t, path)
		c.send(sent)
		if got := c.receive(); !strings.HasPrefix(got, want) {
			t.Errorf("%.30q is answered by %q", sent, got)
		}
		if _, err := io.Copy(io.Discard, c.conn); err != nil && sent[0] != 'G' { // unread input resets it
			t.Errorf("%.30q: the connection ends with %v", sent, err)
		}
	}
}

// A client that hangs up cancels its call. One that half-closes gets its answer.
func TestHTTPHangUp(t *testing.T) {
	g := newGate()
	path := serveOn(t, Options{HTTP: overHTTP, Tools: scripted{"wait": g.call}})
	const request = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"

	gone := dial(t, path)
	gone.send(request)
	<-g.begun
	_ = gone.conn.Close()
	if err := <-g.ended; err == nil {
		t.Error("the call was not cancelled")
	}

	half := dial(t, path)
	half.send(request)
	half.closeWrite()
	<-g.begun
	select {
	case err := <-g.ended:
		t.Fatalf("the end of the input cancelled the call: %v", err)
	default:
	}
	close(g.open)
	response, err := http.ReadResponse(bufio.NewReader(half.conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(body), `"result":"through"`) {
		t.Errorf("%s, %v", body, err)
	}
}

// An endedConn interrupts what waits for the peer after the end of the input, as net/http does once the reply is ready.
type endedConn struct{ *net.UnixConn }

func (c endedConn) Read(p []byte) (int, error) {
	n, err := c.UnixConn.Read(p)
	if err == io.EOF {
		_ = c.SetReadDeadline(time.Now())
	}
	return n, err
}

// net/http may see the end of the input before the handler of a request begins, and does not take it for a hang-up.
func TestHalfClosedBeforeHandler(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client := dial(t, path)
	client.closeWrite()
	ours, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()

	ended := endedConn{ours.(*net.UnixConn)}
	h := &httpConn{conn: &conn{net: ended, lines: protocol.NewReader(ended)}}
	h.observeState(ended, http.StateActive)
	if n, err := h.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("read %d bytes, %v", n, err)
	}
}

// Shutdown closes connections between two requests at once, lets a request in flight finish, and then closes its connection.
func TestShutdownDrainsHTTP(t *testing.T) {
	g := newGate()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{HTTP: overHTTP, Tools: scripted{"wait": g.call}})
	stop := serveWith(t, s, l)
	idle, halfway, busy := dial(t, path), dial(t, path), dial(t, path)
	idle.send("GET /pid HTTP/1.1\r\nHost: x\r\n\r\n")
	idle.expect("HTTP/1.1 200 OK\r")
	halfway.send("GET /pid HTTP/1.1\r\nHo")
	busy.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
	<-g.begun
	if s.isNeeded() != true {
		t.Error("a daemon with a request in flight counts as idle")
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		stop(context.Background())
	}()
	_, _ = io.Copy(io.Discard, halfway.conn)
	_, _ = io.Copy(io.Discard, idle.conn)
	close(g.open)
	answer, err := io.ReadAll(busy.conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 200 OK\r\n") || !strings.Contains(string(answer), `"result":"through"`) {
		t.Errorf("%q, %v", answer, err)
	}
	<-stopped
}

// A connection between two requests gives way to a new one; one whose request is being answered does not.
func TestIdleHTTPConnectionGivesWay(t *testing.T) {
	g := newGate()
	path := serveOn(t, Options{HTTP: overHTTP, MaxConnections: 2, Tools: scripted{"wait": g.call}})
	idle, busy := dial(t, path), dial(t, path)
	busy.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
	<-g.begun
	idle.send("GET /pid HTTP/1.1\r\nHost: x\r\n\r\n")
	idle.expect("HTTP/1.1 200 OK\r")
	for {
		other := dial(t, path)
		other.send(ping)
		got := other.receive()
		_ = other.conn.Close()
		if got == pong {
			break
		}
		if !strings.Contains(got, "all are in use") { // idle's reply is still being written
			t.Fatal(got)
		}
	}
	_, _ = io.Copy(io.Discard, idle.conn) // it was evicted
	close(g.open)
	busy.expect("HTTP/1.1 200 OK\r")
}

// A daemon that answers requests is not idle.
func TestHTTPKeepsTheDaemon(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{HTTP: overHTTP})
	stop := serveWith(t, s, l)
	before := s.received.Load()
	c := browser(t, l.Addr().String())
	get(t, c, "/pid")
	get(t, c, "/pid")
	if got := s.received.Load() - before; got != 3 { // a connection and two requests
		t.Errorf("%d were noticed", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stop(ctx)
}

// A request that belongs to no connection has no tools.
func TestDoWithoutAConnection(t *testing.T) {
	if _, is := Do(t.Context(), &protocol.Ping{}).(*protocol.ErrorResponse); !is {
		t.Error("it was answered")
	}
}

// A header that does not end is waited for as long as a line.
func TestHTTPHeaderTimeout(t *testing.T) {
	c := dial(t, serveOn(t, Options{HTTP: overHTTP, LineTimeout: 20 * time.Millisecond}))
	c.send("GET /pid HTTP/1.1\r\nHo")
	if rest, err := io.ReadAll(c.conn); err != nil || strings.Contains(string(rest), "200") {
		t.Errorf("%q, %v", rest, err)
	}
}

// A tool can tell a call over HTTP from one by a line.
func TestOverHTTP(t *testing.T) {
	path := serveOn(t, Options{HTTP: overHTTP, Tools: scripted{"over": func(ctx context.Context, _ *protocol.MCPToolCall, _ Caller) (Result, error) {
		return Result{JSON: fmt.Appendf(nil, "[%t,%t]", OverHTTP(ctx), FromHTTP(ctx))}, nil
	}}})
	if _, body := get(t, browser(t, path), "/over"); !strings.Contains(body, `"result":[true,true]`) {
		t.Errorf("got %s", body)
	}
	line := dial(t, path)
	line.send(callLine("a", "over"))
	line.expect(`…"result":[false,false]`)
}
