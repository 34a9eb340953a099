package lsp

import (
	"strings"
	"time"
)

// A ServerState says what a language server is doing, for people.
type ServerState string

// The states of a server.
const (
	Starting ServerState = "starting" // the process has not shaken hands yet
	Loading  ServerState = "indexing" // it answers, but does not know the whole project yet
	Ready    ServerState = "ready"
	Backoff  ServerState = "backoff" // it ended; the next call starts it again
	Missing  ServerState = "missing" // its program is not installed
	Failed   ServerState = "failed"  // it ended too often and is not started again
	Stopped  ServerState = "stopped" // after Close
)

// ServerStatus describes one language server.
type ServerStatus struct {
	Language string      `json:"language"` // ID of the language
	Command  string      `json:"command"`  // as configured
	PID      int         `json:"pid"`      // 0: no process
	State    ServerState `json:"state"`
	Since    time.Time   `json:"since"`    // when it came into this state
	Restarts int         `json:"restarts"` // starts after the first
	Message  string      `json:"message"`  // why it is in this state, or its last warning; may be empty
}

func (s *server) status() ServerStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := ServerStatus{
		Language: s.language.ID,
		Command:  strings.Join(s.language.Command, " "),
		State:    s.state,
		Since:    s.since,
		Restarts: s.restarts,
	}
	if s.reason != nil {
		status.Message = oneLine(s.reason.Error())
	}
	if s.session == nil {
		return status
	}
	status.PID = s.session.process.cmd.Process.Pid
	status.Message = s.session.messages.latest()
	c := s.session.progress.completeness(s.project.relative)
	if c.reason != "" {
		status.Message = c.reason
	}
	status.Since = c.Since
	if c.State == Indexing {
		status.State = Loading
	}
	return status
}

// completeness is how much the server's answers are worth now.
func (s *server) completeness() ServerCompleteness {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		return s.session.progress.completeness(s.project.relative)
	}
	c := ServerCompleteness{Language: s.language.ID, State: Indexing, Since: s.since}
	c.reason = s.language.Command[0] + " is starting"
	if s.reason != nil {
		c.State, c.reason = Partial, oneLine(s.reason.Error())
	}
	return c
}

// oneLine puts a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
