// Package lsp is `agent lsp`: it connects a client on stdin and stdout to the
// language server that the daemon keeps warm for the project.
//
// The process copies bytes and understands no message: ids, open files and
// capabilities are the daemon's. A client costs one small process and no language
// server of its own.
//
// When the daemon exits, or another build replaces it, this process exits with
// status 1. Clients of the protocol restart a server that has exited, which starts
// the next daemon. To continue by itself, the process would have to speak the
// client's side of the protocol, and requests would still be lost.
package lsp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/agent/internal/launch"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

const (
	attachLimit = 10 * time.Second // for a daemon to start and answer; a previous one may have to drain
	leaveLimit  = 5 * time.Second  // for the daemon to close the connection after the client has
)

// A Launcher starts the daemon of a place and returns when it answers. Renew also
// replaces a daemon of another build.
type Launcher interface {
	Start(place protocol.Place, deadline time.Time) error
	Renew(place protocol.Place, deadline time.Time) error
}

// A Server is one run of `agent lsp`.
type Server struct {
	Language string // its id, such as "go"
	Place    protocol.Place
	Dir      string // the working directory, absolute
	Version  string // of this program
	In       io.Reader
	Out      io.Writer
	Stderr   io.Writer // one line if there is no language server, or if it is gone

	Launcher Launcher // nil: no daemon is started
}

// Run returns the exit status: 0 if the client ended the connection, else 1.
//
// Goroutines: one copies the input. It may still be blocked in a read when Run
// returns, and ends with the process.
func (s *Server) Run() int {
	session, err := s.attach()
	if err == nil {
		defer session.Close()
		err = s.copyBoth(session)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintf(s.Stderr, "error: no language server for %s: %v", s.Language, err)
	if hint := wording.HintOf(err); hint != "" {
		fmt.Fprintf(s.Stderr, ": %s", hint)
	}
	fmt.Fprintln(s.Stderr)
	return 1
}

func (s *Server) attach() (*client.Session, error) {
	deadline := time.Now().Add(attachLimit)
	for {
		session, err := s.open(deadline)
		if err != nil {
			return nil, err
		}
		err = s.attachLanguage(session)
		if err == nil {
			return session, nil
		}
		session.Close()
		if !client.IsUnread(err) || time.Now().After(deadline) { // else the daemon has just exited
			return nil, err
		}
	}
}

// open connects to the daemon, and starts it if necessary.
func (s *Server) open(deadline time.Time) (*client.Session, error) {
	if s.Launcher == nil || !s.Place.Managed {
		session, err := client.Open(s.Place, deadline)
		if client.IsAbsent(err) && !s.Place.Managed {
			return nil, &refusal{"tidepool does not serve " + s.Place.Project, "run `agent init` in the project"}
		}
		return session, err
	}
	start := s.Launcher.Renew
	for {
		failed := start(s.Place, deadline)
		session, err := client.Open(s.Place, deadline)
		switch {
		case !client.IsAbsent(err), errors.Is(failed, launch.ErrNobody):
			return session, err
		case failed != nil:
			return nil, failed
		}
		start = s.Launcher.Start
	}
}

// attachLanguage hands the session to the language server.
func (s *Server) attachLanguage(session *client.Session) error {
	err := session.Send(&protocol.LSPAttach{Language: s.Language, Cwd: s.Dir, Client: "agent " + s.Version})
	if err != nil {
		return err
	}
	switch reply, err := session.Receive(); {
	case err != nil:
		return explain(err)
	case !isAttached(reply):
		return &client.BrokenError{Reason: fmt.Sprintf("the daemon answered LSPAttach with %T", reply)}
	}
	return session.SetDeadline(time.Time{})
}

func isAttached(reply protocol.Response) bool {
	_, ok := reply.(*protocol.LSPAttached)
	return ok
}

// explain adds what to do about a daemon that knows no LSPAttach.
func explain(err error) error {
	if refused, ok := errors.AsType[*protocol.Error](err); ok && refused.Code == protocol.CodeMethodNotFound {
		return &refusal{"the daemon that runs is older than this program and serves none",
			"run `controlserver stop`, and what is started next is the present one"}
	}
	return err
}

// A refusal is an error with a hint.
type refusal struct{ what, hint string }

func (e *refusal) Error() string { return e.what }

// Hint says what to do.
func (e *refusal) Hint() string { return e.hint }

// copyBoth copies both ways until the daemon closes the connection. It returns an
// error if that was before the client's exit notification.
func (s *Server) copyBoth(session *client.Session) error {
	var said tail
	ended := make(chan struct{})
	go func() {
		if _, err := io.Copy(io.MultiWriter(&said, session), s.In); err != nil {
			return // the other direction ends, too
		}
		close(ended)
		_ = session.SetDeadline(time.Now().Add(leaveLimit))
		_ = session.CloseWrite()
	}()
	_, err := io.Copy(s.Out, session)
	select {
	case <-ended:
		return nil // the client has exited
	default:
	}
	if err == nil && said.isExit() {
		return nil
	}
	return &refusal{"the daemon has ended", "it starts again with the next language client; see .tidepool/logs/controlserver.log"}
}

// tailSize is more bytes than an exit notification has.
const tailSize = 128

// A tail keeps the last bytes that were written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (l *tail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p[max(0, len(p)-tailSize):]...)
	l.text = l.text[max(0, len(l.text)-tailSize):]
	return len(p), nil
}

// isExit reports whether the client's last message was exit, after which it sends
// nothing.
func (l *tail) isExit() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Contains(l.text, []byte(`"exit"`))
}
