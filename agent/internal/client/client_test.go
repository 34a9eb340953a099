package client_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

func place(dir string) protocol.Place {
	return protocol.Locate(func(string) string { return "" }, dir)
}

func soon() time.Time { return time.Now().Add(5 * time.Second) }

func TestAsk(t *testing.T) {
	dir := peertest.Project(t)
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		switch r.(type) {
		case *protocol.Ping:
			c.Reply(&protocol.Pong{})
		case *protocol.ToolsListRequest:
			c.Reply(&protocol.ErrorResponse{Error: &protocol.Error{Code: protocol.CodeInternal, Message: "no tools today"}})
		case *protocol.StatusRequest:
			c.Raw("what?\n")
		case *protocol.Attach:
			c.Raw(`{"type":"Atta`)
			c.Close()
		}
	})
	response, err := client.Ask(place(dir), &protocol.Ping{}, soon())
	if _, ok := response.(*protocol.Pong); !ok || err != nil {
		t.Errorf("got %T, %v", response, err)
	}
	_, err = client.Ask(place(dir), &protocol.ToolsListRequest{}, soon())
	var refused *protocol.Error
	if !errors.As(err, &refused) || refused.Message != "no tools today" {
		t.Errorf("got %v", err)
	}
	for _, request := range []protocol.Request{&protocol.StatusRequest{}, &protocol.Attach{}} {
		_, err = client.Ask(place(dir), request, soon())
		var broken *client.BrokenError
		if !errors.As(err, &broken) || broken.Hint() == "" {
			t.Errorf("%T: %v", request, err)
		}
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "closed the connection before it answered") {
		t.Errorf("half a line: %v", err)
	}
}

func TestNobodyAnswers(t *testing.T) {
	dir := peertest.Project(t)
	_, err := client.Ask(place(dir), &protocol.Ping{}, soon())
	var unreachable *client.UnreachableError
	if !errors.As(err, &unreachable) || !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("got %v", err)
	}
	want := "no daemon answers for " + dir + ": connect " + filepath.Join(dir, ".tidepool/control.sock") + ": no such file or directory"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	if unreachable.Hint() != "run `controlserver serve` in "+dir {
		t.Errorf("hint: %s", unreachable.Hint())
	}
	if _, err := client.Open(place(dir), soon()); !errors.As(err, &unreachable) {
		t.Errorf("open: %v", err)
	}
}

func TestSilence(t *testing.T) {
	dir := peertest.Project(t)
	peertest.Start(t, dir, func(*peertest.Conn, protocol.Request) {})
	_, err := client.Ask(place(dir), &protocol.Ping{}, time.Now().Add(30*time.Millisecond))
	if !errors.Is(err, os.ErrDeadlineExceeded) || err.Error() != "the daemon did not answer in time" {
		t.Errorf("got %v", err)
	}
}

func TestCloseCancels(t *testing.T) {
	dir := peertest.Project(t)
	gone := make(chan (<-chan struct{}))
	peertest.Start(t, dir, func(c *peertest.Conn, _ protocol.Request) { gone <- c.Gone() })
	session, err := client.Open(place(dir), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Send(&protocol.Ping{}); err != nil {
		t.Fatal(err)
	}
	hungUp := <-gone
	received := make(chan error)
	go func() {
		_, err := session.Receive()
		received <- err
	}()
	session.Close()
	if err := <-received; !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v", err)
	}
	<-hungUp
}

// A daemon that leaves may close a connection that it has accepted; the next one answers.
func TestAskAgain(t *testing.T) {
	dir := peertest.Project(t)
	listener, err := net.Listen("unix", place(dir).Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go accept(listener, func(conn net.Conn, n int) {
		if n > 0 {
			_, _ = protocol.NewReader(conn).ReadLine()
			_, _ = conn.Write(protocol.AppendResponse(nil, &protocol.Pong{}))
		}
	})
	response, err := client.Ask(place(dir), &protocol.Ping{}, soon())
	if _, ok := response.(*protocol.Pong); !ok || err != nil {
		t.Errorf("got %T, %v", response, err)
	}
}

// A daemon that has no room for a connection says so and closes it, often before the request is written.
func TestRefusedUnasked(t *testing.T) {
	dir := peertest.Project(t)
	listener, err := net.Listen("unix", place(dir).Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go accept(listener, func(conn net.Conn, _ int) {
		_, _ = conn.Write(protocol.AppendResponse(nil, &protocol.ErrorResponse{Error: &protocol.Error{Code: protocol.CodeInternal, Message: "all in use"}}))
	})
	for range 500 {
		_, err := client.Ask(place(dir), &protocol.Ping{}, soon())
		if refused, ok := errors.AsType[*protocol.Error](err); !ok || refused.Message != "all in use" {
			t.Fatalf("got %v", err)
		}
	}
}

// accept serves the n-th connection, from 0, and closes it, one after the other until the listener is closed.
func accept(listener net.Listener, serve func(conn net.Conn, n int)) {
	for n := 0; ; n++ {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		serve(conn, n)
		conn.Close()
	}
}
