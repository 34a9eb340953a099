// Package lsp is `agent lsp`: a language server on stdin and stdout that is the
// one which the daemon keeps warm for the project.
//
// The process copies bytes. What the messages say the daemon alone knows: ids,
// open files, capabilities. So a client that is served here needs one process
// more and no language server of its own.
//
// When the daemon ends, or is replaced by another build, so does this process,
// with status 1: clients of the protocol start a server again that has ended,
// and with it comes the next daemon. Going on by itself would need the client's
// side of the protocol here, and would leave requests unanswered all the same.
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
	attachLimit = 10 * time.Second // for a daemon to be started and to answer; an earlier one may have to drain
	leaveLimit  = 5 * time.Second  // for the daemon to close the connection once the client has
)

// A Launcher starts the daemon of a place and returns when it answers. Renew
// also puts it in the place of one of another build.
type Launcher interface {
	Start(place protocol.Place, deadline time.Time) error
	Renew(place protocol.Place, deadline time.Time) error
}

// A Server is one run of `agent lsp`.
type Server struct {
	Language string // as the daemon calls it, such as "go"
	Place    protocol.Place
	Dir      string // the working directory, absolute
	Version  string // of this program
	In       io.Reader
	Out      io.Writer
	Stderr   io.Writer // a line if there is no language server, or none any more

	Launcher Launcher // nil: the daemon runs already or not at all
}

// Run returns the exit status: 0 when the client has ended the conversation,
// else 1.
//
// Goroutines: one copies the input, and may be blocked on it for good when Run
// returns.
func (s *Server) Run() int {
	session, err := s.attach()
	if err == nil {
		defer session.Close()
		err = s.pump(session)
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
		err = s.turn(session)
		if err == nil {
			return session, nil
		}
		session.Close()
		if !client.IsUnread(err) || time.Now().After(deadline) { // else that daemon has just left
			return nil, err
		}
	}
}

// open connects to the daemon, which is started if it is not there.
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

// turn makes the session one with the language server.
func (s *Server) turn(session *client.Session) error {
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

// explain says what to do about a daemon that knows no LSPAttach.
func explain(err error) error {
	if refused, ok := errors.AsType[*protocol.Error](err); ok && refused.Code == protocol.CodeMethodNotFound {
		return &refusal{"the daemon that runs is older than this program and serves none",
			"run `controlserver stop`, and what is started next is the present one"}
	}
	return err
}

// A refusal is a failure with its remedy.
type refusal struct{ what, hint string }

func (e *refusal) Error() string { return e.what }

// Hint says what to do.
func (e *refusal) Hint() string { return e.hint }

// pump copies both ways until the daemon closes the connection, and says
// whether that was too early.
func (s *Server) pump(session *client.Session) error {
	var said last
	ended := make(chan struct{})
	go func() {
		if _, err := io.Copy(io.MultiWriter(&said, session), s.In); err != nil {
			return // the other direction ends as well
		}
		close(ended)
		_ = session.SetDeadline(time.Now().Add(leaveLimit))
		_ = session.CloseWrite()
	}()
	_, err := io.Copy(s.Out, session)
	select {
	case <-ended:
		return nil // what the client does not read it does not miss
	default:
	}
	if err == nil && said.farewell() {
		return nil
	}
	return &refusal{"the daemon has ended", "it starts again with the next language client; see .tidepool/logs/controlserver.log"}
}

// farewellSize is more than an exit notification takes, in bytes.
const farewellSize = 128

// A last is the end of what was written to it.
type last struct {
	mu   sync.Mutex
	text []byte
}

func (l *last) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p[max(0, len(p)-farewellSize):]...)
	l.text = l.text[max(0, len(l.text)-farewellSize):]
	return len(p), nil
}

// farewell reports whether the client's last message was exit, after which
// nothing may come.
func (l *last) farewell() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Contains(l.text, []byte(`"exit"`))
}
