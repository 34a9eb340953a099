package server

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tidepool/protocol"
)

// browser2 returns a client of a socket that speaks HTTP/2 only. It opens one connection.
func browser2(t testing.TB, path string) *http.Client {
	t.Helper()
	c := browser(t, path)
	transport := c.Transport.(*http.Transport)
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetUnencryptedHTTP2(true)
	transport.HTTP2 = &http.HTTP2Config{StrictMaxConcurrentRequests: true}
	return c
}

// ask sends a GET on a goroutine of its own, and returns where its reply, or its error, comes.
func ask(ctx context.Context, c *http.Client, route string) <-chan string {
	replies := make(chan string, 1)
	go func() {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://x"+route, nil)
		if err != nil {
			replies <- err.Error()
			return
		}
		response, err := c.Do(request)
		if err != nil {
			replies <- err.Error()
			return
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		replies <- fmt.Sprint(response.Proto, " ", response.StatusCode, " ", string(body), err)
	}()
	return replies
}

// Requests of one connection run at once, as far as its calls may, and the others wait for their turn.
func TestHTTP2(t *testing.T) {
	g := newGate()
	s := New(Options{HTTP: overHTTP, Workers: 200, Tools: scripted{"wait": g.call}})
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	stop := serveWith(t, s, l)
	defer stop(t.Context())
	c := browser2(t, l.Addr().String())
	get(t, c, "/pid") // many at once might open a connection each
	var replies []<-chan string
	for range maxStreams {
		replies = append(replies, ask(t.Context(), c, "/wait"))
	}
	for range unfinished {
		<-g.begun
	}
	if n := s.Stats().CallsInFlight; n != unfinished || !s.isNeeded() {
		t.Errorf("%d calls are in flight", n)
	}
	close(g.open)
	for _, reply := range replies {
		if got := <-reply; !strings.HasPrefix(got, "HTTP/2.0 200 ") || !strings.Contains(got, `"result":"through"`) {
			t.Error(got)
		}
	}
	if n := s.Stats().Calls; n != maxStreams {
		t.Errorf("%d calls", n)
	}
}

// A stream that its client resets, and a connection that it closes, cancel their calls and no others.
func TestHTTP2HangUp(t *testing.T) {
	g := newGate()
	c := browser2(t, serveOn(t, Options{HTTP: overHTTP, Tools: scripted{"wait": g.call}}))
	ctx, cancel := context.WithCancel(t.Context())
	reset, other := ask(ctx, c, "/wait"), ask(t.Context(), c, "/wait")
	<-g.begun
	<-g.begun
	cancel()
	if err := <-g.ended; err == nil {
		t.Error("the call was not cancelled")
	}
	if got := <-reset; !strings.Contains(got, "context canceled") {
		t.Error(got)
	}
	close(g.open)
	if got := <-other; !strings.Contains(got, `"result":"through"`) {
		t.Error(got)
	}
}

// A connection gives way to a new one when all of its requests are answered or reset, and not before.
func TestHTTP2GivesWay(t *testing.T) {
	g := newGate()
	path := serveOn(t, Options{HTTP: overHTTP, MaxConnections: 1, Tools: scripted{"wait": g.call}})
	c := browser2(t, path)
	for round := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		reply := ask(ctx, c, "/wait")
		for begun := false; !begun; {
			select {
			case <-g.begun:
				begun = true
			case refused := <-reply: // the connection before is answered, but not yet unpinned
				if strings.HasPrefix(refused, "HTTP/2.0 200") {
					t.Fatal(refused)
				}
				reply = ask(ctx, c, "/wait")
			}
		}
		other := dial(t, path)
		other.expect("…all are in use")
		if round == 0 {
			cancel()
			<-g.ended
		} else {
			close(g.open)
		}
		<-reply
		cancel()
		for { // until the reply is written
			other := dial(t, path)
			_, _ = io.WriteString(other.conn, ping) // an error where the connection was refused before; the refusal can be read all the same
			got := other.receive()
			_ = other.conn.Close()
			if got == pong {
				break
			}
			if !strings.Contains(got, "all are in use") {
				t.Fatal(got)
			}
		}
	}
}

// Shutdown tells clients to go, lets requests in flight finish, and closes connections that have none.
func TestShutdownDrainsHTTP2(t *testing.T) {
	g := newGate()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{HTTP: overHTTP, Tools: scripted{"wait": g.call}})
	stop := serveWith(t, s, l)
	idle, busy := browser2(t, l.Addr().String()), browser2(t, l.Addr().String())
	get(t, idle, "/pid")
	reply := ask(t.Context(), busy, "/wait")
	<-g.begun
	var stopped sync.WaitGroup
	stopped.Go(func() { stop(context.Background()) })
	<-s.quit
	close(g.open)
	if got := <-reply; !strings.Contains(got, `"result":"through"`) {
		t.Error(got)
	}
	began := time.Now()
	stopped.Wait()
	if took := time.Since(began); took > 900*time.Millisecond { // net/http would wait for a second
		t.Errorf("it took %v", took)
	}
}

// Replies are whole even if the connection is evicted as soon as it has nothing to do.
func TestEvictionLosesNoReply(t *testing.T) {
	path := serveOn(t, Options{HTTP: overHTTP, MaxConnections: 1, Tools: scripted{"find": func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) {
		return Result{JSON: []byte(`"` + strings.Repeat("x", 10_000) + `"`)}, nil
	}}})
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var crowd sync.WaitGroup
	crowd.Go(func() {
		for ctx.Err() == nil {
			conn, err := net.Dial("unix", path)
			if err != nil {
				continue
			}
			stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
			_, _ = io.Copy(io.Discard, io.LimitReader(conn, 1)) // refused, or evicted by the next one
			stop()
			_ = conn.Close()
		}
	})
	answered := 0
	for answered < 50 {
		c := browser2(t, path)
		response, err := c.Get("http://x/find")
		if err != nil || response.StatusCode != http.StatusOK { // refused, or evicted before the request was read
			continue
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || len(body) < 10_000 {
			t.Fatalf("%d bytes, %v", len(body), err)
		}
		answered++
		c.CloseIdleConnections()
	}
	end()
	crowd.Wait()
}
