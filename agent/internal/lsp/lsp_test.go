package lsp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// frame puts a message behind its header.
func frame(message string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message)
}

// daemon listens in a project. It reads one line of each connection, writes reply, and goes on with serve.
func daemon(t *testing.T, dir, reply string, serve func(r io.Reader, conn net.Conn)) {
	t.Helper()
	listener, err := net.Listen("unix", filepath.Join(dir, protocol.StateDir, protocol.SocketName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				lines := protocol.NewReader(conn)
				line, err := lines.ReadLine()
				if err != nil || !strings.HasPrefix(string(line), `{"type":"LSPAttach","language":"go","cwd":"/w","client":"agent v1"}`) {
					t.Errorf("got %q, %v", line, err)
				}
				_, _ = io.WriteString(conn, reply+"\n")
				serve(lines, conn)
			}()
		}
	}()
}

const attached = `{"type":"LSPAttached","pid":1,"version":"v1"}`

// A run is an `agent lsp` in this process.
type run struct {
	in     *io.PipeWriter
	out    *io.PipeReader
	stderr bytes.Buffer
	status chan int
}

func start(dir string, launcher Launcher) *run {
	in, out := io.Pipe()
	toClient, fromServer := io.Pipe()
	r := &run{in: out, out: toClient, status: make(chan int, 1)}
	s := Server{Language: "go", Place: protocol.Locate(func(string) string { return "" }, dir), Dir: "/w", Version: "v1",
		In: in, Out: fromServer, Stderr: &r.stderr, Launcher: launcher}
	go func() {
		status := s.Run()
		fromServer.Close()
		r.status <- status
	}()
	return r
}

func (r *run) want(t *testing.T, status int, words string) {
	t.Helper()
	if got := <-r.status; got != status {
		t.Errorf("status %d, want %d", got, status)
	}
	said := r.stderr.String()
	if !strings.Contains(said, words) || words == "" && said != "" || strings.Count(said, "\n") > 1 {
		t.Errorf("got %q, want one line with %q", said, words)
	}
}

func echo(r io.Reader, conn net.Conn) { _, _ = io.Copy(conn, r) }

// Bytes pass as they are, whatever they say, and the end of the input is the end.
func TestCopies(t *testing.T) {
	dir := peertest.Project(t)
	daemon(t, dir, attached+"\nfirst", echo) // some of it comes with the line
	r := start(dir, nil)
	sent := "Content-Length: 5\r\n\r\n\x00\xff{\n}" + strings.Repeat("x", 100_000)
	go func() {
		_, _ = io.WriteString(r.in, sent)
		r.in.Close()
	}()
	got, err := io.ReadAll(r.out)
	if err != nil || string(got) != "first\n"+sent {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	r.want(t, 0, "")
}

func TestExit(t *testing.T) {
	dir := peertest.Project(t)
	exit := frame(`{"jsonrpc":"2.0","method":"exit","params":null}`)
	daemon(t, dir, attached, func(r io.Reader, conn net.Conn) {
		_, _ = io.ReadFull(r, make([]byte, len(exit)))
	})
	r := start(dir, nil)
	for _, part := range []string{exit[:40], exit[40:]} {
		_, _ = io.WriteString(r.in, part)
	}
	_, _ = io.ReadAll(r.out)
	r.want(t, 0, "")
}

func TestDaemonEnds(t *testing.T) {
	dir := peertest.Project(t)
	daemon(t, dir, attached, func(r io.Reader, conn net.Conn) { _, _ = r.Read(make([]byte, 1)) })
	r := start(dir, nil)
	_, _ = io.WriteString(r.in, "x")
	_, _ = io.ReadAll(r.out)
	r.want(t, 1, "error: no language server for go: the daemon has ended: it starts again")
}

func TestRefused(t *testing.T) {
	for reply, want := range map[string]string{
		`{"type":"ErrorResponse","error":{"code":-32602,"message":"tidepool knows no go: ask for ml"}}`: "error: no language server for go: tidepool knows no go: ask for ml",
		`{"type":"ErrorResponse","error":{"code":-32601,"message":"unknown request type"}}`:             "older than this program and serves none: run `controlserver stop`",
		`{"type":"Pong"}`: "answered LSPAttach with *protocol.Pong",
		`what?`:           "cannot be read",
	} {
		dir := peertest.Project(t)
		daemon(t, dir, reply, func(io.Reader, net.Conn) {})
		r := start(dir, nil)
		_, _ = io.ReadAll(r.out)
		r.want(t, 1, want)
	}
}

func TestNobodyAnswers(t *testing.T) {
	start(t.TempDir(), nil).want(t, 1, ": run `agent init` in the project")
	dir := peertest.Project(t)
	start(dir, nil).want(t, 1, "no daemon answers for "+dir)
	start(dir, launcher{func() error { return errors.New("no disk") }}).want(t, 1, "error: no language server for go: no disk")
}

type launcher struct{ start func() error }

func (l launcher) Start(protocol.Place, time.Time) error { return l.start() }
func (l launcher) Renew(protocol.Place, time.Time) error { return l.start() }

// A daemon is started, and once more if it leaves at once.
func TestStarts(t *testing.T) {
	dir := peertest.Project(t)
	count := 0
	r := start(dir, launcher{func() error {
		if count++; count == 2 {
			daemon(t, dir, attached, echo)
		}
		return nil
	}})
	r.in.Close()
	_, _ = io.ReadAll(r.out)
	r.want(t, 0, "")
	if count != 2 {
		t.Errorf("started %d times", count)
	}
}
