package workspace

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/wording"
	"tidepool/lsp/internal/session"
)

// A ServerState says what a language server is doing, for people.
type ServerState string

// The states of a server.
const (
	Starting  ServerState = "starting" // the process has not shaken hands yet
	Loading   ServerState = "indexing" // it answers, but does not know the whole project yet
	Ready     ServerState = "ready"
	Backoff   ServerState = "backoff"   // it ended; the next call starts it again
	Missing   ServerState = "missing"   // its program is not installed
	Untrusted ServerState = "untrusted" // it would run what the project brings along, and that is not trusted
	Failed    ServerState = "failed"    // it ended too often and is not started again for a while
	Idle      ServerState = "idle"      // nobody asks it; the next question starts it
	Stopped   ServerState = "stopped"   // after Close
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
	Memory   int64       `json:"memory"`   // bytes that its processes occupied when last looked at; 0: unknown
	Trees    []string    `json:"trees"`    // directories of the checkouts that it serves
	Roots    []string    `json:"roots"`    // directories of the projects in them
	Note     string      `json:"note"`     // why it was last stopped or started again without anybody asking; may be empty
	Drafts   bool        `json:"drafts"`   // changes are tried out in it; it answers no queries
}

// Status describes the servers that the project's trees want, those of the project's directory first, and then those
// for drafts that run.
func (w *Workspace) Status() []ServerStatus {
	w.Main.Know()
	var all []ServerStatus
	seen := map[*Server]bool{}
	for _, t := range w.allTrees() {
		for _, s := range t.Wanted() {
			if !seen[s] {
				seen[s] = true
				all = append(all, s.Status())
			}
		}
	}
	for _, s := range w.Servers() {
		if s.drafts != nil && !s.untouched() {
			all = append(all, s.Status())
		}
	}
	return all
}

func (s *Server) Status() ServerStatus {
	status := ServerStatus{
		Language: s.Language.ID,
		Command:  strings.Join(s.Language.Command, " "),
		Roots:    s.roots(),
		Drafts:   s.drafts != nil,
	}
	for _, t := range s.Trees() {
		status.Trees = append(status.Trees, t.Root)
	}
	of := session.Part{Relative: s.Trees()[0].Relative}
	s.mu.Lock()
	defer s.mu.Unlock()
	status.State, status.Since, status.Restarts = s.state, s.since, s.restarts
	status.Memory, status.Note = s.memory.bytes, s.what
	if s.reason != nil {
		status.Message = wording.OneLine(s.reason.Error())
	}
	if hint := wording.HintOf(s.reason); s.state == Missing && hint != "" {
		status.Message += "; " + hint
	}
	if s.session != nil {
		s.describe(s.session, &status, of)
	}
	return status
}

// describe adds what the session knows of itself.
func (s *Server) describe(live *session.Session, status *ServerStatus, of session.Part) {
	status.PID = live.PID()
	if s.drafts == nil { // typescript-language-server 5.3 complains of each file asked about that is not open
		status.Message = live.LastMessage()
	}
	c := live.Progress.Completeness(of)
	if c.Reason != "" {
		status.Message = c.Reason
	}
	status.Since = c.Since
	if c.State == session.Indexing {
		status.State = Loading
	}
}

// Completeness returns how much the server's answers about a tree are worth now.
func (s *Server) Completeness(t *Tree) session.ServerCompleteness {
	of := t.Part()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		return s.session.Progress.Completeness(of)
	}
	c := session.ServerCompleteness{Language: s.Language.ID, State: session.Indexing, Since: s.since}
	c.Reason = filepath.Base(s.Language.Command[0]) + " " + s.startingLocked()
	if s.reason != nil {
		c.State, c.Reason = session.Partial, wording.OneLine(s.reason.Error())
	}
	return c
}

// waitsFor returns why there is no session yet.
func (s *Server) waitsFor() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.startingLocked()
}

func (s *Server) startingLocked() string {
	if s.crowded {
		return fmt.Sprintf("waits for others to end: %d language servers run and are in use", s.workspace.slots.limit)
	}
	if s.state == Idle {
		return "starts with the next question"
	}
	return "is starting"
}

// untouched reports whether nobody has needed the server yet.
func (s *Server) untouched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session == nil && s.attempt == nil && s.state == Idle
}
